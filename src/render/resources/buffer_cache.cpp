// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/resources/buffer_cache.h"

#include "render/sync/run_ahead.h"
#include "vulkan/device/device.h"

#include <algorithm>
#include <utility>

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

VkDeviceSize BufferCache::counted(const Buffer& buffer) {
    return std::max(buffer.size(), least_bytes);
}

void BufferCache::sort_returned() {
    constexpr size_t many_shapes = 1024;
    if (free_.size() > many_shapes)
        std::erase_if(free_, [](const auto& shape) { return shape.second.empty(); });
    // The one that came last ends up last, and is taken first: it is the likeliest to be in the
    // CPU's caches.
    Buffer* reversed = nullptr;
    for (Buffer* buffer = returned_.exchange(nullptr, std::memory_order_acquire); buffer;)
        reversed = std::exchange(buffer, std::exchange(buffer->next_, reversed));
    VkDeviceSize taken = 0;
    VkDeviceSize held = sorted_bytes_.load(std::memory_order_relaxed);
    while (Buffer* const buffer = reversed) {
        reversed = std::exchange(buffer->next_, nullptr);
        const VkDeviceSize bytes = counted(*buffer);
        taken += bytes;
        if (held + bytes > most_) {
            delete buffer;
            continue;
        }
        held += bytes;
        const vulkan::Buffer& storage = buffer->storage_;
        free_[{storage.size(), storage.usage(), storage.kind()}].push_back(buffer);
    }
    sorted_bytes_.store(held, std::memory_order_relaxed);
    returned_bytes_.fetch_sub(taken, std::memory_order_relaxed);
}

Ref<Buffer> BufferCache::take(const Shape& shape) {
    const std::lock_guard lock(mutex_);
    auto fitting = free_.find(shape);
    if (fitting == free_.end() || fitting->second.empty()) {
        sort_returned();
        fitting = free_.find(shape);
    }
    if (fitting == free_.end() || fitting->second.empty())
        return {};
    Buffer* const buffer = fitting->second.back();
    fitting->second.pop_back();
    sorted_bytes_.fetch_sub(counted(*buffer), std::memory_order_relaxed);
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
    const VkDeviceSize bytes = counted(gone);
    if (bytes > std::min(most_bytes_each, most_))
        return false;
    if (returned_bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes > most_) {
        returned_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
        return false;
    }
    gone.renew();
    gone.next_ = returned_.load(std::memory_order_relaxed);
    while (!returned_.compare_exchange_weak(gone.next_, &gone, std::memory_order_release,
                                            std::memory_order_relaxed)) {
    }
    return true;
}

void BufferCache::clear() {
    decltype(free_) freed;
    {
        const std::lock_guard lock(mutex_);
        sort_returned();
        freed.swap(free_);
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
