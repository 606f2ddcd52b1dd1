// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>

#include "counting_layer/counters.h"
#include "counting_layer/late.h"
#include "vulkan_layer/layer.h"

// Tests the layer between a mock program and a mock driver, without a loader.

extern "C" VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version);

namespace kobalt::counting {
namespace {

/// A dispatchable handle starts with its dispatch table. A device shares its table with its
/// command buffers.
struct Object {
    const void* table;
};
const int instance_table = 0, device_table = 0;
Object instance_object{&instance_table}, device_object{&device_table};
const auto instance = reinterpret_cast<VkInstance>(&instance_object);
const auto device = reinterpret_cast<VkDevice>(&device_object);
const auto commands = reinterpret_cast<VkCommandBuffer>(&device_object);
const auto queue = reinterpret_cast<VkQueue>(&device_object);
const auto image = std::bit_cast<VkImage>(std::uint64_t{1});
const auto view = std::bit_cast<VkImageView>(std::uint64_t{2});

int reached = 0; ///< calls that reached the mock driver

VKAPI_ATTR VkResult VKAPI_CALL driver_function_of_any_kind() {
    ++reached;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL driver_create_instance(const VkInstanceCreateInfo*,
                                                      const VkAllocationCallbacks*,
                                                      VkInstance* made) {
    *made = instance;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL driver_create_device(VkPhysicalDevice, const VkDeviceCreateInfo*,
                                                    const VkAllocationCallbacks*, VkDevice* made) {
    *made = device;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL driver_create_image(VkDevice, const VkImageCreateInfo*,
                                                   const VkAllocationCallbacks*, VkImage* made) {
    *made = image;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL driver_create_view(VkDevice, const VkImageViewCreateInfo*,
                                                  const VkAllocationCallbacks*, VkImageView* made) {
    *made = view;
    return VK_SUCCESS;
}

PFN_vkVoidFunction driver_function(const char* name) {
    if (std::strcmp(name, "vkCreateInstance") == 0)
        return layer::erased(driver_create_instance);
    if (std::strcmp(name, "vkCreateDevice") == 0)
        return layer::erased(driver_create_device);
    if (std::strcmp(name, "vkCreateImage") == 0)
        return layer::erased(driver_create_image);
    if (std::strcmp(name, "vkCreateImageView") == 0)
        return layer::erased(driver_create_view);
    if (std::strcmp(name, "vkCmdDispatch") == 0)
        return nullptr;
    return layer::erased(driver_function_of_any_kind);
}
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL driver_instance_function(VkInstance, const char* name) {
    return driver_function(name);
}
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL driver_device_function(VkDevice, const char* name) {
    return driver_function(name);
}

class CountingLayer : public ::testing::Test {
protected:
    void SetUp() override {
        layer_.loaderLayerInterfaceVersion = 2;
        ASSERT_EQ(vkNegotiateLoaderLayerInterfaceVersion(&layer_), VK_SUCCESS);
        VkLayerInstanceLink instance_link{nullptr, driver_instance_function, nullptr};
        VkLayerInstanceCreateInfo instance_chain{VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO};
        instance_chain.function = VK_LAYER_LINK_INFO;
        instance_chain.u.pLayerInfo = &instance_link;
        VkInstanceCreateInfo instance_info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, &instance_chain};
        VkInstance made = VK_NULL_HANDLE;
        ASSERT_EQ(reinterpret_cast<PFN_vkCreateInstance>(layer_.pfnGetInstanceProcAddr(
                      VK_NULL_HANDLE, "vkCreateInstance"))(&instance_info, nullptr, &made),
                  VK_SUCCESS);
        VkLayerDeviceLink device_link{nullptr, driver_instance_function, driver_device_function};
        VkLayerDeviceCreateInfo device_chain{VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO};
        device_chain.function = VK_LAYER_LINK_INFO;
        device_chain.u.pLayerInfo = &device_link;
        VkDeviceCreateInfo device_info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &device_chain};
        VkDevice made_device = VK_NULL_HANDLE;
        ASSERT_EQ(reinterpret_cast<PFN_vkCreateDevice>(layer_.pfnGetInstanceProcAddr(
                      made, "vkCreateDevice"))(VK_NULL_HANDLE, &device_info, nullptr, &made_device),
                  VK_SUCCESS);
        for (auto& counter : counters())
            counter = 0;
        reached = 0;
    }
    void TearDown() override {
        const auto end = [&](const char* name) {
            return layer_.pfnGetInstanceProcAddr(instance, name);
        };
        reinterpret_cast<PFN_vkDestroyDevice>(end("vkDestroyDevice"))(device, nullptr);
        reinterpret_cast<PFN_vkDestroyInstance>(end("vkDestroyInstance"))(instance, nullptr);
    }
    template <class Function>
    Function get(const char* name) const {
        return reinterpret_cast<Function>(layer_.pfnGetDeviceProcAddr(device, name));
    }
    static std::uint64_t counted(Counter counter) {
        return counters()[static_cast<std::size_t>(counter)];
    }
    VkNegotiateLayerInterface layer_{LAYER_NEGOTIATE_INTERFACE_STRUCT};
};

TEST_F(CountingLayer, CountsAndPassesOn) {
    get<PFN_vkCmdDraw>("vkCmdDraw")(commands, 3, 1, 0, 0);
    get<PFN_vkCmdCopyImage2KHR>("vkCmdCopyImage2KHR")(commands, nullptr);
    get<PFN_vkCopyMemoryToImageEXT>("vkCopyMemoryToImage")(device, nullptr);
    EXPECT_EQ(counted(Counter::draws), 1U);
    EXPECT_EQ(counted(Counter::image_copies), 1U);
    EXPECT_EQ(counted(Counter::host_copies), 1U);
    EXPECT_EQ(reached, 3);
}

TEST_F(CountingLayer, HasNoCommandThatTheDriverLacks) {
    EXPECT_FALSE(get<PFN_vkCmdDispatch>("vkCmdDispatch"));
}

TEST_F(CountingLayer, CountsWhatAPassMoves) {
    VkImageCreateInfo image_info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    image_info.samples = VK_SAMPLE_COUNT_4_BIT;
    VkImage made = VK_NULL_HANDLE;
    get<PFN_vkCreateImage>("vkCreateImage")(device, &image_info, nullptr, &made);
    VkImageViewCreateInfo view_info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    view_info.image = made;
    view_info.format = VK_FORMAT_R16G16B16A16_SFLOAT;
    VkImageView made_view = VK_NULL_HANDLE;
    get<PFN_vkCreateImageView>("vkCreateImageView")(device, &view_info, nullptr, &made_view);

    VkRenderingAttachmentInfo colour{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    colour.imageView = made_view;
    colour.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    colour.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    VkRenderingAttachmentInfo depth = colour;
    depth.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    depth.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
    info.renderArea.extent = {64, 32};
    info.layerCount = 1;
    info.colorAttachmentCount = 1;
    info.pColorAttachments = &colour;
    info.pDepthAttachment = &depth;
    const auto begin = get<PFN_vkCmdBeginRendering>("vkCmdBeginRenderingKHR");
    const auto barrier = get<PFN_vkCmdPipelineBarrier2>("vkCmdPipelineBarrier2");
    const VkDependencyInfo nothing{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    begin(commands, &info);
    barrier(commands, &nothing);
    get<PFN_vkCmdEndRendering>("vkCmdEndRendering")(commands);
    barrier(commands, &nothing);
    info.flags = VK_RENDERING_RESUMING_BIT;
    begin(commands, &info);

    EXPECT_EQ(counted(Counter::passes), 1U);
    EXPECT_EQ(counted(Counter::colour_loads), 1U);
    EXPECT_EQ(counted(Counter::colour_stores), 1U);
    EXPECT_EQ(counted(Counter::depth_clears), 1U);
    EXPECT_EQ(counted(Counter::depth_dropped), 1U);
    EXPECT_EQ(counted(Counter::kib_loaded), 64U * 32 * 8 * 4 / 1024);
    EXPECT_EQ(counted(Counter::kib_stored), 64U * 32 * 8 * 4 / 1024);
    EXPECT_EQ(counted(Counter::barriers), 2U);
    EXPECT_EQ(counted(Counter::barriers_in_passes), 1U);
}

TEST_F(CountingLayer, CountsBarriersByWhatTheyHold) {
    VkMemoryBarrier2 memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    memory.srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    memory.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    std::array<VkImageMemoryBarrier2, 2> images{};
    images[0].newLayout = VK_IMAGE_LAYOUT_GENERAL;
    VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    info.memoryBarrierCount = 1;
    info.pMemoryBarriers = &memory;
    info.imageMemoryBarrierCount = 2;
    info.pImageMemoryBarriers = images.data();
    get<PFN_vkCmdPipelineBarrier2>("vkCmdPipelineBarrier2KHR")(commands, &info);
    EXPECT_EQ(counted(Counter::full_barriers), 1U);
    EXPECT_EQ(counted(Counter::memory_barriers), 1U);
    EXPECT_EQ(counted(Counter::image_barriers), 2U);
    EXPECT_EQ(counted(Counter::transitions), 1U);
}

TEST_F(CountingLayer, TellsWaitsFromPolls) {
    VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
    info.commandBufferInfoCount = 3;
    get<PFN_vkQueueSubmit2>("vkQueueSubmit2")(queue, 1, &info, VK_NULL_HANDLE);
    const VkSemaphoreWaitInfo none{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    const auto wait = get<PFN_vkWaitSemaphores>("vkWaitSemaphores");
    wait(device, &none, 0);
    wait(device, &none, 1);
    EXPECT_EQ(counted(Counter::submissions), 1U);
    EXPECT_EQ(counted(Counter::command_buffers), 3U);
    EXPECT_EQ(counted(Counter::polls), 1U);
    EXPECT_EQ(counted(Counter::waits), 1U);
}

class LateDevice : public ::testing::Test {
protected:
    static constexpr std::chrono::milliseconds kDelay{20};
    Late late_{kDelay};
    const VkSemaphore semaphore_ = std::bit_cast<VkSemaphore>(std::uint64_t{3});
};

TEST_F(LateDevice, KeepsValuesBackUntilTheSubmissionIsDone) {
    const auto before = Late::Clock::now();
    const auto when = late_.submit(VK_NULL_HANDLE);
    late_.signal(semaphore_, 7, when);
    EXPECT_GE(when, before + kDelay);
    EXPECT_EQ(late_.done(semaphore_, 7), when);
    EXPECT_EQ(late_.done(semaphore_, 8), Late::Clock::time_point{});
    EXPECT_EQ(late_.value_now(semaphore_, 7), 6U);
    EXPECT_FALSE(Late::wait_until(when, 0));
    EXPECT_TRUE(Late::wait_until(when, UINT64_MAX));
    EXPECT_EQ(late_.value_now(semaphore_, 7), 7U);
}

TEST_F(LateDevice, CountsOnlyWaitsThatBlock) {
    const auto blocked = [] {
        return counters()[static_cast<std::size_t>(Counter::blocked_waits)].load();
    };
    const auto busy = [] {
        return counters()[static_cast<std::size_t>(Counter::busy_polls)].load();
    };
    const std::uint64_t before = blocked(), busy_before = busy();
    EXPECT_FALSE(Late::wait_until(Late::Clock::now() + kDelay, 0));
    EXPECT_EQ(blocked(), before);
    EXPECT_EQ(busy(), busy_before + 1);
    EXPECT_FALSE(Late::wait_until(Late::Clock::now() + kDelay, 1000));
    EXPECT_EQ(blocked(), before + 1);
}

TEST_F(LateDevice, FinishesInOrder) {
    const auto fence = std::bit_cast<VkFence>(std::uint64_t{4});
    const auto first = late_.submit(fence);
    const auto second = late_.submit(VK_NULL_HANDLE);
    EXPECT_EQ(late_.done(fence), first);
    EXPECT_GE(second, first);
    EXPECT_EQ(late_.all_done(), second);
}

} // namespace
} // namespace kobalt::counting
