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

BufferCache::Kept& BufferCache::fitting(const Shape& shape) {
    if (!recent_ || recent_->first != shape)
        recent_ = &*free_.try_emplace(shape).first;
    return recent_->second;
}

VkDeviceSize BufferCache::free_older(uint64_t asked, VkDeviceSize bytes) {
    VkDeviceSize freed = 0;
    while (freed < bytes) {
        Free::value_type* oldest = nullptr;
        for (Free::value_type& entry : free_)
            if (!entry.second.buffers.empty() && entry.second.asked < asked &&
                (!oldest || entry.second.asked < oldest->second.asked))
                oldest = &entry;
        if (!oldest)
            break;
        auto& [shape, kept] = *oldest;
        for (; freed < bytes && !kept.buffers.empty(); kept.buffers.pop_back()) {
            delete kept.buffers.back();
            freed += counted(shape);
        }
    }
    return freed;
}

void BufferCache::sort_returned() {
    constexpr size_t many_shapes = 1024;
    if (free_.size() > many_shapes) {
        // The shape that was asked for just now stays: take() has stamped it.
        std::erase_if(free_, [this](const auto& entry) {
            return entry.second.buffers.empty() && entry.second.asked != asked_;
        });
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
        Kept& kept = fitting(shape);
        const VkDeviceSize wanted = held + counted(shape);
        if (wanted > most_)
            held -= free_older(kept.asked, wanted - most_);
        if (held + counted(shape) > most_) {
            delete buffer;
            continue;
        }
        held += counted(shape);
        kept.buffers.push_back(buffer);
    }
    sorting_.clear();
    sorted_bytes_.store(held, std::memory_order_relaxed);
}

Ref<Buffer> BufferCache::take(const Shape& shape) {
    const std::lock_guard lock(mutex_);
    Kept* kept = &fitting(shape);
    kept->asked = ++asked_;
    if (kept->buffers.empty()) {
        sort_returned();
        kept = &fitting(shape);
    }
    if (kept->buffers.empty())
        return {};
    Buffer* const buffer = kept->buffers.back();
    kept->buffers.pop_back();
    if (!kept->buffers.empty()) {
        // Another core wrote it last, and its size is many cache lines.
        const Buffer* const next = kept->buffers.back();
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
    for (const auto& [shape, kept] : freed)
        for (const Buffer* const buffer : kept.buffers)
            delete buffer;
}

void Buffer::last_released() const {
    // References are to const objects by habit; nothing else refers to this one any longer.
    auto& gone = const_cast<Buffer&>(*this);
    if (!home_ || !home_->take_back(gone))
        delete this;
}

} // namespace kobalt::render
