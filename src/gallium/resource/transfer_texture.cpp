// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>
#include <tuple>
#include <utility>

#include "gallium/resource/depth_pack.h"
#include "gallium/resource/host_write.h"
#include "gallium/resource/transfer.h"
#include "vulkan/base/address_space.h"

namespace kobalt::gallium {

namespace {

/// A multiple of every texel block's size, and of the 4 bytes that depth copies require.
constexpr uint32_t staging_alignment = 16;

bool layers_in_depth(const Resource& resource) {
    return resource.b.target != PIPE_TEXTURE_3D;
}

struct Layout {
    VkDeviceSize size = 0;           ///< bytes in the staging buffer
    VkDeviceSize stencil_offset = 0; ///< bytes from the start
};

Layout staging_layout(const Resource& resource, const Transfer& transfer) {
    const pipe_box& box = transfer.b.box;
    if (!transfer.packed)
        return {transfer.b.layer_stride * box.depth, 0};
    const VkDeviceSize texels = static_cast<VkDeviceSize>(box.width) * box.height * box.depth;
    const VkDeviceSize depth_bytes =
        align64(texels * depth_copy_bytes(resource.image->storage().format()), staging_alignment);
    return {depth_bytes + texels, depth_bytes};
}

std::span<const VkBufferImageCopy> copy_regions(const Resource& resource, const Transfer& transfer,
                                                VkBufferImageCopy (&regions)[2]) {
    const unsigned level = transfer.b.level;
    if (!transfer.packed) {
        regions[0] = copy_region(resource, level, transfer.b.box, resource.mapping.aspects,
                                 transfer.staging_offset);
        return {regions, 1};
    }
    regions[0] = copy_region(resource, level, transfer.b.box, VK_IMAGE_ASPECT_DEPTH_BIT,
                             transfer.staging_offset);
    if (!util_format_has_stencil(util_format_description(resource.b.format)))
        return {regions, 1};
    regions[1] = copy_region(resource, level, transfer.b.box, VK_IMAGE_ASPECT_STENCIL_BIT,
                             transfer.stencil_offset);
    return {regions, 2};
}

/// Calls `row(packed, depth, stencil)` for each row of a transfer whose aspects are copied apart.
template <class Function>
void for_each_row(const Resource& resource, const Transfer& transfer, Function&& row) {
    const pipe_box& box = transfer.b.box;
    const uint32_t depth_bytes = depth_copy_bytes(resource.image->storage().format());
    const bool stencil = util_format_has_stencil(util_format_description(resource.b.format));
    std::byte* stencil_bytes =
        transfer.staged + (transfer.stencil_offset - transfer.staging_offset);
    for (int z = 0; z < box.depth; ++z) {
        for (int y = 0; y < box.height; ++y) {
            const size_t first = (static_cast<size_t>(z) * box.height + y) * box.width;
            row(transfer.packed + z * transfer.b.layer_stride +
                    static_cast<size_t>(y) * transfer.b.stride,
                transfer.staged + first * depth_bytes, stencil ? stencil_bytes + first : nullptr);
        }
    }
}

bool download(Context& context, Resource& resource, Transfer& transfer) {
    const Layout layout = staging_layout(resource, transfer);
    auto target = allocate_readback(context.kobalt_screen(), layout.size);
    if (!target)
        return false;
    context.recorder.slow_path(render::SlowPath::read_back, "a texture or framebuffer");
    transfer.staging_offset = 0;
    transfer.stencil_offset = layout.stencil_offset;
    VkBufferImageCopy regions[2];
    context.recorder.copy_image_to_buffer(*resource.image, *target,
                                          copy_regions(resource, transfer, regions));
    if (!wait_for(context, *target, true, false))
        return false;
    target->storage().invalidate(0, layout.size);
    transfer.staged = target->mapped();
    transfer.staging_buffer = target.leak();
    if (transfer.packed) {
        const VkFormat stored = resource.image->storage().format();
        for_each_row(resource, transfer,
                     [&](std::byte* packed, std::byte* depth, std::byte* stencil) {
                         pack_depth_row(resource.b.format, stored, packed, depth, stencil,
                                        transfer.b.box.width);
                     });
    }
    return true;
}

bool allocate_staging(Context& context, Resource& resource, Transfer& transfer) {
    const Layout layout = staging_layout(resource, transfer);
    if (layout.size > UINT32_MAX)
        return false;
    Upload upload = allocate_upload(context, layout.size, staging_alignment);
    if (!upload.mapped)
        return false;
    transfer.staged = upload.mapped;
    transfer.staging_offset = upload.offset;
    transfer.stencil_offset = upload.offset + layout.stencil_offset;
    transfer.staging_buffer = upload.buffer.leak();
    return true;
}

void upload(Context& context, Resource& resource, Transfer& transfer) {
    if (transfer.packed) {
        const VkFormat stored = resource.image->storage().format();
        for_each_row(resource, transfer,
                     [&](std::byte* packed, std::byte* depth, std::byte* stencil) {
                         unpack_depth_row(resource.b.format, stored, packed, depth, stencil,
                                          transfer.b.box.width);
                     });
    }
    transfer.staging_buffer->storage().flush(transfer.staging_offset,
                                             staging_layout(resource, transfer).size);
    VkBufferImageCopy regions[2];
    context.recorder.copy_buffer_to_image(*transfer.staging_buffer, *resource.image,
                                          copy_regions(resource, transfer, regions));
}

/// Widens the box to whole blocks of texels. Where Mesa copies the framebuffer to a compressed
/// texture, clipped by the framebuffer's edges, it maps parts of blocks, which Vulkan can't copy
/// (VUID-vkCmdCopyImageToBuffer-srcImage-07275).
pipe_box whole_blocks(const pipe_resource& texture, unsigned level, const pipe_box& box) {
    const auto widen = [](int first, int size, unsigned block, unsigned level_size) {
        const int from = first - first % static_cast<int>(block);
        const unsigned to = std::min(align(static_cast<unsigned>(first + size), block), level_size);
        return std::pair(from, static_cast<int>(to) - from);
    };
    const unsigned width = util_format_get_blockwidth(texture.format);
    const unsigned height = util_format_get_blockheight(texture.format);
    pipe_box whole = box;
    if (width == 1 && height == 1)
        return whole;
    std::tie(whole.x, whole.width) =
        widen(box.x, box.width, width, u_minify(texture.width0, level));
    std::tie(whole.y, whole.height) =
        widen(box.y, box.height, height, u_minify(texture.height0, level));
    return whole;
}

void* texture_map(pipe_context* pcontext, pipe_resource* presource, unsigned level, unsigned usage,
                  const pipe_box* box, pipe_transfer** out) {
    Context& context = *Context::from(pcontext);
    Resource& resource = *Resource::from(presource);
    *out = nullptr;
    // An image in optimal tiling can't be mapped directly.
    if ((usage & PIPE_MAP_DIRECTLY) || !resource.image)
        return nullptr;
    // Memory for the size of the window may have been out.
    if (resource.window) {
        const VkExtent3D& extent = resource.image->storage().extent();
        if (static_cast<int64_t>(box->x) + box->width > extent.width ||
            static_cast<int64_t>(box->y) + box->height > extent.height)
            return nullptr;
    }
    const pipe_box whole = whole_blocks(*presource, level, *box);
    box = &whole;
    Transfer* transfer = begin_transfer(presource, level, usage, whole);
    if (!transfer)
        return nullptr;
    transfer->b.stride = util_format_get_stride(presource->format, box->width);
    const uint64_t layer_bytes =
        util_format_get_2d_size(presource->format, transfer->b.stride, box->height);
    transfer->b.layer_stride = static_cast<uintptr_t>(layer_bytes);
    bool mapped = vulkan::addressable(layer_bytes * box->depth);
    if (mapped && needs_depth_packing(presource->format, resource.image->storage().format())) {
        transfer->packed =
            static_cast<std::byte*>(std::malloc(transfer->b.layer_stride * box->depth));
        mapped = transfer->packed != nullptr;
        context.recorder.slow_path(render::SlowPath::converted_texels,
                                   util_format_short_name(presource->format));
    }
    const bool keeps_old = (usage & PIPE_MAP_READ) ||
                           !(usage & (PIPE_MAP_DISCARD_RANGE | PIPE_MAP_DISCARD_WHOLE_RESOURCE));
    if (mapped && keeps_old && (usage & PIPE_MAP_DONTBLOCK) && resource.image->busy(true))
        mapped = false;
    if (mapped)
        mapped = keeps_old ? download(context, resource, *transfer)
                           : allocate_staging(context, resource, *transfer);
    if (!mapped) {
        end_transfer(transfer);
        return nullptr;
    }
    *out = &transfer->b;
    return transfer->packed ? transfer->packed : transfer->staged;
}

/// Writes the whole box: parts that the app didn't write were read back when it was mapped. Mesa's
/// transfer helper copies from here to the samples of a multisampled texture before it unmaps.
void texture_flush_region(pipe_context* pcontext, pipe_transfer* ptransfer, const pipe_box*) {
    Transfer* transfer = Transfer::from(ptransfer);
    if (!(ptransfer->usage & PIPE_MAP_WRITE))
        return;
    upload(*Context::from(pcontext), *Resource::from(ptransfer->resource), *transfer);
    transfer->flushed = true;
}

void texture_unmap(pipe_context* pcontext, pipe_transfer* ptransfer) {
    Transfer* transfer = Transfer::from(ptransfer);
    if (!transfer->flushed && !(ptransfer->usage & PIPE_MAP_FLUSH_EXPLICIT))
        texture_flush_region(pcontext, ptransfer, nullptr);
    end_transfer(transfer);
}

const u_transfer_vtbl transfer_functions = {
    .resource_create = create_resource,
    .resource_destroy = nullptr,
    .transfer_map = texture_map,
    .transfer_flush_region = texture_flush_region,
    .transfer_unmap = texture_unmap,
    .get_internal_format = nullptr,
    .set_stencil = nullptr,
    .get_stencil = nullptr,
};

} // namespace

VkBufferImageCopy copy_region(const Resource& resource, unsigned level, const pipe_box& box,
                              VkImageAspectFlags aspect, VkDeviceSize offset) {
    VkBufferImageCopy region{};
    region.bufferOffset = offset;
    region.imageSubresource = {aspect, level, 0, 1};
    region.imageOffset = {box.x, box.y, 0};
    region.imageExtent = {static_cast<uint32_t>(box.width), static_cast<uint32_t>(box.height), 1};
    if (resource.b.target == PIPE_TEXTURE_1D || resource.b.target == PIPE_TEXTURE_1D_ARRAY) {
        region.imageOffset.y = 0;
        region.imageExtent.height = 1;
    }
    if (layers_in_depth(resource)) {
        region.imageSubresource.baseArrayLayer = box.z;
        region.imageSubresource.layerCount = box.depth;
    } else {
        region.imageOffset.z = box.z;
        region.imageExtent.depth = box.depth;
    }
    return region;
}

void init_texture_transfer_functions(Context& context) {
    context.texture_map = u_transfer_helper_transfer_map;
    context.texture_unmap = u_transfer_helper_transfer_unmap;
    context.texture_subdata = write_texture;
}

void init_screen_transfer_helper(Screen& screen) {
    screen.transfer_helper =
        u_transfer_helper_create(&transfer_functions, U_TRANSFER_HELPER_MSAA_MAP);
}

} // namespace kobalt::gallium
