// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "programs.h"

namespace kobalt::memory {

/// A small image to draw to.
class Drawing {
public:
    explicit Drawing(const Vulkan& vk);
    ~Drawing();
    Drawing(const Drawing&) = delete;
    Drawing& operator=(const Drawing&) = delete;

    /// Clears and draws a triangle with each program, in the one command buffer that there is,
    /// which nothing may be executing.
    VkCommandBuffer record(const Way& way, VkPipelineLayout layout,
                           std::span<const Program> programs) const;
    /// The same, and submits it and waits for it.
    void draw(const Way& way, VkPipelineLayout layout, std::span<const Program> programs) const;

private:
    void set_state(bool all) const;

    const Vulkan& vk_;
    VkImage image_ = nullptr;
    VkDeviceMemory memory_ = nullptr;
    VkImageView view_ = nullptr;
    VkCommandPool pool_ = nullptr;
    VkCommandBuffer commands_ = nullptr;
};

} // namespace kobalt::memory
