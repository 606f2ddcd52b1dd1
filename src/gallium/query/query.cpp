// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/query.h"

#include <algorithm>

#include "gallium/context/operations.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {

namespace {

/// Which Vulkan query counts for a GL query, and of which vertex streams.
struct Source {
    VkQueryType type = VK_QUERY_TYPE_MAX_ENUM; ///< MAX_ENUM: the device has none; counts nothing
    uint32_t first_stream = 0;
    uint32_t stream_count = 1;
};

Source source_of(Screen& screen, const Query& query) {
    using vulkan::Capability;
    vulkan::Device& device = screen.device();
    const bool feedback = device.has(Capability::transform_feedback) &&
                          device.properties().transform_feedback.transformFeedbackQueries;
    switch (query.type) {
    case PIPE_QUERY_OCCLUSION_COUNTER:
    case PIPE_QUERY_OCCLUSION_PREDICATE:
    case PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
        return {VK_QUERY_TYPE_OCCLUSION};
    case PIPE_QUERY_PRIMITIVES_GENERATED:
        if (device.has(Capability::primitives_generated_query) &&
            (query.index == 0 ||
             device.features()
                 .primitives_generated_query.primitivesGeneratedQueryWithNonZeroStreams))
            return {VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT, query.index};
        if (query.index == 0 && device.has(Capability::pipeline_statistics_query))
            return {VK_QUERY_TYPE_PIPELINE_STATISTICS};
        return feedback ? Source{VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, query.index}
                        : Source{};
    case PIPE_QUERY_PRIMITIVES_EMITTED:
    case PIPE_QUERY_SO_STATISTICS:
    case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
        return feedback ? Source{VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, query.index}
                        : Source{};
    case PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE:
        return feedback ? Source{VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, 0,
                                 device.has(Capability::geometry_streams) ? 4u : 1u}
                        : Source{};
    case PIPE_QUERY_PIPELINE_STATISTICS:
    case PIPE_QUERY_PIPELINE_STATISTICS_SINGLE:
        return device.has(Capability::pipeline_statistics_query)
                   ? Source{VK_QUERY_TYPE_PIPELINE_STATISTICS}
                   : Source{};
    default:
        return {};
    }
}

bool is_driver_query(const Query& query) {
    return query.type >= PIPE_QUERY_DRIVER_SPECIFIC;
}

/// Vulkan's clipping invocations: primitives that reach the clipper are those generated.
constexpr unsigned clipping_invocations = 5;

/// Adds a finished slot's values.
void accumulate(vulkan::Device& device, Query& query, const QuerySlot& slot) {
    std::array<uint64_t, 16> values{};
    const uint32_t count = slot.block->pool.values_per_query();
    const auto read = slot.block->pool.read(device, slot.index, 1, {values.data(), count});
    if (!read || !*read)
        return; // only on a lost device: what it did counts as nothing
    switch (slot.block->pool.type()) {
    case VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT:
        query.written[slot.stream] += values[0];
        query.needed[slot.stream] += values[1];
        break;
    case VK_QUERY_TYPE_PIPELINE_STATISTICS:
        for (unsigned bit = 0, value = 0; bit < query.sums.size(); ++bit)
            if (slot.block->pool.statistics() >> bit & 1)
                query.sums[bit] += values[value++];
        if (query.type == PIPE_QUERY_PRIMITIVES_GENERATED)
            query.needed[0] = query.sums[clipping_invocations];
        break;
    case VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT:
        query.needed[slot.stream] += values[0];
        break;
    default:
        query.sums[0] += values[0];
        break;
    }
}

/// Waits for the batch of a slot. From the driver's own thread the batch is submitted first.
bool batch_done(Context* context, const render::Ref<render::BatchToken>& token, bool wait) {
    if (!token || token->completed())
        return true;
    if (!token->submitted() && context && context->recorder.current_token().get() == token.get())
        context->recorder.flush();
    return wait ? token->wait(UINT64_MAX) : token->completed();
}

uint64_t read_time(vulkan::Device& device, const QuerySlot& slot) {
    uint64_t ticks = 0;
    if (!slot.block)
        return 0;
    const auto read = slot.block->pool.read(device, slot.index, 1, {&ticks, 1});
    return read && *read ? timestamp_nanoseconds(device, ticks) : 0;
}

void forget(Query& query) {
    query.slots.clear();
    query.begin_time = {};
    query.end_time = {};
    query.last_batch.reset();
    query.sums = {};
    query.written = {};
    query.needed = {};
    query.predicate_written = false;
}

void fill_result(vulkan::Device& device, Query& query, pipe_query_result& result) {
    const unsigned stream = std::min(query.index, 3u);
    switch (query.type) {
    case PIPE_QUERY_OCCLUSION_COUNTER:
        result.u64 = query.sums[0];
        break;
    case PIPE_QUERY_OCCLUSION_PREDICATE:
    case PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
        result.b = query.sums[0] != 0;
        break;
    case PIPE_QUERY_TIMESTAMP:
        result.u64 = read_time(device, query.end_time);
        break;
    case PIPE_QUERY_TIME_ELAPSED: {
        const uint64_t begin = read_time(device, query.begin_time),
                       end = read_time(device, query.end_time);
        result.u64 = end > begin ? end - begin : 0;
        break;
    }
    case PIPE_QUERY_TIMESTAMP_DISJOINT:
        result.timestamp_disjoint = {1'000'000'000, false};
        break;
    case PIPE_QUERY_PRIMITIVES_GENERATED:
        result.u64 = query.needed[stream];
        break;
    case PIPE_QUERY_PRIMITIVES_EMITTED:
        result.u64 = query.written[stream];
        break;
    case PIPE_QUERY_SO_STATISTICS:
        result.so_statistics = {query.written[stream], query.needed[stream]};
        break;
    case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
        result.b = query.written[stream] != query.needed[stream];
        break;
    case PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE:
        result.b = query.written != query.needed;
        break;
    case PIPE_QUERY_GPU_FINISHED:
        result.b = true;
        break;
    case PIPE_QUERY_PIPELINE_STATISTICS:
        // Gallium counts in Vulkan's order, and has two more that nothing here counts.
        std::ranges::copy(query.sums, result.pipeline_statistics.counters);
        break;
    case PIPE_QUERY_PIPELINE_STATISTICS_SINGLE:
        result.u64 = query.index < query.sums.size() ? query.sums[query.index] : 0;
        break;
    default:
        if (is_driver_query(query))
            result.u64 = query.counter_end - query.counter_begin;
        break;
    }
}

/// `context` is null where its recorder must be left alone.
bool resolve(Screen& screen, Context* context, Query& query, bool wait, pipe_query_result& result) {
    const std::lock_guard lock(query.results_mutex);
    for (const QuerySlot& slot : query.slots)
        if (!batch_done(context, slot.token, wait))
            return false;
    if (!batch_done(context, query.begin_time.token, wait) ||
        !batch_done(context, query.end_time.token, wait) ||
        !batch_done(context, query.last_batch, wait))
        return false;
    for (const QuerySlot& slot : query.slots)
        accumulate(screen.device(), query, slot);
    query.slots.clear();
    fill_result(screen.device(), query, result);
    return true;
}

pipe_query* create_query(pipe_context*, unsigned type, unsigned index) {
    return reinterpret_cast<pipe_query*>(std::make_unique<Query>(type, index).release());
}

void stop(Context& context, Query& query) {
    if (!query.active)
        return;
    query.active = false;
    const Source source = source_of(context.kobalt_screen(), query);
    if (source.type == VK_QUERY_TYPE_MAX_ENUM)
        return;
    for (uint32_t i = 0; i < source.stream_count; ++i)
        context.query_streams->get(source.type, source.first_stream + i).remove(query);
}

void destroy_query(pipe_context* pcontext, pipe_query* pquery) {
    Context& context = *Context::from(pcontext);
    std::unique_ptr<Query> query(Query::from(pquery));
    stop(context, *query);
    drop_condition(context, *query);
}

bool begin_query(pipe_context* pcontext, pipe_query* pquery) {
    Context& context = *Context::from(pcontext);
    Query& query = *Query::from(pquery);
    stop(context, query);
    drop_condition(context, query);
    forget(query);
    if (is_driver_query(query)) {
        query.counter_begin = driver_counter(context.kobalt_screen(), query.type);
        return true;
    }
    if (query.type == PIPE_QUERY_TIME_ELAPSED)
        query.begin_time = context.query_streams->timestamp();
    query.active = true;
    const Source source = source_of(context.kobalt_screen(), query);
    if (source.type != VK_QUERY_TYPE_MAX_ENUM)
        for (uint32_t i = 0; i < source.stream_count; ++i)
            context.query_streams->get(source.type, source.first_stream + i).add(query);
    return true;
}

bool end_query(pipe_context* pcontext, pipe_query* pquery) {
    Context& context = *Context::from(pcontext);
    Query& query = *Query::from(pquery);
    if (is_driver_query(query)) {
        query.counter_end = driver_counter(context.kobalt_screen(), query.type);
        return true;
    }
    switch (query.type) {
    case PIPE_QUERY_TIMESTAMP:
        forget(query);
        [[fallthrough]];
    case PIPE_QUERY_TIME_ELAPSED:
        query.end_time = context.query_streams->timestamp();
        break;
    case PIPE_QUERY_GPU_FINISHED:
        query.last_batch = context.recorder.current_token();
        break;
    default:
        break;
    }
    stop(context, query);
    return true;
}

bool get_query_result(pipe_context* pcontext, pipe_query* pquery, bool wait,
                      pipe_query_result* result) {
    Query& query = *Query::from(pquery);
    // The threaded context may call from the app's thread once the query's batch was flushed: then
    // the recorder must not be touched.
    return resolve(*Screen::from(pcontext->screen),
                   query.flushed ? nullptr : Context::from(pcontext), query, wait, *result);
}

void get_query_result_resource(pipe_context* pcontext, pipe_query* pquery, pipe_query_flags flags,
                               pipe_query_value_type value_type, int index, pipe_resource* resource,
                               unsigned offset) {
    // ARB_query_buffer_object: the result, or index -1: whether there is one. It is read by the CPU
    // and written in order; waiting is what the result must do anyway before it is whole.
    Context& context = *Context::from(pcontext);
    Query& query = *Query::from(pquery);
    pipe_query_result result{};
    const bool available =
        query_result(context, query, index >= 0 && (flags & PIPE_QUERY_WAIT), result);
    uint64_t value = result.u64;
    if (index < 0)
        value = available;
    else if (!available)
        return;
    else if (query.type == PIPE_QUERY_OCCLUSION_PREDICATE ||
             query.type == PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE ||
             query.type == PIPE_QUERY_SO_OVERFLOW_PREDICATE ||
             query.type == PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE ||
             query.type == PIPE_QUERY_GPU_FINISHED)
        value = result.b;
    else if (query.type == PIPE_QUERY_PIPELINE_STATISTICS)
        value = result.pipeline_statistics.counters[index];
    switch (value_type) {
    case PIPE_QUERY_TYPE_I32: {
        const auto clamped = static_cast<int32_t>(std::min<uint64_t>(value, INT32_MAX));
        context.buffer_subdata(&context, resource, PIPE_MAP_WRITE | TC_TRANSFER_MAP_NO_INVALIDATE,
                               offset, 4, &clamped);
        break;
    }
    case PIPE_QUERY_TYPE_U32: {
        const auto clamped = static_cast<uint32_t>(std::min<uint64_t>(value, UINT32_MAX));
        context.buffer_subdata(&context, resource, PIPE_MAP_WRITE | TC_TRANSFER_MAP_NO_INVALIDATE,
                               offset, 4, &clamped);
        break;
    }
    default:
        context.buffer_subdata(&context, resource, PIPE_MAP_WRITE | TC_TRANSFER_MAP_NO_INVALIDATE,
                               offset, 8, &value);
        break;
    }
}

void set_active_query_state(pipe_context* pcontext, bool enable) {
    Context& context = *Context::from(pcontext);
    context.queries_active = enable;
    context.query_streams->update_all();
}

} // namespace

bool query_result(Context& context, Query& query, bool wait, pipe_query_result& result) {
    return resolve(context.kobalt_screen(), &context, query, wait, result);
}

VkQueryPipelineStatisticFlags Query::statistics() const {
    if (type == PIPE_QUERY_PRIMITIVES_GENERATED)
        return 1u << clipping_invocations;
    // Gallium numbers them in the order of Vulkan's bits.
    if (type == PIPE_QUERY_PIPELINE_STATISTICS_SINGLE)
        return index < sums.size() ? 1u << index : 0;
    return (1u << sums.size()) - 1;
}

void fold_completed(vulkan::Device& device, Query& query) {
    std::erase_if(query.slots, [&](const QuerySlot& slot) {
        if (slot.token && !slot.token->completed())
            return false;
        accumulate(device, query, slot);
        return true;
    });
}

std::optional<bool> known_to_count(Context& context, Query& query) {
    const std::lock_guard lock(query.results_mutex);
    fold_completed(context.kobalt_screen().device(), query);
    if (query.sums[0])
        return true;
    return query.slots.empty() ? std::optional(false) : std::nullopt;
}

void init_query_functions(Context& context) {
    context.query_streams = std::make_shared<QueryStreams>(context);
    context.create_query = create_query;
    context.destroy_query = destroy_query;
    context.begin_query = begin_query;
    context.end_query = end_query;
    context.get_query_result = get_query_result;
    context.get_query_result_resource = get_query_result_resource;
    context.set_active_query_state = set_active_query_state;
    init_condition_functions(context);
}

} // namespace kobalt::gallium
