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
    VkFormat source_format = VK_FORMAT_UNDEFINED; ///< of the images to be presented
    VkExtent2D source_extent{};                   ///< pixels
    bool translucent = false;
    int interval = 1; ///< the argument of choose_present_mode
};

/// A VkSwapchainKHR with its images and, for each, the semaphore that its presentation waits for
/// and the fence that is signalled when the presentation is over. The swapchain is replaced as a
/// whole whenever any of its properties changes.
class Swapchain {
public:
    /// `previous` may be null. The result holds null where the window currently has no area. Fails
    /// with VK_ERROR_SURFACE_LOST_KHR when the window is gone.
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

    /// Calls vkQueuePresentKHR for an image whose rendered() semaphore has a pending signal.
    VkResult present(vulkan::Queue& queue, uint32_t index);
    /// Whether presentations have fences (VK_EXT_swapchain_maintenance1).
    bool tracks_presentations() const { return !presented_.empty(); }
    /// Whether all presentations are over, so that the swapchain may be destroyed.
    bool presentations_over() const;
    /// Waits until all presentations are over. False: one isn't after a second; a compositor may
    /// hang.
    bool wait_for_presentations() const;

    /// Whether this swapchain can present such frames as it is (the window's own size aside).
    bool serves(const SwapchainRequest& request) const;

private:
    explicit Swapchain(vulkan::Device& device) : device_(device) {}

    /// A fence is unsignalled only while a presentation is queued with it.
    bool pending(uint32_t index) const;
    bool wait(uint32_t index) const;

    vulkan::Device& device_;
    std::shared_ptr<const Surface> surface_; // declared before the swapchain: destroyed after it
    vulkan::Swapchain swapchain_;
    std::vector<VkImage> images_;
    std::vector<vulkan::Semaphore> rendered_;
    std::vector<vulkan::Fence> presented_; ///< one per image, where tracked; null: untracked
    VkExtent2D extent_{};
    FormatChoice format_;
    VkPresentModeKHR mode_ = VK_PRESENT_MODE_FIFO_KHR;
    SwapchainRequest request_;
};

} // namespace kobalt::present
