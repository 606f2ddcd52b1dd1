// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/operations.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {
namespace {

static_assert(static_cast<int>(PIPE_FUNC_NEVER) == VK_COMPARE_OP_NEVER &&
              static_cast<int>(PIPE_FUNC_EQUAL) == VK_COMPARE_OP_EQUAL &&
              static_cast<int>(PIPE_FUNC_NOTEQUAL) == VK_COMPARE_OP_NOT_EQUAL &&
              static_cast<int>(PIPE_FUNC_ALWAYS) == VK_COMPARE_OP_ALWAYS);

VkStencilOp stencil_op(unsigned op) {
    static constexpr VkStencilOp table[8] = {
        VK_STENCIL_OP_KEEP,
        VK_STENCIL_OP_ZERO,
        VK_STENCIL_OP_REPLACE,
        VK_STENCIL_OP_INCREMENT_AND_CLAMP,
        VK_STENCIL_OP_DECREMENT_AND_CLAMP,
        VK_STENCIL_OP_INCREMENT_AND_WRAP,
        VK_STENCIL_OP_DECREMENT_AND_WRAP,
        VK_STENCIL_OP_INVERT,
    };
    return table[op & 7];
}

VkStencilOpState stencil_face(const pipe_stencil_state& face) {
    return {
        .failOp = stencil_op(face.fail_op),
        .passOp = stencil_op(face.zpass_op),
        .depthFailOp = stencil_op(face.zfail_op),
        .compareOp = static_cast<VkCompareOp>(face.func),
        .compareMask = face.valuemask,
        .writeMask = face.writemask,
        .reference = 0,
    };
}

// The state tracker lowers GL's alpha test into the fragment shader.
void* create_depth_stencil(pipe_context* context, const pipe_depth_stencil_alpha_state* templ) {
    const vulkan::Device& device = Context::from(context)->kobalt_screen().device();
    auto object = std::make_unique<DepthStencilObject>();
    render::DepthStencilState& state = object->state;
    state.depth_test = templ->depth_enabled;
    state.depth_write = templ->depth_enabled && templ->depth_writemask;
    if (state.depth_test)
        state.depth_compare = static_cast<VkCompareOp>(templ->depth_func);
    state.stencil_test = templ->stencil[0].enabled;
    object->two_sided_stencil = templ->stencil[1].enabled;
    if (state.stencil_test) {
        state.front = stencil_face(templ->stencil[0]);
        state.back = templ->stencil[1].enabled ? stencil_face(templ->stencil[1]) : state.front;
    }
    state.depth_bounds_test = templ->depth_bounds_test && device.features().core.depthBounds;
    if (state.depth_bounds_test) {
        state.min_depth_bounds = static_cast<float>(templ->depth_bounds_min);
        state.max_depth_bounds = static_cast<float>(templ->depth_bounds_max);
    }
    return object.release();
}

// Without two-sided stencil the back face's reference is unspecified: the state tracker's own
// clears leave it 0.
void apply_stencil_reference(Context& context) {
    const auto* object = static_cast<const DepthStencilObject*>(context.bound.depth_stencil_alpha);
    const auto& reference = context.bound.stencil_ref.ref_value;
    context.recorder.set_stencil_reference(reference[0],
                                           reference[object && object->two_sided_stencil ? 1 : 0]);
}

void bind_depth_stencil(pipe_context* pcontext, void* object) {
    Context& context = *Context::from(pcontext);
    context.bound.depth_stencil_alpha = object;
    context.recorder.set_depth_stencil(object ? &static_cast<DepthStencilObject*>(object)->state
                                              : nullptr);
    apply_stencil_reference(context);
}

void delete_depth_stencil(pipe_context*, void* object) {
    std::unique_ptr<DepthStencilObject>{static_cast<DepthStencilObject*>(object)};
}

void set_stencil_ref(pipe_context* pcontext, const pipe_stencil_ref reference) {
    Context& context = *Context::from(pcontext);
    context.bound.stencil_ref = reference;
    apply_stencil_reference(context);
}

} // namespace

void init_depth_stencil_functions(Context& context) {
    context.create_depth_stencil_alpha_state = create_depth_stencil;
    context.bind_depth_stencil_alpha_state = bind_depth_stencil;
    context.delete_depth_stencil_alpha_state = delete_depth_stencil;
    context.set_stencil_ref = set_stencil_ref;
}

} // namespace kobalt::gallium
