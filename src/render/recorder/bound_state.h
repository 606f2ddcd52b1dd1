// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "render/descriptors/binder.h"
#include "render/descriptors/recent_sets.h"
#include "render/pipelines/program_table.h"
#include "render/recorder/recorder.h"

// The state bound to a recorder, and which of it the next draw or dispatch has to check.

namespace kobalt::render {

/// For each binding point of a stage, the time of its last bind, as a count of all such changes. A
/// set that was written, or got its accesses, at some time is updated for the points whose time is
/// not older.
struct SlotTimes {
    uint64_t now = 0;
    uint64_t& uniform_buffer(uint32_t slot) { return points_[uniform_buffers + slot]; }
    uint64_t& storage_buffer(uint32_t slot) { return points_[storage_buffers + slot]; }
    /// Views, texel buffers and samplers.
    uint64_t& texture(uint32_t slot) { return points_[textures + slot]; }
    uint64_t& image(uint32_t slot) { return points_[images + slot]; }
    /// Marks the framebuffer's attachments, which change all together.
    void change_attachments() {
        std::fill_n(points_.begin() + attachments, attachment_slots, ++now);
    }

    /// The time of the next change. A set that is up to date remembers it, and becomes outdated
    /// where a point's time isn't below it. A set that was never written has 0.
    uint64_t next() const { return now + 1; }
    /// Calls `use` with each of the bindings whose point changed at the time `since` or later. A
    /// shader may have many, of which draws change one.
    template <class Use>
    void for_each_changed(std::span<const StageBinding> bindings, uint64_t since, Use use) const {
        const auto changed = [this, since](const StageBinding& binding) {
            return points_[first_points[binding.type] + binding.slot] >= since;
        };
        for (auto at = std::ranges::find_if(bindings, changed); at != bindings.end();
             at = std::find_if(at + 1, bindings.end(), changed))
            use(*at);
    }

private:
    // One array, in which each kind of binding point has its part.
    static constexpr uint32_t attachment_slots = stencil_fetch_slot + 1;
    static constexpr uint32_t uniform_buffers = 0, storage_buffers = uniform_buffers + max_slots,
                              textures = storage_buffers + max_slots, images = textures + max_slots,
                              attachments = images + max_image_slots,
                              all_points = attachments + attachment_slots;
    static constexpr auto first_points = [] {
        std::array<uint8_t, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT + 1> first;
        first.fill(textures);
        first[VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER] = uniform_buffers;
        first[VK_DESCRIPTOR_TYPE_STORAGE_BUFFER] = storage_buffers;
        first[VK_DESCRIPTOR_TYPE_STORAGE_IMAGE] = images;
        first[VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER] = images;
        first[VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT] = attachments;
        return first;
    }();
    std::array<uint64_t, all_points> points_{};
};

/// A shader's set in this recorder.
struct ShaderSet {
    explicit ShaderSet(size_t descriptors) : recent(descriptors) {}
    StageSet set;
    RecentSets recent;
    uint64_t outdated_from = 0; ///< SlotTimes::next() when last named; 0: not yet
    uint64_t retained_in = 0;   ///< the batch that retains what its descriptors name
};

/// An object at a binding point. The state tracker may free a view that is still bound here without
/// telling the recorder, and the next view may have the same address: serials tell them apart.
template <class T>
class BoundObject {
public:
    /// False: it is bound already.
    bool assign(T* object) {
        const uint64_t serial = object ? object->serial() : 0;
        if (serial == serial_)
            return false;
        object_ = object;
        serial_ = serial;
        return true;
    }
    T* get() const { return object_; }
    uint64_t serial() const { return serial_; } ///< 0: null
    operator T*() const { return object_; }

private:
    T* object_ = nullptr;
    uint64_t serial_ = 0; ///< 0: null
};

/// What is bound to one stage.
struct StageState {
    Ref<ShaderStage> shader;  ///< retained: another context may delete it
    ShaderSet* set = nullptr; ///< the shader's; null: not looked up yet
    SlotTimes times;
    uint64_t access_pending_from = 0; ///< next() when accesses were added last; 0: all are pending
    uint32_t filled_uniform_buffers = 0; ///< mask of slots that have one
    uint32_t filled_storage_buffers = 0;
    std::array<BufferRange, max_slots> uniform_buffers{};
    std::array<BufferRange, max_slots> storage_buffers{};
    std::array<BoundObject<ImageView>, max_slots> views{};
    std::array<BoundObject<ImageView>, max_slots> compared_views{}; ///< null: as `views`
    std::array<BoundObject<BufferView>, max_slots> texel_buffers{};
    std::array<BoundObject<Sampler>, max_slots> samplers{};
    std::array<BoundObject<ImageView>, max_image_slots> images{};
    std::array<BoundObject<BufferView>, max_image_slots> image_texels{};
};

/// State whose Vulkan command has to be recorded before the next draw.
enum Dirty : uint32_t {
    dirty_vertex_input = 1u << 0,
    dirty_vertex_buffers = 1u << 1,
    dirty_index_buffer = 1u << 2,
    dirty_rasterizer = 1u << 3,
    dirty_depth_stencil = 1u << 4,
    dirty_blend = 1u << 5,
    dirty_blend_constants = 1u << 6,
    dirty_stencil_reference = 1u << 7,
    dirty_samples = 1u << 8,
    dirty_viewport = 1u << 9,
    dirty_scissor = 1u << 10,
    dirty_push_constants = 1u << 11, ///< words that the program reads
    dirty_topology = 1u << 12,
    dirty_pipeline_state = 1u << 13, ///< some part of the pipeline's state beside the stages
    dirty_program = 1u << 14,        ///< some stage
    dirty_bind_pipeline = 1u << 15,
    dirty_patch_size = 1u << 16,
    dirty_all = (1u << 17) - 1,
    /// Records no command: no draw counts as equal to the one before. Only KOBALT_DEBUG=descriptors
    /// sets it.
    dirty_check = 1u << 17,
    /// Records no command: the next draw checks whether its fetches from attachments need a
    /// barrier.
    dirty_fetches = 1u << 18,
    dirty_pipeline = dirty_pipeline_state | dirty_program, ///< it has to be looked up
    /// State that needs only its own command: neither another pass nor another pipeline.
    dirty_dynamic = dirty_vertex_input | dirty_vertex_buffers | dirty_index_buffer |
                    dirty_rasterizer | dirty_depth_stencil | dirty_blend | dirty_blend_constants |
                    dirty_stencil_reference | dirty_samples | dirty_viewport | dirty_scissor |
                    dirty_push_constants | dirty_topology,
};

inline constexpr uint32_t all_graphics_stages = (1u << graphics_stage_count) - 1;

/// The state of dispatches: what the command buffer has of it, and what the next dispatch need not
/// check again.
struct ComputeState {
    bool dirty = true; ///< something was bound since the last dispatch
    /// Hazards::uses() at the last dispatch: while it stays so, nothing was used since.
    uint64_t accesses_added_at = 0;
    VkPipeline pipeline = VK_NULL_HANDLE; ///< of the bound shader; null: not looked up yet
    const PipelineLayoutEntry* layout = nullptr;
    VkPipeline bound_pipeline = VK_NULL_HANDLE;        ///< in the command buffer
    const PipelineLayoutEntry* bound_layout = nullptr; ///< of the bound set; null: none is bound
    uint64_t disturbances = 0;                         ///< the binder's when it was bound
};

} // namespace kobalt::render
