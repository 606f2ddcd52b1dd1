// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/breadcrumbs.h"

#include "vulkan/device/device.h"
#include "vulkan/instance/instance.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace kobalt::render {

std::unique_ptr<Breadcrumbs> Breadcrumbs::create(Core& core) {
    vulkan::Device& device = core.device();
    if (!device.instance().environment().has_debug("breadcrumbs"))
        return nullptr;
    auto reached = vulkan::Buffer::create(device, {.size = sizeof(Reached),
                                                   .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                                   .kind = vulkan::MemoryKind::readback,
                                                   .name = "breadcrumbs"});
    if (!reached) {
        device.log().warning("no memory for breadcrumbs: " + reached.error().to_string());
        return nullptr;
    }
    std::ranges::fill(reached->bytes(), std::byte{});
    reached->flush(0, sizeof(Reached));
    return std::unique_ptr<Breadcrumbs>(new Breadcrumbs(core, std::move(*reached)));
}

Breadcrumbs::Breadcrumbs(Core& core, vulkan::Buffer reached)
    : device_(core.device()), markers_(device_.has(vulkan::Capability::buffer_marker)),
      reached_(std::move(reached)) {
    explainer_ = device_.status().explain_by([this] { return lines(); });
}

void Breadcrumbs::leave(VkCommandBuffer commands, bool in_pass, std::string what) {
    if (!mark_.empty())
        what += ", behind \"" + mark_ + "\"";
    const std::lock_guard lock(mutex_);
    ++last_;
    commands_[last_ % kept] = std::move(what);
    const auto& vk = device_.vk();
    if (markers_) {
        vk.CmdWriteBufferMarkerAMD(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, reached_.handle(),
                                   offsetof(Reached, begun), last_);
        vk.CmdWriteBufferMarkerAMD(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                                   reached_.handle(), offsetof(Reached, finished), last_ - 1);
    } else if (!in_pass) {
        write(commands, offsetof(Reached, finished), last_ - 1);
        write(commands, offsetof(Reached, begun), last_);
    }
}

/// Writes it between two barriers for everything, so when it is there, all before it is finished.
void Breadcrumbs::write(VkCommandBuffer commands, VkDeviceSize at, uint32_t value) {
    auto barrier = vulkan::vk_struct<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
    barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    barrier.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    auto info = vulkan::vk_struct<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
    info.memoryBarrierCount = 1;
    info.pMemoryBarriers = &barrier;
    const auto& vk = device_.vk();
    vk.CmdPipelineBarrier2(commands, &info);
    vk.CmdFillBuffer(commands, reached_.handle(), at, sizeof(value), value);
    vk.CmdPipelineBarrier2(commands, &info);
}

std::vector<std::string> Breadcrumbs::lines() {
    constexpr uint32_t most = 16;
    const std::lock_guard lock(mutex_);
    reached_.invalidate(0, sizeof(Reached));
    Reached reached;
    std::memcpy(&reached, reached_.mapped(), sizeof(reached));
    if (reached.begun > last_ || reached.finished > reached.begun)
        return {"the breadcrumbs of a context make no sense: the GPU wrote other values"};
    if (reached.finished == last_)
        return {};
    using std::to_string;
    std::vector<std::string> lines{"a context recorded " + to_string(last_) +
                                   " commands; the GPU had begun " + to_string(reached.begun) +
                                   " of them and finished " + to_string(reached.finished) + ":"};
    const uint32_t oldest = last_ > kept ? last_ - kept : 0;
    const uint32_t first = std::max(reached.finished, oldest);
    for (uint32_t number = first + 1; number <= last_ && number <= first + most; ++number)
        lines.push_back("  " + to_string(number) +
                        (number <= reached.begun ? " begun: " : " later: ") +
                        commands_[number % kept]);
    return lines;
}

} // namespace kobalt::render
