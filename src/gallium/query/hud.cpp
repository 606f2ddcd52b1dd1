// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <string>
#include <vector>

#include "gallium/context/query.h"
#include "gallium/screen/screen.h"
#include "render/engine/counter_names.h"

// The engine's counters as one group of driver queries, for GALLIUM_HUD=kobalt-draw-compiles and
// the like, and for GL_AMD_performance_monitor.

namespace kobalt::gallium {

namespace {

/// Names of the queries: `kobalt-draw-compiles` for draw_compiles.
const std::vector<std::string>& query_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> made;
        for (const char* name : render::counter_names()) {
            std::string& words = made.emplace_back(std::string("kobalt-") + name);
            std::ranges::replace(words, '_', '-');
        }
        return made;
    }();
    return names;
}

int get_driver_query_info(pipe_screen*, unsigned index, pipe_driver_query_info* info) {
    const auto& names = query_names();
    if (!info)
        return static_cast<int>(names.size());
    if (index >= names.size())
        return 0;
    *info = {};
    info->name = names[index].c_str();
    info->query_type = PIPE_QUERY_DRIVER_SPECIFIC + index;
    info->type = PIPE_DRIVER_QUERY_TYPE_UINT64;
    info->result_type = PIPE_DRIVER_QUERY_RESULT_TYPE_CUMULATIVE;
    info->group_id = 0;
    return 1;
}

int get_driver_query_group_info(pipe_screen*, unsigned index, pipe_driver_query_group_info* info) {
    if (!info)
        return 1;
    if (index != 0)
        return 0;
    *info = {};
    info->name = "Kobalt";
    info->num_queries = info->max_active_queries = static_cast<unsigned>(query_names().size());
    return 1;
}

} // namespace

uint64_t driver_counter(Screen& screen, unsigned query_type) {
    return render::counter_value(*screen.engine, query_type - PIPE_QUERY_DRIVER_SPECIFIC);
}

void init_screen_hud_functions(Screen& screen) {
    screen.get_driver_query_info = get_driver_query_info;
    screen.get_driver_query_group_info = get_driver_query_group_info;
}

} // namespace kobalt::gallium
