// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/residency.h"

namespace kobalt::render {

void Residency::add(Ref<BindlessHandle> handle) {
    Resource& resource = handle->resource();
    if (!handles_.try_emplace(handle->value(), std::move(handle)).second)
        return;
    if (++resources_[&resource] == 1)
        note_write(resource);
}

const BindlessHandle* Residency::find(uint64_t value) const {
    const auto found = handles_.find(value);
    return found == handles_.end() ? nullptr : found->second.get();
}

Ref<BindlessHandle> Residency::remove(uint64_t value) {
    const auto found = handles_.find(value);
    if (found == handles_.end())
        return {};
    Ref<BindlessHandle> handle = std::move(found->second);
    handles_.erase(found);
    const auto count = resources_.find(&handle->resource());
    if (--count->second == 0) {
        resources_.erase(count);
        pending_.erase(&handle->resource());
    }
    return handle;
}

void Residency::note_write(Resource& resource) {
    stale_ = true;
    pending_.insert(&resource);
}

void Residency::look_at_all() {
    for (const auto& [resource, count] : resources_)
        pending_.insert(resource);
}

} // namespace kobalt::render
