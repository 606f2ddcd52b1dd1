// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/descriptors/null_views.h"

#include "render/commands/batch.h"
#include "vulkan/resources/buffer_view.h"
#include "vulkan/resources/image.h"

namespace kobalt::render {
namespace {

constexpr uint32_t cube_faces = 6;

VkFormat format_of(Texels texels) {
    switch (texels) {
    case Texels::sint:
        return VK_FORMAT_R32G32B32A32_SINT;
    case Texels::uint:
        return VK_FORMAT_R32G32B32A32_UINT;
    case Texels::depth:
        return VK_FORMAT_D16_UNORM;
    case Texels::floating:
        break;
    }
    return VK_FORMAT_R8G8B8A8_UNORM;
}

VkClearColorValue opaque_black(VkFormat format) {
    VkClearColorValue value{};
    if (format == VK_FORMAT_R8G8B8A8_UNORM)
        value.float32[3] = 1;
    else
        value.uint32[3] = 1;
    return value;
}

VkImageType image_type_of(VkImageViewType type) {
    switch (type) {
    case VK_IMAGE_VIEW_TYPE_1D:
    case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
        return VK_IMAGE_TYPE_1D;
    case VK_IMAGE_VIEW_TYPE_3D:
        return VK_IMAGE_TYPE_3D;
    default:
        return VK_IMAGE_TYPE_2D;
    }
}

/// The fewest samples above one.
VkSampleCountFlagBits fewest_samples(VkSampleCountFlags offered) {
    offered &= ~VkSampleCountFlags{VK_SAMPLE_COUNT_1_BIT};
    return static_cast<VkSampleCountFlagBits>(offered & (~offered + 1));
}

} // namespace

vulkan::Result<Ref<Image>> NullViews::make_image(VkImageType type, Texels texels,
                                                 bool multisampled) {
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = type;
    info.format = format_of(texels);
    info.extent = {1, 1, 1};
    info.mipLevels = 1;
    info.arrayLayers = type == VK_IMAGE_TYPE_3D ? 1 : cube_faces;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    if (!multisampled && type == VK_IMAGE_TYPE_2D)
        info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
    if (!multisampled && texels != Texels::depth)
        info.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
    if (type == VK_IMAGE_TYPE_2D && texels != Texels::depth &&
        core_.device().has(vulkan::Capability::dynamic_rendering_local_read))
        info.usage |= VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
    const auto limits = core_.device().image_format_properties(info.format, type, info.tiling,
                                                               info.usage, info.flags);
    if (!limits)
        return std::unexpected(limits.error());
    if (multisampled) {
        info.samples = fewest_samples(limits->sampleCounts);
        if (!info.samples)
            return vulkan::fail(VK_ERROR_FORMAT_NOT_SUPPORTED, "vkCreateImage", "null image");
    }
    auto image =
        vulkan::Image::create(core_.device(), info, vulkan::MemoryKind::device_local, "null");
    if (!image)
        return std::unexpected(image.error());
    auto made = make_ref<Image>(std::move(*image));
    if (auto cleared = clear(made); !cleared)
        return std::unexpected(cleared.error());
    return made;
}

// Clears in a batch of its own, which is submitted before the one that reads the image.
vulkan::Result<void> NullViews::clear(const Ref<Image>& image) {
    auto batch = batches_.begin();
    if (!batch)
        return std::unexpected(batch.error());
    const auto& vk = core_.device().vk();
    const VkCommandBuffer commands = (*batch)->commands();
    const VkImageSubresourceRange all{image->aspects(), 0, VK_REMAINING_MIP_LEVELS, 0,
                                      VK_REMAINING_ARRAY_LAYERS};
    batches_.initialize(*image);
    if (image->aspects() & VK_IMAGE_ASPECT_DEPTH_BIT) {
        const VkClearDepthStencilValue zero{};
        vk.CmdClearDepthStencilImage(commands, image->handle(), VK_IMAGE_LAYOUT_GENERAL, &zero, 1,
                                     &all);
    } else {
        const VkClearColorValue black = opaque_black(image->storage().format());
        vk.CmdClearColorImage(commands, image->handle(), VK_IMAGE_LAYOUT_GENERAL, &black, 1, &all);
    }
    (void)(*batch)->add_write(*image, VK_PIPELINE_STAGE_2_CLEAR_BIT,
                              VK_ACCESS_2_TRANSFER_WRITE_BIT);
    (*batch)->has_commands = true;
    auto submitted = batches_.submit(std::move(*batch));
    if (!submitted)
        return std::unexpected(submitted.error());
    return {};
}

vulkan::Result<Ref<ImageView>> NullViews::make_view(const Ref<Image>& image, VkImageViewType type) {
    const bool cube = type == VK_IMAGE_VIEW_TYPE_CUBE || type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
    VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    info.image = image->handle();
    info.viewType = type;
    info.format = image->storage().format();
    info.subresourceRange = {image->aspects(), 0, 1, 0, cube ? cube_faces : 1};
    auto view = vulkan::create_image_view(core_.device(), info, "null");
    if (!view)
        return std::unexpected(view.error());
    return make_ref<ImageView>(image, std::move(*view));
}

ImageView* NullViews::find(const ViewShape& shape) {
    if (shape.type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY &&
        !core_.device().has(vulkan::Capability::image_cube_array))
        return nullptr;
    const VkImageType type = image_type_of(shape.type);
    Made& made = made_[shape.multisampled][static_cast<size_t>(shape.texels)][type];
    const auto complain = [&](const vulkan::Error& error) {
        // A format that the device doesn't support in that form is expected, and not logged.
        if (error.result != VK_ERROR_FORMAT_NOT_SUPPORTED)
            core_.device().log().error("a stand-in for a missing texture: " + error.to_string());
    };
    if (!std::exchange(made.tried, true)) {
        if (auto image = make_image(type, shape.texels, shape.multisampled))
            made.image = std::move(*image);
        else
            complain(image.error());
    }
    if (made.image && !std::exchange(made.view_tried[shape.type], true)) {
        if (auto view = make_view(made.image, shape.type)) {
            made.views[shape.type] = std::move(*view);
            count_.fetch_add(1, std::memory_order_relaxed);
        } else {
            complain(view.error());
        }
    }
    return made.views[shape.type].get();
}

ImageView* NullViews::get(const ViewShape& shape) {
    const std::lock_guard lock(mutex_);
    if (ImageView* view = find(shape))
        return view;
    return core_.paths().null_descriptor ? nullptr : find({});
}

vulkan::Result<Ref<BufferView>> NullViews::make_texels(Texels texels) {
    static constexpr VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SINT,
                                           VK_FORMAT_R8G8B8A8_UINT}; // by Texels
    constexpr VkDeviceSize bytes = 256;
    const VkFormat format = formats[static_cast<size_t>(texels)];
    auto view =
        vulkan::create_buffer_view(core_.device(), zeros_.handle(), format, 0, bytes, "null");
    if (!view)
        return std::unexpected(view.error());
    return make_ref<BufferView>(Ref<Buffer>(&zeros_), std::move(*view), format, VkDeviceSize{0},
                                bytes);
}

BufferView* NullViews::texels(Texels texels) {
    const std::lock_guard lock(mutex_);
    MadeTexels& made = texels_[static_cast<size_t>(texels)];
    if (!std::exchange(made.tried, true)) {
        if (auto view = make_texels(texels)) {
            made.view = std::move(*view);
            count_.fetch_add(1, std::memory_order_relaxed);
        } else {
            core_.device().log().error("a stand-in for a missing texture buffer: " +
                                       view.error().to_string());
        }
    }
    return made.view.get();
}

} // namespace kobalt::render
