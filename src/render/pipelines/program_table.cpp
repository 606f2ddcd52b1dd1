// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/pipelines/program_table.h"

#include <algorithm>

namespace kobalt::render {

Program::Program(const ProgramStages& stages) : stages_(stages) {
    const ShaderStage* fragment = stages[static_cast<size_t>(Stage::fragment)];
    traits_.at_samples = fragment && fragment->source().sample_shading;
    traits_.fetches = fragment && fragment->fetches_attachments();
    writes_depth_ = fragment && fragment->source().writes_depth;
    traits_.tessellates = stages[static_cast<size_t>(Stage::tess_evaluation)] != nullptr;
    for (uint32_t i = 0; i < graphics_stage_count; ++i)
        if (stages[i] && stages[i]->set_layout())
            stages_with_sets_ |= 1u << i;
    for (const ShaderStage* stage : stages) {
        if (!stage)
            continue;
        pushed_bindings_ |= stage->pushes();
        push_constant_words_ |= stage->source().push_constant_words;
        if (stage->source().reads_handles)
            handle_stages_ |= pipeline_stage_bit(stage->stage());
    }
}

Program::Link* Program::find(uint32_t state) {
    const auto found = std::ranges::find(links_, state, &Link::state);
    return found == links_.end() ? nullptr : &*found;
}

Program::Link& Program::add(uint32_t state, GraphicsPipeline* pipeline) {
    return links_.emplace_back(state, pipeline, Ref<LinkedPipeline>{});
}

void Program::drop_ended() {
    // Nothing else of the link is read: the pipeline may be gone until clear() is called.
    for (Link& link : links_)
        if (link.linked && link.linked->ended())
            link.linked.reset();
}

size_t ProgramTable::Hash::operator()(const ProgramStages& stages) const {
    // The stages' numbers grow by one: a multiplication spreads them over the whole word.
    uint64_t hash = 0;
    for (const ShaderStage* stage : stages)
        hash = (hash ^ (stage ? stage->id() : 0)) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

Program& ProgramTable::program(const ProgramStages& stages) {
    return programs_.try_emplace(stages, stages).first->second;
}

void ProgramTable::drop_ended() {
    for (auto& [stages, program] : programs_)
        program.drop_ended();
}

uint32_t ProgramTable::state_number(const GraphicsKey& state) {
    return states_.try_emplace(state, static_cast<uint32_t>(states_.size())).first->second;
}

} // namespace kobalt::render
