// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/query.h"
#include "gallium/screen/screen.h"
#include "vulkan/device/device.h"

// glGetInteger64v(GL_TIMESTAMP): the GPU's clock, now.

namespace kobalt::gallium {

namespace {

/// Asks the driver for the device's clock. 0: it can't tell.
uint64_t calibrated_ticks(vulkan::Device& device) {
    if (!device.has(vulkan::Capability::calibrated_timestamps) ||
        !device.vk().GetCalibratedTimestampsEXT)
        return 0;
    VkCalibratedTimestampInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_KHR;
    info.timeDomain = VK_TIME_DOMAIN_DEVICE_KHR;
    uint64_t ticks = 0, deviation = 0;
    if (device.vk().GetCalibratedTimestampsEXT(device.handle(), 1, &info, &ticks, &deviation) !=
        VK_SUCCESS)
        return 0;
    return ticks;
}

/// Submits one timestamp and waits for it: slow, but every device can.
uint64_t submitted_ticks(Screen& screen) {
    vulkan::Device& device = screen.device();
    const auto& vk = device.vk();
    auto block = screen.query_pools->take(VK_QUERY_TYPE_TIMESTAMP);
    if (!block)
        return 0;
    VkCommandPoolCreateInfo pool_info{};
    pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool_info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
    pool_info.queueFamilyIndex = device.graphics().family();
    VkCommandPool raw = VK_NULL_HANDLE;
    if (vk.CreateCommandPool(device.handle(), &pool_info, nullptr, &raw) != VK_SUCCESS)
        return 0;
    const auto pool = device.own<vulkan::CommandPoolHandle>(raw);
    VkCommandBufferAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocate.commandPool = raw;
    allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocate.commandBufferCount = 1;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    if (vk.AllocateCommandBuffers(device.handle(), &allocate, &commands) != VK_SUCCESS)
        return 0;
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    if (vk.BeginCommandBuffer(commands, &begin) != VK_SUCCESS)
        return 0;
    vk.CmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, block->pool.handle(), 0);
    if (vk.EndCommandBuffer(commands) != VK_SUCCESS)
        return 0;
    const auto value = device.graphics().submit({&commands, 1});
    if (!value || !device.graphics().timeline().wait(*value))
        return 0;
    uint64_t ticks = 0;
    const auto read = block->pool.read(device, 0, 1, {&ticks, 1});
    return read && *read ? ticks : 0;
}

uint64_t get_timestamp(pipe_screen* pscreen) {
    Screen& screen = *Screen::from(pscreen);
    vulkan::Device& device = screen.device();
    if (!device.graphics().timestamp_valid_bits())
        return os_time_get_nano();
    uint64_t ticks = calibrated_ticks(device);
    if (!ticks)
        ticks = submitted_ticks(screen);
    return timestamp_nanoseconds(device, ticks);
}

} // namespace

uint64_t timestamp_nanoseconds(vulkan::Device& device, uint64_t ticks) {
    const uint32_t bits = device.graphics().timestamp_valid_bits();
    if (bits < 64)
        ticks &= (uint64_t{1} << bits) - 1;
    const double period = device.limits().timestampPeriod;
    // Most devices tick once a nanosecond; a product of doubles would lose the low bits.
    return period == 1.0 ? ticks : static_cast<uint64_t>(static_cast<long double>(ticks) * period);
}

void init_screen_query_functions(Screen& screen) {
    screen.query_pools = std::make_shared<QueryPools>(screen.device());
    screen.get_timestamp = get_timestamp;
    init_screen_hud_functions(screen);
}

} // namespace kobalt::gallium
