// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/resources/buffer_cache.h"

#include "render/sync/run_ahead.h"
#include "vulkan/device/device.h"

#include <algorithm>
#include <cstddef>

namespace kobalt::render {
namespace {

/// The least that a buffer counts as: a small one also takes a Vulkan object.
constexpr VkDeviceSize least_bytes = 512;

VkDeviceSize most_bytes_of(vulkan::Device& device) {
    const RunAheadLimits limits = run_ahead_limits(device.properties().core.deviceType);
    return std::min(limits.bytes + limits.bytes_in_batch, BufferCache::most_bytes) / 2;
}

} // namespace

BufferCache::BufferCache(vulkan::Device& device) : device_(device), most_(most_bytes_of(device)) {}

VkDeviceSize BufferCache::counted(const Shape& shape) {
    return std::max(shape.size, least_bytes);
}

std::vector<Buffer*>* BufferCache::fitting(const Shape& shape) {
    if (!recent_ || recent_->first != shape) {
        const auto found = free_.find(shape);
        if (found == free_.end())
            return nullptr;
        recent_ = &*found;
    }
    return &recent_->second;
}

void BufferCache::sort_returned() {
    constexpr size_t many_shapes = 1024;
    if (free_.size() > many_shapes) {
        std::erase_if(free_, [](const auto& shape) { return shape.second.empty(); });
        recent_ = nullptr;
    }
    VkDeviceSize held = sorted_bytes_.load(std::memory_order_relaxed);
    {
        const std::lock_guard lock(returned_mutex_);
        returned_.swap(sorting_);
        returned_bytes_.store(0, std::memory_order_relaxed);
    }
    // The one that came last ends up last, and is taken first: it is the likeliest to be in the
    // CPU's caches.
    for (const auto& [buffer, shape] : sorting_) {
        if (held + counted(shape) > most_) {
            delete buffer;
            continue;
        }
        held += counted(shape);
        std::vector<Buffer*>* list = fitting(shape);
        if (!list) {
            recent_ = &*free_.try_emplace(shape).first;
            list = &recent_->second;
        }
        list->push_back(buffer);
    }
    sorting_.clear();
    sorted_bytes_.store(held, std::memory_order_relaxed);
}

Ref<Buffer> BufferCache::take(const Shape& shape) {
    const std::lock_guard lock(mutex_);
    std::vector<Buffer*>* list = fitting(shape);
    if (!list || list->empty()) {
        sort_returned();
        list = fitting(shape);
    }
    if (!list || list->empty())
        return {};
    Buffer* const buffer = list->back();
    list->pop_back();
    if (!list->empty()) {
        // Another core wrote it last, and its size is many cache lines.
        const Buffer* const next = list->back();
        __builtin_prefetch(next, 1);
        __builtin_prefetch(reinterpret_cast<const std::byte*>(next) + 64, 1);
        __builtin_prefetch(&next->storage_);
        __builtin_prefetch(&next->home_);
    }
    sorted_bytes_.store(sorted_bytes_.load(std::memory_order_relaxed) - counted(shape),
                        std::memory_order_relaxed);
    return Ref<Buffer>::adopt(buffer);
}

vulkan::Result<Ref<Buffer>> BufferCache::create(const vulkan::BufferInfo& info) {
    if (Ref<Buffer> buffer = take({info.size, info.usage, info.kind}))
        return buffer;
    auto storage = vulkan::Buffer::create(device_, info);
    if (!storage) {
        clear();
        storage = vulkan::Buffer::create(device_, info);
    }
    if (!storage)
        return std::unexpected(storage.error());
    return make_ref<Buffer>(std::move(*storage), this);
}

bool BufferCache::take_back(Buffer& gone) {
    const vulkan::Buffer& storage = gone.storage_;
    const Shape shape{storage.size(), storage.usage(), storage.kind()};
    const VkDeviceSize bytes = counted(shape);
    if (bytes > std::min(most_bytes_each, most_))
        return false;
    gone.renew();
    const std::lock_guard lock(returned_mutex_);
    const VkDeviceSize held = returned_bytes_.load(std::memory_order_relaxed) + bytes;
    if (held > most_)
        return false;
    returned_bytes_.store(held, std::memory_order_relaxed);
    returned_.push_back({&gone, shape});
    return true;
}

void BufferCache::clear() {
    Free freed;
    {
        const std::lock_guard lock(mutex_);
        sort_returned();
        freed.swap(free_);
        recent_ = nullptr;
        sorted_bytes_.store(0, std::memory_order_relaxed);
    }
    for (const auto& [shape, buffers] : freed)
        for (const Buffer* const buffer : buffers)
            delete buffer;
}

void Buffer::last_released() const {
    // References are to const objects by habit; nothing else refers to this one any longer.
    auto& gone = const_cast<Buffer&>(*this);
    if (!home_ || !home_->take_back(gone))
        delete this;
}

} // namespace kobalt::render
