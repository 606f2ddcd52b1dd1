// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/commands/query_pool.h"

#include "vulkan/device/device.h"

namespace kobalt::render {

QueryBlock::~QueryBlock() {
    home_.give_back(std::move(pool_));
}

vulkan::Device& QueryBlock::device() const {
    return home_.device();
}

vulkan::Result<bool> QueryBlock::read(uint32_t index, std::span<uint64_t> values) const {
    return pool_.read(device(), index, 1, values);
}

Ref<QueryBlock> QueryPools::take(VkQueryType type, VkQueryPipelineStatisticFlags statistics) {
    {
        const std::lock_guard lock(pools_mutex_);
        auto& idle = idle_[{type, statistics}];
        if (!idle.empty()) {
            vulkan::QueryPool pool = std::move(idle.back());
            idle.pop_back();
            pool.reset(device_, 0, QueryBlock::size);
            return make_ref<QueryBlock>(*this, std::move(pool));
        }
    }
    auto pool = vulkan::QueryPool::create(device_, type, QueryBlock::size, statistics);
    if (!pool) {
        device_.log().error(pool.error().to_string());
        return {};
    }
    return make_ref<QueryBlock>(*this, std::move(*pool));
}

void QueryPools::give_back(vulkan::QueryPool pool) {
    const std::lock_guard lock(pools_mutex_);
    idle_[{pool.type(), pool.statistics()}].push_back(std::move(pool));
}

} // namespace kobalt::render
