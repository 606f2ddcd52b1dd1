// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/queries/timestamp.h"

#include "render/recorder/recorder.h"
#include "vulkan/device/device.h"

namespace kobalt::render {
namespace {

/// Vulkan 1.3, "Timestamp Queries": bits beyond the valid ones are 0. The clock values that other
/// commands return are masked likewise.
uint64_t nanoseconds_of(const vulkan::Device& device, uint32_t valid_bits, uint64_t ticks) {
    if (valid_bits < 64)
        ticks &= (uint64_t{1} << valid_bits) - 1;
    const double period = device.limits().timestampPeriod;
    // Most devices tick once a nanosecond; a product of doubles would lose the low bits.
    return period == 1.0 ? ticks : static_cast<uint64_t>(static_cast<long double>(ticks) * period);
}

/// Asks the driver for the device's clock. 0: it can't tell.
uint64_t calibrated_ticks(vulkan::Device& device) {
    if (!device.has(vulkan::Capability::calibrated_timestamps) ||
        !device.vk().GetCalibratedTimestampsEXT)
        return 0;
    VkCalibratedTimestampInfoKHR info{VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_KHR};
    info.timeDomain = VK_TIME_DOMAIN_DEVICE_KHR;
    uint64_t ticks = 0, deviation = 0;
    if (device.vk().GetCalibratedTimestampsEXT(device.handle(), 1, &info, &ticks, &deviation) !=
        VK_SUCCESS)
        return 0;
    return ticks;
}

/// Records a timestamp into `pool`, submits it and returns its value on the timeline; 0: failed.
uint64_t submit_timestamp(vulkan::Device& device, vulkan::CommandPool& pool,
                          const QueryBlock& block) {
    const auto commands = pool.begin();
    if (!commands)
        return 0;
    device.vk().CmdWriteTimestamp2(*commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                   block.pool().handle(), 0);
    if (!pool.end(*commands))
        return 0;
    return device.graphics().submit({&*commands, 1}).value_or(0);
}

/// Submits one timestamp and waits for it: slow, but every device can.
uint64_t submitted_ticks(Engine& engine) {
    vulkan::Device& device = engine.device();
    const Ref<QueryBlock> block = engine.query_pools().take(VK_QUERY_TYPE_TIMESTAMP);
    if (!block)
        return 0;
    auto pool = engine.command_pools().acquire();
    if (!pool)
        return 0;
    const uint64_t value = submit_timestamp(device, **pool, *block);
    engine.command_pools().release(std::move(*pool), value);
    if (!value || !device.graphics().timeline().wait(value))
        return 0;
    uint64_t ticks = 0;
    return block->read(0, {&ticks, 1}).value_or(false) ? ticks : 0;
}

} // namespace

QuerySlot Timestamps::write() {
    Engine& engine = recorder_.engine();
    // Inside a pass with several views a timestamp would take as many queries.
    const VkCommandBuffer commands = recorder_.commands(recorder_.framebuffer().view_mask != 0);
    if (!commands || !engine.device().graphics().timestamp_valid_bits())
        return {};
    if (!block_ || block_->full())
        block_ = engine.query_pools().take(VK_QUERY_TYPE_TIMESTAMP);
    if (!block_)
        return {};
    recorder_.retain(*block_);
    const QuerySlot slot{block_, block_->next(), 0, recorder_.current_token()};
    engine.device().vk().CmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                            block_->pool().handle(), slot.index);
    return slot;
}

uint64_t nanoseconds(const QuerySlot& timestamp) {
    uint64_t ticks = 0;
    if (!timestamp.block || !timestamp.block->read(timestamp.index, {&ticks, 1}).value_or(false))
        return 0;
    vulkan::Device& device = timestamp.block->device();
    return nanoseconds_of(device, device.graphics().timestamp_valid_bits(), ticks);
}

std::optional<uint64_t> gpu_clock(Engine& engine) {
    vulkan::Device& device = engine.device();
    const uint32_t valid_bits = device.graphics().timestamp_valid_bits();
    if (!valid_bits)
        return std::nullopt;
    uint64_t ticks = calibrated_ticks(device);
    if (!ticks)
        ticks = submitted_ticks(engine);
    return nanoseconds_of(device, valid_bits, ticks);
}

} // namespace kobalt::render
