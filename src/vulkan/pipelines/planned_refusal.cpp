// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/pipelines/planned_refusal.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "vulkan/base/environment.h"

namespace kobalt::vulkan {
namespace {

struct Plan {
    std::string text;
    std::atomic<int64_t> left{0};

    Plan() {
        const char* fault = environment_variable("KOBALT_FAULT");
        std::string_view wish = fault ? fault : "";
        constexpr std::string_view prefix = "refuse:";
        const size_t colon = wish.rfind(':');
        if (!wish.starts_with(prefix) || colon < prefix.size())
            return;
        text = wish.substr(prefix.size(), colon - prefix.size());
        left = std::atoll(wish.data() + colon + 1);
    }
};

} // namespace

bool refusal_planned(const char* name) {
    static Plan plan;
    return plan.left.load(std::memory_order_relaxed) > 0 && name &&
           std::string_view(name).find(plan.text) != std::string_view::npos &&
           plan.left.fetch_sub(1) == 1;
}

} // namespace kobalt::vulkan
