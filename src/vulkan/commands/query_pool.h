// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"

#include <span>

namespace kobalt::vulkan {

class Device;

/// A VkQueryPool whose queries are reset by the host when it is made.
class QueryPool {
public:
    static Result<QueryPool> create(Device& device, VkQueryType type, uint32_t count,
                                    VkQueryPipelineStatisticFlags statistics = 0,
                                    const char* name = nullptr);
    QueryPool() = default;

    VkQueryPool handle() const { return pool_.get(); }
    VkQueryType type() const { return type_; }
    uint32_t count() const { return count_; }
    /// What the pool's pipeline statistics queries count; the values are in the order of the bits.
    VkQueryPipelineStatisticFlags statistics() const { return statistics_; }
    /// The number of 64-bit values one query yields (2 for transform feedback, one per bit for
    /// statistics).
    uint32_t values_per_query() const { return values_; }

    /// Resets queries on the host: no use of them may be pending.
    void reset(const Device& device, uint32_t first, uint32_t count) const;
    /// Reads `count` queries of values_per_query() values each. False: not all are available yet.
    Result<bool> read(Device& device, uint32_t first, uint32_t count,
                      std::span<uint64_t> values) const;

private:
    QueryPoolHandle pool_;
    VkQueryType type_ = VK_QUERY_TYPE_OCCLUSION;
    uint32_t count_ = 0;
    VkQueryPipelineStatisticFlags statistics_ = 0;
    uint32_t values_ = 1;
};

} // namespace kobalt::vulkan
