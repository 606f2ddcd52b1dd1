// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/resource/host_write.h"

#include "gallium/resource/transfer.h"
#include "render/commands/batch.h"
#include "vulkan/resources/host_copy.h"

namespace kobalt::gallium {
namespace {

/// Writes the texels on the CPU. False: nothing was written; the texels have to be staged.
bool write_on_host(Context& context, Resource& resource, unsigned level, const pipe_box& box,
                   const void* data, unsigned stride, uintptr_t layer_stride) {
    render::Engine& engine = *context.kobalt_screen().engine;
    render::Image* image = resource.image.get();
    if (!image || !(image->storage().usage() & VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT) ||
        resource.mapping.aspects != VK_IMAGE_ASPECT_COLOR_BIT || image->busy(false) ||
        context.recorder.clear_waits(*image)) // the deferred clear would overwrite the CPU's write
        return false;
    const struct util_format_description& format = *util_format_description(resource.b.format);
    const unsigned block_bytes = format.block.bits / 8;
    // Vulkan gives the strides of rows and layers in texels, and allows no rows that overlap.
    const unsigned rows = util_format_get_nblocksy(resource.b.format, box.height);
    if (rows > 1 || box.depth > 1) {
        if (stride % block_bytes || stride < util_format_get_stride(resource.b.format, box.width) ||
            (box.depth > 1 && (layer_stride % stride || layer_stride / stride < rows)))
            return false;
    }
    if (!engine.batches().initialize_on_host(*image))
        return false;
    const VkBufferImageCopy copied =
        copy_region(resource, level, box, VK_IMAGE_ASPECT_COLOR_BIT, 0);
    VkMemoryToImageCopyEXT region{};
    region.sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY_EXT;
    region.pHostPointer = data;
    region.memoryRowLength =
        rows > 1 || box.depth > 1 ? stride / block_bytes * format.block.width : 0;
    region.memoryImageHeight =
        box.depth > 1 ? static_cast<uint32_t>(layer_stride / stride) * format.block.height : 0;
    region.imageSubresource = copied.imageSubresource;
    region.imageOffset = copied.imageOffset;
    region.imageExtent = copied.imageExtent;
    image->note_written();
    return vulkan::copy_to_image_on_host(engine.device(), image->handle(), {&region, 1})
        .has_value();
}

} // namespace

void write_texture(pipe_context* pcontext, pipe_resource* presource, unsigned level, unsigned usage,
                   const pipe_box* box, const void* data, unsigned stride, uintptr_t layer_stride) {
    if (!write_on_host(*Context::from(pcontext), *Resource::from(presource), level, *box, data,
                       stride, layer_stride))
        u_default_texture_subdata(pcontext, presource, level, usage, box, data, stride,
                                  layer_stride);
}

} // namespace kobalt::gallium
