// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/resource.h"

#include <algorithm>

#include "gallium/context/operations.h"
#include "gallium/resource/create.h"
#include "gallium/screen/screen.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {

namespace {

constexpr uint64_t mebibyte = 1u << 20;
constexpr VkDeviceSize min_map_alignment = 64; ///< bytes: pipe_caps::min_map_buffer_alignment

/// Whether it may stay mapped while the device uses it.
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

bool resource_get_handle(pipe_screen*, pipe_context*, pipe_resource*, winsys_handle*, unsigned) {
    return false;
}

/// What a volume with these features needs so that views can name its slices.
VkImageCreateFlags slice_flags(const vulkan::Device& device, VkFormatFeatureFlags2 features) {
    constexpr VkFormatFeatureFlags2 attachment =
        VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;
    VkImageCreateFlags flags = 0;
    if (features & attachment)
        flags |= VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
    // An image unit may have a single slice.
    if ((features & VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT) &&
        device.has(vulkan::Capability::image_2d_view_of_3d))
        flags |= VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT;
    return flags;
}

/// Type, extent, levels, layers, samples, and the flags that belong to the texture's target.
/// `features`: of any view.
void describe_shape(VkImageCreateInfo& info, Screen& screen, const pipe_resource& templ,
                    VkFormatFeatureFlags2 features) {
    info.imageType = VK_IMAGE_TYPE_2D;
    info.extent = {MAX2(templ.width0, 1u), MAX2(templ.height0, 1u), 1};
    info.mipLevels = templ.last_level + 1;
    info.arrayLayers = MAX2(templ.array_size, 1u);
    info.samples = static_cast<VkSampleCountFlagBits>(MAX2(templ.nr_samples, 1u));
    switch (templ.target) {
    case PIPE_TEXTURE_1D:
    case PIPE_TEXTURE_1D_ARRAY:
        if (screen.spirv_target.one_dimensional_textures)
            info.imageType = VK_IMAGE_TYPE_1D;
        info.extent.height = 1;
        break;
    case PIPE_TEXTURE_3D:
        info.imageType = VK_IMAGE_TYPE_3D;
        info.extent.depth = templ.depth0;
        info.arrayLayers = 1;
        info.flags |= slice_flags(screen.device(), features);
        break;
    case PIPE_TEXTURE_CUBE:
    case PIPE_TEXTURE_CUBE_ARRAY:
        info.flags |= VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
        break;
    case PIPE_TEXTURE_2D_ARRAY:
        // ARB_texture_view makes cubes of square arrays.
        if (info.arrayLayers >= 6 && info.extent.width == info.extent.height && info.samples == 1)
            info.flags |= VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
        break;
    default:
        break;
    }
}

/// What views of the texture may be used for: they have any format of its size (OpenGL 4.6, table
/// 8.21 and 8.26), of which the device uses some for more than the texture's own. `stored`: how it
/// is kept. Alpha alone is compatible with nothing else (Vulkan 1.4, section 34.1.8, "Compatible
/// Formats").
VkFormatFeatureFlags2 view_features(const vulkan::Device& device, const pipe_resource& templ,
                                    VkFormat stored, VkFormatFeatureFlags2 own) {
    if (util_format_is_depth_or_stencil(templ.format) || util_format_is_compressed(templ.format) ||
        stored == VK_FORMAT_A8_UNORM_KHR)
        return own;
    const auto with = [&](VkFormat format) {
        return own |
               (device.format_properties(format).optimalTilingFeatures &
                (VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT));
    };
    switch (util_format_get_blocksize(templ.format)) {
    case 1:
        return with(VK_FORMAT_R8_UINT);
    case 2:
        return with(VK_FORMAT_R16_UINT);
    case 4:
        return with(VK_FORMAT_R32_UINT);
    case 8:
        return with(VK_FORMAT_R32G32_UINT);
    case 16:
        return with(VK_FORMAT_R32G32B32A32_UINT);
    default:
        return own;
    }
}

/// All that a texture of a format with these features may be used for.
VkImageUsageFlags image_usage(Screen& screen, const pipe_resource& templ,
                              VkFormatFeatureFlags2 features) {
    const vulkan::Device& device = screen.device();
    VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    if (features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT)
        usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
    if (features & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT) {
        usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
        if (device.has(vulkan::Capability::dynamic_rendering_local_read))
            usage |= VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
    }
    if (features & VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT)
        usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    if (usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT && screen.caps.fbfetch_zs)
        usage |= VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
    // Any texture may be bound to an image unit, which GL doesn't tell when it is made.
    if ((features & VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT) &&
        (templ.nr_samples < 2 || device.has(vulkan::Capability::shader_storage_image_multisample)))
        usage |= VK_IMAGE_USAGE_STORAGE_BIT;
    return usage;
}

constexpr VkImageUsageFlags attachment_usage =
    VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;

/// Whether the device can make it in `format`. What `bind` doesn't need goes first where it can't
/// have all of it in one image. `own`: what the format by itself is good for.
bool reduce_to_fit(VkImageCreateInfo& info, const vulkan::Device& device, VkFormat format,
                   unsigned bind, VkImageUsageFlags own, VkImageCreateFlags own_slices) {
    constexpr VkImageCreateFlags all_slices =
        VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT | VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT;
    const auto fits = [&] {
        const auto limits = device.image_format_properties(format, info.imageType, info.tiling,
                                                           info.usage, info.flags);
        return limits && (limits->sampleCounts & info.samples) &&
               info.extent.width <= limits->maxExtent.width &&
               info.extent.height <= limits->maxExtent.height &&
               info.extent.depth <= limits->maxExtent.depth &&
               info.mipLevels <= limits->maxMipLevels && info.arrayLayers <= limits->maxArrayLayers;
    };
    if ((info.flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT) && !fits())
        info.flags &= ~all_slices | own_slices;
    if ((info.flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT) && !fits()) {
        info.flags &= ~VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
        info.usage &= own;
    }
    if (!fits() && !(bind & PIPE_BIND_SHADER_IMAGE)) {
        info.usage &= ~VK_IMAGE_USAGE_STORAGE_BIT;
        info.flags &= ~VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT;
    }
    if (!fits() && (info.flags & VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT))
        info.flags &= ~VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
    if (!fits() && (info.flags & VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT))
        info.flags &= ~VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT;
    if (!fits() && (info.flags & VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT))
        info.flags &= ~VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT;
    if (!fits() && !(bind & (PIPE_BIND_RENDER_TARGET | PIPE_BIND_DEPTH_STENCIL)))
        info.usage &= ~(attachment_usage | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
    if (!fits() && info.samples > 1 && !(bind & PIPE_BIND_SAMPLER_VIEW))
        info.usage &= ~VK_IMAGE_USAGE_SAMPLED_BIT;
    return fits();
}

/// What the texels of a texture take, all levels, layers and samples, without any padding.
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
    VkImageCreateInfo info = image_info(screen, *templ, mapping);
    // Proxies ask with the app's sample count, which creation raises to one that the device has.
    for (pipe_resource raised = *templ; info.format == VK_FORMAT_UNDEFINED &&
                                        raised.nr_samples > 1 &&
                                        raised.nr_samples < VK_SAMPLE_COUNT_64_BIT;) {
        raised.nr_samples = util_next_power_of_two(raised.nr_samples + 1);
        mapping = map_format(screen.device(), templ->format, raised.nr_samples);
        info = image_info(screen, raised, mapping);
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

VkBufferUsageFlags buffer_usage(vulkan::Device& device) {
    // GL lets any buffer be bound anywhere, so each has every usage.
    VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
        VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
        VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
        VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
    // Many formats of texture buffers can't be storage texels; only maintenance5 lets a view of
    // such a format leave that usage out.
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
    // Nothing flushes or invalidates a mapping that stays: where cached memory isn't coherent,
    // memory for uploads is.
    if (buffer && stays_mapped(templ) && !buffer->storage().coherent())
        return create_buffer(screen, templ.width0, vulkan::MemoryKind::upload);
    return buffer;
}

render::Ref<render::Buffer> allocate_readback(Screen& screen, VkDeviceSize size) {
    return create_buffer(screen, size, vulkan::MemoryKind::readback);
}

bool allocate_image(Screen& screen, Resource& resource) {
    resource.mapping = map_format(screen.device(), resource.b.format, resource.b.nr_samples);
    const VkImageCreateInfo info = image_info(screen, resource.b, resource.mapping);
    if (info.format == VK_FORMAT_UNDEFINED) {
        mesa_loge(
            "kobalt: a texture of format %s, %ux%ux%u, %u samples: this device can't make one",
            util_format_short_name(resource.b.format), resource.b.width0, resource.b.height0,
            resource.b.depth0, resource.b.nr_samples);
        return false;
    }
    if (screen.faults.fails(texture_bytes(resource.b))) {
        mesa_loge("kobalt: allocating a texture of %ux%u: out of memory (KOBALT_FAULT)",
                  info.extent.width, info.extent.height);
        return false;
    }
    auto image = vulkan::Image::create(screen.device(), info);
    if (!image) {
        mesa_loge("kobalt: %s", image.error().to_string().c_str());
        return false;
    }
    resource.image = render::make_ref<render::Image>(std::move(*image));
    resource.shader_images.clear();
    return true;
}

VkImageCreateInfo image_info(Screen& screen, const pipe_resource& templ,
                             const FormatMapping& mapping) {
    const vulkan::Device& device = screen.device();
    VkImageCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
    if (mapping.format == VK_FORMAT_UNDEFINED)
        return info;
    const VkFormatFeatureFlags2 features =
        device.format_properties(mapping.format).optimalTilingFeatures;
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    info.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    const VkFormatFeatureFlags2 of_views = view_features(device, templ, mapping.format, features);
    describe_shape(info, screen, templ, of_views);
    if (!util_format_is_depth_or_stencil(templ.format))
        info.flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    else if (info.samples > 1 && device.has(vulkan::Capability::sample_locations) &&
             util_format_has_depth(util_format_description(templ.format)))
        info.flags |= VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT;
    // A view says what it is used for, so that the image may offer more than its format can.
    VkImageUsageFlags own = image_usage(screen, templ, features);
    if (const VkImageFormatListCreateInfo* formats = known_views(templ, mapping.format)) {
        info.pNext = formats;
        info.usage = own &= ~VkImageUsageFlags{VK_IMAGE_USAGE_STORAGE_BIT};
    } else {
        info.usage = image_usage(screen, templ, of_views);
    }
    if (info.usage != own)
        info.flags |= VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
    if (info.samples == 1 && info.imageType == VK_IMAGE_TYPE_2D &&
        (info.usage & attachment_usage) &&
        device.has(vulkan::Capability::multisampled_render_to_single_sampled))
        info.flags |= VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT;
    if (screen.engine->paths().host_image_writes && info.samples == 1 &&
        features & VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT_EXT &&
        device.host_transfer_is_free(mapping.format, info.imageType, info.tiling, info.usage,
                                     info.flags))
        info.usage |= VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT;
    if (reduce_to_fit(info, device, mapping.format, templ.bind,
                      own | VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT, slice_flags(device, features)))
        info.format = mapping.format;
    return info;
}

std::unique_ptr<Resource> begin_resource(Screen& screen, const pipe_resource& templ) {
    auto resource = std::make_unique<Resource>();
    resource->b = templ;
    pipe_resource* base = &resource->b;
    pipe_reference_init(&base->reference, 1);
    base->screen = &screen;
    threaded_resource_init(base, false);
    return resource;
}

void number_buffer(Screen& screen, Resource& resource) {
    resource.buffer_id_unique = util_idalloc_mt_alloc(&screen.buffer_ids);
    // The threaded context then stages writes itself, and never maps behind the driver's back.
    if (!resource.buffer->mapped())
        resource.b.flags |= PIPE_RESOURCE_FLAG_UNMAPPABLE;
}

pipe_resource* create_resource(pipe_screen* pscreen, const pipe_resource* templ) {
    Screen& screen = *Screen::from(pscreen);
    return finish_resource(screen, begin_resource(screen, *templ), [&](Resource& made) {
        if (templ->flags & PIPE_RESOURCE_FLAG_SPARSE)
            return allocate_sparse(screen, made);
        if (!made.is_buffer())
            return allocate_image(screen, made);
        made.buffer = allocate_buffer(screen, *templ);
        return static_cast<bool>(made.buffer);
    });
}

void replace_buffer_storage(pipe_context* pcontext, pipe_resource* ptarget, pipe_resource* psource,
                            unsigned, uint32_t, uint32_t delete_buffer_id) {
    Context& context = *Context::from(pcontext);
    Resource& target = *Resource::from(ptarget);
    target.buffer = Resource::from(psource)->buffer;
    target.shader_images.clear();
    if (delete_buffer_id)
        util_idalloc_mt_free(&context.kobalt_screen().buffer_ids, delete_buffer_id);
    rebind_buffer(context, target);
}

bool is_resource_busy(pipe_screen*, pipe_resource* presource, unsigned usage) {
    Resource& resource = *Resource::from(presource);
    if (resource.is_buffer() ? !resource.buffer : !resource.image)
        return true;
    // The threaded context doesn't know of what its queue reads through handles.
    if (resource.is_buffer() && resource.is_shared)
        return true;
    return resource.tracked().busy(!(usage & PIPE_MAP_WRITE));
}

void init_screen_resource_functions(Screen& screen) {
    screen.resource_create = create_resource;
    screen.resource_destroy = destroy_resource;
    screen.resource_get_handle = resource_get_handle;
    screen.can_create_resource = can_create_resource;
    screen.query_memory_info = query_memory_info;
}

} // namespace kobalt::gallium
