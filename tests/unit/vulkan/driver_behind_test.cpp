// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/capabilities/driver_behind.h"

#include <cstring>
#include <gtest/gtest.h>

namespace kobalt::vulkan::test {
namespace {

constexpr uint32_t mesa = VK_VENDOR_ID_MESA, amd = 0x1002, nvidia = 0x10de, intel = 0x8086;

VkDriverId behind(VkDriverId own, const char* name, uint32_t vendor) {
    DeviceProperties properties;
    properties.vulkan12.driverID = own;
    properties.core.vendorID = vendor;
    std::strncpy(properties.core.deviceName, name, sizeof properties.core.deviceName - 1);
    return driver_behind(properties);
}

VkDriverId behind_venus(const char* name, uint32_t vendor) {
    return behind(VK_DRIVER_ID_MESA_VENUS, name, vendor);
}

TEST(DriverBehind, OtherDriversAreThemselves) {
    EXPECT_EQ(behind(VK_DRIVER_ID_MESA_RADV, "AMD Radeon RX 7900 XTX (RADV NAVI31)", amd),
              VK_DRIVER_ID_MESA_RADV);
    EXPECT_EQ(behind(VK_DRIVER_ID_NVIDIA_PROPRIETARY, "NVIDIA H200", nvidia),
              VK_DRIVER_ID_NVIDIA_PROPRIETARY);
    EXPECT_EQ(behind(VK_DRIVER_ID_GOOGLE_SWIFTSHADER, "Virtio-GPU Venus (llvmpipe)", mesa),
              VK_DRIVER_ID_GOOGLE_SWIFTSHADER)
        << "a name alone is no Venus";
}

TEST(DriverBehind, VenusIsSeenThrough) {
    EXPECT_EQ(behind_venus("Virtio-GPU Venus (llvmpipe (LLVM 19.1.7, 256 bits))", mesa),
              VK_DRIVER_ID_MESA_LLVMPIPE);
    EXPECT_EQ(behind_venus("Virtio-GPU Venus (NVIDIA H200)", nvidia),
              VK_DRIVER_ID_NVIDIA_PROPRIETARY);
    EXPECT_EQ(behind_venus("Virtio-GPU Venus (NVIDIA GeForce RTX 4090 (NVK AD102))", nvidia),
              VK_DRIVER_ID_MESA_NVK);
    EXPECT_EQ(behind_venus("Virtio-GPU Venus (AMD Radeon RX 7900 XTX (RADV NAVI31))", amd),
              VK_DRIVER_ID_MESA_RADV);
}

TEST(DriverBehind, WhatIsNotKnownStaysVenus) {
    EXPECT_EQ(behind_venus("Virtio-GPU Venus (Intel(R) Arc(tm) A770 Graphics (DG2))", intel),
              VK_DRIVER_ID_MESA_VENUS);
    EXPECT_EQ(behind_venus("llvmpipe (LLVM 19.1.7, 256 bits)", mesa), VK_DRIVER_ID_MESA_VENUS);
    EXPECT_EQ(behind_venus("", 0), VK_DRIVER_ID_MESA_VENUS);
}

} // namespace
} // namespace kobalt::vulkan::test
