// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/pipelines/stage_table.h"

#include <string_view>

namespace kobalt::render {
namespace {

bool equal(const StageSource& a, const StageSource& b) {
    return a.stage == b.stage && a.words == b.words && a.bindings == b.bindings &&
           a.reads_handles == b.reads_handles && a.robust == b.robust &&
           a.sample_shading == b.sample_shading &&
           a.stream_output_buffers == b.stream_output_buffers &&
           a.fragment_outputs == b.fragment_outputs && a.view_mask == b.view_mask;
}

// The code distinguishes nearly all stages; equal() compares the rest.
uint64_t digest_of(const StageSource& source) {
    return std::hash<std::string_view>{}(
        {reinterpret_cast<const char*>(source.words.data()), source.words.size() * 4});
}

} // namespace

Ref<ShaderStage> StageTable::find_or_add(PipelineStore& store, StageSource source) {
    const uint64_t digest = digest_of(source);
    const std::lock_guard lock(mutex_);
    const auto [begin, end] = stages_.equal_range(digest);
    for (auto entry = begin; entry != end; ++entry)
        if (equal(entry->second->source(), source) && entry->second->try_retain())
            return Ref<ShaderStage>::adopt(entry->second);
    source.words.shrink_to_fit(); // the vector grew by steps and has spare capacity
    auto stage = Ref<ShaderStage>::adopt(new ShaderStage(store, std::move(source), digest));
    stages_.emplace(digest, stage.get());
    return stage;
}

std::vector<Ref<ShaderStage>> StageTable::separable() {
    std::vector<Ref<ShaderStage>> found;
    const std::lock_guard lock(mutex_);
    for (const auto& [digest, stage] : stages_)
        if (stage->separable() && stage->try_retain())
            found.push_back(Ref<ShaderStage>::adopt(stage));
    return found;
}

void StageTable::remove(const ShaderStage& stage) {
    const std::lock_guard lock(mutex_);
    const auto [begin, end] = stages_.equal_range(stage.digest_);
    for (auto entry = begin; entry != end; ++entry)
        if (entry->second == &stage) {
            stages_.erase(entry);
            return;
        }
}

} // namespace kobalt::render
