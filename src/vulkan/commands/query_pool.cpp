// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/commands/query_pool.h"

#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"
#include "vulkan/device/out_of_memory.h"

#include <bit>

namespace kobalt::vulkan {

Result<QueryPool> QueryPool::create(Device& device, VkQueryType type, uint32_t count,
                                    VkQueryPipelineStatisticFlags statistics, const char* name) {
    auto info = vk_struct<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    info.queryType = type;
    info.queryCount = count;
    info.pipelineStatistics = statistics;
    VkQueryPool handle = VK_NULL_HANDLE;
    const VkResult result = with_second_try(device, [&] {
        return device.vk().CreateQueryPool(device.handle(), &info, nullptr, &handle);
    });
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateQueryPool",
                    std::string(name ? name : "a pool") + " of " + std::to_string(count) +
                        " queries");
    QueryPool pool;
    pool.pool_ = device.own<QueryPoolHandle>(handle);
    pool.type_ = type;
    pool.count_ = count;
    pool.statistics_ = statistics;
    if (type == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT)
        pool.values_ = 2;
    else if (type == VK_QUERY_TYPE_PIPELINE_STATISTICS)
        pool.values_ = static_cast<uint32_t>(std::popcount(statistics));
    set_name(device, VK_OBJECT_TYPE_QUERY_POOL, handle, name);
    pool.reset(device, 0, count);
    return pool;
}

void QueryPool::reset(const Device& device, uint32_t first, uint32_t count) const {
    device.vk().ResetQueryPool(device.handle(), pool_.get(), first, count);
}

Result<bool> QueryPool::read(Device& device, uint32_t first, uint32_t count,
                             std::span<uint64_t> values) const {
    const size_t stride = values_ * sizeof(uint64_t);
    if (values.size() < static_cast<size_t>(count) * values_)
        return fail(VK_ERROR_UNKNOWN, "reading queries", "room for too few values");
    const VkResult result = with_second_try(device, [&] {
        return device.vk().GetQueryPoolResults(device.handle(), pool_.get(), first, count,
                                               count * stride, values.data(), stride,
                                               VK_QUERY_RESULT_64_BIT);
    });
    if (result == VK_NOT_READY)
        return false;
    if (result != VK_SUCCESS)
        return fail(device.status().check(result, "vkGetQueryPoolResults"), "vkGetQueryPoolResults",
                    std::to_string(count) + " queries");
    return true;
}

} // namespace kobalt::vulkan
