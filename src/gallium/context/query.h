// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/screen/mesa.h"
#include "render/queries/query_stream.h"
#include "render/queries/timestamp.h"

namespace kobalt::gallium {

struct Context;
struct Screen;

/// pipe_query, made of the engine's queries. The threaded context needs `threaded_query` first.
struct Query : threaded_query {
    Query(unsigned type, unsigned index) : threaded_query{}, type(type), index(index) {}
    static Query* from(pipe_query* query) { return reinterpret_cast<Query*>(query); }

    unsigned type;
    unsigned index; ///< vertex stream, or the pipeline statistic
    render::SummedQuery counted;
    render::QuerySlot begin_time, end_time;     ///< of timestamps
    render::Ref<render::BatchToken> last_batch; ///< PIPE_QUERY_GPU_FINISHED
    bool awaited = false;    ///< a query buffer gets the result, which later commands read there
    bool incomplete = false; ///< a part of its last result could not be read
    uint64_t counter_begin = 0, counter_end = 0; ///< driver queries
};

/// The result. False while it isn't available and `wait` is false. Driver's thread only.
bool query_result(Context& context, Query& query, bool wait, pipe_query_result& result);
/// The result, if the CPU knows it already; submits nothing, and waits for nothing.
bool known_result(Query& query, pipe_query_result& result);
/// The result of a counting query, computed from these sums.
uint64_t query_value(const Query& query, const render::QuerySums& sums);

/// Removes the query as the render condition, because it begins anew or is destroyed.
void drop_condition(Context& context, const Query& query);
void init_condition_functions(Context& context);
void init_query_buffer_functions(Context& context);

// Driver queries for GALLIUM_HUD (hud.cpp).
uint64_t driver_counter(Screen& screen, unsigned query_type);
void init_screen_hud_functions(Screen& screen);

} // namespace kobalt::gallium
