// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/device/call_times.h"

#include <gtest/gtest.h>

namespace kobalt::vulkan::test {
namespace {

VKAPI_ATTR VkResult VKAPI_CALL answer(VkDevice, VkSemaphore, uint64_t* value) {
    *value = 42;
    return VK_INCOMPLETE;
}

TEST(CallTimesTest, CallsArePassedOnAndCounted) {
    DeviceDispatch vk;
    vk.GetSemaphoreCounterValue = answer;
    time_calls(vk);
    time_calls(vk); // a second time changes nothing
    EXPECT_NE(vk.GetSemaphoreCounterValue, &answer);
    EXPECT_EQ(vk.QueueSubmit2, nullptr) << "a command that isn't there must stay so";
    uint64_t value = 0;
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(vk.GetSemaphoreCounterValue(VK_NULL_HANDLE, VK_NULL_HANDLE, &value),
                  VK_INCOMPLETE);
    EXPECT_EQ(value, 42u);
    const std::string table = call_times();
    EXPECT_NE(table.find("\n3\t"), std::string::npos) << table;
    EXPECT_NE(table.find("\tvkGetSemaphoreCounterValue\n"), std::string::npos) << table;
    EXPECT_EQ(table.find("vkQueueSubmit2"), std::string::npos) << table;
}

} // namespace
} // namespace kobalt::vulkan::test
