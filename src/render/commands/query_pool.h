// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "render/base/ref.h"
#include "vulkan/commands/query_pool.h"

namespace kobalt::vulkan {
class Device;
}

namespace kobalt::render {

class QueryPools;

/// A query pool whose queries are used one after another. Batches and results retain it; the last
/// release returns the pool to its QueryPools.
class QueryBlock final : public RefCounted {
public:
    static constexpr uint32_t size = 128; ///< queries

    QueryBlock(QueryPools& home, vulkan::QueryPool pool) : home_(home), pool_(std::move(pool)) {}
    ~QueryBlock() override;

    const vulkan::QueryPool& pool() const { return pool_; }
    vulkan::Device& device() const;
    bool has_room(uint32_t count) const { return used_ + count <= size; }
    bool full() const { return !has_room(1); }
    /// Returns the first of the next `count` unused queries. There has to be room for them.
    uint32_t next(uint32_t count = 1) { return std::exchange(used_, used_ + count); }
    /// The values of one query (vulkan::QueryPool::values_per_query() of them). False: there are
    /// none, since it hasn't ended yet or its batch was not submitted.
    vulkan::Result<bool> read(uint32_t index, std::span<uint64_t> values) const;

private:
    QueryPools& home_;
    vulkan::QueryPool pool_;
    uint32_t used_ = 0;
};

/// Query pools for all recorders of an engine. The host resets a pool (VkPhysicalDeviceVulkan12-
/// Features::hostQueryReset) when it is handed out, because no batch uses it then: a recorded reset
/// may not be inside a pass (VUID-vkCmdResetQueryPool-renderpass), and queries begin there.
/// Thread-safe.
class QueryPools {
public:
    explicit QueryPools(vulkan::Device& device) : device_(device) {}

    /// Queries of `type`, none of them used. Null: no memory, which was logged.
    Ref<QueryBlock> take(VkQueryType type, VkQueryPipelineStatisticFlags statistics = 0);
    vulkan::Device& device() { return device_; }

private:
    friend class QueryBlock;
    void give_back(vulkan::QueryPool pool);

    vulkan::Device& device_;
    std::mutex pools_mutex_; ///< guards idle_
    std::map<std::pair<VkQueryType, VkQueryPipelineStatisticFlags>, std::vector<vulkan::QueryPool>>
        idle_;
};

} // namespace kobalt::render
