// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/descriptors/descriptor_pool.h"

#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"
#include "vulkan/device/out_of_memory.h"

#include <algorithm>

namespace kobalt::vulkan {

namespace {

/// Descriptors of each type in a pool, per set: an estimate of what a stage of a GL program uses on
/// average.
struct PoolShare {
    VkDescriptorType type;
    uint32_t per_set;
};
constexpr PoolShare shares[] = {
    {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 4},       {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 4},
    {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4},       {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 2},
    {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 2}, {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 1},
    {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1},        {VK_DESCRIPTOR_TYPE_SAMPLER, 1},
    {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1},
};

} // namespace

Result<DescriptorPoolHandle>
create_descriptor_pool(Device& device, std::span<const VkDescriptorPoolSize> sizes,
                       uint32_t max_sets, VkDescriptorPoolCreateFlags flags, const char* name) {
    auto info =
        vk_struct<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    info.flags = flags;
    info.maxSets = max_sets;
    info.poolSizeCount = static_cast<uint32_t>(sizes.size());
    info.pPoolSizes = sizes.data();
    VkDescriptorPool pool = VK_NULL_HANDLE;
    const VkResult result = with_second_try(device, [&] {
        return device.vk().CreateDescriptorPool(device.handle(), &info, nullptr, &pool);
    });
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateDescriptorPool",
                    std::string(name ? name : "a pool") + " of " + std::to_string(max_sets) +
                        " sets");
    set_name(device, VK_OBJECT_TYPE_DESCRIPTOR_POOL, pool, name);
    return device.own<DescriptorPoolHandle>(pool);
}

DescriptorPools::DescriptorPools(Device& device, Timeline& timeline, uint32_t sets_per_pool)
    : device_(device), timeline_(timeline), sets_per_pool_(sets_per_pool) {}

DescriptorPools::~DescriptorPools() {
    uint64_t last = current_value_;
    for (const Pending& pending : pending_)
        last = std::max(last, pending.value);
    timeline_.wait_to_destroy(last);
}

Result<void> DescriptorPools::next_pool() {
    if (current_) {
        if (touched_)
            open_.push_back(std::move(current_));
        else
            pending_.push_back({current_value_, std::move(current_)});
    }
    touched_ = false;
    used_ = 0;
    current_value_ = 0;
    const auto ready = std::find_if(pending_.begin(), pending_.end(),
                                    [&](const Pending& p) { return timeline_.reached(p.value); });
    if (ready != pending_.end()) {
        current_ = std::move(ready->pool);
        pending_.erase(ready);
        device_.vk().ResetDescriptorPool(device_.handle(), current_.get(), 0);
        return {};
    }
    std::vector<VkDescriptorPoolSize> sizes;
    for (const PoolShare& share : shares)
        sizes.push_back({share.type, std::max(share.per_set * sets_per_pool_, 128u)});
    Result<DescriptorPoolHandle> pool =
        create_descriptor_pool(device_, sizes, sets_per_pool_, 0, "descriptor pool");
    if (!pool)
        return std::unexpected(pool.error());
    current_ = std::move(*pool);
    ++created_;
    return {};
}

Result<VkDescriptorSet> DescriptorPools::allocate(VkDescriptorSetLayout layout) {
    auto info =
        vk_struct<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    VkResult result = VK_ERROR_OUT_OF_POOL_MEMORY;
    VkDescriptorSet set = VK_NULL_HANDLE;
    const auto allocate = [&] {
        return device_.vk().AllocateDescriptorSets(device_.handle(), &info, &set);
    };
    // Drivers may hand out more than maxSets. Without this limit such a pool would never be full,
    // and so never be reset.
    if (current_ && used_ < sets_per_pool_) {
        info.descriptorPool = current_.get();
        result = with_second_try(device_, allocate);
    }
    // A set that doesn't fit into a partly used pool must fit into a fresh one.
    if (result == VK_ERROR_OUT_OF_POOL_MEMORY || result == VK_ERROR_FRAGMENTED_POOL) {
        if (Result<void> made = next_pool(); !made)
            return std::unexpected(made.error());
        info.descriptorPool = current_.get();
        result = with_second_try(device_, allocate);
    }
    if (result == VK_SUCCESS) {
        ++used_;
        touched_ = true;
        return set;
    }
    return fail(result, "vkAllocateDescriptorSets",
                "a pool of " + std::to_string(sets_per_pool_) + " sets");
}

void DescriptorPools::retire(uint64_t value) {
    for (DescriptorPoolHandle& pool : open_)
        pending_.push_back({value, std::move(pool)});
    open_.clear();
    if (touched_) {
        current_value_ = std::max(current_value_, value);
        touched_ = false;
    }
}

} // namespace kobalt::vulkan
