// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/resource/copy.h"

#include "gallium/resource/transfer.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {

namespace {

void copy_buffer_region(Context& context, Resource& target, unsigned offset, Resource& source,
                        const pipe_box& box) {
    if (box.width <= 0)
        return;
    const auto size = static_cast<VkDeviceSize>(box.width);
    const render::Ref to = settled_storage(context, &target.b);
    const render::Ref from = settled_storage(context, &source.b);
    const bool overlaps = to.get() == from.get() &&
                          offset < static_cast<unsigned>(box.x + box.width) &&
                          static_cast<unsigned>(box.x) < offset + size;
    if (overlaps) {
        // vkCmdCopyBuffer allows no overlap; two copies through another buffer do the same.
        auto between = allocate_readback(context.kobalt_screen(), size);
        if (!between)
            return;
        const VkBufferCopy out{static_cast<VkDeviceSize>(box.x), 0, size}, back{0, offset, size};
        context.recorder.copy_buffer(*from, *between, {&out, 1});
        context.recorder.copy_buffer(*between, *to, {&back, 1});
    } else {
        const VkBufferCopy region{static_cast<VkDeviceSize>(box.x), offset, size};
        context.recorder.copy_buffer(*from, *to, {&region, 1});
    }
    util_range_add(&target.b, &target.valid_buffer_range, offset, offset + box.width);
}

/// Whether vkCmdCopyImage allows the copy (Vulkan 1.3, "Copying data between images").
bool image_copy_allowed(const Resource& target, const Resource& source) {
    const vulkan::Image& to = target.image->storage();
    const vulkan::Image& from = source.image->storage();
    if (to.samples() != from.samples())
        return false;
    const bool depth_stencil = util_format_is_depth_or_stencil(target.b.format) ||
                               util_format_is_depth_or_stencil(source.b.format);
    if (depth_stencil)
        return to.format() == from.format() && target.mapping.aspects == source.mapping.aspects;
    if (util_format_get_blocksize(target.b.format) != util_format_get_blocksize(source.b.format))
        return false;
    // Before maintenance5, one-dimensional images are copied only to one-dimensional images.
    return to.type() == from.type() ||
           (to.type() != VK_IMAGE_TYPE_1D && from.type() != VK_IMAGE_TYPE_1D);
}

/// Whether the box overlaps the box of the same size at (x, y, z).
bool boxes_overlap(const pipe_box& box, int x, int y, int z) {
    const auto meet = [](int a, int b, int size) { return a < b + size && b < a + size; };
    return meet(box.x, x, box.width) && meet(box.y, y, box.height) && meet(box.z, z, box.depth);
}

/// Copies the texels to a temporary image first: Vulkan 1.3, 20.3 allows no overlap.
void copy_through_image(Context& context, Resource& target, unsigned level, unsigned x, unsigned y,
                        unsigned z, Resource& source, const pipe_box& box) {
    pipe_resource templ = source.b;
    templ.width0 = box.width;
    templ.height0 = static_cast<uint16_t>(box.height);
    const bool is_3d = templ.target == PIPE_TEXTURE_3D;
    if (templ.target == PIPE_TEXTURE_CUBE || templ.target == PIPE_TEXTURE_CUBE_ARRAY)
        templ.target = PIPE_TEXTURE_2D_ARRAY;
    templ.depth0 = static_cast<uint16_t>(is_3d ? box.depth : 1);
    templ.array_size = static_cast<uint16_t>(is_3d ? 1 : box.depth);
    templ.last_level = 0;
    templ.usage = PIPE_USAGE_DEFAULT;
    templ.bind = PIPE_BIND_SAMPLER_VIEW;
    templ.flags = 0;
    templ.next = nullptr;
    pipe_resource* between = context.screen->resource_create(context.screen, &templ);
    if (!between) {
        mesa_loge("kobalt: a copy of %dx%dx%d texels inside one texture: out of memory", box.width,
                  box.height, box.depth);
        return;
    }
    resource_copy_region(&context, between, 0, 0, 0, 0, &source.b, level, &box);
    pipe_box whole = box;
    whole.x = whole.y = whole.z = 0;
    resource_copy_region(&context, &target.b, level, x, y, z, between, 0, &whole);
    pipe_resource_reference(&between, nullptr);
}

/// Raw copy through memory, for pairs of formats whose aspects differ (Z32F to R32F and the like).
void copy_through_buffer(Context& context, Resource& target, unsigned target_level, unsigned x,
                         unsigned y, unsigned z, Resource& source, unsigned source_level,
                         const pipe_box& box) {
    pipe_transfer *read = nullptr, *write = nullptr;
    const auto* from = static_cast<const std::byte*>(
        context.texture_map(&context, &source.b, source_level, PIPE_MAP_READ, &box, &read));
    if (!from)
        return;
    pipe_box target_box = box;
    target_box.x = x;
    target_box.y = y;
    target_box.z = z;
    // The box counts the source's texels. Between uncompressed and compressed formats, one block is
    // copied to one texel.
    target_box.width = util_format_get_nblocksx(source.b.format, box.width) *
                       util_format_get_blockwidth(target.b.format);
    target_box.height = util_format_get_nblocksy(source.b.format, box.height) *
                        util_format_get_blockheight(target.b.format);
    target_box.width = MIN2(
        target_box.width, static_cast<int>(u_minify(target.b.width0, target_level)) - target_box.x);
    target_box.height =
        MIN2(target_box.height,
             static_cast<int>(u_minify(target.b.height0, target_level)) - target_box.y);
    auto* to = static_cast<std::byte*>(context.texture_map(&context, &target.b, target_level,
                                                           PIPE_MAP_WRITE | PIPE_MAP_DISCARD_RANGE,
                                                           &target_box, &write));
    if (to) {
        const size_t row = MIN2(util_format_get_stride(source.b.format, box.width),
                                util_format_get_stride(target.b.format, target_box.width));
        const unsigned rows = MIN2(util_format_get_nblocksy(source.b.format, box.height),
                                   util_format_get_nblocksy(target.b.format, target_box.height));
        for (size_t slice = 0; slice < static_cast<size_t>(box.depth); ++slice)
            for (size_t line = 0; line < rows; ++line)
                memcpy(to + slice * write->layer_stride + line * write->stride,
                       from + slice * read->layer_stride + line * read->stride, row);
        context.texture_unmap(&context, write);
    }
    context.texture_unmap(&context, read);
}

} // namespace

Slices slices_of(const Resource& resource, int z, int depth) {
    if (resource.b.target == PIPE_TEXTURE_3D)
        return {0, 1, z};
    return {static_cast<uint32_t>(z), static_cast<uint32_t>(depth), 0};
}

void resource_copy_region(pipe_context* pcontext, pipe_resource* ptarget, unsigned target_level,
                          unsigned x, unsigned y, unsigned z, pipe_resource* psource,
                          unsigned source_level, const pipe_box* box) {
    Context& context = *Context::from(pcontext);
    Resource& target = *Resource::from(ptarget);
    Resource& source = *Resource::from(psource);
    if (target.is_buffer() && source.is_buffer()) {
        copy_buffer_region(context, target, x, source, *box);
        return;
    }
    if (target.is_buffer() || source.is_buffer() || !target.image || !source.image)
        return;
    if (&target == &source && target_level == source_level &&
        boxes_overlap(*box, static_cast<int>(x), static_cast<int>(y), static_cast<int>(z))) {
        if (box->x != static_cast<int>(x) || box->y != static_cast<int>(y) ||
            box->z != static_cast<int>(z))
            copy_through_image(context, target, target_level, x, y, z, source, *box);
        return;
    }
    if (!image_copy_allowed(target, source)) {
        copy_through_buffer(context, target, target_level, x, y, z, source, source_level, *box);
        return;
    }
    const Slices to = slices_of(target, z, box->depth),
                 from = slices_of(source, box->z, box->depth);
    VkImageCopy region{};
    region.srcSubresource = {source.image->aspects(), source_level, from.base_layer,
                             from.layer_count};
    region.srcOffset = {box->x, box->y, from.z};
    region.dstSubresource = {target.image->aspects(), target_level, to.base_layer, to.layer_count};
    region.dstOffset = {static_cast<int32_t>(x), static_cast<int32_t>(y), to.z};
    const bool any_3d = source.b.target == PIPE_TEXTURE_3D || target.b.target == PIPE_TEXTURE_3D;
    region.extent = {static_cast<uint32_t>(box->width), static_cast<uint32_t>(box->height),
                     any_3d ? static_cast<uint32_t>(box->depth) : 1u};
    context.recorder.copy_image(*source.image, *target.image, {&region, 1});
}

} // namespace kobalt::gallium
