// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/screen/gem_handles.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include <xf86drm.h>

namespace kobalt::gallium {

GemHandles::GemHandles(int drm_fd) : drm_fd_(drm_fd < 0 ? -1 : fcntl(drm_fd, F_DUPFD_CLOEXEC, 0)) {}

uint32_t GemHandles::acquire(int fd) {
    if (!drm_fd_) {
        errno = ENODEV;
        return 0;
    }
    const std::lock_guard lock(mutex_);
    uint32_t handle = 0;
    if (drmPrimeFDToHandle(drm_fd_.get(), fd, &handle) != 0)
        return 0;
    ++users_[handle];
    return handle;
}

void GemHandles::release(uint32_t handle) {
    const std::lock_guard lock(mutex_);
    const auto found = users_.find(handle);
    if (found == users_.end() || --found->second)
        return;
    users_.erase(found);
    drm_gem_close request{};
    request.handle = handle;
    drmIoctl(drm_fd_.get(), DRM_IOCTL_GEM_CLOSE, &request);
}

void GemHandle::close_descriptor(int fd) {
    const int error = errno;
    close(fd);
    errno = error;
}

} // namespace kobalt::gallium
