// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/engine/counter_names.h"

#include <array>
#include <cstdio>
#include <type_traits>

#include "vulkan/device/device.h"
#include "vulkan/instance/instance.h"

namespace kobalt::render {
namespace {

using Plain = std::atomic<uint64_t> Counters::*;

struct NamedCounter {
    const char* name;
    Plain counter;
};

// docs/debugging.md describes each.
constexpr NamedCounter plain[] = {
    {"draws", &Counters::draws},
    {"dispatches", &Counters::dispatches},
    {"passes", &Counters::passes},
    {"barriers", &Counters::barriers},
    {"batches", &Counters::batches},
    {"translations", &Counters::translations},
    {"stage_compiles", &Counters::stage_compiles},
    {"draw_compiles", &Counters::draw_compiles},
    {"remembered_needs", &Counters::remembered_needs},
    {"refused_needs", &Counters::refused_needs},
    {"draw_waits", &Counters::draw_waits},
    {"late_shaders", &Counters::late_shaders},
    {"late_blit_shaders", &Counters::late_blit_shaders},
    {"late_helper_shaders", &Counters::late_helper_shaders},
    {"late_fixed_shaders", &Counters::late_fixed_shaders},
    {"late_variants", &Counters::late_variants},
    {"late_waits", &Counters::late_waits},
    {"fast_links", &Counters::fast_links},
    {"object_links", &Counters::object_links},
    {"optimized_links", &Counters::optimized_links},
    {"replaced_links", &Counters::replaced_links},
    {"evicted_links", &Counters::evicted_links},
    {"descriptors", &Counters::descriptors},
    {"descriptor_writes", &Counters::descriptor_writes},
    {"descriptor_binds", &Counters::descriptor_binds},
    {"descriptor_offsets", &Counters::descriptor_offsets},
    {"descriptor_rebinds", &Counters::descriptor_rebinds},
    {"bindless_binds", &Counters::bindless_binds},
    {"moved_images", &Counters::moved_images},
};
static_assert(sizeof(Counters) ==
                  sizeof(std::atomic<uint64_t>) * (std::size(plain) + slow_path_count),
              "a counter of the engine has no name here");

// After these: all slow paths together, each of them, and the validation messages.
constexpr size_t all_slow = std::size(plain), first_slow = all_slow + 1,
                 messages = first_slow + slow_path_count;

/// Needs no destruction: statistics are written when the process exits, after the destructors of
/// statics.
struct Names {
    Names() {
        size_t count = 0;
        for (const NamedCounter& one : plain)
            all[count++] = one.name;
        all[count++] = "slow_paths";
        for (size_t i = 0; i < slow.size(); ++i) {
            std::snprintf(slow[i].data(), slow[i].size(), "slow_%s",
                          slow_path_text(static_cast<SlowPath>(i)).name);
            all[count++] = slow[i].data();
        }
        all[count++] = "validation_messages";
    }
    Names(const Names&) = delete; // it points to itself
    Names& operator=(const Names&) = delete;

    std::array<std::array<char, 64>, slow_path_count> slow;
    std::array<const char*, messages + 1> all;
};
static_assert(std::is_trivially_destructible_v<Names>);

} // namespace

std::span<const char* const> counter_names() {
    static const Names names;
    return names.all;
}

uint64_t counter_value(Engine& engine, size_t index) {
    const Counters& counters = engine.counters();
    if (index < std::size(plain))
        return (counters.*plain[index].counter).load(std::memory_order_relaxed);
    if (index >= first_slow && index < messages)
        return counters.slow_paths[index - first_slow].load(std::memory_order_relaxed);
    if (index == messages)
        return engine.device().instance().validation_messages();
    uint64_t sum = 0;
    for (const auto& one : counters.slow_paths)
        sum += one.load(std::memory_order_relaxed);
    return index == all_slow ? sum : 0;
}

} // namespace kobalt::render
