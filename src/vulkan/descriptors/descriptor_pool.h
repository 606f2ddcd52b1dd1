// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"
#include "vulkan/device/queue.h"

#include <deque>
#include <span>
#include <vector>

namespace kobalt::vulkan {

/// Descriptor sets without descriptor buffers: allocated from pools that are reset whole once the
/// timeline has passed them. Grows, never waits. Used by one thread at a time.
class DescriptorPools {
public:
    DescriptorPools(Device& device, Timeline& timeline, uint32_t sets_per_pool = 256);
    /// Waits for the submissions that use its sets.
    ~DescriptorPools();
    DescriptorPools(const DescriptorPools&) = delete;
    DescriptorPools& operator=(const DescriptorPools&) = delete;

    Result<VkDescriptorSet> allocate(VkDescriptorSetLayout layout);
    /// The submission `value` uses everything allocated since the last call.
    void retire(uint64_t value);
    size_t pools_created() const { return created_; }

private:
    struct Pending {
        uint64_t value;
        DescriptorPoolHandle pool;
    };
    Result<void> next_pool();

    Device& device_;
    Timeline& timeline_;
    uint32_t sets_per_pool_;
    DescriptorPoolHandle current_;
    uint64_t current_value_ = 0; ///< last submission that uses current_
    uint32_t used_ = 0;          ///< sets allocated from current_ since its reset
    bool touched_ = false;
    std::vector<DescriptorPoolHandle> open_;
    std::deque<Pending> pending_;
    size_t created_ = 0;
};

/// A pool for sets that live long (a bindless table): update-after-bind, one layout.
Result<DescriptorPoolHandle> create_descriptor_pool(Device& device,
                                                    std::span<const VkDescriptorPoolSize> sizes,
                                                    uint32_t max_sets,
                                                    VkDescriptorPoolCreateFlags flags,
                                                    const char* name = nullptr);

} // namespace kobalt::vulkan
