// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>

#include "gallium/context/query.h"
#include "gallium/screen/screen.h"

// The engine's counters as driver queries: GALLIUM_HUD=kobalt-draw-compiles and the like.

namespace kobalt::gallium {

namespace {

using Counter = std::atomic<uint64_t> render::Counters::*;

struct DriverQuery {
    const char* name;
    Counter counter; ///< null: the instance's validation messages
};

constexpr std::array<DriverQuery, 15> driver_queries{{
    {"kobalt-draws", &render::Counters::draws},
    {"kobalt-dispatches", &render::Counters::dispatches},
    {"kobalt-passes", &render::Counters::passes},
    {"kobalt-barriers", &render::Counters::barriers},
    {"kobalt-batches", &render::Counters::batches},
    {"kobalt-stage-compiles", &render::Counters::stage_compiles},
    {"kobalt-draw-compiles", &render::Counters::draw_compiles},
    {"kobalt-draw-waits", &render::Counters::draw_waits},
    {"kobalt-fast-links", &render::Counters::fast_links},
    {"kobalt-optimized-links", &render::Counters::optimized_links},
    {"kobalt-descriptors", &render::Counters::descriptors},
    {"kobalt-descriptor-writes", &render::Counters::descriptor_writes},
    {"kobalt-descriptor-binds", &render::Counters::descriptor_binds},
    {"kobalt-bindless-binds", &render::Counters::bindless_binds},
    {"kobalt-validation-messages", nullptr},
}};

int get_driver_query_info(pipe_screen*, unsigned index, pipe_driver_query_info* info) {
    if (!info)
        return static_cast<int>(driver_queries.size());
    if (index >= driver_queries.size())
        return 0;
    *info = {};
    info->name = driver_queries[index].name;
    info->query_type = PIPE_QUERY_DRIVER_SPECIFIC + index;
    info->type = PIPE_DRIVER_QUERY_TYPE_UINT64;
    info->result_type = PIPE_DRIVER_QUERY_RESULT_TYPE_CUMULATIVE;
    info->group_id = ~0u;
    return 1;
}

} // namespace

uint64_t driver_counter(Screen& screen, unsigned query_type) {
    const unsigned index = query_type - PIPE_QUERY_DRIVER_SPECIFIC;
    if (index >= driver_queries.size())
        return 0;
    const Counter counter = driver_queries[index].counter;
    return counter ? (screen.engine->counters().*counter).load(std::memory_order_relaxed)
                   : screen.instance->validation_messages();
}

void init_screen_hud_functions(Screen& screen) {
    screen.get_driver_query_info = get_driver_query_info;
}

} // namespace kobalt::gallium
