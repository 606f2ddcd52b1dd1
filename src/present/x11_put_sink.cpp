// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <cstring>
#include <vector>

#include "present/x11_requests.h"
#include "present/x11_sink.h"

namespace kobalt::present {

namespace {

/// Bytes of a PutImage request beside the image: its fixed part, and the longer length of
/// BIG-REQUESTS.
constexpr size_t head_bytes = sizeof(xcb_put_image_request_t) + 4;

/// The most that one request carries. Longer ones would keep other clients waiting, and gain
/// nothing.
constexpr size_t most_bytes = 1 << 20;

class X11PutSink final : public FrameSink {
public:
    explicit X11PutSink(const X11Target& target)
        : target_(target), context_(target.connection, target.window),
          band_bytes_(
              std::min(most_bytes, 4 * size_t{xcb_get_maximum_request_length(target.connection)} -
                                       head_bytes)) {}

    const PixelLayout& layout() const override { return target_.layout; }
    double refresh_rate() const override { return target_.refresh_rate; }
    vulkan::Result<std::unique_ptr<SharedPages>> allocate(size_t) override { return nullptr; }
    const char* name() const override { return "XPutImage"; }

    void interrupt() override {
        if (target_.own)
            target_.own->shut_down();
    }

    Put put(const Picture& picture) override {
        const VkRect2D& damage = picture.damage;
        const size_t stride = target_.layout.stride(damage.extent.width);
        const std::span<const std::byte> pixels = packed(picture, stride);
        const auto rows = static_cast<uint32_t>(std::max<size_t>(band_bytes_ / stride, 1));
        requests_.clear();
        for (uint32_t y = 0; y < damage.extent.height; y += rows) {
            const uint32_t height = std::min(rows, damage.extent.height - y);
            requests_.push_back(xcb_put_image_checked(
                target_.connection, XCB_IMAGE_FORMAT_Z_PIXMAP, target_.window, context_.id(),
                static_cast<uint16_t>(damage.extent.width), static_cast<uint16_t>(height),
                static_cast<int16_t>(damage.offset.x),
                static_cast<int16_t>(damage.offset.y + static_cast<int32_t>(y)), 0,
                static_cast<uint8_t>(target_.depth), static_cast<uint32_t>(height * stride),
                reinterpret_cast<const uint8_t*>(pixels.data() + y * stride)));
        }
        const Put result = check_put(target_.connection, requests_);
        if (target_.own)
            target_.own->discard_errors();
        return result;
    }

private:
    /// The pixels of the damage alone: a request has no stride.
    std::span<const std::byte> packed(const Picture& picture, size_t stride) {
        const std::span<const std::byte> rows = picture.damaged_rows(target_.layout);
        const VkRect2D& damage = picture.damage;
        if (damage.extent.width == picture.extent.width)
            return rows;
        const size_t whole = target_.layout.stride(picture.extent.width);
        const size_t bytes = size_t{damage.extent.width} * target_.layout.bytes;
        packed_.resize(stride * damage.extent.height);
        for (uint32_t y = 0; y < damage.extent.height; ++y)
            std::memcpy(packed_.data() + y * stride,
                        rows.data() + y * whole +
                            static_cast<size_t>(damage.offset.x) * target_.layout.bytes,
                        bytes);
        return packed_;
    }

    const X11Target target_;
    const GraphicsContext context_;
    const size_t band_bytes_;
    std::vector<xcb_void_cookie_t> requests_;
    std::vector<std::byte> packed_;
};

} // namespace

std::unique_ptr<FrameSink> open_x11_put_sink(const X11Target& target) {
    return std::make_unique<X11PutSink>(target);
}

} // namespace kobalt::present
