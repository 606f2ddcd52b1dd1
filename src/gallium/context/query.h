// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/screen/mesa.h"
#include "render/query_stream.h"
#include "render/timestamp.h"

namespace kobalt::gallium {

struct Context;
struct Screen;

/// pipe_query: what the engine counts, as Gallium asks for it. `threaded_query` comes first.
struct Query : threaded_query {
    Query(unsigned type, unsigned index) : threaded_query{}, type(type), index(index) {}
    static Query* from(pipe_query* query) { return reinterpret_cast<Query*>(query); }

    unsigned type;
    unsigned index; ///< vertex stream, or the pipeline statistic
    render::SummedQuery counted;
    render::QuerySlot begin_time, end_time;     ///< of timestamps
    render::Ref<render::BatchToken> last_batch; ///< PIPE_QUERY_GPU_FINISHED
    bool awaited = false; ///< a query buffer gets the result: later commands find it there
    uint64_t counter_begin = 0, counter_end = 0; ///< driver queries
};

/// The result. False while it isn't available and `wait` is false. Driver's thread only.
bool query_result(Context& context, Query& query, bool wait, pipe_query_result& result);
/// The same where the CPU knows it by now; nothing is submitted or waited for.
bool known_result(Query& query, pipe_query_result& result);
/// The number that a counting query's result is of these sums.
uint64_t query_value(const Query& query, const render::QuerySums& sums);

/// Forgets the query as a render condition: it begins anew, or goes.
void drop_condition(Context& context, const Query& query);
void init_condition_functions(Context& context);
void init_query_buffer_functions(Context& context);

// Driver queries for GALLIUM_HUD (hud.cpp).
uint64_t driver_counter(Screen& screen, unsigned query_type);
void init_screen_hud_functions(Screen& screen);

} // namespace kobalt::gallium
