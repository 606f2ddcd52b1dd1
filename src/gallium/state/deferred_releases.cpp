// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/deferred_releases.h"

#include <utility>

namespace kobalt::gallium {

void DeferredIndexReleases::give_back() {
    if (buffer_)
        pipe_drop_resource_references(buffer_, count_);
    buffer_ = nullptr;
    count_ = 0;
}

void DeferredViewReleases::add(SamplerView& view) {
    if (count_ == most)
        give_back();
    views_[count_++] = &view;
}

void DeferredViewReleases::give_back() {
    const uint32_t count = std::exchange(count_, 0);
    for (uint32_t i = 0; i < count; ++i) {
        SamplerView* const view = views_[i];
        if (p_atomic_add_return(&view->reference.count, -std::exchange(view->deferred, 0)) == 0)
            view->context->sampler_view_destroy(view->context, view);
    }
}

void FreedBufferIds::give_back() {
    simple_mtx_lock(&ids_.mutex);
    for (uint32_t i = 0; i < count_; ++i)
        util_idalloc_free(&ids_.buf, freed_[i]);
    simple_mtx_unlock(&ids_.mutex);
    count_ = 0;
}

} // namespace kobalt::gallium
