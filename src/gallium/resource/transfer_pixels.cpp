// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cstring>
#include <vector>

#include "gallium/resource/depth_pack.h"
#include "gallium/resource/transfer.h"

// pipe_context::texture_buffer_copy, by which the state tracker moves pixels between textures and
// pixel buffers: recorded like any other copy, so nobody waits.

namespace kobalt::gallium {

namespace {

/// The texels of a box of a texture, and where they lie in a buffer. Rows are rows of blocks.
struct Pixels {
    Resource& texture;
    unsigned level;
    const pipe_box& box;
    Resource& buffer;
    render::Buffer& storage; ///< of `buffer`
    VkDeviceSize offset;
    VkDeviceSize stride;
    VkDeviceSize layer_stride;

    const struct util_format_description& format() const {
        return *util_format_description(texture.b.format);
    }
    unsigned block_bytes() const { return format().block.bits / 8; }
    unsigned row_bytes() const { return util_format_get_stride(texture.b.format, box.width); }
    unsigned rows() const { return util_format_get_nblocksy(texture.b.format, box.height); }
    unsigned layers() const { return static_cast<unsigned>(box.depth); }
    VkDeviceSize end() const {
        return offset + (layers() - 1) * layer_stride + (rows() - 1) * stride + row_bytes();
    }
};

/// Vulkan 1.3, 20.4: offsets are multiples of a block's bytes, with depth and stencil of 4 bytes.
unsigned offset_alignment(const Pixels& pixels) {
    const unsigned bytes = pixels.block_bytes();
    return pixels.texture.mapping.aspects == VK_IMAGE_ASPECT_COLOR_BIT ? bytes : MAX2(bytes, 4);
}

/// The regions of a copy between the texture and the buffer. Empty: Vulkan can't address the
/// buffer's rows.
std::vector<VkBufferImageCopy> direct_regions(const Pixels& pixels) {
    const unsigned alignment = offset_alignment(pixels), block = pixels.block_bytes();
    const bool has_rows = pixels.rows() > 1, has_layers = pixels.layers() > 1;
    if (pixels.offset % alignment)
        return {};
    if (has_rows && (pixels.stride % block || pixels.stride < pixels.row_bytes()))
        return {};
    VkBufferImageCopy whole = copy_region(pixels.texture, pixels.level, pixels.box,
                                          pixels.texture.mapping.aspects, pixels.offset);
    if (has_rows)
        whole.bufferRowLength =
            static_cast<uint32_t>(pixels.stride / block) * pixels.format().block.width;
    if (!has_layers)
        return {whole};
    const VkDeviceSize row = has_rows ? pixels.stride : pixels.row_bytes();
    if (pixels.layer_stride % row == 0 && pixels.layer_stride / row >= pixels.rows()) {
        whole.bufferImageHeight =
            static_cast<uint32_t>(pixels.layer_stride / row) * pixels.format().block.height;
        return {whole};
    }
    if (pixels.layer_stride % alignment)
        return {};
    std::vector<VkBufferImageCopy> regions;
    for (unsigned i = 0; i < pixels.layers(); ++i) {
        pipe_box layer = pixels.box;
        layer.z += static_cast<decltype(layer.z)>(i);
        layer.depth = 1;
        regions.push_back(copy_region(pixels.texture, pixels.level, layer,
                                      pixels.texture.mapping.aspects,
                                      pixels.offset + i * pixels.layer_stride));
        regions.back().bufferRowLength = whole.bufferRowLength;
    }
    return regions;
}

/// Copies of the rows between the buffer and another, where they lie without gaps from 0 on.
std::vector<VkBufferCopy> row_regions(const Pixels& pixels, bool from_gaps) {
    std::vector<VkBufferCopy> regions;
    const VkDeviceSize bytes = pixels.row_bytes();
    VkDeviceSize tight = 0;
    for (unsigned layer = 0; layer < pixels.layers(); ++layer) {
        for (unsigned row = 0; row < pixels.rows(); ++row, tight += bytes) {
            const VkDeviceSize place =
                pixels.offset + layer * pixels.layer_stride + row * pixels.stride;
            const VkBufferCopy region{from_gaps ? place : tight, from_gaps ? tight : place, bytes};
            VkBufferCopy* const last = regions.empty() ? nullptr : &regions.back();
            if (last && last->srcOffset + last->size == region.srcOffset &&
                last->dstOffset + last->size == region.dstOffset)
                last->size += bytes;
            else
                regions.push_back(region);
        }
    }
    return regions;
}

/// For rows that Vulkan can't address in copies of images: through a buffer in which it can. False:
/// out of memory.
bool copy_through_rows(Context& context, const Pixels& pixels, bool to_buffer) {
    pipe_resource templ{};
    templ.target = PIPE_BUFFER;
    templ.width0 = pixels.row_bytes() * pixels.rows() * pixels.layers();
    auto tight = allocate_buffer(context.kobalt_screen(), templ);
    if (!tight)
        return false;
    const VkBufferImageCopy image =
        copy_region(pixels.texture, pixels.level, pixels.box, pixels.texture.mapping.aspects, 0);
    const std::vector<VkBufferCopy> rows = row_regions(pixels, !to_buffer);
    if (to_buffer) {
        context.recorder.copy_image_to_buffer(*pixels.texture.image, *tight, {&image, 1});
        context.recorder.copy_buffer(*tight, pixels.storage, rows);
    } else {
        context.recorder.copy_buffer(pixels.storage, *tight, rows);
        context.recorder.copy_buffer_to_image(*tight, *pixels.texture.image, {&image, 1});
    }
    return true;
}

/// For depth and stencil that Vulkan copies apart, and rows that overlap: waits for the GPU.
void copy_on_cpu(Context& context, const Pixels& pixels, bool to_buffer) {
    pipe_box range{};
    u_box_1d(static_cast<int>(pixels.offset), static_cast<int>(pixels.end() - pixels.offset),
             &range);
    const unsigned texture_usage =
        to_buffer ? PIPE_MAP_READ : PIPE_MAP_WRITE | PIPE_MAP_DISCARD_RANGE;
    pipe_transfer *mapped_buffer = nullptr, *mapped_texture = nullptr;
    auto* bytes = static_cast<std::byte*>(
        context.buffer_map(&context, &pixels.buffer.b, 0,
                           to_buffer ? PIPE_MAP_WRITE : PIPE_MAP_READ, &range, &mapped_buffer));
    auto* texels = static_cast<std::byte*>(context.texture_map(
        &context, &pixels.texture.b, pixels.level, texture_usage, &pixels.box, &mapped_texture));
    for (unsigned layer = 0; bytes && texels && layer < pixels.layers(); ++layer) {
        for (unsigned row = 0; row < pixels.rows(); ++row) {
            std::byte* in_buffer = bytes + layer * pixels.layer_stride + row * pixels.stride;
            std::byte* in_texture = texels + layer * mapped_texture->layer_stride +
                                    static_cast<size_t>(row) * mapped_texture->stride;
            std::memcpy(to_buffer ? in_buffer : in_texture, to_buffer ? in_texture : in_buffer,
                        pixels.row_bytes());
        }
    }
    if (texels)
        context.texture_unmap(&context, mapped_texture);
    if (bytes)
        context.buffer_unmap(&context, mapped_buffer);
}

void texture_buffer_copy(pipe_context* pcontext, pipe_resource* ptexture, unsigned level,
                         const pipe_box* box, pipe_resource* pbuffer, unsigned offset,
                         unsigned stride, uintptr_t layer_stride, bool to_buffer) {
    Context& context = *Context::from(pcontext);
    const render::Ref storage = settled_storage(context, pbuffer);
    if (!storage || !Resource::from(ptexture)->image)
        return;
    const Pixels pixels{*Resource::from(ptexture),
                        level,
                        *box,
                        *Resource::from(pbuffer),
                        *storage,
                        offset,
                        stride,
                        layer_stride};
    const bool overlap = pixels.rows() > 1 && pixels.stride < pixels.row_bytes();
    if (overlap ||
        needs_depth_packing(ptexture->format, pixels.texture.image->storage().format())) {
        copy_on_cpu(context, pixels, to_buffer);
        return;
    }
    const std::vector<VkBufferImageCopy> regions = direct_regions(pixels);
    if (regions.empty()) {
        if (!copy_through_rows(context, pixels, to_buffer))
            return;
    } else if (to_buffer) {
        context.recorder.copy_image_to_buffer(*pixels.texture.image, pixels.storage, regions);
    } else {
        context.recorder.copy_buffer_to_image(pixels.storage, *pixels.texture.image, regions);
    }
    if (to_buffer)
        util_range_add(&pixels.buffer.b, &pixels.buffer.valid_buffer_range, offset,
                       static_cast<unsigned>(pixels.end()));
}

} // namespace

void init_pixel_copy_functions(Context& context) {
    context.texture_buffer_copy = texture_buffer_copy;
}

} // namespace kobalt::gallium
