// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <mutex>
#include <unordered_map>

#include "render/stage.h"

namespace kobalt::render {

/// The living shader stages by what they are made of, so that programs with equal stages share them
/// and all that is compiled of them. Thread-safe; keeps none of them.
class StageTable {
public:
    /// A number that sources with equal code and bindings share.
    static uint64_t digest(const StageSource& source);

    /// A living stage that is equal to `source` but for its name; null: there is none.
    Ref<ShaderStage> find(uint64_t digest, const StageSource& source);
    void add(uint64_t digest, ShaderStage& stage);
    /// Called by its destructor.
    void remove(uint64_t digest, const ShaderStage& stage);

private:
    std::mutex mutex_; ///< guards stages_, and keeps those in it from being freed
    std::unordered_multimap<uint64_t, ShaderStage*> stages_;
};

} // namespace kobalt::render
