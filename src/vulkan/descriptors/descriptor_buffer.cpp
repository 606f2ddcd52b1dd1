// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/descriptors/descriptor_buffer.h"

#include "vulkan/device/device.h"

#include <algorithm>

namespace kobalt::vulkan {

namespace {

constexpr VkBufferUsageFlags descriptor_usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                                                VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT |
                                                VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

MemoryKind ring_memory(const Device& device) {
    return device.properties().vulkan12.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY
               ? MemoryKind::upload
               : MemoryKind::device_local_mappable;
}

} // namespace

Result<DescriptorBuffer> DescriptorBuffer::create(Device& device, VkDeviceSize size,
                                                  const char* name, MemoryKind kind) {
    BufferInfo info;
    info.size = size;
    info.usage = descriptor_usage;
    info.kind = kind;
    info.name = name;
    info.alignment = device.properties().descriptor_buffer.descriptorBufferOffsetAlignment;
    Result<Buffer> buffer = Buffer::create(device, info);
    if (!buffer)
        return std::unexpected(buffer.error());
    DescriptorBuffer result;
    result.buffer_ = std::move(*buffer);
    return result;
}

VkDescriptorBufferBindingInfoEXT DescriptorBuffer::binding_info() const {
    auto info = vk_struct<VkDescriptorBufferBindingInfoEXT>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT);
    info.address = address();
    info.usage = buffer_.usage();
    return info;
}

DescriptorRing::DescriptorRing(Device& device, Timeline& timeline, VkDeviceSize buffer_size)
    : device_(&device), timeline_(&timeline), buffer_size_(buffer_size),
      alignment_(device.properties().descriptor_buffer.descriptorBufferOffsetAlignment) {}

Result<DescriptorRing> DescriptorRing::create(Device& device, Timeline& timeline,
                                              VkDeviceSize buffer_size) {
    if (!device.has(Capability::descriptor_buffer))
        return fail(VK_ERROR_FEATURE_NOT_PRESENT, "creating a descriptor ring",
                    "a device without descriptor buffers: " +
                        device.capabilities().state(Capability::descriptor_buffer).reason);
    DescriptorRing ring(device, timeline, buffer_size);
    if (Result<void> made = ring.next_buffer(0); !made)
        return std::unexpected(made.error());
    return ring;
}

DescriptorRing& DescriptorRing::operator=(DescriptorRing&& other) noexcept {
    if (this != &other) {
        wait_for_uses();
        device_ = other.device_;
        timeline_ = other.timeline_;
        buffer_size_ = other.buffer_size_;
        alignment_ = other.alignment_;
        current_ = std::move(other.current_);
        used_ = other.used_;
        wasted_ = other.wasted_;
        current_value_ = other.current_value_;
        touched_ = other.touched_;
        generation_ = other.generation_;
        open_ = std::move(other.open_);
        pending_ = std::move(other.pending_);
        created_ = other.created_;
    }
    return *this;
}

DescriptorRing::~DescriptorRing() {
    wait_for_uses();
}

void DescriptorRing::wait_for_uses() {
    uint64_t last = current_.handle() != VK_NULL_HANDLE ? current_value_ : 0;
    for (const Pending& pending : pending_)
        last = std::max(last, pending.value);
    if (last != 0)
        (void)timeline_->wait(last);
}

std::deque<DescriptorRing::Pending>::iterator DescriptorRing::find_ready(VkDeviceSize wanted) {
    const auto ready = std::find_if(pending_.rbegin(), pending_.rend(), [&](const Pending& p) {
        return p.buffer.size() >= wanted && timeline_->reached(p.value);
    });
    return ready == pending_.rend() ? pending_.end() : std::prev(ready.base());
}

Result<void> DescriptorRing::next_buffer(VkDeviceSize least) {
    const VkDeviceSize wanted = std::max(least, buffer_size_);
    DescriptorBuffer next;
    uint64_t next_value = 0;
    if (const auto ready = find_ready(wanted); ready != pending_.end()) {
        next = std::move(ready->buffer);
        next_value = ready->value;
        pending_.erase(ready);
    } else {
        Result<DescriptorBuffer> made =
            DescriptorBuffer::create(*device_, wanted, "descriptor ring", ring_memory(*device_));
        if (!made)
            return std::unexpected(made.error());
        next = std::move(*made);
        ++created_;
    }
    if (current_.handle() != VK_NULL_HANDLE) {
        if (touched_)
            open_.push_back(std::move(current_));
        else
            pending_.push_back({current_value_, std::move(current_)});
    }
    current_ = std::move(next);
    current_value_ = next_value;
    used_ = wasted_ = 0;
    touched_ = false;
    ++generation_;
    return {};
}

void DescriptorRing::turn() {
    if (wasted_ < buffer_size_ / 8 || wasted_ < used_ / 2)
        return;
    if (created_ < 2 || find_ready(buffer_size_) != pending_.end())
        (void)next_buffer(0); // without memory it stays
}

Result<DescriptorSpan> DescriptorRing::allocate(VkDeviceSize size, VkDeviceSize reach) {
    const VkDeviceSize bytes = (size + alignment_ - 1) / alignment_ * alignment_;
    if (const VkDeviceSize needed = std::max(bytes, reach); !fits(needed)) {
        if (Result<void> made = next_buffer(needed); !made)
            return std::unexpected(made.error());
    }
    const DescriptorSpan span{current_.mapped() + used_, used_};
    used_ += bytes;
    touched_ = true;
    return span;
}

void DescriptorRing::retire(uint64_t value) {
    for (DescriptorBuffer& buffer : open_)
        pending_.push_back({value, std::move(buffer)});
    open_.clear();
    if (touched_) {
        current_value_ = std::max(current_value_, value);
        touched_ = false;
    }
}

} // namespace kobalt::vulkan
