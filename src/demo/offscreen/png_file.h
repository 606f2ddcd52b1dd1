// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace kobalt::offscreen {

/// An RGBA8 picture whose first row is the bottom one, as glReadPixels gives it.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;

    const std::uint8_t* at(int x, int y) const {
        return &rgba[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)) *
                     4];
    }
};

/// Reads any PNG file as RGBA8. The error is one line that names the file.
std::expected<Picture, std::string> read_png(const std::string& path);

/// Writes an RGB (alpha dropped) or RGBA PNG file; the top row of the file is the picture's last.
std::expected<void, std::string> write_png(const std::string& path, const Picture& picture,
                                           bool keep_alpha);

} // namespace kobalt::offscreen
