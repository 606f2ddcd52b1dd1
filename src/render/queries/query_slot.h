// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "render/commands/query_pool.h"
#include "render/sync/batch_token.h"

namespace kobalt::render {

class Recorder;

/// One Vulkan query that was recorded: an interval of one pass, or a timestamp.
struct QuerySlot {
    Ref<QueryBlock> block; ///< null: nothing was recorded
    uint32_t index = 0;
    uint32_t stream = 0;   ///< vertex stream
    Ref<BatchToken> token; ///< of the batch that it is in
};

/// Whether the GPU is past a batch (null: it is); waits for that if asked to. `recorder` submits
/// the batch if it is the one being recorded; null where another thread may be recording.
bool batch_done(const Ref<BatchToken>& token, Recorder* recorder, bool wait);

} // namespace kobalt::render
