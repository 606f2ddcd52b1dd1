// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Adds dma-bufs to the no-op kernels of ./kobalt run --gpu, which have none: what
// DRM_IOCTL_PRIME_HANDLE_TO_FD and its counterpart do, in this process alone. A "dma-buf" is an
// empty memfd, as long as the buffer where that is known. On the DRM file that exported it, it has
// the exporter's handle; on another one it has a handle of its own, and closing that twice fails.
// Loaded by LD_PRELOAD in front of the no-op kernel, whose ioctl() gets all other requests.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drm-uapi/drm.h"
#include "drm-uapi/i915_drm.h"

enum {
    most_buffers = 1024,
    first_foreign_handle = 0x40000000, // far above those of the no-op kernels
    most_sizes = 1 << 16,
};

// Intel's drivers import no more than the buffer has; AMD's know their own buffers again.
static const off_t unknown_bytes = 64 << 20; // more than any buffer of a test; no page is touched
static uint64_t sizes[most_sizes];           // of Intel's buffers, by their handles

// Buffers by the number of their memfd. The entry of an exported one stays, with its memfd open,
// until the process ends.
static struct {
    int drm;         // the DRM file that exported it, -1: none, or a memfd that somebody else made
    uint32_t handle; // its handle there
    ino_t file;      // 0: the entry is free
    int fd;
    int foreign; // whether somebody else made the memfd
    int opened;  // whether it has a handle on another DRM file
} buffers[most_buffers];
static int count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// By this the tests see that it is loaded.
__attribute__((visibility("default"))) const int kobalt_stand_in_prime = 1;

static int fails(int error) {
    errno = error;
    return -1;
}

static int add(int drm, uint32_t handle, int fd) {
    struct stat file;
    int entry = 0;
    while (entry < count && buffers[entry].file)
        ++entry;
    if (entry == most_buffers || fd < 0 || fstat(fd, &file) != 0)
        return fails(ENOMEM);
    buffers[entry].drm = drm;
    buffers[entry].handle = handle;
    buffers[entry].file = file.st_ino;
    buffers[entry].fd = fd;
    buffers[entry].foreign = drm < 0;
    buffers[entry].opened = 0;
    count += entry == count;
    return entry;
}

static off_t bytes_of(uint32_t handle) {
    return handle < most_sizes && sizes[handle] ? (off_t)sizes[handle] : unknown_bytes;
}

// DRM_IOCTL_I915_GEM_CREATE and its successor, whose requests begin alike.
static void note_size(unsigned long request, const void* argument) {
    const struct drm_i915_gem_create* const made = argument;
    const unsigned long number = _IOC_NR(request);
    if (_IOC_TYPE(request) == DRM_IOCTL_BASE &&
        (number == DRM_COMMAND_BASE + DRM_I915_GEM_CREATE ||
         number == DRM_COMMAND_BASE + DRM_I915_GEM_CREATE_EXT) &&
        made->handle < most_sizes)
        sizes[made->handle] = made->size;
}

static int export_buffer(int drm, struct drm_prime_handle* request) {
    int found = 0;
    while (found < count && (buffers[found].drm != drm || buffers[found].handle != request->handle))
        ++found;
    if (found == count) {
        const int fd = memfd_create("stand-in-dma-buf", MFD_CLOEXEC);
        if (fd < 0 || ftruncate(fd, bytes_of(request->handle)) != 0 ||
            add(drm, request->handle, fd) < 0)
            return -1;
    }
    request->fd = dup(buffers[found].fd);
    return request->fd < 0 ? -1 : 0;
}

static int import_buffer(int drm, struct drm_prime_handle* request) {
    struct stat file;
    if (fstat(request->fd, &file) != 0)
        return -1;
    int found = 0;
    while (found < count && buffers[found].file != file.st_ino)
        ++found;
    if (found == count && (found = add(-1, 0, dup(request->fd))) < 0)
        return -1;
    if (buffers[found].drm == drm) {
        request->handle = buffers[found].handle;
        return 0;
    }
    buffers[found].opened = 1;
    request->handle = (uint32_t)(first_foreign_handle + found);
    return 0;
}

// A handle of the no-op kernel that is closed may be given to another buffer.
static int close_handle(int drm, const struct drm_gem_close* request) {
    if (request->handle < first_foreign_handle) {
        for (int i = 0; i < count; ++i)
            if (buffers[i].drm == drm && buffers[i].handle == request->handle)
                buffers[i].drm = -1;
        return 1;
    }
    const uint32_t found = request->handle - first_foreign_handle;
    if (found >= (uint32_t)count || !buffers[found].opened)
        return fails(EINVAL);
    buffers[found].opened = 0;
    if (buffers[found].foreign) {
        close(buffers[found].fd);
        buffers[found].file = 0;
    }
    return 0;
}

__attribute__((visibility("default"))) int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void* const argument = va_arg(rest, void*);
    va_end(rest);
    int result = 1; // the next one's
    pthread_mutex_lock(&mutex);
    if (request == DRM_IOCTL_PRIME_HANDLE_TO_FD)
        result = export_buffer(fd, argument);
    else if (request == DRM_IOCTL_PRIME_FD_TO_HANDLE)
        result = import_buffer(fd, argument);
    else if (request == DRM_IOCTL_GEM_CLOSE)
        result = close_handle(fd, argument);
    pthread_mutex_unlock(&mutex);
    if (result <= 0)
        return result;
    int (*const next)(int, unsigned long, ...) =
        (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    if (!next)
        return fails(ENOSYS);
    result = next(fd, request, argument);
    if (result == 0)
        note_size(request, argument);
    return result;
}
