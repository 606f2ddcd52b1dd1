// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/query.h"

#include <algorithm>

#include "gallium/context/operations.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {

namespace {

/// Vulkan's statistic of clipping invocations: the primitives that reach the clipper are GL's
/// generated primitives.
constexpr unsigned clipping_invocations = 5;

/// The pipeline statistics that a query's result needs.
VkQueryPipelineStatisticFlags statistics_of(const Query& query) {
    constexpr unsigned count = render::QuerySums::statistic_count;
    if (query.type == PIPE_QUERY_PRIMITIVES_GENERATED)
        return 1u << clipping_invocations;
    // Gallium numbers them in the order of Vulkan's bits.
    if (query.type == PIPE_QUERY_PIPELINE_STATISTICS_SINGLE)
        return query.index < count ? 1u << query.index : 0;
    return (1u << count) - 1;
}

/// Which Vulkan query counts for a GL query, and of which vertex streams.
render::QuerySource source_of(Screen& screen, const Query& query) {
    using vulkan::Capability;
    vulkan::Device& device = screen.device();
    const auto occlusion = [](bool precise) {
        return render::QuerySource{.type = VK_QUERY_TYPE_OCCLUSION, .precise = precise};
    };
    const auto feedback = [&](uint32_t first_stream, uint32_t streams = 1) {
        if (!device.has(Capability::transform_feedback) ||
            !device.properties().transform_feedback.transformFeedbackQueries)
            return render::QuerySource{};
        return render::QuerySource{.type = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT,
                                   .first_stream = first_stream,
                                   .stream_count = streams,
                                   .uncaptured = query.type == PIPE_QUERY_PRIMITIVES_GENERATED};
    };
    const auto statistics = [&] {
        return render::QuerySource{.type = VK_QUERY_TYPE_PIPELINE_STATISTICS,
                                   .statistics = statistics_of(query)};
    };
    switch (query.type) {
    case PIPE_QUERY_OCCLUSION_COUNTER:
        return occlusion(true);
    case PIPE_QUERY_OCCLUSION_PREDICATE:
    case PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
        return occlusion(false);
    case PIPE_QUERY_PRIMITIVES_GENERATED:
        if (device.has(Capability::primitives_generated_query) &&
            (query.index == 0 ||
             device.features()
                 .primitives_generated_query.primitivesGeneratedQueryWithNonZeroStreams))
            return {.type = VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT, .first_stream = query.index};
        if (query.index == 0 && device.has(Capability::pipeline_statistics_query))
            return statistics();
        return feedback(query.index);
    case PIPE_QUERY_PRIMITIVES_EMITTED:
    case PIPE_QUERY_SO_STATISTICS:
    case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
        return feedback(query.index);
    case PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE:
        return feedback(
            0, device.has(Capability::geometry_streams) ? render::QuerySums::stream_count : 1);
    case PIPE_QUERY_PIPELINE_STATISTICS:
    case PIPE_QUERY_PIPELINE_STATISTICS_SINGLE:
        return device.has(Capability::pipeline_statistics_query) ? statistics()
                                                                 : render::QuerySource{};
    default:
        return {};
    }
}

bool is_driver_query(const Query& query) {
    return query.type >= PIPE_QUERY_DRIVER_SPECIFIC;
}

void fill_result(const Query& query, const render::QuerySums& sums, pipe_query_result& result) {
    const unsigned stream = std::min(query.index, render::QuerySums::stream_count - 1);
    switch (query.type) {
    case PIPE_QUERY_OCCLUSION_COUNTER:
        result.u64 = sums.samples;
        break;
    case PIPE_QUERY_OCCLUSION_PREDICATE:
    case PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
        result.b = sums.samples != 0;
        break;
    case PIPE_QUERY_TIMESTAMP:
        result.u64 = render::nanoseconds(query.end_time);
        break;
    case PIPE_QUERY_TIME_ELAPSED: {
        const uint64_t begin = render::nanoseconds(query.begin_time),
                       end = render::nanoseconds(query.end_time);
        result.u64 = end > begin ? end - begin : 0;
        break;
    }
    case PIPE_QUERY_TIMESTAMP_DISJOINT:
        result.timestamp_disjoint = {1'000'000'000, false};
        break;
    case PIPE_QUERY_PRIMITIVES_GENERATED:
        result.u64 = query.counted.source().type == VK_QUERY_TYPE_PIPELINE_STATISTICS
                         ? sums.statistics[clipping_invocations]
                         : sums.generated[stream];
        break;
    case PIPE_QUERY_PRIMITIVES_EMITTED:
        result.u64 = sums.written[stream];
        break;
    case PIPE_QUERY_SO_STATISTICS:
        result.so_statistics = {sums.written[stream], sums.generated[stream]};
        break;
    case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
        result.b = sums.written[stream] != sums.generated[stream];
        break;
    case PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE:
        result.b = sums.written != sums.generated;
        break;
    case PIPE_QUERY_GPU_FINISHED:
        result.b = true;
        break;
    case PIPE_QUERY_PIPELINE_STATISTICS:
        // Gallium's counters are in Vulkan's order. It has two more, which nothing here counts.
        std::ranges::copy(sums.statistics, result.pipeline_statistics.counters);
        break;
    case PIPE_QUERY_PIPELINE_STATISTICS_SINGLE:
        result.u64 = query.index < sums.statistics.size() ? sums.statistics[query.index] : 0;
        break;
    default:
        if (is_driver_query(query))
            result.u64 = query.counter_end - query.counter_begin;
        break;
    }
}

/// `recorder` is null where it must not be touched.
bool read_result(Query& query, render::Recorder* recorder, bool wait, pipe_query_result& result) {
    const std::optional<render::QuerySums> sums = query.counted.sums(recorder, wait);
    if (!sums || !render::batch_done(query.begin_time.token, recorder, wait) ||
        !render::batch_done(query.end_time.token, recorder, wait) ||
        !render::batch_done(query.last_batch, recorder, wait))
        return false;
    fill_result(query, *sums, result);
    query.incomplete = sums->incomplete;
    return true;
}

pipe_query* create_query(pipe_context*, unsigned type, unsigned index) {
    return reinterpret_cast<pipe_query*>(std::make_unique<Query>(type, index).release());
}

void destroy_query(pipe_context* pcontext, pipe_query* pquery) {
    Context& context = *Context::from(pcontext);
    std::unique_ptr<Query> query(Query::from(pquery));
    context.query_streams->end(query->counted);
    drop_condition(context, *query);
}

bool begin_query(pipe_context* pcontext, pipe_query* pquery) {
    Context& context = *Context::from(pcontext);
    Query& query = *Query::from(pquery);
    drop_condition(context, query);
    query.awaited = false;
    query.begin_time = query.end_time = {};
    query.last_batch.reset();
    if (is_driver_query(query)) {
        context.recorder.report_counters(); // includes the counters of the open batch
        query.counter_begin = driver_counter(context.kobalt_screen(), query.type);
    } else if (query.type == PIPE_QUERY_TIME_ELAPSED)
        query.begin_time = context.timestamps->write();
    else
        context.query_streams->begin(query.counted, source_of(context.kobalt_screen(), query));
    return true;
}

bool end_query(pipe_context* pcontext, pipe_query* pquery) {
    Context& context = *Context::from(pcontext);
    Query& query = *Query::from(pquery);
    if (is_driver_query(query)) {
        context.recorder.report_counters();
        query.counter_end = driver_counter(context.kobalt_screen(), query.type);
        return true;
    }
    query.awaited = false;
    switch (query.type) {
    case PIPE_QUERY_TIMESTAMP:
    case PIPE_QUERY_TIME_ELAPSED:
        query.end_time = context.timestamps->write();
        break;
    case PIPE_QUERY_GPU_FINISHED:
        query.last_batch = context.recorder.current_token();
        break;
    default:
        context.query_streams->end(query.counted);
        break;
    }
    return true;
}

bool get_query_result(pipe_context* pcontext, pipe_query* pquery, bool wait,
                      pipe_query_result* result) {
    Query& query = *Query::from(pquery);
    // Once the query's batch was flushed, the threaded context may call this from the app's thread,
    // which must not touch the recorder.
    Context& context = *Context::from(pcontext);
    if (!read_result(query, threaded_query_flushed(&query) ? nullptr : &context.recorder, wait,
                     *result))
        return false;
    if (query.incomplete && !context.kobalt_screen().device().lost())
        context.out_of_memory.store(true, std::memory_order_relaxed);
    return true;
}

void set_active_query_state(pipe_context* pcontext, bool enable) {
    Context::from(pcontext)->query_streams->set_enabled(enable);
}

} // namespace

bool query_result(Context& context, Query& query, bool wait, pipe_query_result& result) {
    return read_result(query, &context.recorder, wait, result);
}

bool known_result(Query& query, pipe_query_result& result) {
    return read_result(query, nullptr, false, result);
}

uint64_t query_value(const Query& query, const render::QuerySums& sums) {
    pipe_query_result result{};
    fill_result(query, sums, result);
    return result.u64;
}

void init_query_functions(Context& context) {
    context.query_streams = std::make_unique<render::QueryStreams>(context.recorder);
    context.timestamps = std::make_unique<render::Timestamps>(context.recorder);
    context.create_query = create_query;
    context.destroy_query = destroy_query;
    context.begin_query = begin_query;
    context.end_query = end_query;
    context.get_query_result = get_query_result;
    context.set_active_query_state = set_active_query_state;
    init_condition_functions(context);
    init_query_buffer_functions(context);
}

} // namespace kobalt::gallium
