// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/resource/dma_buf_handles.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <unistd.h>

#include "gallium/context/operations.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/external_memory.h"

#include "frontend/winsys_handle.h" // after the headers that declare its types

// eglExportDMABUFImageMESA, gbm_bo_get_fd, gbm_bo_get_handle and their kin, for textures whose
// memory Kobalt exports (resource/dma_buf_export.cpp) and for those of others that it imported
// (resource/dma_buf.cpp): a compositor hands a client's buffer on to the display controller. Vulkan
// needn't export imported memory again, so an import keeps its descriptor.

namespace kobalt::gallium {

namespace {

/// The texture of a plane: Mesa chains the planes of one image. Null: there is no such plane.
Resource* plane_of(pipe_resource* first, unsigned plane) {
    for (; first && plane > 0; --plane)
        first = first->next;
    return first ? Resource::from(first) : nullptr;
}

unsigned count_planes(const pipe_resource* first) {
    unsigned planes = 0;
    for (; first; first = first->next)
        ++planes;
    return planes;
}

bool is_imported(const Resource& resource) {
    const DmaBufIdentity* const known = resource.dma_buf.there();
    return known && known->fd;
}

/// Where the texels of an exported or imported texture lie.
std::optional<vulkan::DmaBuf> layout_of(Screen& screen, const Resource& resource) {
    if (is_imported(resource))
        return resource.dma_buf.there()->layout;
    const auto described = vulkan::describe_exported(screen.device(), resource.image->storage());
    if (described)
        return *described;
    mesa_loge("kobalt: %s", described.error().to_string().c_str());
    return std::nullopt;
}

/// A new descriptor, which the caller closes; -1 after one message in Mesa's log.
int open_descriptor(Screen& screen, const Resource& resource) {
    if (is_imported(resource)) {
        const int fd = fcntl(resource.dma_buf.there()->fd.get(), F_DUPFD_CLOEXEC, 0);
        if (fd < 0)
            mesa_loge("kobalt: the descriptor of an imported dma-buf: %s", std::strerror(errno));
        return fd;
    }
    const auto fd = vulkan::export_memory(screen.device(), resource.image->storage());
    if (fd)
        return *fd;
    mesa_loge("kobalt: %s", fd.error().to_string().c_str());
    return -1;
}

/// The texture's handle on the app's DRM file; 0 after one message in Mesa's log.
uint32_t gem_handle(Screen& screen, Resource& resource) {
    bool opened = false;
    errno = 0;
    const uint32_t handle = resource.dma_buf.get().gem.get(screen.gem_handles, [&] {
        const int fd = open_descriptor(screen, resource);
        opened = fd >= 0;
        return fd;
    });
    if (!handle && opened)
        mesa_loge("kobalt: the DRM file gives no handle for a dma-buf: %s", std::strerror(errno));
    return handle;
}

bool set(uint64_t* value, uint64_t found) {
    *value = found;
    return true;
}

/// The state tracker calls this when the app exports, on any thread and without a context.
bool resource_get_param(pipe_screen* pscreen, pipe_context*, pipe_resource* first, unsigned plane,
                        unsigned, unsigned, pipe_resource_param param, unsigned, uint64_t* value) {
    Screen& screen = *Screen::from(pscreen);
    Resource* const resource = plane_of(first, plane);
    if (!resource)
        return false;
    if (!is_exported(*resource) && !is_imported(*resource)) {
        if (param == PIPE_RESOURCE_PARAM_STRIDE || param == PIPE_RESOURCE_PARAM_HANDLE_TYPE_FD)
            tell_export_obstacle(screen, *resource);
        return false;
    }
    if (param == PIPE_RESOURCE_PARAM_HANDLE_TYPE_FD) {
        const int fd = open_descriptor(screen, *resource);
        return fd >= 0 && set(value, static_cast<uint64_t>(fd));
    }
    if (param == PIPE_RESOURCE_PARAM_HANDLE_TYPE_KMS) {
        const uint32_t handle = gem_handle(screen, *resource);
        return handle && set(value, handle);
    }
    const auto layout = layout_of(screen, *resource);
    if (!layout)
        return false;
    switch (param) {
    case PIPE_RESOURCE_PARAM_NPLANES:
        return set(value, count_planes(first));
    case PIPE_RESOURCE_PARAM_STRIDE:
        return set(value, layout->stride);
    case PIPE_RESOURCE_PARAM_OFFSET:
        return set(value, layout->offset);
    case PIPE_RESOURCE_PARAM_MODIFIER:
        return set(value, layout->modifier);
    default:
        return false;
    }
}

/// What Mesa asks where resource_get_param() answered no, and what asks for all at once.
bool resource_get_handle(pipe_screen* pscreen, pipe_context*, pipe_resource* first,
                         winsys_handle* handle, unsigned) {
    Screen& screen = *Screen::from(pscreen);
    Resource* const resource = plane_of(first, handle->plane);
    if (!resource || (!is_exported(*resource) && !is_imported(*resource)))
        return false;
    const auto layout = layout_of(screen, *resource);
    if (!layout)
        return false;
    if (handle->type == WINSYS_HANDLE_TYPE_FD) {
        const int fd = open_descriptor(screen, *resource);
        if (fd < 0)
            return false;
        handle->handle = static_cast<unsigned>(fd);
    } else if (handle->type == WINSYS_HANDLE_TYPE_KMS) {
        handle->handle = gem_handle(screen, *resource);
        if (!handle->handle)
            return false;
    } else {
        return false; // the kernel's global names, which any process may guess
    }
    handle->stride = static_cast<unsigned>(layout->stride);
    handle->offset = static_cast<unsigned>(layout->offset);
    handle->modifier = layout->modifier;
    handle->format = resource->b.format;
    return true;
}

} // namespace

void note_import(Resource& resource, const vulkan::DmaBuf& source) {
    DmaBufIdentity& known = resource.dma_buf.get();
    known.layout = source;
    known.layout.fd = -1;
    known.fd = vulkan::FileDescriptor(fcntl(source.fd, F_DUPFD_CLOEXEC, 0));
}

void init_screen_dma_buf_handles(Screen& screen) {
    if (!screen.caps.dmabuf)
        return;
    screen.resource_get_param = resource_get_param;
    screen.resource_get_handle = resource_get_handle;
}

} // namespace kobalt::gallium
