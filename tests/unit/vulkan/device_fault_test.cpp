// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/device/device_fault.h"

#include "vulkan/device/device_status.h"

#include <cstring>
#include <gtest/gtest.h>

namespace kobalt::vulkan::test {
namespace {

/// As a driver that knows of one read, of pages of 4 KiB, and has one code of its own.
VkResult VKAPI_CALL one_of_each(VkDevice, VkDeviceFaultCountsEXT* counts,
                                VkDeviceFaultInfoEXT* info) {
    if (!info) {
        counts->addressInfoCount = counts->vendorInfoCount = 1;
        counts->vendorBinarySize = 64;
        return VK_SUCCESS;
    }
    EXPECT_EQ(counts->vendorBinarySize, 0U) << "no memory was given for it";
    std::strcpy(info->description, "page fault");
    info->pAddressInfos[0] = {VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT, 0x12345, 0x1000};
    info->pVendorInfos[0].vendorFaultCode = 7;
    info->pVendorInfos[0].vendorFaultData = 0xab;
    std::strcpy(info->pVendorInfos[0].description, "Graphics exception");
    return VK_INCOMPLETE; // the binary is left out
}

VkResult VKAPI_CALL none(VkDevice, VkDeviceFaultCountsEXT* counts, VkDeviceFaultInfoEXT*) {
    counts->addressInfoCount = counts->vendorInfoCount = 0;
    return VK_SUCCESS;
}

TEST(DeviceFault, SaysWhatTheDriverKnows) {
    DeviceDispatch vk;
    vk.GetDeviceFaultInfoEXT = one_of_each;
    EXPECT_EQ(device_fault_lines(vk, VK_NULL_HANDLE),
              (std::vector<std::string>{"the driver says: page fault",
                                        "an invalid read at 0x12000 to 0x12fff",
                                        "Graphics exception: code 0x7, data 0xab"}));
}

TEST(DeviceFault, SaysNothingWhereTheDriverKnowsNothing) {
    DeviceDispatch vk;
    EXPECT_TRUE(device_fault_lines(vk, VK_NULL_HANDLE).empty()) << "without the extension";
    vk.GetDeviceFaultInfoEXT = none;
    EXPECT_TRUE(device_fault_lines(vk, VK_NULL_HANDLE).empty());
}

TEST(DeviceStatusTest, ExplainsALossOnce) {
    std::string logged;
    DeviceStatus status(
        Log([&logged](LogLevel, std::string_view text) { logged += std::string(text) + "\n"; }),
        "a GPU");
    const auto kept = status.explain_by([] { return std::vector<std::string>{"first", "second"}; });
    {
        auto ended = status.explain_by([] { return std::vector<std::string>{"forgotten"}; });
        const auto moved = std::move(ended);
    }
    status.mark_lost("vkQueueSubmit2");
    status.mark_lost("vkWaitSemaphores");
    EXPECT_TRUE(logged.ends_with("\nfirst\nsecond\n")) << logged;
    EXPECT_EQ(logged.find("forgotten"), std::string::npos);
    EXPECT_EQ(logged.find("vkWaitSemaphores"), std::string::npos);
}

} // namespace
} // namespace kobalt::vulkan::test
