// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Stands in for /dev/udmabuf in Venus's server on kernels that have none: lavapipe offers external
// memory and sync files only with that device, and Venus reports Vulkan 1.2 without them. A
// "dma-buf" is a duplicate of the memfd itself, its sync file an eventfd that is always ready:
// lavapipe waits for its own work. Loaded with the server by its ld.so (--preload).
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

// What open() returns for the device: any descriptor that the ioctls below can be called on.
static int device(void) {
    return (int)syscall(SYS_memfd_create, "stand-in-udmabuf", 1U);
}

static int open_path(const char* path, int flags, int mode) {
    if (strcmp(path, "/dev/udmabuf") == 0)
        return device();
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static int has_mode(int flags) {
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const int mode = has_mode(flags) ? va_arg(rest, int) : 0;
    va_end(rest);
    return open_path(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const int mode = has_mode(flags) ? va_arg(rest, int) : 0;
    va_end(rest);
    return open_path(path, flags, mode);
}

// What open() is where the sources were compiled with _FORTIFY_SOURCE.
int __open_2(const char* path, int flags) {
    return open_path(path, flags, 0);
}

int __open64_2(const char* path, int flags) {
    return open_path(path, flags, 0);
}

int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void* argument = va_arg(rest, void*);
    va_end(rest);
    switch (request) {
    case UDMABUF_CREATE:
        return fcntl((int)((struct udmabuf_create*)argument)->memfd, F_DUPFD_CLOEXEC, 3);
    case DMA_BUF_IOCTL_EXPORT_SYNC_FILE: {
        struct dma_buf_export_sync_file* file = argument;
        file->fd = eventfd(1, EFD_CLOEXEC);
        return file->fd < 0 ? -1 : 0;
    }
    case DMA_BUF_IOCTL_IMPORT_SYNC_FILE:
    case DMA_BUF_IOCTL_SYNC:
        return 0;
    default:
        return (int)syscall(SYS_ioctl, fd, request, argument);
    }
}
