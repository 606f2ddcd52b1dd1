// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "present/pixel_layout.h"
#include "vulkan/base/error.h"

namespace kobalt::present {

/// Memory that a window system's server sees as well.
class SharedPages {
public:
    SharedPages() = default;
    virtual ~SharedPages() = default;
    SharedPages(const SharedPages&) = delete;
    SharedPages& operator=(const SharedPages&) = delete;

    virtual std::span<std::byte> bytes() const = 0;
};

/// A frame in host memory.
struct Picture {
    std::span<std::byte> pixels;        ///< rows of PixelLayout::stride() bytes
    const SharedPages* pages = nullptr; ///< whose first bytes the pixels are; null: own memory
    VkExtent2D extent{};
    VkRect2D damage{}; ///< the part that may differ from the picture before

    /// The rows of the damage. All of a row's pixels are in them.
    std::span<std::byte> damaged_rows(const PixelLayout& layout) const {
        const size_t stride = layout.stride(extent.width);
        return pixels.subspan(static_cast<size_t>(damage.offset.y) * stride,
                              damage.extent.height * stride);
    }
};

enum class Put {
    yes,
    skipped, ///< the window system refused this picture
    lost,    ///< the window or its server is gone
};

/// Puts frames into one window by a window system's own requests.
class FrameSink {
public:
    FrameSink() = default;
    virtual ~FrameSink() = default;
    FrameSink(const FrameSink&) = delete;
    FrameSink& operator=(const FrameSink&) = delete;

    /// To be called before anything else, with the format of the window's frames, which stays the
    /// same: a sink that takes pixels in several layouts chooses the one of the frames.
    virtual void choose_layout(VkFormat) {}
    /// The layout of the pixels that put() takes.
    virtual const PixelLayout& layout() const = 0;
    /// Memory from which put() shows pictures without a copy. The value is null where the sink
    /// takes any memory. Thread-safe.
    virtual vulkan::Result<std::unique_ptr<SharedPages>> allocate(size_t bytes) = 0;
    /// Shows a picture at the window's top left corner, or only its damage. Its pixels may change
    /// once this returns. One thread at a time calls it.
    virtual Put put(const Picture& picture) = 0;
    /// Ends a put() that another thread is in, and makes later ones fail. For a server that doesn't
    /// answer.
    virtual void interrupt() = 0;
    /// Hertz of the monitor that shows the window; 0: unknown.
    virtual double refresh_rate() const { return 0; }
    /// For reports: how pictures get to the window.
    virtual const char* name() const = 0;
};

} // namespace kobalt::present
