// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/resources/resource.h"

#include <algorithm>
#include <bit>
#include <chrono>

#include "vulkan/descriptors/descriptor_buffer.h"
#include "vulkan/device/device.h"

namespace kobalt::render {

Resource::Tokens& Resource::tokens_of(ContextSlot context_slot) {
    if (context_slot != no_context_slot && (first_.context_slot == context_slot || !first_.use)) {
        first_.context_slot = context_slot;
        return first_;
    }
    if (context_slot != no_context_slot)
        for (Tokens& tokens : others_)
            if (tokens.context_slot == context_slot)
                return tokens;
    // Batches without a context slot have an entry each: drop those that are done.
    std::erase_if(others_, [](const Tokens& tokens) { return tokens.use->completed(); });
    others_.push_back({context_slot, {}, {}});
    return others_.back();
}

void Resource::renew() {
    RefCounted::renew();
    written_.store(false, std::memory_order_relaxed);
    written_by_shaders_.store(false, std::memory_order_relaxed);
    contents_.store(0, std::memory_order_relaxed);
    invalidated_.store(0, std::memory_order_relaxed);
    for (uint32_t used = used_slots_.load(std::memory_order_relaxed); used; used &= used - 1)
        uses_[static_cast<size_t>(std::countr_zero(used))] = {};
    used_slots_.store(0, std::memory_order_relaxed);
    // Nobody else knows the resource: that needs no lock.
    first_ = {};
    others_.clear();
}

uint64_t Resource::contents() {
    uint64_t now = 0;
    return contents_.compare_exchange_strong(now, 1, std::memory_order_relaxed) ? 1 : now;
}

bool Resource::any(bool writes_only, bool (*is)(BatchToken&)) const {
    const std::lock_guard lock(tokens_mutex_);
    const auto fits = [=](const Tokens& tokens) {
        const Ref<BatchToken>& token = writes_only ? tokens.write : tokens.use;
        return token && is(*token);
    };
    return fits(first_) || std::ranges::any_of(others_, fits);
}

bool Resource::busy(bool writes_only) const {
    return any(writes_only, [](BatchToken& token) { return !token.completed(); });
}

bool Resource::unflushed(bool writes_only) const {
    return any(writes_only,
               [](BatchToken& token) { return !token.submitted() && !token.completed(); });
}

bool Resource::wait_idle(bool writes_only, uint64_t timeout_ns) const {
    // Only the batches of now: another thread may go on using the resource for ever.
    std::vector<Ref<BatchToken>> tokens;
    {
        const std::lock_guard lock(tokens_mutex_);
        tokens.push_back(writes_only ? first_.write : first_.use);
        for (const Tokens& other : others_)
            tokens.push_back(writes_only ? other.write : other.use);
    }
    std::erase_if(tokens,
                  [](const Ref<BatchToken>& token) { return !token || token->completed(); });
    std::ranges::stable_partition(tokens,
                                  [](const Ref<BatchToken>& token) { return token->submitted(); });
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    return std::ranges::all_of(tokens, [&](const Ref<BatchToken>& token) {
        const auto passed = static_cast<uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count());
        return token->wait(timeout_ns > passed ? timeout_ns - passed : 0);
    });
}

std::unique_ptr<std::byte[]> texel_descriptor(const vulkan::Device& device, const Buffer& buffer,
                                              VkDescriptorType type, VkFormat format,
                                              VkDeviceSize offset, VkDeviceSize size) {
    if (!device.has(vulkan::Capability::descriptor_buffer) || !buffer.address())
        return nullptr;
    const vulkan::DescriptorWriter writer(device);
    auto bytes = std::make_unique<std::byte[]>(writer.size_of(type));
    writer.texel_buffer(bytes.get(), type, buffer.address() + offset, size, format);
    return bytes;
}

vulkan::Result<Ref<ImageView>> ImageView::of(vulkan::Device& device, Ref<Image> image) const {
    VkImageViewUsageCreateInfo usage{VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO};
    usage.usage = info.usage;
    VkImageViewCreateInfo create{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    create.pNext = &usage;
    create.image = image->handle();
    create.viewType = info.type;
    create.format = info.format;
    create.components = info.swizzle;
    create.subresourceRange = info.range;
    auto view = vulkan::create_image_view(device, create);
    if (!view)
        return std::unexpected(view.error());
    auto made = make_ref<ImageView>(std::move(image), std::move(*view));
    made->info = info;
    return made;
}

} // namespace kobalt::render
