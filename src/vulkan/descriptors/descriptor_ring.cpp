// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/descriptors/descriptor_ring.h"

#include "vulkan/base/round_up.h"
#include "vulkan/capabilities/driver_behind.h"
#include "vulkan/device/device.h"

#include <algorithm>
#include <utility>

namespace kobalt::vulkan {

namespace {

MemoryKind ring_memory(const Device& device) {
    return driver_behind(device.properties()) == VK_DRIVER_ID_NVIDIA_PROPRIETARY
               ? MemoryKind::upload
               : MemoryKind::device_local_mappable;
}

} // namespace

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
    if (Result<void> made = ring.next_part(0); !made)
        return std::unexpected(made.error());
    return ring;
}

DescriptorRing::DescriptorRing(DescriptorRing&& other) noexcept
    : DescriptorRing(*other.device_, *other.timeline_, other.buffer_size_) {
    *this = std::move(other);
}

DescriptorRing& DescriptorRing::operator=(DescriptorRing&& other) noexcept {
    if (this != &other) {
        leave();
        device_ = other.device_;
        timeline_ = other.timeline_;
        buffer_size_ = other.buffer_size_;
        alignment_ = other.alignment_;
        area_ = other.area_;
        current_ = std::exchange(other.current_, {});
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
    leave();
}

void DescriptorRing::leave() {
    uint64_t last = 0;
    const auto leave_one = [&](Part& part, uint64_t value) {
        if (part.in_area)
            area_->give(part.begin, value);
        else if (part.size)
            last = std::max(last, value);
    };
    leave_one(current_, touched_ ? timeline_->submitted() : current_value_);
    for (Part& part : open_)
        leave_one(part, timeline_->submitted());
    for (Pending& pending : pending_)
        leave_one(pending.part, pending.value);
    if (last != 0)
        timeline_->wait_to_destroy(last);
}

std::deque<DescriptorRing::Pending>::iterator DescriptorRing::find_ready(VkDeviceSize wanted) {
    const auto ready = std::find_if(pending_.rbegin(), pending_.rend(), [&](const Pending& p) {
        return p.part.size >= wanted && timeline_->reached(p.value);
    });
    return ready == pending_.rend() ? pending_.end() : std::prev(ready.base());
}

DescriptorRing::Part DescriptorRing::part_of_area(VkDeviceSize begin) const {
    Part part;
    part.mapped = area_->buffer().mapped() + begin;
    part.begin = begin;
    part.size = area_->part_size();
    part.in_area = true;
    return part;
}

void DescriptorRing::give_away(Part part, uint64_t value) {
    if (part.in_area)
        area_->give(part.begin, value);
    else if (part.size)
        pending_.push_back({value, std::move(part)});
}

/// `value`: the last submission that uses `next`.
void DescriptorRing::move_to(Part next, uint64_t value) {
    if (touched_)
        open_.push_back(std::move(current_));
    else
        give_away(std::move(current_), current_value_);
    current_ = std::move(next);
    current_value_ = value;
    used_ = wasted_ = 0;
    touched_ = false;
    ++generation_;
}

Result<void> DescriptorRing::next_part(VkDeviceSize least) {
    const VkDeviceSize wanted = std::max(least, buffer_size_);
    if (area_ && least <= area_->part_size()) {
        if (const auto begin = area_->take(*timeline_)) {
            move_to(part_of_area(*begin), 0);
            return {};
        }
    }
    if (const auto ready = find_ready(wanted); ready != pending_.end()) {
        Pending next = std::move(*ready);
        pending_.erase(ready);
        move_to(std::move(next.part), next.value);
        return {};
    }
    Result<DescriptorBuffer> made =
        DescriptorBuffer::create(*device_, wanted, "descriptor ring", ring_memory(*device_));
    if (!made)
        return std::unexpected(made.error());
    Part part;
    part.own = std::move(*made);
    part.mapped = part.own.mapped();
    part.size = part.own.size();
    ++created_;
    move_to(std::move(part), 0);
    return {};
}

Result<void> DescriptorRing::move_into(DescriptorArea& area) {
    area_ = &area;
    if (current_.in_area)
        return {};
    const auto begin = area.take(*timeline_);
    if (!begin)
        return fail(VK_ERROR_OUT_OF_DEVICE_MEMORY, "moving a descriptor ring",
                    "no part of the shared descriptor buffer is free");
    move_to(part_of_area(*begin), 0);
    return {};
}

void DescriptorRing::turn() {
    if (wasted_ < buffer_size_ / 8 || wasted_ < used_ / 2)
        return;
    if (area_) {
        if (const auto begin = area_->take_ready(*timeline_))
            move_to(part_of_area(*begin), 0);
    } else if (created_ < 2 || find_ready(buffer_size_) != pending_.end()) {
        (void)next_part(0); // out of memory: the ring stays in its buffer
    }
}

Result<DescriptorSpan> DescriptorRing::allocate(VkDeviceSize size, VkDeviceSize reach) {
    const VkDeviceSize bytes = round_up(size, alignment_);
    if (const VkDeviceSize needed = std::max(bytes, reach); !fits(needed)) {
        if (Result<void> made = next_part(needed); !made)
            return std::unexpected(made.error());
    }
    const DescriptorSpan span{current_.mapped + used_, current_.begin + used_};
    used_ += bytes;
    touched_ = true;
    return span;
}

void DescriptorRing::retire(uint64_t value) {
    for (Part& part : open_)
        give_away(std::move(part), value);
    open_.clear();
    if (touched_) {
        current_value_ = std::max(current_value_, value);
        touched_ = false;
    }
}

} // namespace kobalt::vulkan
