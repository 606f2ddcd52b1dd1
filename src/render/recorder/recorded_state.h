// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <optional>

#include "render/pipelines/state.h"

namespace kobalt::render {

/// Blending as a command buffer has it: the result of the state and the formats.
struct RecordedBlend {
    uint32_t count = 0; ///< colour attachments that the arrays hold; 0: nothing was recorded
    std::array<VkBool32, max_color_attachments> enables{};
    std::array<VkColorBlendEquationEXT, max_color_attachments> equations{};
    std::array<VkColorComponentFlags, max_color_attachments> masks{};
    bool logic_op_enable = false;
    VkLogicOp logic_op = VK_LOGIC_OP_COPY;
};

/// The multisample state that a command buffer has.
struct RecordedSamples {
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
    VkSampleMask mask = ~0u;
    bool alpha_to_coverage = false;
    bool alpha_to_one = false;
};

/// Rectangles of one kind, those of all viewports.
template <class Rectangle>
struct RecordedRectangles {
    uint32_t count = 0; ///< 0: none was recorded
    std::array<Rectangle, max_viewports> rectangles{};
};

/// Compares a state's members with those that were recorded.
template <class State>
class Changes {
public:
    Changes(const std::optional<State>& recorded, const State& now)
        : was_(recorded ? &*recorded : nullptr), now_(now) {}
    /// Whether one of the members differs; true where nothing was recorded.
    template <class... Member>
    bool operator()(Member State::*... members) const {
        return !was_ || (... || (was_->*members != now_.*members));
    }

private:
    const State* was_;
    const State& now_;
};

/// The dynamic state that a command buffer holds (Vulkan 1.3, "Dynamic State": what was set stays
/// until it is set again, since all pipelines of an engine make the same states dynamic). GL binds
/// whole state objects, which often differ in little: only the differences are recorded. Empty: not
/// recorded yet.
struct RecordedState {
    std::optional<RasterizerState> rasterizer;
    std::optional<DepthStencilState> depth_stencil;
    RecordedBlend blend;
    std::optional<RecordedSamples> samples;
    std::optional<VkPrimitiveTopology> topology;
    std::optional<bool> primitive_restart;
    uint32_t vertex_buffers = 0; ///< mask of slots that match the recorder's buffers
    RecordedRectangles<VkViewport> viewports;
    RecordedRectangles<VkRect2D> scissors;
};

} // namespace kobalt::render
