// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/resource.h"

#include <algorithm>
#include <cassert>

#include "gallium/context/operations.h"
#include "gallium/context/with_storage.h"
#include "gallium/resource/create.h"
#include "gallium/resource/dma_buf_handles.h"
#include "gallium/screen/screen.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {

namespace {

constexpr uint64_t mebibyte = 1u << 20;
constexpr VkDeviceSize min_map_alignment = 64; ///< bytes: pipe_caps::min_map_buffer_alignment

/// Whether the resource may stay mapped while the device uses it.
bool stays_mapped(const pipe_resource& templ) {
    return templ.flags & (PIPE_RESOURCE_FLAG_MAP_PERSISTENT | PIPE_RESOURCE_FLAG_MAP_COHERENT);
}

vulkan::MemoryKind memory_kind(const Screen& screen, const pipe_resource& templ) {
    switch (templ.usage) {
    case PIPE_USAGE_STAGING:
        return vulkan::MemoryKind::readback;
    case PIPE_USAGE_STREAM:
        return vulkan::MemoryKind::upload;
    case PIPE_USAGE_DYNAMIC:
        return vulkan::MemoryKind::device_local_mappable;
    default:
        break;
    }
    if (stays_mapped(templ) || screen.mappable_vram)
        return vulkan::MemoryKind::device_local_mappable;
    return vulkan::MemoryKind::device_local;
}

render::Ref<render::Buffer> create_buffer(Screen& screen, VkDeviceSize size,
                                          vulkan::MemoryKind kind) {
    if (screen.faults.fails(size)) {
        mesa_loge("kobalt: allocating a buffer of %llu bytes: out of memory (KOBALT_FAULT)",
                  static_cast<unsigned long long>(size));
        return {};
    }
    vulkan::BufferInfo info;
    info.size = std::max<VkDeviceSize>(align64(size, 16), 16);
    info.usage = buffer_usage(screen.device());
    info.kind = kind;
    info.alignment = min_map_alignment;
    auto buffer = screen.engine->buffers().create(info);
    if (!buffer) {
        mesa_loge("kobalt: %s", buffer.error().to_string().c_str());
        return {};
    }
    return std::move(*buffer);
}

void destroy_resource(pipe_screen* pscreen, pipe_resource* presource) {
    Screen& screen = *Screen::from(pscreen);
    std::unique_ptr<Resource> resource(Resource::from(presource));
    if (resource->is_buffer() && resource->buffer_id_unique)
        util_idalloc_mt_free(&screen.buffer_ids, resource->buffer_id_unique);
    threaded_resource_deinit(presource);
}

/// Of devices that share nothing; the others': resource/dma_buf_handles.cpp.
bool resource_get_handle(pipe_screen*, pipe_context*, pipe_resource*, winsys_handle*, unsigned) {
    return false;
}

/// Bytes of a texture's texels in all levels, layers and samples, without any padding.
uint64_t texture_bytes(const pipe_resource& templ) {
    uint64_t bytes = 0;
    for (unsigned level = 0; level <= templ.last_level; ++level)
        bytes +=
            util_format_get_2d_size(
                templ.format, util_format_get_stride(templ.format, u_minify(templ.width0, level)),
                u_minify(templ.height0, level)) *
            u_minify(templ.depth0, level);
    return bytes * MAX2(templ.array_size, 1) * MAX2(templ.nr_samples, 1);
}

bool can_create_resource(pipe_screen* pscreen, const pipe_resource* templ) {
    Screen& screen = *Screen::from(pscreen);
    if (templ->target == PIPE_BUFFER)
        return true;
    FormatMapping mapping = map_format(screen.device(), templ->format, templ->nr_samples);
    VkImageCreateInfo info = image_info(screen, *templ, mapping, first_uses(*templ));
    // A proxy texture has the app's sample count; creation raises that to one that the device has.
    for (pipe_resource raised = *templ; info.format == VK_FORMAT_UNDEFINED &&
                                        raised.nr_samples > 1 &&
                                        raised.nr_samples < VK_SAMPLE_COUNT_64_BIT;) {
        raised.nr_samples = util_next_power_of_two(raised.nr_samples + 1);
        mapping = map_format(screen.device(), templ->format, raised.nr_samples);
        info = image_info(screen, raised, mapping, first_uses(raised));
    }
    if (info.format == VK_FORMAT_UNDEFINED)
        return false;
    const auto limits = screen.device().image_format_properties(
        info.format, info.imageType, info.tiling, info.usage, info.flags);
    if (!limits)
        return false;
    return texture_bytes(*templ) <=
           std::min<uint64_t>(limits->maxResourceSize,
                              screen.device().properties().device_local_bytes());
}

void query_memory_info(pipe_screen* pscreen, pipe_memory_info* info) {
    const auto use = Screen::from(pscreen)->device().device_memory_use();
    *info = {};
    info->total_device_memory = static_cast<unsigned>(use.budget_bytes / 1024);
    info->avail_device_memory = static_cast<unsigned>(
        (use.budget_bytes - std::min(use.budget_bytes, use.used_bytes)) / 1024);
    info->total_staging_memory = info->total_device_memory;
    info->avail_staging_memory = info->avail_device_memory;
}

} // namespace

void* Resource::operator new(size_t bytes, BlockPool& blocks) {
    static_assert(alignof(Resource) <= BlockPool::alignment);
    assert(bytes == sizeof(Resource));
    (void)bytes;
    if (void* const memory = blocks.take())
        return memory;
    throw std::bad_alloc();
}

void Resource::operator delete(Resource* gone, std::destroying_delete_t) {
    BlockPool& blocks = Screen::from(gone->b.screen)->resource_blocks;
    gone->~Resource();
    blocks.give(gone);
}

VkBufferUsageFlags buffer_usage(vulkan::Device& device) {
    // GL lets any buffer be bound anywhere, so each has every usage.
    VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
        VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
        VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
        VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
    // Many formats of buffer textures don't support storage texel buffers. Only with maintenance5
    // can a view of such a format leave that usage out.
    if (device.has(vulkan::Capability::maintenance5))
        usage |= VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT;
    if (device.features().vulkan12.bufferDeviceAddress)
        usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    if (device.has(vulkan::Capability::transform_feedback))
        usage |= VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
                 VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT;
    if (device.has(vulkan::Capability::conditional_rendering))
        usage |= VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT;
    return usage;
}

bool Faults::fails(uint64_t bytes) {
    if (bytes < mebibyte || allocations_until_oom.load(std::memory_order_relaxed) < 0)
        return false;
    return allocations_until_oom.fetch_sub(1) == 1;
}

render::Ref<render::Buffer> allocate_buffer(Screen& screen, const pipe_resource& templ) {
    auto buffer = create_buffer(screen, templ.width0, memory_kind(screen, templ));
    // Nothing flushes or invalidates a persistent mapping: if the cached memory isn't coherent,
    // this uses upload memory, which is.
    if (buffer && stays_mapped(templ) && !buffer->storage().coherent())
        return create_buffer(screen, templ.width0, vulkan::MemoryKind::upload);
    return buffer;
}

render::Ref<render::Buffer> allocate_readback(Screen& screen, VkDeviceSize size) {
    return create_buffer(screen, size, vulkan::MemoryKind::readback);
}

bool allocate_image(Screen& screen, Resource& resource) {
    return allocate_image(screen, resource,
                          map_format(screen.device(), resource.b.format, resource.b.nr_samples));
}

bool allocate_image(Screen& screen, Resource& resource, const FormatMapping& mapping) {
    resource.mapping = mapping;
    auto image = create_image(screen, resource.b, mapping, first_uses(resource.b));
    if (!image)
        return false;
    resource.image = std::move(image);
    resource.shader_images.clear();
    return true;
}

render::Ref<render::Image> create_image(Screen& screen, const pipe_resource& texture,
                                        const FormatMapping& mapping, ImageUses uses) {
    const VkImageCreateInfo info = image_info(screen, texture, mapping, uses);
    if (info.format == VK_FORMAT_UNDEFINED) {
        mesa_loge(
            "kobalt: a texture of format %s, %ux%ux%u, %u samples: this device can't make one",
            util_format_short_name(texture.format), texture.width0, texture.height0, texture.depth0,
            texture.nr_samples);
        return {};
    }
    if (screen.faults.fails(texture_bytes(texture))) {
        mesa_loge("kobalt: allocating a texture of %ux%u: out of memory (KOBALT_FAULT)",
                  info.extent.width, info.extent.height);
        return {};
    }
    auto image = vulkan::Image::create(screen.device(), info);
    if (!image) {
        mesa_loge("kobalt: %s", image.error().to_string().c_str());
        return {};
    }
    auto made = render::make_ref<render::Image>(std::move(*image));
    made->any_view = uses.any_view;
    return made;
}

std::unique_ptr<Resource> begin_resource(Screen& screen, const pipe_resource& templ) {
    std::unique_ptr<Resource> resource(new (screen.resource_blocks) Resource());
    resource->b = templ;
    pipe_resource* base = &resource->b;
    pipe_reference_init(&base->reference, 1);
    base->screen = &screen;
    threaded_resource_init(base, false);
    return resource;
}

void number_buffer(Screen& screen, Resource& resource) {
    resource.buffer_id_unique = util_idalloc_mt_alloc(&screen.buffer_ids);
    // With this flag the threaded context stages writes, and doesn't map without the driver.
    if (!resource.storage.get()->mapped())
        resource.b.flags |= PIPE_RESOURCE_FLAG_UNMAPPABLE;
}

pipe_resource* create_resource(pipe_screen* pscreen, const pipe_resource* templ) {
    // A context creates nothing that others share. That is the display's, for the contexts behind a
    // loss of the device.
    const bool shared = templ->bind & PIPE_BIND_SHARED;
    Screen& first = *Screen::from(pscreen);
    Screen& screen = shared ? newest_screen(first) : first;
    return finish_resource(screen, begin_resource(screen, *templ), [&](Resource& made) {
        if (templ->flags & PIPE_RESOURCE_FLAG_SPARSE)
            return allocate_sparse(screen, made);
        if (!made.is_buffer() && shared && screen.exported_as)
            return allocate_shared(screen, made);
        if (!made.is_buffer())
            return allocate_image(screen, made);
        made.storage.replace(allocate_buffer(screen, *templ));
        return made.storage.get() != nullptr;
    });
}

void replace_buffer_storage(pipe_context* pcontext, pipe_resource* ptarget, pipe_resource* psource,
                            unsigned, uint32_t, uint32_t delete_buffer_id) {
    Context& context = *Context::from(pcontext);
    Resource& target = *Resource::from(ptarget);
    if (delete_buffer_id)
        context.freed_buffer_ids.take(delete_buffer_id);
    replace_storage(context, target, Resource::from(psource)->storage.hold());
}

bool is_resource_busy(pipe_screen* screen, pipe_resource* presource, unsigned usage) {
    Resource& resource = *Resource::from(presource);
    const bool reads_only = !(usage & PIPE_MAP_WRITE);
    if (!resource.is_buffer())
        return !resource.image || resource.image->busy(reads_only);
    // The threaded context doesn't track buffers that queued commands read through handles.
    if (resource.is_shared)
        return true;
    return with_storage(*Screen::from(screen), resource, [=](const render::Buffer* storage) {
        return !storage || storage->busy(reads_only);
    });
}

void init_screen_resource_functions(Screen& screen) {
    screen.resource_create = create_resource;
    screen.resource_destroy = destroy_resource;
    screen.resource_get_handle = resource_get_handle;
    screen.can_create_resource = can_create_resource;
    screen.query_memory_info = query_memory_info;
}

} // namespace kobalt::gallium
