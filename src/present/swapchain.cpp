// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/swapchain.h"

#include <string>

#include "vulkan/commands/sync.h"
#include "vulkan/device/out_of_memory.h"

namespace kobalt::present {

namespace {

/// Calls an enumeration until its answer fits: the count may change between two calls.
template <class T, class Call>
VkResult enumerate(vulkan::Device& device, std::vector<T>& out, Call&& call) {
    VkResult result = VK_INCOMPLETE;
    while (result == VK_INCOMPLETE) {
        uint32_t count = 0;
        result = vulkan::with_second_try(device, [&] { return call(&count, nullptr); });
        if (result != VK_SUCCESS)
            return result;
        out.resize(count);
        result = vulkan::with_second_try(device, [&] { return call(&count, out.data()); });
        out.resize(count);
    }
    return result;
}

std::string describe(const SwapchainRequest& request) {
    return std::to_string(request.source_extent.width) + "x" +
           std::to_string(request.source_extent.height) + " window, VkFormat " +
           std::to_string(request.source_format);
}

} // namespace

bool Swapchain::serves(const SwapchainRequest& request) const {
    return request.source_format == request_.source_format &&
           request.translucent == request_.translucent && request.interval == request_.interval;
}

vulkan::Result<std::unique_ptr<Swapchain>> Swapchain::create(vulkan::Device& device,
                                                             std::shared_ptr<const Surface> surface,
                                                             const SwapchainRequest& request,
                                                             const Swapchain* previous) {
    const vulkan::InstanceDispatch& vki = device.instance().vk();
    const VkPhysicalDevice physical = device.physical();

    VkSurfaceCapabilitiesKHR capabilities;
    if (const VkResult result = surface->capabilities(capabilities); result != VK_SUCCESS)
        return vulkan::fail(result, "vkGetPhysicalDeviceSurfaceCapabilitiesKHR", describe(request));
    const VkExtent2D extent = choose_extent(capabilities, request.source_extent);
    if (!extent.width || !extent.height)
        return nullptr;

    std::vector<VkSurfaceFormatKHR> formats;
    VkResult result = enumerate(device, formats, [&](uint32_t* count, VkSurfaceFormatKHR* data) {
        return vki.GetPhysicalDeviceSurfaceFormatsKHR(physical, surface->handle(), count, data);
    });
    if (result != VK_SUCCESS)
        return vulkan::fail(result, "vkGetPhysicalDeviceSurfaceFormatsKHR", describe(request));
    const auto format = choose_format(formats, request.source_format);
    if (!format || !(capabilities.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT))
        return vulkan::fail(VK_ERROR_FORMAT_NOT_SUPPORTED, "choosing a swapchain format",
                            describe(request));

    std::vector<VkPresentModeKHR> modes;
    result = enumerate(device, modes, [&](uint32_t* count, VkPresentModeKHR* data) {
        return vki.GetPhysicalDeviceSurfacePresentModesKHR(physical, surface->handle(), count,
                                                           data);
    });
    if (result != VK_SUCCESS)
        return vulkan::fail(result, "vkGetPhysicalDeviceSurfacePresentModesKHR", describe(request));

    std::unique_ptr<Swapchain> made(new Swapchain(device));
    made->extent_ = extent;
    made->format_ = *format;
    made->mode_ = choose_present_mode(modes, request.interval);
    made->request_ = request;

    auto info =
        vulkan::vk_struct<VkSwapchainCreateInfoKHR>(VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR);
    info.surface = surface->handle();
    info.minImageCount = choose_image_count(capabilities, made->mode_);
    info.imageFormat = format->surface.format;
    info.imageColorSpace = format->surface.colorSpace;
    info.imageExtent = extent;
    info.imageArrayLayers = 1;
    info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    info.imageSharingMode = VK_SHARING_MODE_EXCLUSIVE;
    info.preTransform = capabilities.supportedTransforms & VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR
                            ? VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR
                            : capabilities.currentTransform;
    info.compositeAlpha =
        choose_composite_alpha(capabilities.supportedCompositeAlpha, request.translucent);
    info.presentMode = made->mode_;
    info.clipped = VK_TRUE;
    info.oldSwapchain = previous ? previous->handle() : VK_NULL_HANDLE;

    VkSwapchainKHR handle = VK_NULL_HANDLE;
    result = device.status().check(
        vulkan::with_second_try(device,
                                [&] {
                                    const VkResult tried = device.vk().CreateSwapchainKHR(
                                        device.handle(), &info, nullptr, &handle);
                                    // The first call has retired it, whatever it returned.
                                    info.oldSwapchain = VK_NULL_HANDLE;
                                    return tried;
                                }),
        "vkCreateSwapchainKHR");
    if (result != VK_SUCCESS)
        return vulkan::fail(result, "vkCreateSwapchainKHR", describe(request));
    made->surface_ = std::move(surface);
    made->swapchain_ = device.own<vulkan::Swapchain>(handle);

    result = enumerate(device, made->images_, [&](uint32_t* count, VkImage* data) {
        return device.vk().GetSwapchainImagesKHR(device.handle(), handle, count, data);
    });
    if (result != VK_SUCCESS)
        return vulkan::fail(result, "vkGetSwapchainImagesKHR", describe(request));
    for (size_t i = 0; i < made->images_.size(); ++i) {
        auto semaphore = vulkan::create_semaphore(device, "frame rendered");
        if (!semaphore)
            return std::unexpected(semaphore.error());
        made->rendered_.push_back(std::move(*semaphore));
        if (!device.has(vulkan::Capability::swapchain_maintenance1))
            continue;
        auto fence = vulkan::create_fence(device, true, "frame presented");
        if (!fence)
            return std::unexpected(fence.error());
        made->presented_.push_back(std::move(*fence));
    }
    return made;
}

VkResult Swapchain::present(vulkan::Queue& queue, uint32_t index) {
    const VkSwapchainKHR handle = swapchain_.get();
    const VkSemaphore rendered = rendered_[index].get();
    auto info = vulkan::vk_struct<VkPresentInfoKHR>(VK_STRUCTURE_TYPE_PRESENT_INFO_KHR);
    info.waitSemaphoreCount = 1;
    info.pWaitSemaphores = &rendered;
    info.swapchainCount = 1;
    info.pSwapchains = &handle;
    info.pImageIndices = &index;
    const auto present_now = [&] {
        return vulkan::with_second_try(device_, [&] { return queue.present(info); });
    };
    if (!tracks_presentations() || !presented_[index])
        return present_now();

    VkFence fence = presented_[index].get();
    // The image was acquired again, so its last presentation is over or about to finish.
    (void)wait(index);
    if (pending(index)) // the driver never signals the fence: present without one
        return present_now();
    (void)device_.vk().ResetFences(device_.handle(), 1, &fence);
    auto fences = vulkan::vk_struct<VkSwapchainPresentFenceInfoEXT>(
        VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_EXT);
    fences.swapchainCount = 1;
    fences.pFences = &fence;
    info.pNext = &fences;
    const VkResult result = present_now();
    // Such a call has no effect: nothing would signal the fence.
    if (vulkan::is_out_of_memory(result))
        presented_[index].reset();
    return result;
}

bool Swapchain::pending(uint32_t index) const {
    return presented_[index] &&
           device_.vk().GetFenceStatus(device_.handle(), presented_[index].get()) == VK_NOT_READY;
}

bool Swapchain::wait(uint32_t index) const {
    constexpr uint64_t a_second = 1'000'000'000; // nanoseconds
    const VkFence fence = presented_[index].get();
    return !fence ||
           device_.vk().WaitForFences(device_.handle(), 1, &fence, VK_TRUE, a_second) == VK_SUCCESS;
}

bool Swapchain::presentations_over() const {
    for (uint32_t i = 0; i < presented_.size(); ++i)
        if (pending(i))
            return false;
    return true;
}

bool Swapchain::wait_for_presentations() const {
    for (uint32_t i = 0; i < presented_.size() && !device_.lost(); ++i)
        if (!wait(i))
            return false;
    return true;
}

} // namespace kobalt::present
