// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/wayland_sink.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wayland-client.h>

namespace kobalt::present {

namespace {

template <auto Destroy>
struct Destroyer {
    template <class T>
    void operator()(T* object) const {
        Destroy(object);
    }
};
template <class T, auto Destroy>
using Owned = std::unique_ptr<T, Destroyer<Destroy>>;

using Queue = Owned<wl_event_queue, wl_event_queue_destroy>;
using Registry = Owned<wl_registry, wl_registry_destroy>;
using Shm = Owned<wl_shm, wl_shm_destroy>;
using Pool = Owned<wl_shm_pool, wl_shm_pool_destroy>;
using Buffer = Owned<wl_buffer, wl_buffer_destroy>;
/// A proxy of the program's, whose requests and events are of a queue of ours.
template <class T>
using Wrapper = Owned<T, wl_proxy_wrapper_destroy>;

template <class T>
Wrapper<T> wrap(T* proxy, wl_event_queue* queue) {
    Wrapper<T> wrapper(static_cast<T*>(wl_proxy_create_wrapper(proxy)));
    if (wrapper)
        wl_proxy_set_queue(reinterpret_cast<wl_proxy*>(wrapper.get()), queue);
    return wrapper;
}

/// A buffer that compositor and program have mapped. The compositor keeps it until it shows
/// another.
class ShmBuffer {
public:
    ShmBuffer() = default;
    ShmBuffer(const ShmBuffer&) = delete;
    ShmBuffer& operator=(const ShmBuffer&) = delete;
    ~ShmBuffer() { reset(); }

    bool busy() const { return busy_; }
    void mark_busy() { busy_ = true; }
    wl_buffer* handle() const { return buffer_.get(); }
    std::span<std::byte> bytes() const { return bytes_; }

    /// False: no memory.
    bool fit(wl_shm* shm, VkExtent2D extent, uint32_t stride, uint32_t format) {
        if (buffer_ && extent.width == extent_.width && extent.height == extent_.height)
            return true;
        reset();
        const size_t size = size_t{stride} * extent.height;
        const int file = memfd_create("kobalt-frame", MFD_CLOEXEC);
        if (file < 0)
            return false;
        void* mapped = MAP_FAILED;
        if (ftruncate(file, static_cast<off_t>(size)) == 0)
            mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (mapped != MAP_FAILED) {
            bytes_ = {static_cast<std::byte*>(mapped), size};
            const Pool pool(wl_shm_create_pool(shm, file, static_cast<int32_t>(size)));
            buffer_.reset(wl_shm_pool_create_buffer(
                pool.get(), 0, static_cast<int32_t>(extent.width),
                static_cast<int32_t>(extent.height), static_cast<int32_t>(stride), format));
            static constexpr wl_buffer_listener listener = {
                [](void* self, wl_buffer*) { static_cast<ShmBuffer*>(self)->busy_ = false; }};
            wl_buffer_add_listener(buffer_.get(), &listener, this);
            extent_ = extent;
        }
        close(file);
        return buffer_ != nullptr;
    }

private:
    void reset() {
        buffer_.reset();
        if (!bytes_.empty())
            munmap(bytes_.data(), bytes_.size());
        bytes_ = {};
        busy_ = false;
    }

    Buffer buffer_;
    std::span<std::byte> bytes_;
    VkExtent2D extent_{};
    bool busy_ = false;
};

class WaylandSink final : public FrameSink {
public:
    WaylandSink(wl_display* display, bool translucent)
        : display_(display), translucent_(translucent),
          format_(translucent ? WL_SHM_FORMAT_ARGB8888 : WL_SHM_FORMAT_XRGB8888) {
        layout_.format = VK_FORMAT_B8G8R8A8_UNORM;
        layout_.bytes = 4;
    }

    /// False: the compositor doesn't answer.
    bool connect(wl_surface* surface) {
        queue_.reset(wl_display_create_queue(display_));
        const Wrapper<wl_display> display = wrap(display_, queue_.get());
        surface_ = wrap(surface, queue_.get());
        if (!queue_ || !display || !surface_)
            return false;
        const Registry registry(wl_display_get_registry(display.get()));
        static constexpr wl_registry_listener listener = {
            [](void* self, wl_registry* list, uint32_t name, const char* interface, uint32_t) {
                if (std::strcmp(interface, wl_shm_interface.name) == 0)
                    static_cast<WaylandSink*>(self)->shm_.reset(
                        static_cast<wl_shm*>(wl_registry_bind(list, name, &wl_shm_interface, 1)));
            },
            [](void*, wl_registry*, uint32_t) {}};
        wl_registry_add_listener(registry.get(), &listener, this);
        return wl_display_roundtrip_queue(display_, queue_.get()) >= 0 && shm_;
    }

    // EGL has configs of 30 bits only where the compositor takes such buffers.
    void choose_layout(VkFormat frames) override {
        if (frames == VK_FORMAT_A2R10G10B10_UNORM_PACK32)
            format_ = translucent_ ? WL_SHM_FORMAT_ARGB2101010 : WL_SHM_FORMAT_XRGB2101010;
        else if (frames == VK_FORMAT_A2B10G10R10_UNORM_PACK32)
            format_ = translucent_ ? WL_SHM_FORMAT_ABGR2101010 : WL_SHM_FORMAT_XBGR2101010;
        else
            return;
        layout_.format = frames;
    }
    const PixelLayout& layout() const override { return layout_; }
    vulkan::Result<std::unique_ptr<SharedPages>> allocate(size_t) override { return nullptr; }
    void interrupt() override { interrupted_ = true; }
    const char* name() const override { return "wl_shm"; }

    Put put(const Picture& picture) override {
        ShmBuffer* buffer = idle_buffer();
        if (!buffer) { // dropped: never shown
            whole_ = true;
            return wl_display_get_error(display_) ? Put::lost : Put::yes;
        }
        const uint32_t stride = layout_.stride(picture.extent.width);
        if (!buffer->fit(shm_.get(), picture.extent, stride, format_))
            return Put::skipped;
        std::memcpy(buffer->bytes().data(), picture.pixels.data(), picture.pixels.size());
        wl_surface_attach(surface_.get(), buffer->handle(), 0, 0);
        damage(whole_ ? VkRect2D{{0, 0}, picture.extent} : picture.damage);
        whole_ = false;
        wl_surface_commit(surface_.get());
        buffer->mark_busy();
        if (wl_display_flush(display_) < 0 && errno != EAGAIN)
            return Put::lost;
        return Put::yes;
    }

private:
    void damage(const VkRect2D& area) {
        // Version 4 of wl_surface counts in pixels of the buffer; before, scaled surfaces take all.
        if (wl_surface_get_version(surface_.get()) >= WL_SURFACE_DAMAGE_BUFFER_SINCE_VERSION)
            wl_surface_damage_buffer(surface_.get(), area.offset.x, area.offset.y,
                                     static_cast<int32_t>(area.extent.width),
                                     static_cast<int32_t>(area.extent.height));
        else
            wl_surface_damage(surface_.get(), 0, 0, INT32_MAX, INT32_MAX);
    }

    /// Null: the compositor releases none, as where the surface is hidden, or it is gone.
    ShmBuffer* idle_buffer() {
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
        while (!interrupted_ && wl_display_dispatch_queue_pending(display_, queue_.get()) >= 0) {
            for (ShmBuffer& buffer : buffers_)
                if (!buffer.busy())
                    return &buffer;
            if (std::chrono::steady_clock::now() > until || !read_events())
                return nullptr;
        }
        return nullptr;
    }

    /// False: the connection is broken.
    bool read_events() {
        if (wl_display_prepare_read_queue(display_, queue_.get()) != 0)
            return true; // there are some already
        wl_display_flush(display_);
        pollfd descriptor = {wl_display_get_fd(display_), POLLIN, 0};
        constexpr int patience = 100; // milliseconds
        if (poll(&descriptor, 1, patience) <= 0) {
            wl_display_cancel_read(display_);
            return true;
        }
        return wl_display_read_events(display_) == 0;
    }

    wl_display* const display_;
    const bool translucent_;
    uint32_t format_; ///< of wl_shm
    PixelLayout layout_;
    std::atomic<bool> interrupted_{false};
    Queue queue_; ///< declared before all that has its events there
    Wrapper<wl_surface> surface_;
    Shm shm_;
    /// The compositor shows one, holds the next, and a third is written.
    std::array<ShmBuffer, 3> buffers_;
    bool whole_ = false; ///< the damage of a picture that was dropped isn't told yet
};

} // namespace

vulkan::Result<std::unique_ptr<FrameSink>> open_wayland_sink(const SurfaceInfo& surface,
                                                             bool translucent) {
    // NOLINTBEGIN(performance-no-int-to-ptr)
    auto* display = reinterpret_cast<wl_display*>(surface.words[1]);
    auto* native = reinterpret_cast<wl_surface*>(surface.words[2]);
    // NOLINTEND(performance-no-int-to-ptr)
    auto sink = std::make_unique<WaylandSink>(display, translucent);
    if (!sink->connect(native))
        return vulkan::fail(VK_ERROR_INITIALIZATION_FAILED, "asking the compositor for wl_shm");
    return sink;
}

} // namespace kobalt::present
