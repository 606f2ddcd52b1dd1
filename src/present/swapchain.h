// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <vector>

#include "present/choose.h"
#include "present/surface.h"
#include "vulkan/base/handle.h"
#include "vulkan/device/queue.h"

namespace kobalt::present {

struct SwapchainRequest {
    VkFormat source_format = VK_FORMAT_UNDEFINED; ///< of the images that will be shown
    VkExtent2D source_extent{};                   ///< pixels
    bool translucent = false;
    int interval = 1; ///< as choose_present_mode takes it
};

/// A VkSwapchainKHR with its images and, for each, the semaphore that its presentation waits for
/// and the fence that tells when it is over. It is replaced whole whenever anything of it changes.
class Swapchain {
public:
    /// `previous` may be null. The result holds null where the window has no area now. Fails with
    /// VK_ERROR_SURFACE_LOST_KHR when the window is gone.
    static vulkan::Result<std::unique_ptr<Swapchain>> create(vulkan::Device& device,
                                                             std::shared_ptr<const Surface> surface,
                                                             const SwapchainRequest& request,
                                                             const Swapchain* previous);

    VkSwapchainKHR handle() const { return swapchain_.get(); }
    VkExtent2D extent() const { return extent_; }
    VkFormat format() const { return format_.surface.format; }
    bool blit() const { return format_.blit; }
    VkPresentModeKHR mode() const { return mode_; }
    VkImage image(uint32_t index) const { return images_[index]; }
    VkSemaphore rendered(uint32_t index) const { return rendered_[index].get(); }

    /// vkQueuePresentKHR of an image whose rendered() semaphore is going to be signalled.
    VkResult present(vulkan::Queue& queue, uint32_t index);
    /// Whether it is known when presentations are over (VK_EXT_swapchain_maintenance1).
    bool tracks_presentations() const { return !presented_.empty(); }
    /// Whether all presentations are over, so that the swapchain may be destroyed.
    bool presentations_over() const;
    /// Waits until they are: a second at most, for a compositor may be stuck.
    void wait_for_presentations() const;

    /// Whether frames of this kind can go into it as it is (the window's own size aside).
    bool serves(const SwapchainRequest& request) const;

private:
    explicit Swapchain(vulkan::Device& device) : device_(device) {}

    /// A fence is unsignalled only while a presentation is queued with it.
    bool pending(uint32_t index) const;
    void wait(uint32_t index) const;

    vulkan::Device& device_;
    std::shared_ptr<const Surface> surface_; // before the swapchain: destroyed after it
    vulkan::Swapchain swapchain_;
    std::vector<VkImage> images_;
    std::vector<vulkan::Semaphore> rendered_;
    std::vector<vulkan::Fence> presented_; ///< one an image, where tracked
    VkExtent2D extent_{};
    FormatChoice format_;
    VkPresentModeKHR mode_ = VK_PRESENT_MODE_FIFO_KHR;
    SwapchainRequest request_;
};

} // namespace kobalt::present
