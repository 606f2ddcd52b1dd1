// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/pipelines/planned_refusal.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "vulkan/base/faults.h"

namespace kobalt::vulkan {
namespace {

struct Plan {
    std::string text;
    std::atomic<int64_t> left;

    explicit Plan(FaultRequest request)
        : text(std::move(request.refused_text)), left(request.refusal) {}
};

} // namespace

bool refusal_planned(const char* name) {
    static Plan plan(requested_fault());
    return plan.left.load(std::memory_order_relaxed) > 0 && name &&
           std::string_view(name).find(plan.text) != std::string_view::npos &&
           plan.left.fetch_sub(1) == 1;
}

} // namespace kobalt::vulkan
