// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <utility>

#include "gallium/context/operations.h"
#include "util/u_dual_blend.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {
namespace {

// Gallium's numbers for a factor and for one minus that factor differ in this bit only.
constexpr unsigned inverted_bit = PIPE_BLENDFACTOR_ZERO ^ PIPE_BLENDFACTOR_ONE;
static_assert((PIPE_BLENDFACTOR_SRC1_ALPHA | inverted_bit) == PIPE_BLENDFACTOR_INV_SRC1_ALPHA);

VkBlendFactor blend_factor(unsigned factor) {
    struct Factor {
        VkBlendFactor plain, inverted;
    };
    static constexpr auto table = [] {
        std::array<Factor, inverted_bit> made{};
        made[PIPE_BLENDFACTOR_ONE] = {VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ZERO};
        made[PIPE_BLENDFACTOR_SRC_COLOR] = {VK_BLEND_FACTOR_SRC_COLOR,
                                            VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR};
        made[PIPE_BLENDFACTOR_SRC_ALPHA] = {VK_BLEND_FACTOR_SRC_ALPHA,
                                            VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA};
        made[PIPE_BLENDFACTOR_SRC_ALPHA_SATURATE] = {VK_BLEND_FACTOR_SRC_ALPHA_SATURATE,
                                                     VK_BLEND_FACTOR_ZERO};
        made[PIPE_BLENDFACTOR_DST_COLOR] = {VK_BLEND_FACTOR_DST_COLOR,
                                            VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR};
        made[PIPE_BLENDFACTOR_DST_ALPHA] = {VK_BLEND_FACTOR_DST_ALPHA,
                                            VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA};
        made[PIPE_BLENDFACTOR_CONST_COLOR] = {VK_BLEND_FACTOR_CONSTANT_COLOR,
                                              VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR};
        made[PIPE_BLENDFACTOR_CONST_ALPHA] = {VK_BLEND_FACTOR_CONSTANT_ALPHA,
                                              VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA};
        made[PIPE_BLENDFACTOR_SRC1_COLOR] = {VK_BLEND_FACTOR_SRC1_COLOR,
                                             VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR};
        made[PIPE_BLENDFACTOR_SRC1_ALPHA] = {VK_BLEND_FACTOR_SRC1_ALPHA,
                                             VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA};
        return made;
    }();
    const Factor& found = table[factor & (inverted_bit - 1)];
    return factor & inverted_bit ? found.inverted : found.plain;
}

static_assert(static_cast<int>(PIPE_BLEND_SUBTRACT) == VK_BLEND_OP_SUBTRACT &&
              static_cast<int>(PIPE_BLEND_REVERSE_SUBTRACT) == VK_BLEND_OP_REVERSE_SUBTRACT &&
              static_cast<int>(PIPE_BLEND_MAX) == VK_BLEND_OP_MAX);

VkLogicOp logic_op(unsigned op) {
    static constexpr VkLogicOp table[16] = {
        VK_LOGIC_OP_CLEAR,         VK_LOGIC_OP_NOR,         VK_LOGIC_OP_AND_INVERTED,
        VK_LOGIC_OP_COPY_INVERTED, VK_LOGIC_OP_AND_REVERSE, VK_LOGIC_OP_INVERT,
        VK_LOGIC_OP_XOR,           VK_LOGIC_OP_NAND,        VK_LOGIC_OP_AND,
        VK_LOGIC_OP_EQUIVALENT,    VK_LOGIC_OP_NO_OP,       VK_LOGIC_OP_OR_INVERTED,
        VK_LOGIC_OP_COPY,          VK_LOGIC_OP_OR_REVERSE,  VK_LOGIC_OP_OR,
        VK_LOGIC_OP_SET,
    };
    return table[op & 15];
}

render::BlendAttachment attachment(const pipe_rt_blend_state& rt) {
    render::BlendAttachment out;
    out.enable = rt.blend_enable;
    out.write_mask = rt.colormask;
    if (!rt.blend_enable)
        return out;
    out.equation = {
        .srcColorBlendFactor = blend_factor(rt.rgb_src_factor),
        .dstColorBlendFactor = blend_factor(rt.rgb_dst_factor),
        .colorBlendOp = static_cast<VkBlendOp>(rt.rgb_func),
        .srcAlphaBlendFactor = blend_factor(rt.alpha_src_factor),
        .dstAlphaBlendFactor = blend_factor(rt.alpha_dst_factor),
        .alphaBlendOp = static_cast<VkBlendOp>(rt.alpha_func),
    };
    return out;
}

// The destination's alpha is 1 whatever is stored (OpenGL 4.6, Blending: a missing A_d is 1).
VkBlendFactor with_opaque_destination(VkBlendFactor factor) {
    switch (factor) {
    case VK_BLEND_FACTOR_DST_ALPHA:
        return VK_BLEND_FACTOR_ONE;
    case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
    case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
        return VK_BLEND_FACTOR_ZERO; // min(A_s, 1 - 1)
    default:
        return factor;
    }
}

void* create_blend(pipe_context* context, const pipe_blend_state* templ) {
    Screen& screen = Context::from(context)->kobalt_screen();
    const vulkan::Device& device = screen.device();
    auto object = std::make_unique<BlendObject>();
    render::BlendState& state = object->state;
    for (unsigned i = 0; i < PIPE_MAX_COLOR_BUFS; ++i)
        state.attachments[i] = attachment(templ->rt[templ->independent_blend_enable ? i : 0]);
    state.logic_op_enable = templ->logicop_enable && device.features().core.logicOp;
    state.logic_op = state.logic_op_enable ? logic_op(templ->logicop_func) : VK_LOGIC_OP_COPY;
    state.alpha_to_coverage = templ->alpha_to_coverage;
    state.alpha_to_one = templ->alpha_to_one && device.features().core.alphaToOne;
    object->alpha_to_one_in_shader = templ->alpha_to_one && !state.alpha_to_one;
    // Coverage uses alpha before it is replaced by one (OpenGL 4.6, section 17.3.2). In Vulkan the
    // device decides whether coverage is dithered; in GL_NV_alpha_to_coverage_dither_control the
    // app does.
    if (object->alpha_to_one_in_shader || !templ->alpha_to_coverage_default) {
        object->alpha_to_coverage_in_shader = std::exchange(state.alpha_to_coverage, false);
        object->dithers_coverage = object->alpha_to_coverage_in_shader &&
                                   templ->alpha_to_coverage_dither &&
                                   !templ->alpha_to_coverage_default;
    }
    object->second_by_location =
        screen.dual_source_by_location && util_blend_state_is_dual(templ, 0);
    return object.release();
}

void bind_blend(pipe_context* pcontext, void* object) {
    Context& context = *Context::from(pcontext);
    const auto works_in_shader = [&] {
        const auto* blend = static_cast<const BlendObject*>(context.bound.blend);
        return blend && (blend->alpha_to_one_in_shader || blend->alpha_to_coverage_in_shader ||
                         blend->second_by_location);
    };
    const bool worked_in_shader = works_in_shader();
    context.bound.blend = object;
    context.stages_dirty |= worked_in_shader || works_in_shader();
    apply_blend(context);
}

void delete_blend(pipe_context*, void* object) {
    std::unique_ptr<BlendObject>{static_cast<BlendObject*>(object)};
}

void set_blend_color(pipe_context* pcontext, const pipe_blend_color* color) {
    Context& context = *Context::from(pcontext);
    context.bound.blend_color = *color;
    context.recorder.set_blend_constants(color->color);
}

} // namespace

const render::BlendState& BlendObject::without_alpha(uint32_t attachments) {
    if (!attachments)
        return state;
    for (const auto& [mask, variant] : variants_)
        if (mask == attachments)
            return *variant;
    auto variant = std::make_unique<render::BlendState>(state);
    for (unsigned i = 0; i < render::max_color_attachments; ++i) {
        if (!(attachments & (1u << i)))
            continue;
        render::BlendAttachment& target = variant->attachments[i];
        target.write_mask &= ~VkColorComponentFlags{VK_COLOR_COMPONENT_A_BIT};
        VkColorBlendEquationEXT& equation = target.equation;
        equation.srcColorBlendFactor = with_opaque_destination(equation.srcColorBlendFactor);
        equation.dstColorBlendFactor = with_opaque_destination(equation.dstColorBlendFactor);
    }
    variants_.emplace_back(attachments, std::move(variant));
    return *variants_.back().second;
}

void apply_blend(Context& context) {
    auto* object = static_cast<BlendObject*>(context.bound.blend);
    context.recorder.set_blend(object ? &object->without_alpha(context.opaque_attachments)
                                      : nullptr);
}

void init_blend_functions(Context& context) {
    context.create_blend_state = create_blend;
    context.bind_blend_state = bind_blend;
    context.delete_blend_state = delete_blend;
    context.set_blend_color = set_blend_color;
}

} // namespace kobalt::gallium
