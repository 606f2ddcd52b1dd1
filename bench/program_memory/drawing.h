// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "programs.h"

namespace kobalt::memory {

/// Draws to a small image.
class Drawing {
public:
    explicit Drawing(const Vulkan& vk);
    ~Drawing();
    Drawing(const Drawing&) = delete;
    Drawing& operator=(const Drawing&) = delete;

    /// Clears and draws a triangle with each program, in the only command buffer, which must not be
    /// in use by the device.
    VkCommandBuffer record(const Way& way, VkPipelineLayout layout,
                           std::span<const Program> programs) const;
    /// Like record(), then submits and waits.
    void draw(const Way& way, VkPipelineLayout layout, std::span<const Program> programs) const;

private:
    void set_state(bool all) const;

    const Vulkan& vk_;
    VkImage image_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    VkImageView view_ = VK_NULL_HANDLE;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = nullptr;
};

} // namespace kobalt::memory
