// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cstring>

#include "render/batch.h"
#include "render/engine.h"
#include "vulkan/buffer_view.h"
#include "vulkan/image.h"
#include "vulkan/sampler.h"

namespace kobalt::render {
namespace {

constexpr VkDeviceSize null_buffer_bytes = 65536; ///< the largest uniform range that shaders read

/// A 1x1 image of six layers (cubes need them) filled with opaque black, as GL samples an
/// incomplete texture (OpenGL 3.3, 3.8.10).
vulkan::Result<Ref<Image>> make_black(Engine& engine, VkImageType type) {
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.flags = type == VK_IMAGE_TYPE_2D ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0;
    info.imageType = type;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.extent = {1, 1, 1};
    info.mipLevels = 1;
    info.arrayLayers = type == VK_IMAGE_TYPE_3D ? 1 : 6;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage =
        VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    auto image =
        vulkan::Image::create(engine.device(), info, vulkan::MemoryKind::device_local, "black");
    if (!image)
        return std::unexpected(image.error());
    return make_ref<Image>(std::move(*image));
}

} // namespace

vulkan::Result<void> Engine::create_null_objects() {
    VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
        VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
        VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    if (paths_.transform_feedback)
        usage |= VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT;
    if (paths_.descriptor_buffer)
        usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    auto buffer = vulkan::Buffer::create(
        *device_, {null_buffer_bytes, usage, vulkan::MemoryKind::upload, "null"});
    if (!buffer)
        return std::unexpected(buffer.error());
    std::memset(buffer->mapped(), 0, null_buffer_bytes);
    buffer->flush(0, null_buffer_bytes);
    null_buffer_ = make_ref<Buffer>(std::move(*buffer));

    auto texels = vulkan::create_buffer_view(*device_, null_buffer_->handle(),
                                             VK_FORMAT_R8G8B8A8_UNORM, 0, 256, "null");
    if (!texels)
        return std::unexpected(texels.error());
    null_texel_view_ =
        make_ref<BufferView>(null_buffer_, std::move(*texels), VK_FORMAT_R8G8B8A8_UNORM,
                             VkDeviceSize{0}, VkDeviceSize{256});

    VkSamplerCreateInfo sampler_info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    auto sampler = vulkan::create_sampler(*device_, sampler_info, "null");
    if (!sampler)
        return std::unexpected(sampler.error());
    null_sampler_ = make_ref<Sampler>(std::move(*sampler));

    Ref<Image> images[3];
    for (const VkImageType type : {VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_3D}) {
        auto image = make_black(*this, type);
        if (!image)
            return std::unexpected(image.error());
        images[type] = std::move(*image);
    }
    for (uint32_t type = 0; type < std::size(null_views_); ++type) {
        const auto view_type = static_cast<VkImageViewType>(type);
        VkImageType image_type = VK_IMAGE_TYPE_2D;
        if (view_type == VK_IMAGE_VIEW_TYPE_1D || view_type == VK_IMAGE_VIEW_TYPE_1D_ARRAY)
            image_type = VK_IMAGE_TYPE_1D;
        if (view_type == VK_IMAGE_VIEW_TYPE_3D)
            image_type = VK_IMAGE_TYPE_3D;
        const bool cube =
            view_type == VK_IMAGE_VIEW_TYPE_CUBE || view_type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
        if (view_type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY &&
            !device_->has(vulkan::Capability::image_cube_array))
            continue;
        VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
        info.image = images[image_type]->handle();
        info.viewType = view_type;
        info.format = VK_FORMAT_R8G8B8A8_UNORM;
        info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, cube ? 6u : 1u};
        auto view = vulkan::create_image_view(*device_, info, "null");
        if (!view)
            return std::unexpected(view.error());
        null_views_[type] = make_ref<ImageView>(images[image_type], std::move(*view));
    }

    auto batch = batches_->begin();
    if (!batch)
        return std::unexpected(batch.error());
    const VkCommandBuffer commands = (*batch)->commands();
    const auto& vk = device_->vk();
    for (auto& image : images) {
        const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                                          VK_REMAINING_ARRAY_LAYERS};
        VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
        barrier.dstStageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT;
        barrier.dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
        barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
        barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.image = image->handle();
        barrier.subresourceRange = all;
        VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
        dependency.imageMemoryBarrierCount = 1;
        dependency.pImageMemoryBarriers = &barrier;
        vk.CmdPipelineBarrier2(commands, &dependency);
        const VkClearColorValue black{{0, 0, 0, 1}};
        vk.CmdClearColorImage(commands, image->handle(), VK_IMAGE_LAYOUT_GENERAL, &black, 1, &all);
        image->initialized = true;
        image->access.write(VK_PIPELINE_STAGE_2_CLEAR_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT);
        (*batch)->use(*image, true);
    }
    auto submitted = batches_->submit(std::move(*batch));
    if (!submitted)
        return std::unexpected(submitted.error());
    return {};
}

} // namespace kobalt::render
