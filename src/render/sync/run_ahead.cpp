// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/sync/run_ahead.h"

namespace kobalt::render {

void RunAhead::drop_first() {
    bytes_ -= in_flight_.front().bytes;
    commands_ -= in_flight_.front().commands;
    in_flight_.pop_front();
}

bool RunAhead::submitted(Ref<BatchToken> token, VkDeviceSize bytes, uint64_t commands) {
    in_flight_.push_back({std::move(token), bytes, commands});
    bytes_ += bytes;
    commands_ += commands;
    while (in_flight_.front().token->completed()) {
        drop_first();
        if (in_flight_.empty())
            return false;
    }
    bool waited = false;
    while (in_flight_.size() > 1 && (in_flight_.size() > limits.batches || bytes_ > limits.bytes ||
                                     commands_ > limits.commands)) {
        waited |= !in_flight_.front().token->completed();
        in_flight_.front().token->wait(UINT64_MAX);
        drop_first();
    }
    return waited;
}

} // namespace kobalt::render
