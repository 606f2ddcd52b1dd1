// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/resource.h"

namespace kobalt::render {

Ref<BatchToken> Resource::token(bool writes_only) const {
    const std::lock_guard lock(tokens_mutex_);
    return writes_only ? last_write_ : last_use_;
}

bool Resource::busy(bool writes_only) const {
    const Ref<BatchToken> last = token(writes_only);
    return last && !last->completed();
}

bool Resource::wait_idle(bool writes_only, uint64_t timeout_ns) const {
    const Ref<BatchToken> last = token(writes_only);
    return !last || last->wait(timeout_ns);
}

bool Resource::unflushed(bool writes_only) const {
    const Ref<BatchToken> last = token(writes_only);
    return last && !last->submitted() && !last->completed();
}

} // namespace kobalt::render
