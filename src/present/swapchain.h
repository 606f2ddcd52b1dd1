// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <vector>

#include "present/choose.h"
#include "present/surface.h"
#include "vulkan/handle.h"

namespace kobalt::present {

struct SwapchainRequest {
    VkFormat source_format = VK_FORMAT_UNDEFINED; ///< of the images that will be shown
    VkExtent2D source_extent{};                   ///< pixels
    bool translucent = false;
    int interval = 1; ///< as choose_present_mode takes it
};

/// A VkSwapchainKHR with its images and, for each, the semaphore that its presentation waits for.
/// It is replaced whole whenever anything of it changes.
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
    uint32_t image_count() const { return static_cast<uint32_t>(images_.size()); }
    VkImage image(uint32_t index) const { return images_[index]; }
    VkSemaphore rendered(uint32_t index) const { return rendered_[index].get(); }
    /// Whether frames of this kind can go into it as it is (the window's own size aside).
    bool serves(const SwapchainRequest& request) const;

private:
    Swapchain() = default;

    std::shared_ptr<const Surface> surface_; // before the swapchain: destroyed after it
    vulkan::Swapchain swapchain_;
    std::vector<VkImage> images_;
    std::vector<vulkan::Semaphore> rendered_;
    VkExtent2D extent_{};
    FormatChoice format_;
    VkPresentModeKHR mode_ = VK_PRESENT_MODE_FIFO_KHR;
    SwapchainRequest request_;
};

} // namespace kobalt::present
