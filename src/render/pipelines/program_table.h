// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "render/pipelines/graphics_pipeline.h"
#include "render/pipelines/pipeline_key.h"
#include "render/pipelines/shader_stage.h"

namespace kobalt::render {

using ProgramStages = std::array<ShaderStage*, graphics_stage_count>; ///< by Stage; null: absent

/// Stages that draw together, with the pipelines that one recorder has drawn with. A draw finds its
/// pipeline here when a program or some state comes back, without hashing the whole state.
class Program {
public:
    explicit Program(const ProgramStages& stages);

    const ProgramStages& stages() const { return stages_; }
    /// Which parts of the pipeline's state depend on the stages: programs with equal traits share
    /// the numbers of ProgramTable::state_number().
    struct Traits {
        bool at_samples = false;  ///< the fragment shader runs once a sample by itself
        bool tessellates = false; ///< the patch size may be state
        bool fetches = false;     ///< the fragment shader fetches from attachments
        bool operator==(const Traits&) const = default;
    };
    Traits traits() const { return traits_; }
    /// Depths may come from the fragment shader.
    bool writes_depth() const { return writes_depth_; }
    /// Mask of Stage: those that have a descriptor set.
    uint32_t stages_with_sets() const { return stages_with_sets_; }

    /// Mask of the bindings of the pushed set that its stages use.
    uint32_t pushed_bindings() const { return pushed_bindings_; }
    /// Mask of the push constants' words that some stage reads.
    uint32_t push_constant_words() const { return push_constant_words_; }
    /// The shader stages that read through handles.
    VkPipelineStageFlags2 handle_stages() const { return handle_stages_; }

    struct Link {
        uint32_t state;
        GraphicsPipeline* pipeline; ///< null: it can't be built
        Ref<LinkedPipeline> linked; ///< what the recorder drew with last
    };
    /// The pipeline for a state; null: none was added. Its address is stable until the next add().
    Link* find(uint32_t state);
    Link& add(uint32_t state, GraphicsPipeline* pipeline);
    /// Releases pipelines that have been replaced or evicted.
    void drop_ended();

private:
    ProgramStages stages_;
    Traits traits_;
    bool writes_depth_ = false;
    uint32_t stages_with_sets_ = 0, pushed_bindings_ = 0, push_constant_words_ = 0;
    VkPipelineStageFlags2 handle_stages_ = 0;
    std::vector<Link> links_; ///< few: most programs are drawn with in one state or two
};

/// The programs and pipeline states of one recorder. Used by one thread.
class ProgramTable {
public:
    /// The address of the program is stable until clear().
    Program& program(const ProgramStages& stages);
    /// A number that equal states share. The stages of `state` are 0: it holds all else.
    uint32_t state_number(const GraphicsKey& state);
    /// Pipelines or stages are gone: nothing that the table returned may be used any longer.
    void clear() { programs_.clear(); }
    /// Releases the pipelines that have been replaced or evicted.
    void drop_ended();

private:
    struct Hash {
        size_t operator()(const ProgramStages& stages) const;
    };
    std::unordered_map<ProgramStages, Program, Hash> programs_;
    std::unordered_map<GraphicsKey, uint32_t, KeyHash<GraphicsKey>, KeyEqual<GraphicsKey>> states_;
};

} // namespace kobalt::render
