// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <mutex>
#include <unordered_map>
#include <vector>

#include "render/pipelines/shader_stage.h"

namespace kobalt::render {

/// The living shader stages by what they are made of, so that programs with equal stages share them
/// and all that is compiled of them. Thread-safe; keeps none of them.
class StageTable {
public:
    /// A living stage that is equal to `source` but for its name, or else a new one, which is not
    /// made yet.
    Ref<ShaderStage> find_or_add(PipelineStore& store, StageSource source);
    /// All living stages that may draw with stages of other links (ShaderStage::separable).
    std::vector<Ref<ShaderStage>> separable();
    /// Called by its destructor.
    void remove(const ShaderStage& stage);

private:
    std::mutex mutex_; ///< guards stages_, and keeps those in it from being freed
    std::unordered_multimap<uint64_t, ShaderStage*> stages_; ///< by a digest of their code
};

} // namespace kobalt::render
