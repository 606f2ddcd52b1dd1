// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/bindless/residency.h"

namespace kobalt::render {

void Residency::add(Ref<BindlessHandle> handle, bool writes) {
    Resource& resource = handle->resource();
    const uint64_t value = handle->value();
    if (!handles_.try_emplace(value, std::move(handle), writes).second)
        return;
    Use& use = resources_[&resource];
    use.writers += writes;
    writers_ += writes;
    if (++use.handles == 1)
        note_write(resource);
}

const BindlessHandle* Residency::find(uint64_t value) const {
    const auto found = handles_.find(value);
    return found == handles_.end() ? nullptr : found->second.handle.get();
}

Ref<BindlessHandle> Residency::remove(uint64_t value) {
    const auto found = handles_.find(value);
    if (found == handles_.end())
        return {};
    const bool wrote = found->second.writes;
    Ref<BindlessHandle> handle = std::move(found->second.handle);
    handles_.erase(found);
    const auto use = resources_.find(&handle->resource());
    use->second.writers -= wrote;
    writers_ -= wrote;
    if (--use->second.handles == 0) {
        resources_.erase(use);
        pending_.erase(&handle->resource());
    }
    return handle;
}

void Residency::note_write(Resource& resource) {
    stale_ = true;
    pending_.insert(&resource);
}

void Residency::look_at_all() {
    for (const auto& [resource, use] : resources_)
        pending_.insert(resource);
}

void Residency::look_at_written() {
    for (const auto& [resource, use] : resources_)
        if (use.writers)
            pending_.insert(resource);
}

} // namespace kobalt::render
