// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/queries/query_slot.h"

#include "render/recorder/recorder.h"

namespace kobalt::render {

bool batch_done(const Ref<BatchToken>& token, Recorder* recorder, bool wait) {
    if (!token || token->completed())
        return true;
    if (!token->submitted() && recorder && recorder->current_token().get() == token.get())
        recorder->flush();
    return wait ? token->wait(UINT64_MAX) : token->completed();
}

} // namespace kobalt::render
