// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/resources/resource.h"

namespace kobalt::render {

vulkan::Result<Ref<Buffer>> Buffer::create_sparse(vulkan::Device& device,
                                                  const vulkan::BufferInfo& info) {
    auto pages = std::make_unique<vulkan::SparseBuffer>();
    auto storage = vulkan::SparseBuffer::create(device, info, *pages);
    if (!storage)
        return std::unexpected(storage.error());
    auto buffer = make_ref<Buffer>(std::move(*storage));
    buffer->pages_ = std::move(pages);
    return buffer;
}

vulkan::Result<Ref<Image>> Image::create_sparse(vulkan::Device& device,
                                                const VkImageCreateInfo& info) {
    auto pages = std::make_unique<vulkan::SparseImage>();
    auto storage = vulkan::SparseImage::create(device, info, *pages);
    if (!storage)
        return std::unexpected(storage.error());
    auto image = make_ref<Image>(std::move(*storage));
    image->pages_ = std::move(pages);
    return image;
}

} // namespace kobalt::render
