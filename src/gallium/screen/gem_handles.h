// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "vulkan/base/file_descriptor.h"

namespace kobalt::gallium {

/// The handles of dma-bufs on the app's DRM file, by which the display controller's ioctls name
/// them (gbm_bo_get_handle). The kernel gives one handle for each buffer, however often it is asked
/// for; this counts the users, and closes a handle behind the last one. Thread-safe.
class GemHandles {
public:
    /// Duplicates `drm_fd`; -1: there is no DRM file, and acquire() fails.
    explicit GemHandles(int drm_fd);
    GemHandles(const GemHandles&) = delete;
    GemHandles& operator=(const GemHandles&) = delete;

    /// The handle of the dma-buf `fd`, for one user more. 0 with errno set: the kernel refuses.
    uint32_t acquire(int fd);
    /// -1: there is no DRM file.
    int drm_fd() const { return drm_fd_.get(); }
    void release(uint32_t handle);

private:
    const vulkan::FileDescriptor drm_fd_;
    std::mutex mutex_;
    std::map<uint32_t, unsigned> users_; ///< by handle
};

/// One use of a handle; it ends with this object.
class GemHandle {
public:
    GemHandle() = default;
    GemHandle(const GemHandle&) = delete;
    GemHandle& operator=(const GemHandle&) = delete;
    ~GemHandle() {
        if (handle_)
            owner_->release(handle_);
    }

    /// The handle of the dma-buf that `open` gives a descriptor of, which this closes. It stays the
    /// same from the first call on. 0: there is none, with errno set.
    template <class Open>
    uint32_t get(GemHandles& owner, Open&& open) {
        const std::lock_guard lock(mutex_);
        if (handle_)
            return handle_;
        const int fd = open();
        if (fd < 0)
            return 0;
        owner_ = &owner;
        handle_ = owner.acquire(fd);
        close_descriptor(fd);
        return handle_;
    }

private:
    /// Leaves errno as it is.
    static void close_descriptor(int fd);

    std::mutex mutex_;
    GemHandles* owner_ = nullptr;
    uint32_t handle_ = 0;
};

} // namespace kobalt::gallium
