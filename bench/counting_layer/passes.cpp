// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "counting_layer/passes.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "counting_layer/counters.h"
#include "counting_layer/functions.h"
#include "counting_layer/immortal.h"

// Passes: what each attachment loads and stores, and how much memory that moves.

namespace kobalt::counting {
namespace {

/// The layer's records of images and command buffers.
struct Known {
    std::mutex mutex; ///< guards all
    std::unordered_map<VkImage, std::uint32_t> samples;
    std::unordered_map<VkImageView, std::uint32_t> pixel_bytes; ///< all samples of a pixel
    std::unordered_map<VkCommandBuffer, bool> in_pass;
};

Known& known() {
    static Immortal<Known> all;
    return all.value;
}

/// Bytes of a pixel, for the formats that GL programs draw to.
std::uint32_t bytes_of(VkFormat format) {
    switch (format) {
    case VK_FORMAT_R8_UNORM:
    case VK_FORMAT_S8_UINT:
        return 1;
    case VK_FORMAT_R8G8_UNORM:
    case VK_FORMAT_R16_SFLOAT:
    case VK_FORMAT_D16_UNORM:
        return 2;
    case VK_FORMAT_R16G16B16A16_SFLOAT:
    case VK_FORMAT_R16G16B16A16_UNORM:
    case VK_FORMAT_R32G32_SFLOAT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT:
        return 8;
    case VK_FORMAT_R32G32B32A32_SFLOAT:
        return 16;
    default:
        return 4;
    }
}

VKAPI_ATTR VkResult VKAPI_CALL create_image(VkDevice device, const VkImageCreateInfo* info,
                                            const VkAllocationCallbacks* allocator,
                                            VkImage* image) {
    add(Counter::images);
    const VkResult result = functions(device).CreateImage(device, info, allocator, image);
    if (result == VK_SUCCESS) {
        const std::lock_guard lock(known().mutex);
        known().samples[*image] = static_cast<std::uint32_t>(info->samples);
    }
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_view(VkDevice device, const VkImageViewCreateInfo* info,
                                           const VkAllocationCallbacks* allocator,
                                           VkImageView* view) {
    add(Counter::image_views);
    const VkResult result = functions(device).CreateImageView(device, info, allocator, view);
    if (result == VK_SUCCESS) {
        const std::lock_guard lock(known().mutex);
        const auto image = known().samples.find(info->image); // a swapchain's has one sample
        const std::uint32_t samples = image == known().samples.end() ? 1 : image->second;
        known().pixel_bytes[*view] = bytes_of(info->format) * samples;
    }
    return result;
}

std::uint32_t pixel_bytes(VkImageView view) {
    const std::lock_guard lock(known().mutex);
    const auto found = known().pixel_bytes.find(view);
    return found == known().pixel_bytes.end() ? 0 : found->second;
}

/// The counters of one kind of attachment.
struct Kind {
    Counter loads, clears, ignored, stores, dropped;
};
constexpr Kind kColour{Counter::colour_loads, Counter::colour_clears, Counter::colour_ignored,
                       Counter::colour_stores, Counter::colour_dropped};
constexpr Kind kDepth{Counter::depth_loads, Counter::depth_clears, Counter::depth_ignored,
                      Counter::depth_stores, Counter::depth_dropped};
constexpr Kind kStencil{Counter::stencil_loads, Counter::stencil_clears, Counter::stencil_ignored,
                        Counter::stencil_stores, Counter::stencil_dropped};

void count_operations(const VkRenderingAttachmentInfo& attachment, const Kind& kind) {
    const bool loads = attachment.loadOp == VK_ATTACHMENT_LOAD_OP_LOAD;
    const bool clears = attachment.loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR;
    add(loads ? kind.loads : clears ? kind.clears : kind.ignored);
    add(attachment.storeOp == VK_ATTACHMENT_STORE_OP_STORE ? kind.stores : kind.dropped);
    if (attachment.resolveMode != VK_RESOLVE_MODE_NONE)
        add(Counter::resolves_in_passes);
}

void count_bytes(const VkRenderingAttachmentInfo& attachment, const VkRenderingInfo& info) {
    const VkExtent2D size = info.renderArea.extent;
    const std::uint64_t kib = std::uint64_t{size.width} * size.height *
                              std::max(info.layerCount, 1U) * pixel_bytes(attachment.imageView) /
                              1024;
    if (attachment.loadOp == VK_ATTACHMENT_LOAD_OP_LOAD)
        add(Counter::kib_loaded, kib);
    if (attachment.storeOp == VK_ATTACHMENT_STORE_OP_STORE)
        add(Counter::kib_stored, kib);
}

bool is_used(const VkRenderingAttachmentInfo* attachment) {
    return attachment && attachment->imageView;
}

void set_in_pass(VkCommandBuffer commands, bool inside) {
    const std::lock_guard lock(known().mutex);
    known().in_pass[commands] = inside;
}

void count_pass(const VkRenderingInfo& info) {
    if (info.flags & VK_RENDERING_RESUMING_BIT)
        return; // the same pass as before: it neither loads nor stores
    add(Counter::passes);
    for (std::uint32_t i = 0; i < info.colorAttachmentCount; ++i)
        if (is_used(&info.pColorAttachments[i])) {
            count_operations(info.pColorAttachments[i], kColour);
            count_bytes(info.pColorAttachments[i], info);
        }
    if (is_used(info.pDepthAttachment)) {
        count_operations(*info.pDepthAttachment, kDepth);
        count_bytes(*info.pDepthAttachment, info);
    }
    if (is_used(info.pStencilAttachment))
        count_operations(*info.pStencilAttachment, kStencil); // its bytes are in the depth's
}

VKAPI_ATTR void VKAPI_CALL begin_rendering(VkCommandBuffer commands, const VkRenderingInfo* info) {
    count_pass(*info);
    set_in_pass(commands, true);
    functions(commands).CmdBeginRendering(commands, info);
}

VKAPI_ATTR void VKAPI_CALL end_rendering(VkCommandBuffer commands) {
    set_in_pass(commands, false);
    functions(commands).CmdEndRendering(commands);
}

// Of passes as objects only the number is counted.
VKAPI_ATTR void VKAPI_CALL begin_pass(VkCommandBuffer commands, const VkRenderPassBeginInfo* info,
                                      VkSubpassContents contents) {
    add(Counter::passes);
    set_in_pass(commands, true);
    functions(commands).CmdBeginRenderPass(commands, info, contents);
}

VKAPI_ATTR void VKAPI_CALL begin_pass2(VkCommandBuffer commands, const VkRenderPassBeginInfo* info,
                                       const VkSubpassBeginInfo* subpass) {
    add(Counter::passes);
    set_in_pass(commands, true);
    functions(commands).CmdBeginRenderPass2(commands, info, subpass);
}

VKAPI_ATTR void VKAPI_CALL end_pass(VkCommandBuffer commands) {
    set_in_pass(commands, false);
    functions(commands).CmdEndRenderPass(commands);
}

VKAPI_ATTR void VKAPI_CALL end_pass2(VkCommandBuffer commands, const VkSubpassEndInfo* info) {
    set_in_pass(commands, false);
    functions(commands).CmdEndRenderPass2(commands, info);
}

} // namespace

bool in_pass(VkCommandBuffer commands) {
    const std::lock_guard lock(known().mutex);
    const auto found = known().in_pass.find(commands);
    return found != known().in_pass.end() && found->second;
}

std::span<const Hook> pass_hooks() {
    static const std::array hooks{KOBALT_HOOK(CreateImage, create_image),
                                  KOBALT_HOOK(CreateImageView, create_view),
                                  KOBALT_HOOK(CmdBeginRendering, begin_rendering),
                                  KOBALT_HOOK(CmdEndRendering, end_rendering),
                                  KOBALT_HOOK(CmdBeginRenderPass, begin_pass),
                                  KOBALT_HOOK(CmdBeginRenderPass2, begin_pass2),
                                  KOBALT_HOOK(CmdEndRenderPass, end_pass),
                                  KOBALT_HOOK(CmdEndRenderPass2, end_pass2)};
    return hooks;
}

} // namespace kobalt::counting
