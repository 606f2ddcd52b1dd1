// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "gallium/context/operations.h"
#include "gallium/context/query.h"
#include "gallium/query/sum_shader.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/buffer.h"

#include "util/u_upload_mgr.h"

// ARB_query_buffer_object: a result is written into a buffer in order with everything else. A
// result that is already known is written by the CPU. Else the device adds up Vulkan's queries, and
// nothing waits. Where that isn't possible (clocks that don't tick in whole nanoseconds) the CPU
// waits.

namespace kobalt::gallium {
namespace {

bool is_boolean(const Query& query) {
    switch (query.type) {
    case PIPE_QUERY_OCCLUSION_PREDICATE:
    case PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
    case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
    case PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE:
    case PIPE_QUERY_GPU_FINISHED:
        return true;
    default:
        return false;
    }
}

/// The greatest value of a type; 0: it has 64 bits.
uint32_t limit_of(pipe_query_value_type type) {
    switch (type) {
    case PIPE_QUERY_TYPE_I32:
        return INT32_MAX;
    case PIPE_QUERY_TYPE_U32:
        return UINT32_MAX;
    default:
        return 0;
    }
}

/// A query's result as a sum of values that so far only the device knows.
class DeviceSum {
public:
    /// False: the CPU has to compute the result.
    bool describe(vulkan::Device& device, Query& query) {
        parameters_.boolean = is_boolean(query);
        switch (query.type) {
        case PIPE_QUERY_TIMESTAMP:
            return add_time(device, query.end_time, false);
        case PIPE_QUERY_TIME_ELAPSED:
            return add_time(device, query.end_time, false) &&
                   add_time(device, query.begin_time, true);
        case PIPE_QUERY_OCCLUSION_COUNTER:
        case PIPE_QUERY_OCCLUSION_PREDICATE:
        case PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
        case PIPE_QUERY_PRIMITIVES_GENERATED:
        case PIPE_QUERY_PRIMITIVES_EMITTED:
        case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
        case PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE:
        case PIPE_QUERY_PIPELINE_STATISTICS_SINGLE:
            return add_counts(query);
        default:
            return false;
        }
    }

    std::span<const render::QueryWord> queries() const { return queries_; }
    /// Size of the queries' values, in bytes.
    VkDeviceSize bytes() const { return std::max<VkDeviceSize>(8 * VkDeviceSize{values_}, 8); }
    void retain_pools(render::Recorder& recorder) {
        for (const render::Ref<render::QueryBlock>& block : blocks_)
            recorder.retain(*block);
    }
    /// SumParameters and the terms.
    std::vector<uint32_t> words(uint32_t limit, uint32_t target) {
        parameters_.count = static_cast<uint32_t>(terms_.size());
        parameters_.limit = limit;
        parameters_.target = target;
        std::vector<uint32_t> words(sizeof(parameters_) / 4);
        std::memcpy(words.data(), &parameters_, sizeof(parameters_));
        words.insert(words.end(), terms_.begin(), terms_.end());
        return words;
    }

private:
    /// Adds the values of one Vulkan query; returns the word at which the first of them will be.
    uint32_t add_query(const render::QuerySlot& slot) {
        const uint32_t word = 2 * values_;
        const uint32_t count = slot.block->pool().values_per_query();
        queries_.push_back({slot.block->pool().handle(), slot.index, count});
        blocks_.push_back(slot.block);
        values_ += count;
        return word;
    }

    bool add_time(vulkan::Device& device, const render::QuerySlot& slot, bool negative) {
        const float period = device.limits().timestampPeriod;
        const uint32_t bits = device.graphics().timestamp_valid_bits();
        if (!slot.block || period < 1.0f || period != std::floor(period) || bits == 0)
            return false;
        const uint64_t mask = bits < 64 ? (uint64_t{1} << bits) - 1 : ~uint64_t{0};
        parameters_.mask_low = static_cast<uint32_t>(mask);
        parameters_.mask_high = static_cast<uint32_t>(mask >> 32);
        parameters_.scale = static_cast<uint32_t>(period);
        terms_.push_back(add_query(slot) | (negative ? SumParameters::negative : 0));
        return true;
    }

    bool add_counts(Query& query) {
        const bool overflow = query.type == PIPE_QUERY_SO_OVERFLOW_PREDICATE ||
                              query.type == PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE;
        const bool captured = overflow || query.type == PIPE_QUERY_PRIMITIVES_EMITTED;
        const auto [slots, added] = query.counted.unread();
        uint64_t base = query.counted.source().type == VK_QUERY_TYPE_OCCLUSION
                            ? added.samples
                            : query_value(query, added);
        if (overflow) { // primitives generated less primitives written
            base = 0;
            for (unsigned i = 0; i < render::QuerySums::stream_count; ++i)
                base += added.generated[i] - added.written[i];
        }
        parameters_.base_low = static_cast<uint32_t>(base);
        parameters_.base_high = static_cast<uint32_t>(base >> 32);
        for (const render::QuerySlot& slot : slots) {
            const uint32_t first = add_query(slot);
            const vulkan::QueryPool& pool = slot.block->pool();
            // A transform feedback query has two values: primitives written, then primitives
            // needed.
            uint32_t value = 0;
            if (pool.type() == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT)
                value = overflow || !captured ? 1 : 0;
            else if (pool.type() == VK_QUERY_TYPE_PIPELINE_STATISTICS)
                value = static_cast<uint32_t>(
                    std::popcount(pool.statistics() & (query.counted.source().statistics - 1)));
            terms_.push_back(first + 2 * value);
            if (overflow)
                terms_.push_back(first | SumParameters::negative);
        }
        return true;
    }

    SumParameters parameters_;
    std::vector<uint32_t> terms_;
    std::vector<render::QueryWord> queries_;
    std::vector<render::Ref<render::QueryBlock>> blocks_;
    uint32_t values_ = 0;
};

/// While this lives, dispatches ignore the render condition and count for no query.
class DriversOwn {
public:
    explicit DriversOwn(Context& context) : context_(context) {
        context.recorder.set_condition(nullptr, false);
        context.query_streams->set_enabled(false);
    }
    DriversOwn(const DriversOwn&) = delete;
    DriversOwn& operator=(const DriversOwn&) = delete;
    ~DriversOwn() {
        context_.query_streams->set_enabled(true);
        const RenderCondition& condition = context_.condition;
        if (condition.on_device)
            context_.recorder.set_condition(condition.query->counted.predicate(context_.recorder),
                                            condition.inverted);
    }

private:
    Context& context_;
};

/// Dispatches the driver's compute shader, then binds the app's resources again.
void dispatch_sum(Context& context, render::Buffer& terms, const pipe_resource& parameters,
                  unsigned parameters_at, VkDeviceSize parameter_bytes,
                  const render::BufferRange& target) {
    constexpr render::Stage stage = render::Stage::compute;
    render::Recorder& recorder = context.recorder;
    recorder.bind_stage(stage, context.sum_shader->base.get());
    recorder.name_stage(stage, nullptr);
    recorder.set_storage_buffer(stage, sum_terms, {&terms, 0, terms.size()});
    recorder.set_storage_buffer(
        stage, sum_parameters,
        {Resource::from(const_cast<pipe_resource*>(&parameters))->storage.get(), parameters_at,
         parameter_bytes});
    recorder.set_storage_buffer(stage, sum_target, target);
    {
        const DriversOwn own(context);
        recorder.dispatch(1, 1, 1);
    }
    for (unsigned slot = 0; slot < sum_buffers; ++slot)
        apply_shader_buffer(context, MESA_SHADER_COMPUTE, slot);
    const Shader* shader = context.bound.stages[MESA_SHADER_COMPUTE].shader;
    recorder.bind_stage(stage, shader ? shader->base.get() : nullptr);
    context.compute_dirty = true;
}

/// False: nothing was recorded, and the CPU has to write the result.
bool write_on_device(Context& context, Query& query, pipe_query_value_type type,
                     pipe_resource* resource, unsigned offset) {
    vulkan::Device& device = context.kobalt_screen().device();
    DeviceSum sum;
    const bool is_word = offset % 4 == 0; // GL asks for no alignment (OpenGL 4.6, 4.2.3)
    if (!is_word || query.counted.counting() || !sum.describe(device, query))
        return false;
    if (!context.sum_shader)
        context.sum_shader = create_sum_shader(context.kobalt_screen());
    if (!context.sum_shader || !context.sum_shader->base)
        return false;

    VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    if (device.has(vulkan::Capability::descriptor_buffer))
        usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    auto storage = vulkan::Buffer::create(
        device, {.size = sum.bytes(), .usage = usage, .name = "query values"});
    if (!storage)
        return false;
    const auto terms = render::make_ref<render::Buffer>(std::move(*storage));

    const auto alignment = static_cast<unsigned>(
        std::max<VkDeviceSize>(device.limits().minStorageBufferOffsetAlignment, 4));
    const unsigned begin = offset / alignment * alignment;
    const uint32_t limit = limit_of(type);
    const unsigned bytes = limit ? 4 : 8;
    const std::vector<uint32_t> words = sum.words(limit, (offset - begin) / 4);
    const auto word_bytes = static_cast<unsigned>(words.size() * sizeof(words[0]));
    unsigned parameters_at = 0;
    pipe_resource* parameters = nullptr;
    u_upload_data(context.stream_uploader, 0, word_bytes, alignment, words.data(), &parameters_at,
                  &parameters);
    if (!parameters)
        return false;
    sum.retain_pools(context.recorder);
    const bool copied = context.recorder.copy_query_values(sum.queries(), *terms);
    if (copied) {
        Resource* target = Resource::from(resource);
        util_range_add(&target->b, &target->valid_buffer_range, offset, offset + bytes);
        const render::Ref storage = settled_storage(context, resource);
        dispatch_sum(context, *terms, *parameters, parameters_at, word_bytes,
                     {storage.get(), begin, offset - begin + bytes});
    }
    pipe_resource_reference(&parameters, nullptr);
    return copied;
}

void write_value(Context& context, uint64_t value, pipe_query_value_type type,
                 pipe_resource* resource, unsigned offset) {
    const uint32_t limit = limit_of(type);
    if (limit)
        value = std::min<uint64_t>(value, limit);
    context.buffer_subdata(&context, resource, PIPE_MAP_WRITE | TC_TRANSFER_MAP_NO_INVALIDATE,
                           offset, limit ? 4 : 8, &value); // little-endian, as Vulkan's hosts are
}

uint64_t value_of(const Query& query, const pipe_query_result& result, int index) {
    if (is_boolean(query))
        return result.b;
    if (query.type == PIPE_QUERY_PIPELINE_STATISTICS)
        return result.pipeline_statistics.counters[index];
    return result.u64;
}

void get_query_result_resource(pipe_context* pcontext, pipe_query* pquery, pipe_query_flags flags,
                               pipe_query_value_type type, int index, pipe_resource* resource,
                               unsigned offset) {
    Context& context = *Context::from(pcontext);
    Query& query = *Query::from(pquery);
    const bool wait = index >= 0 && (flags & PIPE_QUERY_WAIT);
    pipe_query_result result{};
    Resource::from(resource)->holds_query_result = true;
    // An app that polls for availability expects the result to arrive, so the open batch is
    // submitted. Once a buffer has received the result, later availability queries must report it
    // as available.
    const bool available =
        wait ? known_result(query, result) : query_result(context, query, query.awaited, result);
    if (index < 0)
        return write_value(context, available, type, resource, offset);
    if (!available) {
        if (!wait)
            return;
        query.awaited = true;
        if (write_on_device(context, query, type, resource, offset))
            return;
        context.recorder.slow_path(render::SlowPath::read_back, "a query's result for a buffer");
        if (!query_result(context, query, true, result))
            return;
    }
    write_value(context, value_of(query, result, index), type, resource, offset);
}

} // namespace

void init_query_buffer_functions(Context& context) {
    context.get_query_result_resource = get_query_result_resource;
}

} // namespace kobalt::gallium
