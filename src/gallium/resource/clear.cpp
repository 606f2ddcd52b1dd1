// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include "gallium/context/operations.h"
#include "gallium/context/view.h"
#include "util/u_blitter.h"

namespace kobalt::gallium {

namespace {

VkClearColorValue clear_value(const FormatMapping& mapping, pipe_format format,
                              const pipe_color_union& color) {
    const pipe_color_union stored = store_color(mapping, format, color);
    VkClearColorValue value;
    static_assert(sizeof(value) == sizeof(stored));
    std::memcpy(&value, &stored, sizeof(value));
    return value;
}

uint32_t layers_of(const pipe_surface& surface) {
    return surface.u.tex.last_layer - surface.u.tex.first_layer + 1u;
}

/// A pass has only the layers that all attachments have, but a clear reaches every layer of each
/// (OpenGL 4.6, Layered Framebuffers). While this lives, an attachment with more layers is the only
/// one of the recorder's framebuffer, with all of its layers.
class EveryLayer {
public:
    static constexpr uint32_t depth_stencil = UINT32_MAX;

    /// `index`: of the colour attachment, or depth_stencil.
    EveryLayer(Context& context, const Surface& surface, uint32_t index)
        : recorder_(context.recorder) {
        const uint32_t layers = std::min(
            layers_of(surface), context.kobalt_screen().device().limits().maxFramebufferLayers);
        if (layers <= recorder_.framebuffer().layers)
            return;
        all_ = recorder_.framebuffer();
        render::Framebuffer one = *all_;
        one.layers = layers;
        for (uint32_t i = 0; i < one.color_count; ++i)
            if (i != index) {
                one.color[i] = nullptr;
                one.color_targets[i] = {};
            }
        if (index != depth_stencil) {
            one.depth_stencil = nullptr;
            one.depth_stencil_target = {};
        }
        recorder_.set_framebuffer(one);
    }
    ~EveryLayer() {
        if (all_)
            recorder_.set_framebuffer(*all_);
    }
    EveryLayer(const EveryLayer&) = delete;
    EveryLayer& operator=(const EveryLayer&) = delete;

private:
    render::Recorder& recorder_;
    std::optional<render::Framebuffer> all_; ///< empty: nothing to be done
};

/// Only floating-point depth is cleared to values outside of 0..1 (OpenGL 4.6, Clearing the
/// Buffers), if the device allows that.
float depth_value(const Context& context, const Surface& surface, double depth) {
    const auto value = static_cast<float>(depth);
    const auto format = static_cast<pipe_format>(surface.format);
    const bool is_float =
        format == PIPE_FORMAT_Z32_FLOAT || format == PIPE_FORMAT_Z32_FLOAT_S8X24_UINT;
    if (is_float &&
        Screen::from(context.screen)->device().has(vulkan::Capability::depth_range_unrestricted))
        return value;
    return std::clamp(value, 0.0f, 1.0f);
}

/// Whether part of an attachment's contents may survive a clear of these buffers.
bool clears_in_part(const Context& context, unsigned buffers, bool whole) {
    const pipe_surface* depth_stencil = context.bound.framebuffer.zsbuf;
    if (!whole || context.condition.query)
        return true;
    if (!depth_stencil || !(buffers & PIPE_CLEAR_DEPTHSTENCIL))
        return false;
    const auto& format = *util_format_description(depth_stencil->format);
    const unsigned all = (util_format_has_depth(&format) ? PIPE_CLEAR_DEPTH : 0) |
                         (util_format_has_stencil(&format) ? PIPE_CLEAR_STENCIL : 0);
    return (all & ~buffers) != 0;
}

void clear(pipe_context* pcontext, unsigned buffers, const pipe_scissor_state* scissor,
           const pipe_color_union* color, double depth, unsigned stencil) {
    Context& context = *Context::from(pcontext);
    const pipe_framebuffer_state& framebuffer = context.bound.framebuffer;
    if (!condition_lets_record(context))
        return;
    rebind_if_storage_replaced(context);
    VkRect2D area{{0, 0}, {framebuffer.width, framebuffer.height}};
    if (scissor) {
        const uint32_t right = std::min<uint32_t>(scissor->maxx, framebuffer.width);
        const uint32_t bottom = std::min<uint32_t>(scissor->maxy, framebuffer.height);
        if (scissor->minx >= right || scissor->miny >= bottom)
            return;
        area.offset = {static_cast<int32_t>(scissor->minx), static_cast<int32_t>(scissor->miny)};
        area.extent = {right - scissor->minx, bottom - scissor->miny};
    }
    if (context.attaches_samples && clears_in_part(context, buffers,
                                                   area.extent.width >= framebuffer.width &&
                                                       area.extent.height >= framebuffer.height))
        load_samples(context);
    for (unsigned i = 0; i < framebuffer.nr_cbufs; ++i) {
        if (!(buffers & (PIPE_CLEAR_COLOR0 << i)) || !framebuffer.cbufs[i])
            continue;
        const Surface& surface = *Surface::from(framebuffer.cbufs[i]);
        const VkClearColorValue value =
            clear_value(surface.mapping, static_cast<pipe_format>(surface.format), *color);
        const EveryLayer every(context, surface, i);
        context.recorder.clear_color(i, value, area);
    }
    if ((buffers & PIPE_CLEAR_DEPTHSTENCIL) && framebuffer.zsbuf) {
        VkImageAspectFlags aspects = 0;
        if (buffers & PIPE_CLEAR_DEPTH)
            aspects |= VK_IMAGE_ASPECT_DEPTH_BIT;
        if (buffers & PIPE_CLEAR_STENCIL)
            aspects |= VK_IMAGE_ASPECT_STENCIL_BIT;
        aspects &= Resource::from(framebuffer.zsbuf->texture)->mapping.aspects;
        if (!aspects)
            return;
        const Surface& surface = *Surface::from(framebuffer.zsbuf);
        const EveryLayer every(context, surface, EveryLayer::depth_stencil);
        context.recorder.clear_depth_stencil(aspects, depth_value(context, surface, depth),
                                             stencil & 0xff, area);
    }
}

/// Whether the rectangle is all of the surface, so that the image's subresources can be cleared
/// without a draw. Slices of a 3D texture can't be named in such a clear.
bool covers_surface(const pipe_surface& surface, unsigned x, unsigned y, unsigned width,
                    unsigned height) {
    return x == 0 && y == 0 && width >= surface.width && height >= surface.height &&
           surface.texture->target != PIPE_TEXTURE_3D;
}

VkImageSubresourceRange range_of(const pipe_surface& surface, VkImageAspectFlags aspects) {
    return {aspects, surface.u.tex.level, 1, surface.u.tex.first_layer,
            static_cast<uint32_t>(surface.u.tex.last_layer - surface.u.tex.first_layer + 1)};
}

void clear_render_target(pipe_context* pcontext, pipe_surface* psurface,
                         const pipe_color_union* color, unsigned x, unsigned y, unsigned width,
                         unsigned height, bool render_condition_enabled) {
    Context& context = *Context::from(pcontext);
    if (render_condition_enabled && !condition_passes(context))
        return;
    const Surface& surface = *Surface::from(psurface);
    Resource& resource = *Resource::from(surface.texture);
    if (covers_surface(surface, x, y, width, height) &&
        surface.mapping.format == resource.image->storage().format()) {
        const VkImageSubresourceRange range = range_of(surface, VK_IMAGE_ASPECT_COLOR_BIT);
        context.recorder.clear_image(
            *resource.image,
            clear_value(surface.mapping, static_cast<pipe_format>(surface.format), *color),
            {&range, 1});
        return;
    }
    save_for_blitter(context);
    util_blitter_clear_render_target(context.blitter, psurface, color, x, y, width, height);
}

void clear_depth_stencil(pipe_context* pcontext, pipe_surface* psurface, unsigned flags,
                         double depth, unsigned stencil, unsigned x, unsigned y, unsigned width,
                         unsigned height, bool render_condition_enabled) {
    Context& context = *Context::from(pcontext);
    if (render_condition_enabled && !condition_passes(context))
        return;
    Resource& resource = *Resource::from(psurface->texture);
    if (covers_surface(*psurface, x, y, width, height) && !context.clipped_blit) {
        VkImageAspectFlags aspects = 0;
        if (flags & PIPE_CLEAR_DEPTH)
            aspects |= VK_IMAGE_ASPECT_DEPTH_BIT;
        if (flags & PIPE_CLEAR_STENCIL)
            aspects |= VK_IMAGE_ASPECT_STENCIL_BIT;
        aspects &= resource.mapping.aspects;
        if (!aspects)
            return;
        const VkImageSubresourceRange range = range_of(*psurface, aspects);
        const VkClearDepthStencilValue value{depth_value(context, *Surface::from(psurface), depth),
                                             stencil & 0xff};
        context.recorder.clear_image(*resource.image, value, {&range, 1});
        return;
    }
    save_for_blitter(context);
    util_blitter_clear_depth_stencil(context.blitter, psurface, flags, depth, stencil, x, y, width,
                                     height);
}

/// Whether a texel has the same bits after its conversion to numbers and back. NaNs may change, and
/// the lowest signed normalized integer has the same value as the next one.
bool survives_conversion(pipe_format format, const void* texel) {
    if (!util_format_is_snorm(format) && !util_format_is_float(format) &&
        format != PIPE_FORMAT_R11G11B10_FLOAT)
        return true;
    pipe_color_union value{};
    std::array<std::byte, sizeof(value)> again{};
    util_format_unpack_rgba(format, value.ui, texel, 1);
    if (std::ranges::any_of(value.f, [](float channel) { return std::isnan(channel); }))
        return false;
    util_format_pack_rgba(format, again.data(), value.ui, 1);
    return std::memcmp(again.data(), texel, util_format_get_blocksize(format)) == 0;
}

void fill_texels(pipe_context* context, pipe_resource* resource, unsigned level,
                 const pipe_box& box, const void* texel) {
    pipe_transfer* transfer = nullptr;
    void* const texels = context->texture_map(
        context, resource, level, PIPE_MAP_WRITE | PIPE_MAP_DISCARD_RANGE, &box, &transfer);
    if (!texels)
        return;
    util_color packed{};
    std::memcpy(&packed, texel, util_format_get_blocksize(resource->format));
    util_fill_box(static_cast<uint8_t*>(texels), resource->format, transfer->stride,
                  transfer->layer_stride, 0, 0, 0, box.width, box.height, box.depth, &packed);
    context->texture_unmap(context, transfer);
}

/// Whether the box can't be cleared by a draw: lavapipe's draws into sparse images write outside of
/// a viewport that doesn't begin at the image's corner.
bool must_write_texels(const Resource& resource, unsigned level, const pipe_box& box) {
    const pipe_resource& texture = resource.b;
    const bool whole = box.x == 0 && box.y == 0 &&
                       box.width >= static_cast<int>(u_minify(texture.width0, level)) &&
                       box.height >= static_cast<int>(u_minify(texture.height0, level));
    return resource.image->pages() && !whole && texture.nr_samples <= 1;
}

/// `data` is a texel in the format of the view that GL clears, which may differ from the texture's:
/// both formats share the texels' bits (OpenGL 4.6, Texture Views).
void clear_texture(pipe_context* pcontext, pipe_resource* presource, unsigned level,
                   const pipe_box* box, const void* data) {
    Context& context = *Context::from(pcontext);
    const Resource& resource = *Resource::from(presource);
    const pipe_format format = presource->format;
    const bool depth_stencil = util_format_is_depth_or_stencil(format);
    const unsigned bind = depth_stencil ? PIPE_BIND_DEPTH_STENCIL : PIPE_BIND_RENDER_TARGET;
    const bool drawn_to = context.screen->is_format_supported(
        context.screen, format, presource->target, presource->nr_samples,
        presource->nr_storage_samples, bind);
    const bool drawable = drawn_to && !(resource.image && must_write_texels(resource, level, *box));
    if (!resource.image || util_format_is_compressed(format) || (!drawable && depth_stencil))
        util_clear_texture_sw(pcontext, presource, level, box, data);
    else if (presource->nr_samples <= 1 && !depth_stencil &&
             !(drawable && survives_conversion(format, data)))
        fill_texels(pcontext, presource, level, *box, data);
    else
        u_default_clear_texture(pcontext, presource, level, box, data);
}

/// Writes values on the CPU that a fill can't repeat. The storage must not be replaced: the
/// threaded context, which replaces storage itself, and persistent mappings wouldn't notice.
void write_repeated(pipe_context* pcontext, pipe_resource* presource, unsigned offset,
                    unsigned size, const void* value, int value_size) {
    const unsigned usage = PIPE_MAP_WRITE | PIPE_MAP_DISCARD_RANGE | TC_TRANSFER_MAP_NO_INVALIDATE |
                           TC_TRANSFER_MAP_NO_INFER_UNSYNCHRONIZED;
    pipe_box box;
    u_box_1d(static_cast<int>(offset), static_cast<int>(size), &box);
    pipe_transfer* transfer = nullptr;
    auto* const mapped = static_cast<std::byte*>(
        pcontext->buffer_map(pcontext, presource, 0, usage, &box, &transfer));
    if (!mapped)
        return;
    const auto step = static_cast<unsigned>(value_size);
    for (unsigned at = 0; at < size; at += step)
        std::memcpy(mapped + at, value, std::min(step, size - at));
    pcontext->buffer_unmap(pcontext, transfer);
}

void clear_buffer(pipe_context* pcontext, pipe_resource* presource, unsigned offset, unsigned size,
                  const void* value, int value_size) {
    Context& context = *Context::from(pcontext);
    Resource& resource = *Resource::from(presource);
    if (offset % 4 || size % 4 || value_size > 4 || !util_is_power_of_two_nonzero(value_size)) {
        write_repeated(pcontext, presource, offset, size, value, value_size);
        return;
    }
    // vkCmdFillBuffer writes words of 32 bits: smaller values are repeated to fill one.
    std::byte word[4];
    for (int i = 0; i < 4; i += value_size)
        std::memcpy(word + i, value, value_size);
    uint32_t pattern;
    std::memcpy(&pattern, word, sizeof(pattern));
    context.recorder.fill_buffer(*settled_storage(context, presource), offset, size, pattern);
    util_range_add(presource, &resource.valid_buffer_range, offset, offset + size);
}

} // namespace

void init_clear_functions(Context& context) {
    context.clear = clear;
    context.clear_render_target = clear_render_target;
    context.clear_depth_stencil = clear_depth_stencil;
    context.clear_texture = clear_texture;
    context.clear_buffer = clear_buffer;
}

} // namespace kobalt::gallium
