// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/buffer_cache.h"

#include "render/run_ahead.h"
#include "vulkan/device/device.h"

#include <algorithm>
#include <utility>

namespace kobalt::render {

vulkan::Buffer BufferCache::take(const Shape& shape) {
    const std::lock_guard lock(mutex_);
    const auto found = free_.find(shape);
    if (found == free_.end() || found->second.empty())
        return {};
    // The one that came last: it is the likeliest to be in the CPU's caches.
    vulkan::Buffer storage = std::move(found->second.back());
    found->second.pop_back();
    bytes_ -= std::max(shape.size, least_bytes);
    return storage;
}

vulkan::Result<Ref<Buffer>> BufferCache::create(const vulkan::BufferInfo& info) {
    if (vulkan::Buffer storage = take({info.size, info.usage, info.kind}))
        return make_ref<Buffer>(std::move(storage), this);
    auto storage = vulkan::Buffer::create(device_, info);
    if (!storage) {
        clear();
        storage = vulkan::Buffer::create(device_, info);
    }
    if (!storage)
        return std::unexpected(storage.error());
    return make_ref<Buffer>(std::move(*storage), this);
}

void BufferCache::put(vulkan::Buffer storage) {
    const VkDeviceSize counted = std::max(storage.size(), least_bytes);
    // More than was in flight never comes back at once.
    const RunAheadLimits limits = run_ahead_limits(device_.properties().core.deviceType);
    const VkDeviceSize most = std::min(limits.bytes + limits.bytes_in_batch, most_bytes);
    if (counted > std::min(most_bytes_each, most / 2))
        return;
    const std::lock_guard lock(mutex_);
    if (bytes_ + counted > most)
        return;
    bytes_ += counted;
    free_[{storage.size(), storage.usage(), storage.kind()}].push_back(std::move(storage));
}

void BufferCache::clear() {
    decltype(free_) freed; // destroyed after the lock is gone
    const std::lock_guard lock(mutex_);
    freed.swap(free_);
    bytes_ = 0;
}

VkDeviceSize BufferCache::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

Buffer::~Buffer() {
    if (home_)
        home_->put(std::move(storage_));
}

} // namespace kobalt::render
