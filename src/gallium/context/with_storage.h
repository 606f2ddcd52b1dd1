// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/resource.h"
#include "gallium/screen/screen.h"

namespace kobalt::gallium {

/// Whether one context may replace the storage of buffers that another one uses. A context that is
/// being made has bound nothing yet, and calls that wait hold what they use in any case.
inline bool shares_storage(const Screen& screen) {
    return screen.live_contexts.load() != 1;
}

/// with_storage() where there are several contexts.
template <class Use>
[[gnu::noinline]] auto with_held_storage(const Resource& buffer, const Use& use) {
    const render::Ref<render::Buffer> held = buffer.storage.hold();
    return use(held.get());
}

/// Calls `use` with the buffer's storage, for the recorder, which retains what it is passed. Costs
/// no reference where there is one context.
template <class Use>
auto with_storage(const Screen& screen, const Resource& buffer, const Use& use) {
    if (shares_storage(screen)) [[unlikely]]
        return with_held_storage(buffer, use);
    return use(buffer.storage.get());
}

} // namespace kobalt::gallium
