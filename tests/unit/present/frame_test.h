// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "render/resources/resource.h"
#include "vulkan/commands/command_pool.h"
#include "vulkan/device/device.h"
#include "vulkan/instance/physical_device.h"
#include "vulkan/resources/buffer.h"

namespace kobalt::present {

/// A device, and frames on it. What the log says from a warning on is a failure.
class FrameTest : public testing::Test {
protected:
    void SetUp() override {
        vulkan::InstanceOptions options;
        options.environment = vulkan::Environment::from_process();
        options.log.set_sink([this](vulkan::LogLevel level, std::string_view text) {
            if (level >= vulkan::LogLevel::warning) {
                ++messages_;
                ADD_FAILURE() << text;
            }
        });
        log_ = options.log;
        auto instance = vulkan::Instance::create(options);
        if (!instance)
            GTEST_SKIP() << instance.error().to_string();
        const auto selection = vulkan::select_physical_device(**instance);
        if (!selection)
            GTEST_SKIP() << selection.error().to_string();
        auto device = vulkan::Device::create(*instance, selection->device());
        ASSERT_TRUE(device) << device.error().to_string();
        device_ = std::move(*device);
    }

    void TearDown() override {
        if (device_) {
            EXPECT_TRUE(device_->wait_idle());
        }
        device_.reset();
        log_.set_sink({});
    }

    /// A frame's image; cleared to opaque red and in VK_IMAGE_LAYOUT_GENERAL if `drawn`.
    render::Ref<render::Image> frame(uint32_t width, uint32_t height,
                                     VkFormat format = VK_FORMAT_B8G8R8A8_UNORM,
                                     bool drawn = true) {
        auto info = vulkan::vk_struct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
        info.imageType = VK_IMAGE_TYPE_2D;
        info.format = format;
        info.extent = {width, height, 1};
        info.mipLevels = info.arrayLayers = 1;
        info.samples = VK_SAMPLE_COUNT_1_BIT;
        info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
        auto storage = vulkan::Image::create(*device_, info);
        EXPECT_TRUE(storage) << storage.error().to_string();
        auto image = render::make_ref<render::Image>(std::move(*storage));
        if (drawn) {
            record([&](VkCommandBuffer commands) {
                to_general(commands, image->handle());
                const VkClearColorValue red = {{1, 0, 0, 1}};
                const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
                device_->vk().CmdClearColorImage(commands, image->handle(), VK_IMAGE_LAYOUT_GENERAL,
                                                 &red, 1, &all);
            });
            image->initialized = true;
        }
        return image;
    }

    void to_general(VkCommandBuffer commands, VkImage image,
                    VkImageLayout from = VK_IMAGE_LAYOUT_UNDEFINED) {
        auto barrier =
            vulkan::vk_struct<VkImageMemoryBarrier2>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2);
        barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        barrier.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
        barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
        barrier.oldLayout = from;
        barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
        barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.image = image;
        barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        auto info = vulkan::vk_struct<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
        info.imageMemoryBarrierCount = 1;
        info.pImageMemoryBarriers = &barrier;
        device_->vk().CmdPipelineBarrier2(commands, &info);
    }

    /// Records, submits and waits.
    template <class Body>
    void record(Body&& body) {
        vulkan::CommandPools pools(*device_, device_->graphics());
        auto pool = pools.acquire();
        ASSERT_TRUE(pool);
        const auto commands = (*pool)->begin();
        ASSERT_TRUE(commands);
        body(*commands);
        ASSERT_TRUE((*pool)->end(*commands));
        const std::array<VkCommandBuffer, 1> buffers = {*commands};
        const auto value = device_->graphics().submit(buffers);
        ASSERT_TRUE(value);
        ASSERT_TRUE(device_->graphics().timeline().wait(*value));
        pools.release(std::move(*pool), *value);
    }

    /// The texels of an image in VK_IMAGE_LAYOUT_GENERAL with 4 bytes a texel.
    std::vector<uint32_t> read(VkImage image, uint32_t width, uint32_t height) {
        vulkan::BufferInfo info;
        info.size = VkDeviceSize{width} * height * 4;
        info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
        info.kind = vulkan::MemoryKind::readback;
        auto buffer = vulkan::Buffer::create(*device_, info);
        EXPECT_TRUE(buffer);
        record([&](VkCommandBuffer commands) {
            VkBufferImageCopy region{};
            region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
            region.imageExtent = {width, height, 1};
            device_->vk().CmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL,
                                               buffer->handle(), 1, &region);
        });
        const auto* texels = reinterpret_cast<const uint32_t*>(buffer->mapped());
        return {texels, texels + size_t{width} * height};
    }

    vulkan::Log log_;
    std::unique_ptr<vulkan::Device> device_;
    std::atomic<int> messages_{0};
};

} // namespace kobalt::present
