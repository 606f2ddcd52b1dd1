// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "demo/offscreen/png_file.h"

#include <cstring>

#include <png.h>

namespace kobalt::offscreen {

std::expected<Picture, std::string> read_png(const std::string& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&image, path.c_str())) {
        return std::unexpected("cannot read " + path + ": " + image.message);
    }
    image.format = PNG_FORMAT_RGBA;
    Picture picture{static_cast<int>(image.width), static_cast<int>(image.height), {}};
    picture.rgba.resize(PNG_IMAGE_SIZE(image));
    // A negative stride makes libpng store the bottom row first.
    const auto stride = -static_cast<png_int_32>(PNG_IMAGE_ROW_STRIDE(image));
    if (!png_image_finish_read(&image, nullptr, picture.rgba.data(), stride, nullptr)) {
        return std::unexpected("cannot decode " + path + ": " + image.message);
    }
    return picture;
}

std::expected<void, std::string> write_png(const std::string& path, const Picture& picture,
                                           bool keep_alpha) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width);
    image.height = static_cast<png_uint_32>(picture.height);
    image.format = keep_alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
    const std::size_t channels = keep_alpha ? 4 : 3;
    const std::size_t pixels =
        static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height);
    std::vector<std::uint8_t> packed(pixels * channels);
    for (std::size_t i = 0; i < pixels; ++i) {
        std::memcpy(&packed[i * channels], &picture.rgba[i * 4], channels);
    }
    const auto stride = -static_cast<png_int_32>(image.width * channels);
    if (!png_image_write_to_file(&image, path.c_str(), 0, packed.data(), stride, nullptr)) {
        return std::unexpected("cannot write " + path + ": " + image.message);
    }
    return {};
}

} // namespace kobalt::offscreen
