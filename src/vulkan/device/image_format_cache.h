// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <map>
#include <mutex>
#include <tuple>

#include "vulkan/base/vk.h"

namespace kobalt::vulkan {

/// A device's answers to vkGetPhysicalDeviceImageFormatProperties2, by question.
class ImageFormatCache {
public:
    /// The format list is compared by its address, so it has to live as long as the cache.
    using Question = std::tuple<VkFormat, VkImageType, VkImageTiling, VkImageUsageFlags,
                                VkImageCreateFlags, const VkImageFormatListCreateInfo*>;
    struct Answer {
        VkResult result = VK_ERROR_FORMAT_NOT_SUPPORTED;
        VkImageFormatProperties properties{};
        /// VkHostImageCopyDevicePerformanceQueryEXT::optimalDeviceAccess; only where the usage has
        /// VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT.
        bool optimal_device_access = false;
    };
    /// The cached answer, or else what `ask()` returns. That memory is out is kept as no answer.
    /// Thread-safe.
    template <class Ask>
    Answer get(const Question& question, Ask&& ask) {
        const std::lock_guard lock(answers_mutex_);
        if (const auto found = answers_.find(question); found != answers_.end())
            return found->second;
        const Answer answer = ask();
        if (answer.result != VK_ERROR_OUT_OF_HOST_MEMORY &&
            answer.result != VK_ERROR_OUT_OF_DEVICE_MEMORY)
            answers_.emplace(question, answer);
        return answer;
    }

private:
    std::mutex answers_mutex_;
    std::map<Question, Answer> answers_; ///< never shrinks: few kinds of textures exist
};

} // namespace kobalt::vulkan
