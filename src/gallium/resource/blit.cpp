// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <cstdlib>

#include "gallium/resource/copy.h"
#include "gallium/resource/create.h"
#include "util/u_blitter.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {

namespace {

unsigned samples_of(const pipe_resource& resource) {
    return MAX2(resource.nr_samples, 1);
}

/// Whether a copy, blit or resolve command can do the blit: masks, scissors, swizzles and blending
/// need a draw.
bool is_plain(const pipe_blit_info& info) {
    const unsigned full = util_format_get_mask(info.dst.format);
    return (info.mask & full) == full && !info.scissor_enable && !info.swizzle_enable &&
           !info.alpha_blend && !info.num_window_rectangles && !info.sample0_only &&
           !info.dst_sample && info.src.format == info.src.resource->format &&
           info.dst.format == info.dst.resource->format;
}

bool is_unscaled(const pipe_blit_info& info) {
    return info.src.box.width == info.dst.box.width && info.src.box.height == info.dst.box.height &&
           info.src.box.depth == info.dst.box.depth;
}

bool inside(const Resource& own, unsigned level, const pipe_box& box) {
    const pipe_resource& resource = own.b;
    int width = u_minify(resource.width0, level), height = u_minify(resource.height0, level);
    if (own.window && own.image) { // memory for the size of the window may have been out
        const VkExtent3D& extent = own.image->storage().extent();
        width = MIN2(width, static_cast<int>(extent.width));
        height = MIN2(height, static_cast<int>(extent.height));
    }
    const int depth = resource.target == PIPE_TEXTURE_3D
                          ? static_cast<int>(u_minify(resource.depth0, level))
                          : static_cast<int>(resource.array_size);
    const auto within = [](int first, int size, int limit) {
        return MIN2(first, first + size) >= 0 && MAX2(first, first + size) <= limit;
    };
    return within(box.x, box.width, width) && within(box.y, box.height, height) &&
           within(box.z, box.depth, depth);
}

/// vkCmdBlitImage allows no overlap (VUID-vkCmdBlitImage-pRegions-00217); in GL the result of such
/// a blit is undefined, but a draw does something sensible.
bool overlaps(const pipe_blit_info& info) {
    const auto meet = [](int a, int a_size, int b, int b_size) {
        return MIN2(a, a + a_size) < MAX2(b, b + b_size) &&
               MIN2(b, b + b_size) < MAX2(a, a + a_size);
    };
    const pipe_box &from = info.src.box, &to = info.dst.box;
    return info.src.resource == info.dst.resource && info.src.level == info.dst.level &&
           meet(from.x, from.width, to.x, to.width) && meet(from.y, from.height, to.y, to.height) &&
           meet(from.z, from.depth, to.z, to.depth);
}

bool try_resolve(Context& context, const pipe_blit_info& info) {
    Resource& source = *Resource::from(info.src.resource);
    Resource& target = *Resource::from(info.dst.resource);
    if (samples_of(source.b) < 2 || samples_of(target.b) > 1 || !is_plain(info) ||
        !is_unscaled(info) ||
        source.image->storage().format() != target.image->storage().format() ||
        source.mapping.aspects != VK_IMAGE_ASPECT_COLOR_BIT || target.b.target == PIPE_TEXTURE_3D ||
        source.mapping.emulated != target.mapping.emulated ||
        !inside(source, info.src.level, info.src.box) ||
        !inside(target, info.dst.level, info.dst.box))
        return false;
    const VkFormatFeatureFlags2 features = context.kobalt_screen()
                                               .device()
                                               .format_properties(target.image->storage().format())
                                               .optimalTilingFeatures;
    if (!(features & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT))
        return false;
    VkImageResolve region{};
    region.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, info.src.level,
                             static_cast<uint32_t>(info.src.box.z),
                             static_cast<uint32_t>(info.src.box.depth)};
    region.srcOffset = {info.src.box.x, info.src.box.y, 0};
    region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, info.dst.level,
                             static_cast<uint32_t>(info.dst.box.z),
                             static_cast<uint32_t>(info.dst.box.depth)};
    region.dstOffset = {info.dst.box.x, info.dst.box.y, 0};
    region.extent = {static_cast<uint32_t>(info.dst.box.width),
                     static_cast<uint32_t>(info.dst.box.height), 1};
    context.recorder.resolve_image(*source.image, *target.image, {&region, 1});
    return true;
}

/// Vulkan 1.3, 20.6: signed and unsigned integers blit only among themselves, depth to the same
/// format only.
bool blit_formats_allowed(const Resource& source, const Resource& target) {
    if (util_format_is_depth_or_stencil(source.b.format) ||
        util_format_is_depth_or_stencil(target.b.format))
        return source.image->storage().format() == target.image->storage().format();
    return util_format_is_pure_sint(source.b.format) == util_format_is_pure_sint(target.b.format) &&
           util_format_is_pure_uint(source.b.format) == util_format_is_pure_uint(target.b.format);
}

bool try_blit_image(Context& context, const pipe_blit_info& info) {
    Resource& source = *Resource::from(info.src.resource);
    Resource& target = *Resource::from(info.dst.resource);
    if (samples_of(source.b) > 1 || samples_of(target.b) > 1 || !is_plain(info) || overlaps(info) ||
        // The view's swizzle corrects legacy and X channels, and this command uses no view.
        ((source.mapping.emulated || target.mapping.emulated) &&
         source.b.format != target.b.format) ||
        !blit_formats_allowed(source, target) || !inside(source, info.src.level, info.src.box) ||
        !inside(target, info.dst.level, info.dst.box))
        return false;
    const bool depth_blit = info.mask & PIPE_MASK_ZS;
    // Mipmap generation asks for a linear filter, which vkCmdBlitImage doesn't allow for depth.
    if (depth_blit && info.filter == PIPE_TEX_FILTER_LINEAR && !is_unscaled(info))
        return false;
    vulkan::Device& device = context.kobalt_screen().device();
    const VkFormatFeatureFlags2 from_features =
        device.format_properties(source.image->storage().format()).optimalTilingFeatures;
    const VkFormatFeatureFlags2 to_features =
        device.format_properties(target.image->storage().format()).optimalTilingFeatures;
    if (!(from_features & VK_FORMAT_FEATURE_2_BLIT_SRC_BIT) ||
        !(to_features & VK_FORMAT_FEATURE_2_BLIT_DST_BIT))
        return false;
    const bool linear = info.filter == PIPE_TEX_FILTER_LINEAR && !depth_blit &&
                        !util_format_is_pure_integer(source.b.format);
    if (linear && !(from_features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT))
        return false;
    // Only slices of 3D images scale in depth; arrays go layer by layer.
    const bool source_3d = source.b.target == PIPE_TEXTURE_3D,
               target_3d = target.b.target == PIPE_TEXTURE_3D;
    if (source_3d != target_3d || (!source_3d && info.src.box.depth != info.dst.box.depth))
        return false;
    if (source.image->storage().type() != target.image->storage().type())
        return false;

    const VkImageAspectFlags aspects = source.image->aspects();
    const auto layers = [&](const pipe_box& box, unsigned level, bool is_3d) {
        return VkImageSubresourceLayers{aspects, level, is_3d ? 0u : static_cast<uint32_t>(box.z),
                                        is_3d ? 1u : static_cast<uint32_t>(box.depth)};
    };
    // One row has no mirror image (VUID-vkCmdBlitImage-srcImage-00245).
    const bool rows = source.image->storage().type() != VK_IMAGE_TYPE_1D;
    const auto corner = [rows](const pipe_box& box, bool is_3d, bool far) {
        return VkOffset3D{far ? box.x + box.width : box.x,
                          rows ? (far ? box.y + box.height : box.y) : (far ? 1 : 0),
                          is_3d ? (far ? box.z + box.depth : box.z) : (far ? 1 : 0)};
    };
    VkImageBlit region{};
    region.srcSubresource = layers(info.src.box, info.src.level, source_3d);
    region.srcOffsets[0] = corner(info.src.box, source_3d, false);
    region.srcOffsets[1] = corner(info.src.box, source_3d, true);
    region.dstSubresource = layers(info.dst.box, info.dst.level, target_3d);
    region.dstOffsets[0] = corner(info.dst.box, target_3d, false);
    region.dstOffsets[1] = corner(info.dst.box, target_3d, true);
    context.recorder.blit_image(*source.image, *target.image, {&region, 1},
                                linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST);
    return true;
}

/// The part of the target that a blit writes; `box` may be mirrored.
pipe_box written_area(const pipe_blit_info& info) {
    pipe_box area = info.dst.box;
    area.x = std::min<int>(area.x, area.x + area.width);
    area.y = std::min<int>(area.y, area.y + area.height);
    area.width = std::abs(area.width);
    area.height = std::abs(area.height);
    if (info.scissor_enable) {
        const int right = std::min<int>(area.x + area.width, info.scissor.maxx);
        const int end = std::min<int>(area.y + area.height, info.scissor.maxy);
        area.x = std::max<int>(area.x, info.scissor.minx);
        area.y = std::max<int>(area.y, info.scissor.miny);
        area.width = right - area.x;
        area.height = end - area.y;
    }
    return area;
}

/// For devices without shader_stencil_export: one draw for each stencil bit, which discards where
/// the source's bit is clear. The draws only set bits, so the target is cleared before.
void blit_stencil_by_bits(Context& context, const pipe_blit_info& info) {
    context.recorder.slow_path(render::SlowPath::stencil_bits,
                               "the device has no VK_EXT_shader_stencil_export");
    const pipe_box area = written_area(info);
    if (area.width <= 0 || area.height <= 0)
        return;
    pipe_surface templ{};
    templ.format = info.dst.resource->format;
    templ.u.tex.level = info.dst.level;
    templ.u.tex.first_layer = templ.u.tex.last_layer = static_cast<uint16_t>(info.dst.box.z);
    pipe_surface* target = context.create_surface(&context, info.dst.resource, &templ);
    if (!target)
        return;
    context.clear_depth_stencil(&context, target, PIPE_CLEAR_STENCIL, 0, 0,
                                static_cast<unsigned>(area.x), static_cast<unsigned>(area.y),
                                static_cast<unsigned>(area.width),
                                static_cast<unsigned>(area.height), false);
    pipe_surface_reference(&target, nullptr);
    save_for_blitted_textures(context);
    util_blitter_save_fragment_constant_buffer_slot(
        context.blitter, context.bound.stages[MESA_SHADER_FRAGMENT].constant_buffers.data());
    util_blitter_stencil_fallback(context.blitter, info.dst.resource, info.dst.level, &info.dst.box,
                                  info.src.resource, info.src.level, &info.src.box,
                                  info.scissor_enable ? &info.scissor : nullptr);
}

/// While this lives, draws are clipped to a blit's window rectangles (EXT_window_rectangles,
/// "Blitting Pixel Rectangles"), if it has any, and u_blitter doesn't change the rectangles.
class ClippedBlit {
public:
    ClippedBlit(Context& context, const pipe_blit_info& info)
        : state_(context), clips_(info.num_window_rectangles > 0) {
        if (!clips_)
            return;
        state_.clipped_blit = true;
        apply_window_rectangles(state_, info.window_rectangle_include,
                                {info.window_rectangles, info.num_window_rectangles});
    }
    ~ClippedBlit() {
        if (!clips_)
            return;
        const auto& bound = state_.bound.window;
        state_.clipped_blit = false;
        apply_window_rectangles(state_, bound.inclusive,
                                std::span(bound.rectangles).first(bound.count));
    }
    ClippedBlit(const ClippedBlit&) = delete;
    ClippedBlit& operator=(const ClippedBlit&) = delete;

private:
    Context& state_;
    const bool clips_;
};

/// Blits by a draw that samples one view and writes the other. Does nothing if either view can't be
/// created, which is logged then.
void draw_blit(Context& context, const pipe_blit_info& info) {
    pipe_surface target{};
    util_blitter_default_dst_texture(&target, info.dst.resource, info.dst.level, info.dst.box.z);
    target.format = info.dst.format;
    pipe_sampler_view source{};
    util_blitter_default_src_texture(context.blitter, &source, info.src.resource, info.src.level);
    source.format = info.src.format;
    if (info.swizzle_enable) {
        source.swizzle_r = info.swizzle[0];
        source.swizzle_g = info.swizzle[1];
        source.swizzle_b = info.swizzle[2];
        source.swizzle_a = info.swizzle[3];
    }
    pipe_surface* to = context.create_surface(&context, info.dst.resource, &target);
    pipe_sampler_view* from =
        to ? context.create_sampler_view(&context, info.src.resource, &source) : nullptr;
    if (from) {
        save_for_blitted_textures(context);
        util_blitter_blit_generic(context.blitter, to, &info.dst.box, from, &info.src.box,
                                  info.src.resource->width0, info.src.resource->height0, info.mask,
                                  info.filter, info.scissor_enable ? &info.scissor : nullptr,
                                  info.alpha_blend, info.sample0_only, info.dst_sample, nullptr);
    }
    pipe_surface_reference(&to, nullptr);
    pipe_sampler_view_reference(&from, nullptr);
}

void blit_with_draw(Context& context, pipe_blit_info info) {
    const ClippedBlit clipped(context, info);
    const bool stencil = (info.mask & PIPE_MASK_S) &&
                         util_format_has_stencil(util_format_description(info.src.format)) &&
                         util_format_has_stencil(util_format_description(info.dst.format));
    if (stencil && !context.screen->caps.shader_stencil_export) {
        blit_stencil_by_bits(context, info);
        info.mask &= ~PIPE_MASK_S;
        if (!info.mask)
            return;
    }
    if (!util_blitter_is_blit_supported(context.blitter, &info)) {
        mesa_loge("kobalt: a blit from %s to %s: this device can't do it",
                  util_format_short_name(info.src.format), util_format_short_name(info.dst.format));
        return;
    }
    draw_blit(context, info);
}

/// Whether the blit copies texels unchanged between textures whose formats differ but have the same
/// size. glCopyImageSubData asks for that, with formats that not every texture can be viewed in: a
/// copy needs no view.
bool copies_raw(Context& context, const pipe_blit_info& info) {
    const vulkan::Device& device = context.kobalt_screen().device();
    const auto stores = [&](pipe_resource& texture) {
        const Resource& resource = *Resource::from(&texture);
        return resource.mapping.aspects == VK_IMAGE_ASPECT_COLOR_BIT &&
               util_format_get_blocksize(texture.format) ==
                   util_format_get_blocksize(info.src.format) &&
               stores_own_format(device, resource);
    };
    return util_can_blit_via_copy_region(&info, true, false) && !info.sample0_only &&
           !info.dst_sample && !util_format_is_compressed(info.src.resource->format) &&
           !util_format_is_compressed(info.dst.resource->format) &&
           !map_format(device, info.src.format).emulated && stores(*info.src.resource) &&
           stores(*info.dst.resource);
}

void blit(pipe_context* pcontext, const pipe_blit_info* original) {
    Context& context = *Context::from(pcontext);
    pipe_blit_info info = *original;
    if (!Resource::from(info.src.resource)->image || !Resource::from(info.dst.resource)->image)
        return;
    if (info.render_condition_enable && !condition_passes(context))
        return;
    if (info.window_rectangle_include && info.num_window_rectangles == 0)
        return; // no pixel is inside of a rectangle
    info.render_condition_enable = false;
    if (is_unscaled(info)) {
        if (samples_of(*info.src.resource) == samples_of(*info.dst.resource))
            info.filter = PIPE_TEX_FILTER_NEAREST;
        // Raw copies keep the contents of X channels, so they need equal formats.
        if (info.src.format == info.dst.format && !info.sample0_only && !info.dst_sample &&
            util_try_blit_via_copy_region(&context, &info, false))
            return;
        if (copies_raw(context, info)) {
            resource_copy_region(&context, info.dst.resource, info.dst.level, info.dst.box.x,
                                 info.dst.box.y, info.dst.box.z, info.src.resource, info.src.level,
                                 &info.src.box);
            return;
        }
    }
    if (try_resolve(context, info) || try_blit_image(context, info))
        return;
    blit_with_draw(context, info);
}

} // namespace

void init_blit_functions(Context& context) {
    context.resource_copy_region = resource_copy_region;
    context.blit = blit;
}

} // namespace kobalt::gallium
