// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/resource/stream_output.h"

#include <cstring>

#include "gallium/context/operations.h"
#include "render/queries/query_stream.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/buffer.h"

namespace kobalt::gallium {
namespace {

render::Ref<render::Buffer> create_counter(vulkan::Device& device) {
    auto storage = vulkan::Buffer::create(
        device, {.size = 4,
                 .usage = VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                          VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                          VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                 .name = "transform feedback counter"});
    if (!storage) {
        mesa_loge("kobalt: %s", storage.error().to_string().c_str());
        return {};
    }
    return render::make_ref<render::Buffer>(std::move(*storage));
}

pipe_stream_output_target* create_target(pipe_context* context, pipe_resource* buffer,
                                         unsigned offset, unsigned size) {
    Screen& screen = Context::from(context)->kobalt_screen();
    render::Ref<render::Buffer> counter = create_counter(screen.device());
    if (!counter)
        return nullptr;
    auto output = std::make_unique<StreamOutput>();
    output->reference.count = 1;
    output->context = context;
    pipe_resource_reference(&output->buffer, buffer);
    output->buffer_offset = offset;
    output->buffer_size = size;
    output->target = render::make_ref<render::StreamOutputTarget>();
    // The target's buffer is set when it is bound: this may run on the app's thread, while the
    // driver's thread replaces the storage.
    output->target->offset = offset;
    output->target->size = size;
    output->target->counter = std::move(counter);
    Resource* resource = Resource::from(buffer);
    util_range_add(&resource->b, &resource->valid_buffer_range, offset, offset + size);
    return output.release();
}

void destroy_target(pipe_context*, pipe_stream_output_target* target) {
    std::unique_ptr<StreamOutput> output{StreamOutput::from(target)};
    pipe_resource_reference(&output->buffer, nullptr);
}

void hand_over(Context& context, uint32_t append) {
    std::array<render::StreamOutputTarget*, PIPE_MAX_SO_BUFFERS> targets{};
    for (uint32_t i = 0; i < context.bound.stream_output_count; ++i)
        if (pipe_stream_output_target* bound = context.bound.stream_outputs[i])
            targets[i] = StreamOutput::from(bound)->target.get();
    context.recorder.set_stream_output_targets(
        std::span(targets).first(context.bound.stream_output_count), append);
}

void set_targets(pipe_context* pcontext, unsigned count, pipe_stream_output_target** targets,
                 const unsigned* offsets, mesa_prim) {
    Context& context = *Context::from(pcontext);
    if (count == 0 && context.bound.stream_output_count == 0)
        return;
    // The recorder ends a running capture before the old targets may be freed.
    context.recorder.set_stream_output_targets({}, 0);
    uint32_t append = 0;
    for (unsigned i = 0; i < context.bound.stream_outputs.size(); ++i) {
        pipe_stream_output_target* target = i < count ? targets[i] : nullptr;
        pipe_so_target_reference(&context.bound.stream_outputs[i], target);
        if (!target)
            continue;
        StreamOutput* output = StreamOutput::from(target);
        output->target->buffer = settled_storage(context, target->buffer);
        if (offsets[i] == ~0u)
            append |= 1u << i;
        else
            output->target->offset = target->buffer_offset + offsets[i];
    }
    context.bound.stream_output_count = count;
    context.query_streams->set_capturing(count != 0);
    // The next draw sets the strides, from the shaders that it captures. The shaders that are bound
    // now may belong to draws made while the capture was paused.
    context.stages_dirty |= count != 0;
    hand_over(context, append);
}

/// The last stage before the rasteriser, whose outputs are captured.
const Shader* captured_stage(const Context& context) {
    for (const unsigned stage : {MESA_SHADER_GEOMETRY, MESA_SHADER_TESS_EVAL, MESA_SHADER_VERTEX})
        if (const Shader* shader = context.bound.stages[stage].shader)
            return shader;
    return nullptr;
}

} // namespace

void apply_stream_output_strides(Context& context) {
    const Shader* shader = captured_stage(context);
    if (!shader)
        return;
    for (uint32_t i = 0; i < context.bound.stream_output_count; ++i)
        if (pipe_stream_output_target* bound = context.bound.stream_outputs[i])
            if (const uint32_t stride = shader->facts.xfb_stride[i])
                StreamOutput::from(bound)->target->stride = stride;
}

uint32_t captured_vertices(Context& context, render::StreamOutputTarget& target) {
    context.recorder.leave_pass(); // the counter is written when a capture ends
    if (!target.counter_valid || target.stride == 0)
        return 0;
    auto storage = vulkan::Buffer::create(context.kobalt_screen().device(),
                                          {.size = 4,
                                           .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                           .kind = vulkan::MemoryKind::readback,
                                           .name = "transform feedback count"});
    if (!storage) {
        mesa_loge("kobalt: %s", storage.error().to_string().c_str());
        return 0;
    }
    const auto copy = render::make_ref<render::Buffer>(std::move(*storage));
    const VkBufferCopy region{0, 0, 4};
    context.recorder.copy_buffer(*target.counter, *copy, {&region, 1});
    if (!context.recorder.flush()->wait(UINT64_MAX))
        return 0;
    copy->storage().invalidate(0, 4);
    uint32_t bytes = 0;
    std::memcpy(&bytes, copy->mapped(), sizeof bytes);
    return bytes / target.stride;
}

void continue_stream_output(Context& context) {
    hand_over(context, ~0u);
}

void rebind_stream_output(Context& context, const ReplacedBuffers& replaced) {
    bool found = false;
    for (uint32_t i = 0; i < context.bound.stream_output_count; ++i) {
        pipe_stream_output_target* bound = context.bound.stream_outputs[i];
        found |= bound && replaced.has(bound->buffer);
    }
    if (!found)
        return;
    context.recorder.set_stream_output_targets({}, 0);
    for (uint32_t i = 0; i < context.bound.stream_output_count; ++i)
        if (pipe_stream_output_target* bound = context.bound.stream_outputs[i])
            if (replaced.has(bound->buffer))
                StreamOutput::from(bound)->target->buffer =
                    Resource::from(bound->buffer)->storage.hold();
    hand_over(context, ~0u);
}

void init_stream_output_functions(Context& context) {
    context.create_stream_output_target = create_target;
    context.stream_output_target_destroy = destroy_target;
    context.set_stream_output_targets = set_targets;
}

} // namespace kobalt::gallium
