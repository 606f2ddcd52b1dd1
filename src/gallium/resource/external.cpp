// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <fcntl.h>
#include <unistd.h>

#include "gallium/context/operations.h"
#include "gallium/resource/create.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/external_memory.h"

#include "frontend/winsys_handle.h" // after the headers that declare its types

// Textures and buffers in imported memory: GL_EXT_memory_object_fd, and GL_AMD_pinned_memory.

namespace kobalt::gallium {

namespace {

using vulkan::Capability;

constexpr auto opaque_fd = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr auto host_allocation = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;

/// pipe_memory_object. Vulkan's memory is imported once for each texture or buffer in it, because
/// the allowed memory types are known only then.
struct MemoryObject : pipe_memory_object {
    vulkan::ExternalMemory memory;
    MemoryObject() : pipe_memory_object{} {}
    ~MemoryObject() {
        if (memory.fd >= 0)
            close(memory.fd);
    }
    MemoryObject(const MemoryObject&) = delete;
    MemoryObject& operator=(const MemoryObject&) = delete;
    static MemoryObject* from(pipe_memory_object* object) {
        return static_cast<MemoryObject*>(object);
    }
};

pipe_memory_object* memobj_create_from_handle(pipe_screen*, winsys_handle* handle, bool dedicated) {
    if (handle->type != WINSYS_HANDLE_TYPE_FD)
        return nullptr;
    auto object = std::make_unique<MemoryObject>();
    object->dedicated = dedicated;
    object->memory.dedicated = dedicated;
    object->memory.size = handle->size; // the size passed to glImportMemoryFdEXT
    object->memory.fd = fcntl(static_cast<int>(handle->handle), F_DUPFD_CLOEXEC, 0);
    if (object->memory.fd < 0) {
        mesa_loge("kobalt: glImportMemoryFdEXT: file descriptor %d isn't open",
                  static_cast<int>(handle->handle));
        return nullptr;
    }
    return object.release();
}

void memobj_destroy(pipe_screen*, pipe_memory_object* object) {
    std::unique_ptr<MemoryObject>{MemoryObject::from(object)};
}

bool import_buffer(Screen& screen, Resource& resource, const vulkan::ExternalMemory& memory,
                   VkDeviceSize offset) {
    vulkan::BufferInfo info;
    info.size = std::max(resource.b.width0, 1u);
    info.usage = buffer_usage(screen.device());
    info.kind = vulkan::MemoryKind::device_local_mappable;
    auto buffer = vulkan::import_buffer(screen.device(), info, memory, offset);
    if (!buffer) {
        mesa_loge("kobalt: %s", buffer.error().to_string().c_str());
        return false;
    }
    resource.storage.replace(render::make_ref<render::Buffer>(std::move(*buffer)));
    // Others write the memory too: any part may be in use, and the storage can't be replaced.
    util_range_add(&resource.b, &resource.valid_buffer_range, 0, resource.b.width0);
    return true;
}

/// Creation info of an image in external memory. The usage that the exporter declared isn't known
/// here: GL_EXT_memory_object requires the usage that the format supports.
VkImageCreateInfo external_image_info(Screen& screen, Resource& resource) {
    VkImageCreateInfo info = image_info(screen, resource.b, resource.mapping, ImageUses::all());
    // Host image copies would need a transition from VK_IMAGE_LAYOUT_UNDEFINED, which loses the
    // contents.
    info.usage &= ~VkImageUsageFlags{VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT};
    if (resource.b.bind & PIPE_BIND_LINEAR) {
        const VkFormatFeatureFlags2 features =
            screen.device().format_properties(info.format).linearTilingFeatures;
        const auto keep = [&](VkFormatFeatureFlags2 feature, VkImageUsageFlags usage) {
            if (!(features & feature))
                info.usage &= ~usage;
        };
        info.tiling = VK_IMAGE_TILING_LINEAR;
        keep(VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT, VK_IMAGE_USAGE_SAMPLED_BIT);
        keep(VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT, VK_IMAGE_USAGE_STORAGE_BIT);
    }
    return info;
}

bool import_image(Screen& screen, Resource& resource, const vulkan::ExternalMemory& memory,
                  VkDeviceSize offset) {
    resource.mapping = map_format(screen.device(), resource.b.format, resource.b.nr_samples);
    const VkImageCreateInfo info = external_image_info(screen, resource);
    if (info.format == VK_FORMAT_UNDEFINED ||
        !vulkan::imports_images(screen.device(), info, memory.type)) {
        mesa_loge("kobalt: a texture of format %s, %ux%ux%u: this device makes none in imported "
                  "memory",
                  util_format_short_name(resource.b.format), resource.b.width0, resource.b.height0,
                  resource.b.depth0);
        return false;
    }
    auto image = vulkan::import_image(screen.device(), info, memory, offset);
    if (!image) {
        mesa_loge("kobalt: %s", image.error().to_string().c_str());
        return false;
    }
    resource.image = render::make_ref<render::Image>(std::move(*image));
    resource.image->outside = VK_QUEUE_FAMILY_EXTERNAL;
    resource.image->note_written();
    return true;
}

pipe_resource* resource_from_memobj(pipe_screen* pscreen, const pipe_resource* templ,
                                    pipe_memory_object* object, uint64_t offset) {
    if (!object) // the memory object's import failed
        return nullptr;
    Screen& screen = *Screen::from(pscreen);
    const vulkan::ExternalMemory& memory = MemoryObject::from(object)->memory;
    auto resource = begin_resource(screen, *templ);
    resource->is_shared = true;
    return finish_resource(screen, std::move(resource), [&](Resource& made) {
        return made.is_buffer() ? import_buffer(screen, made, memory, offset)
                                : import_image(screen, made, memory, offset);
    });
}

/// AMD_pinned_memory: the app's pages become the buffer. Vulkan imports whole pages.
pipe_resource* resource_from_user_memory(pipe_screen* pscreen, const pipe_resource* templ,
                                         void* user_memory) {
    Screen& screen = *Screen::from(pscreen);
    if (templ->target != PIPE_BUFFER || !user_memory)
        return nullptr;
    const VkDeviceSize page =
        screen.device().properties().external_memory_host.minImportedHostPointerAlignment;
    const auto address = reinterpret_cast<uintptr_t>(user_memory);
    const VkDeviceSize offset = address % page;
    vulkan::ExternalMemory memory;
    memory.type = host_allocation;
    memory.host = reinterpret_cast<void*>(address - offset);
    memory.size = align64(offset + templ->width0, page);
    auto resource = begin_resource(screen, *templ);
    resource->is_user_ptr = true;
    return finish_resource(screen, std::move(resource), [&](Resource& made) {
        return import_buffer(screen, made, memory, offset);
    });
}

} // namespace

void init_screen_external_memory(Screen& screen) {
    pipe_caps& caps = const_cast<pipe_caps&>(screen.caps); // Mesa's own way to fill it
    vulkan::Device& device = screen.device();
    const VkBufferUsageFlags usage = buffer_usage(device);
    caps.memobj = device.has(Capability::external_memory_fd) &&
                  vulkan::imports_buffers(device, opaque_fd, usage);
    if (caps.memobj) {
        screen.memobj_create_from_handle = memobj_create_from_handle;
        screen.memobj_destroy = memobj_destroy;
        screen.resource_from_memobj = resource_from_memobj;
    }
    caps.resource_from_user_memory = device.has(Capability::external_memory_host) &&
                                     vulkan::imports_buffers(device, host_allocation, usage);
    if (caps.resource_from_user_memory)
        screen.resource_from_user_memory = resource_from_user_memory;
}

} // namespace kobalt::gallium
