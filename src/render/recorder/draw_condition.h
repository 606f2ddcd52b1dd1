// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "render/recorder/hazards.h"
#include "vulkan/base/dispatch.h"

namespace kobalt::render {

/// Begins conditional rendering by the word at `offset` (bytes).
void begin_condition(const vulkan::DeviceDispatch& vk, VkCommandBuffer commands,
                     const Buffer& predicate, VkDeviceSize offset, bool inverted);

/// The condition of draws, dispatches and clears (VK_EXT_conditional_rendering): the wanted one,
/// and the one that is begun in the command buffer, which ends with the pass or the dispatch.
class DrawCondition {
public:
    /// Null: none is wanted.
    void set(Buffer* predicate, bool inverted) {
        wanted_ = predicate;
        inverted_ = inverted;
    }
    /// Whether one is wanted.
    explicit operator bool() const { return wanted_; }
    /// Whether commands obey the wanted one now.
    bool applied() const { return begun_ == wanted_ && (!wanted_ || begun_inverted_ == inverted_); }
    /// Notes the read of the wanted one, where the next apply() begins it.
    void add_read(Hazards& hazards) const {
        if (wanted_ && begun_ != wanted_)
            hazards.read(*wanted_, VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT,
                         VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT);
    }
    /// Has the commands that follow obey the wanted one.
    void apply(const vulkan::DeviceDispatch& vk, VkCommandBuffer commands) {
        if (applied())
            return;
        end(vk, commands);
        if (!wanted_)
            return;
        begin_condition(vk, commands, *wanted_, 0, inverted_);
        begun_ = wanted_;
        begun_inverted_ = inverted_;
    }
    /// Ends the one that is begun, if any.
    void end(const vulkan::DeviceDispatch& vk, VkCommandBuffer commands) {
        if (begun_)
            vk.CmdEndConditionalRenderingEXT(commands);
        begun_ = nullptr;
    }

private:
    Buffer* wanted_ = nullptr;
    Buffer* begun_ = nullptr;
    bool inverted_ = false;
    bool begun_inverted_ = false;
};

} // namespace kobalt::render
