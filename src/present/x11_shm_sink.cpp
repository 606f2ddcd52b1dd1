// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <xcb/shm.h>

#include "present/x11_requests.h"
#include "present/x11_sink.h"

namespace kobalt::present {

namespace {

/// A segment that program and server have mapped. It is a memory file, not System V's shared
/// memory: the descriptor reaches a server in another container as well, and nothing is left behind
/// when the process is killed.
class Segment final : public SharedPages {
public:
    Segment(std::shared_ptr<const X11Connection> own, xcb_connection_t* connection)
        : own_(std::move(own)), connection_(connection), id_(xcb_generate_id(connection)) {}
    ~Segment() override {
        if (attached_) {
            const auto detached = xcb_shm_detach_checked(connection_, id_);
            xcb_discard_reply(connection_, detached.sequence);
            xcb_flush(connection_);
        }
        if (!bytes_.empty())
            munmap(bytes_.data(), bytes_.size());
    }

    std::span<std::byte> bytes() const override { return bytes_; }
    xcb_shm_seg_t id() const { return id_; }

    vulkan::Result<void> create(size_t bytes) {
        const int file = memfd_create("kobalt-frame", MFD_CLOEXEC);
        if (file < 0)
            return failed("memfd_create", bytes);
        void* mapped = MAP_FAILED;
        if (ftruncate(file, static_cast<off_t>(bytes)) == 0)
            mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (mapped == MAP_FAILED) {
            auto failure = failed("mapping shared memory", bytes);
            close(file);
            return failure;
        }
        bytes_ = {static_cast<std::byte*>(mapped), bytes};
        // xcb closes the descriptor once it is sent.
        const xcb_void_cookie_t attached = xcb_shm_attach_fd_checked(connection_, id_, file, 1);
        const XcbReply<xcb_generic_error_t> error(xcb_request_check(connection_, attached));
        attached_ = !error && !xcb_connection_has_error(connection_);
        if (!attached_)
            return vulkan::fail(xcb_connection_has_error(connection_)
                                    ? VK_ERROR_SURFACE_LOST_KHR
                                    : VK_ERROR_INITIALIZATION_FAILED,
                                "ShmAttachFd", vulkan::size_text(bytes));
        return {};
    }

private:
    static vulkan::Result<void> failed(const char* tried, size_t bytes) {
        return vulkan::fail(VK_ERROR_OUT_OF_HOST_MEMORY, tried,
                            vulkan::size_text(bytes) + " (" + std::strerror(errno) + ")");
    }

    const std::shared_ptr<const X11Connection> own_; ///< keeps the connection
    xcb_connection_t* const connection_;
    const xcb_shm_seg_t id_;
    std::span<std::byte> bytes_;
    bool attached_ = false;
};

class X11ShmSink final : public FrameSink {
public:
    explicit X11ShmSink(const X11Target& target)
        : target_(target), context_(target.connection, target.window) {}

    const PixelLayout& layout() const override { return target_.layout; }
    double refresh_rate() const override { return target_.refresh_rate; }
    const char* name() const override { return "MIT-SHM"; }

    vulkan::Result<std::unique_ptr<SharedPages>> allocate(size_t bytes) override {
        auto segment = std::make_unique<Segment>(target_.own, target_.connection);
        const std::scoped_lock turn(waiting_);
        if (const auto made = segment->create(bytes); !made)
            return std::unexpected(made.error());
        return segment;
    }

    void interrupt() override {
        if (target_.own)
            target_.own->shut_down();
    }

    Put put(const Picture& picture) override {
        const auto& segment = static_cast<const Segment&>(*picture.pages);
        const PixelLayout& layout = target_.layout;
        const auto x = static_cast<uint16_t>(picture.damage.offset.x);
        const auto y = static_cast<uint16_t>(picture.damage.offset.y);
        // The server reads a segment while it processes the request, so a checked request tells
        // what the ShmCompletion event tells. It doesn't put an event into a queue that the program
        // reads.
        const std::array<xcb_void_cookie_t, 1> requests = {xcb_shm_put_image_checked(
            target_.connection, target_.window, context_.id(),
            static_cast<uint16_t>(layout.stride(picture.extent.width) / layout.bytes),
            static_cast<uint16_t>(picture.extent.height), x, y,
            static_cast<uint16_t>(picture.damage.extent.width),
            static_cast<uint16_t>(picture.damage.extent.height), static_cast<int16_t>(x),
            static_cast<int16_t>(y), static_cast<uint8_t>(target_.depth), XCB_IMAGE_FORMAT_Z_PIXMAP,
            0, segment.id(), 0)};
        const std::scoped_lock turn(waiting_);
        const Put result = check_put(target_.connection, requests);
        if (target_.own)
            target_.own->discard_errors();
        return result;
    }

private:
    const X11Target target_;
    const GraphicsContext context_;
    /// Held while a thread waits for an answer: the window's own, or one that makes a segment. In
    /// libxcb up to 1.15 remove_reader() loops for ever, with the connection's lock held, where the
    /// later of two awaited answers is taken first.
    std::mutex waiting_;
};

/// Whether descriptors can be sent over the connection. An ssh tunnel forwards TCP, so this also
/// tells a remote display whose server has the extension.
bool is_local(xcb_connection_t* connection) {
    sockaddr_storage address{};
    socklen_t length = sizeof(address);
    return getpeername(xcb_get_file_descriptor(connection), reinterpret_cast<sockaddr*>(&address),
                       &length) == 0 &&
           address.ss_family == AF_UNIX;
}

/// MIT-SHM 1.2 has segments of descriptors.
bool takes_descriptors(xcb_connection_t* connection) {
    const xcb_query_extension_reply_t* extension = xcb_get_extension_data(connection, &xcb_shm_id);
    if (!extension || !extension->present)
        return false;
    const XcbReply<xcb_shm_query_version_reply_t> version(
        xcb_shm_query_version_reply(connection, xcb_shm_query_version(connection), nullptr));
    return version && (version->major_version > 1 || version->minor_version >= 2);
}

} // namespace

vulkan::Result<std::unique_ptr<FrameSink>> open_x11_shm_sink(const X11Target& target) {
    if (!is_local(target.connection) || !takes_descriptors(target.connection))
        return nullptr;
    auto sink = std::make_unique<X11ShmSink>(target);
    // The server may refuse descriptors of this process all the same (a proxy that drops them).
    constexpr size_t page = 4096;
    if (!sink->allocate(page))
        return nullptr;
    return sink;
}

} // namespace kobalt::present
