// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/bindless/residency.h"

namespace kobalt::render {

void Residency::use(Resource& resource, bool writes) {
    Use& use = resources_[&resource];
    use.writers += writes;
    writers_ += writes;
    if (++use.handles == 1)
        note_write(resource);
}

void Residency::unuse(Resource& resource, bool wrote) {
    const auto use = resources_.find(&resource);
    use->second.writers -= wrote;
    writers_ -= wrote;
    if (--use->second.handles == 0) {
        resources_.erase(use);
        pending_.erase(&resource);
    }
}

void Residency::add(Ref<BindlessHandle> handle, bool writes) {
    Ref<Resource> resource = handle->resource();
    const uint64_t value = handle->value();
    Resource& named = *resource;
    if (handles_.try_emplace(value, std::move(handle), std::move(resource), writes).second)
        use(named, writes);
}

const BindlessHandle* Residency::find(uint64_t value) const {
    const auto found = handles_.find(value);
    return found == handles_.end() ? nullptr : found->second.handle.get();
}

Ref<BindlessHandle> Residency::remove(uint64_t value) {
    const auto found = handles_.find(value);
    if (found == handles_.end())
        return {};
    const Resident removed = std::move(found->second);
    handles_.erase(found);
    unuse(*removed.resource, removed.writes);
    return removed.handle;
}

void Residency::rename() {
    for (auto& [value, resident] : handles_) {
        Ref<Resource> now = resident.handle->resource();
        if (now.get() == resident.resource.get())
            continue;
        unuse(*resident.resource, resident.writes);
        resident.resource = std::move(now);
        use(*resident.resource, resident.writes);
    }
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
