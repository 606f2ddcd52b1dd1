// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "test_device.h"

#include "vulkan/device/report.h"
#include "vulkan/instance/prime.h"

#include <cstring>

namespace kobalt::vulkan::test {
namespace {

PhysicalDevice invent(uint32_t index, const char* name, VkPhysicalDeviceType type, uint64_t gib,
                      uint8_t uuid) {
    PhysicalDevice device;
    device.index = index;
    auto& p = device.offer.properties;
    std::strncpy(p.core.deviceName, name, sizeof p.core.deviceName - 1);
    p.core.deviceType = type;
    p.core.apiVersion = VK_API_VERSION_1_3;
    std::memset(p.vulkan11.deviceUUID, uuid, VK_UUID_SIZE);
    p.memory.memoryHeapCount = 1;
    p.memory.memoryHeaps[0] = {gib << 30, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
    return device;
}

std::vector<PhysicalDevice> machine() {
    return {invent(0, "Soft Raster 9", VK_PHYSICAL_DEVICE_TYPE_CPU, 512, 0xa0),
            invent(1, "Chip Graphics", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, 64, 0xa1),
            invent(2, "Big Card", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 8, 0xa2),
            invent(3, "Bigger Card", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 24, 0xa3)};
}

TEST(DeviceSelection, TypeBeforeMemory) {
    KOBALT_VALUE(selection, judge_physical_devices(machine(), ""));
    EXPECT_EQ(selection.device().properties().name(), "Bigger Card");
    EXPECT_TRUE(selection.device().chosen);
    EXPECT_EQ(selection.devices[0].verdict, "not chosen: device 3 scores higher");
    EXPECT_LT(selection.devices[0].score, selection.devices[1].score);
    EXPECT_LT(selection.devices[1].score, selection.devices[2].score);
    EXPECT_LT(selection.devices[2].score, selection.devices[3].score);
}

TEST(DeviceSelection, ByName) {
    KOBALT_VALUE(selection, judge_physical_devices(machine(), "chip"));
    EXPECT_EQ(selection.chosen, 1u);
    EXPECT_EQ(selection.devices[3].verdict, "rejected: KOBALT_DEVICE=chip excludes it");
    KOBALT_VALUE(several, judge_physical_devices(machine(), "CARD"));
    EXPECT_EQ(several.chosen, 3u) << "of several that match, the best";
}

TEST(DeviceSelection, ByIndex) {
    for (uint32_t i = 0; i < 4; ++i) {
        KOBALT_VALUE(selection, judge_physical_devices(machine(), std::to_string(i)));
        EXPECT_EQ(selection.chosen, i);
    }
}

TEST(DeviceSelection, ByUuid) {
    KOBALT_VALUE(dashed, judge_physical_devices(machine(), "a2a2a2a2-a2a2-a2a2-a2a2-a2a2a2a2a2a2"));
    EXPECT_EQ(dashed.chosen, 2u);
    KOBALT_VALUE(plain, judge_physical_devices(machine(), "A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0"));
    EXPECT_EQ(plain.chosen, 0u);
    EXPECT_EQ(plain.device().properties().uuid(), "a0a0a0a0-a0a0-a0a0-a0a0-a0a0a0a0a0a0");
}

TEST(DeviceSelection, NeverFallsBackToAnExcludedDevice) {
    for (const char* wanted : {"no such card", "7", "b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0"}) {
        const auto selection = judge_physical_devices(machine(), wanted);
        ASSERT_FALSE(selection.has_value()) << wanted;
        const std::string text = selection.error().to_string();
        EXPECT_NE(text.find(std::string("KOBALT_DEVICE=") + wanted), std::string::npos) << text;
        EXPECT_NE(text.find("Bigger Card"), std::string::npos) << text;
    }
}

TEST(DeviceSelection, BelowTheProfileIsRejectedEvenWhenAskedFor) {
    std::vector<PhysicalDevice> devices = machine();
    devices[3].missing = {"feature dynamicRendering"};
    KOBALT_VALUE(selection, judge_physical_devices(devices, ""));
    EXPECT_EQ(selection.chosen, 2u);
    EXPECT_NE(selection.devices[3].verdict.find("dynamicRendering"), std::string::npos);
    const auto asked = judge_physical_devices(devices, "bigger");
    ASSERT_FALSE(asked.has_value());
    EXPECT_NE(asked.error().object.find("dynamicRendering"), std::string::npos);
}

TEST(DeviceSelection, AnOldLavapipeNamesTheReleaseNeeded) {
    std::vector<PhysicalDevice> devices = machine();
    devices.resize(1);
    devices[0].missing = {"feature descriptorIndexing"};
    const auto other = judge_physical_devices(devices, "");
    ASSERT_FALSE(other.has_value());
    EXPECT_EQ(other.error().object.find("Mesa"), std::string::npos);
    auto& driver = devices[0].offer.properties.vulkan12;
    driver.driverID = VK_DRIVER_ID_MESA_LLVMPIPE;
    std::strcpy(driver.driverInfo, "Mesa 22.3.6 (LLVM 15.0.6)");
    const auto lavapipe = judge_physical_devices(devices, "");
    ASSERT_FALSE(lavapipe.has_value());
    EXPECT_NE(lavapipe.error().object.find("Mesa 23.2 or newer, this one is \"Mesa 22.3.6"),
              std::string::npos)
        << lavapipe.error().object;
}

TEST(DeviceSelection, OldVulkanNamesTheVersion) {
    DeviceOffer offer;
    offer.properties.core.apiVersion = VK_MAKE_API_VERSION(0, 1, 2, 5);
    const std::vector<std::string> missing = missing_from_profile(offer);
    ASSERT_EQ(missing.size(), 1u);
    EXPECT_EQ(missing[0], "Vulkan 1.3 (it has 1.2)");
}

TEST(DeviceSelection, NoDeviceAtAll) {
    const auto selection = judge_physical_devices({}, "");
    ASSERT_FALSE(selection.has_value());
    EXPECT_NE(selection.error().to_string().find("no Vulkan driver"), std::string::npos);
}

/// A laptop: the display hangs on the integrated GPU, and one card is like another.
std::vector<PhysicalDevice> laptop() {
    std::vector<PhysicalDevice> devices = machine();
    const auto place = [&](size_t i, uint32_t domain, uint32_t bus, uint32_t slot, uint32_t id) {
        auto& p = devices[i].offer.properties;
        devices[i].offer.extensions.insert("VK_EXT_pci_bus_info");
        p.pci.pciDomain = domain;
        p.pci.pciBus = bus;
        p.pci.pciDevice = slot;
        p.core.vendorID = 0x10de;
        p.core.deviceID = id;
    };
    place(1, 0, 0x0, 2, 0x1111);
    place(2, 1, 0x0, 0, 0x2335);
    place(3, 0, 0xc1, 0, 0x2335);
    devices[1].boot_display = true;
    return devices;
}

void expect_prime(const std::string& prime, size_t expected,
                  const std::vector<PhysicalDevice>& devices = laptop()) {
    KOBALT_VALUE(selection, judge_physical_devices(devices, "", prime));
    EXPECT_EQ(selection.chosen, expected) << prime;
    EXPECT_TRUE(selection.device().chosen);
    EXPECT_EQ(selection.device().verdict, "chosen: DRI_PRIME=" + prime + " names it");
    EXPECT_EQ(selection.remark, "");
}

TEST(DriPrime, ByPciAddress) {
    expect_prime("pci-0000_00_02_0", 1);
    expect_prime("pci-0001_00_00_0!", 2);
}

TEST(DriPrime, ByVendorAndDevice) {
    expect_prime("10de:1111", 1);
    expect_prime("10DE:1111!", 1);
    expect_prime("10de:2335", 2); // the first of two
    expect_prime("0:0", 0);       // what the CPU of laptop() has
}

TEST(DriPrime, ByNumberBesidesTheDisplaysGpu) {
    expect_prime("1", 3); // in the order of PCI addresses
    expect_prime("2", 2);
    expect_prime("7", 2);
    std::vector<PhysicalDevice> devices = laptop();
    devices[1].boot_display = false;
    devices[2].boot_display = true;
    expect_prime("1", 1, devices);
    expect_prime("2", 3, devices);
    devices[2].boot_display = false; // no firmware's display: the first address has it
    expect_prime("1", 3, devices);
}

TEST(DriPrime, OtherDevicesSayWhyNot) {
    KOBALT_VALUE(selection, judge_physical_devices(laptop(), "", "10de:1111"));
    EXPECT_EQ(selection.devices[3].verdict, "not chosen: DRI_PRIME=10de:1111 names device 1");
}

TEST(DriPrime, NoSuchDevice) {
    for (const char* prime : {"pci-0000_09_00_0", "10de:9999", "10de:", ":", "!", "10de:1111x"}) {
        KOBALT_VALUE(selection, judge_physical_devices(laptop(), "", prime));
        EXPECT_EQ(selection.chosen, 3u) << prime;
        EXPECT_EQ(selection.device().verdict, "chosen: highest score");
        EXPECT_EQ(selection.remark, "DRI_PRIME=" + std::string(prime) +
                                        " has no effect: it names no other GPU of this machine");
        EXPECT_NE(device_report(selection).find(selection.remark), std::string::npos);
    }
    KOBALT_VALUE(off, judge_physical_devices(laptop(), "", "0"));
    EXPECT_EQ(off.remark, "");
    KOBALT_VALUE(alone, judge_physical_devices({laptop()[0], laptop()[1]}, "", "1"));
    EXPECT_EQ(alone.chosen, 1u);
    EXPECT_NE(alone.remark, "");
}

TEST(DriPrime, BelowTheProfileIsPassedOver) {
    std::vector<PhysicalDevice> devices = laptop();
    devices[1].missing = {"feature dynamicRendering"};
    KOBALT_VALUE(selection, judge_physical_devices(devices, "", "10de:1111"));
    EXPECT_EQ(selection.chosen, 3u);
    EXPECT_EQ(selection.remark, "DRI_PRIME=10de:1111 has no effect: device 1 is below the profile");
}

TEST(DriPrime, KobaltDeviceComesFirst) {
    KOBALT_VALUE(selection, judge_physical_devices(laptop(), "bigger", "10de:1111"));
    EXPECT_EQ(selection.chosen, 3u);
    EXPECT_EQ(selection.remark, "");
}

TEST(DriPrime, ReportSaysHowToChooseEach) {
    std::vector<PhysicalDevice> devices = laptop();
    std::strncpy(devices[2].offer.properties.core.deviceName, "Bigger Card",
                 sizeof devices[2].offer.properties.core.deviceName - 1);
    KOBALT_VALUE(selection, judge_physical_devices(devices, ""));
    const std::string text = device_report(selection);
    for (const char* line : {"     KOBALT_DEVICE='Soft Raster 9' or DRI_PRIME=0000:0000\n",
                             "     KOBALT_DEVICE='Chip Graphics' or DRI_PRIME=pci-0000_00_02_0\n",
                             "     KOBALT_DEVICE=a2a2a2a2-a2a2-a2a2-a2a2-a2a2a2a2a2a2 or "
                             "DRI_PRIME=pci-0001_00_00_0\n",
                             "     KOBALT_DEVICE=a3a3a3a3-a3a3-a3a3-a3a3-a3a3a3a3a3a3 or "
                             "DRI_PRIME=pci-0000_c1_00_0\n"})
        EXPECT_NE(text.find(line), std::string::npos) << line << "is not in\n" << text;
}

class RealDevice : public VulkanTest {};

TEST_F(RealDevice, ReportNamesDeviceAndCapabilities) {
    const std::string devices = device_report(selection_);
    EXPECT_NE(devices.find(device_->properties().name()), std::string::npos) << devices;
    EXPECT_NE(devices.find("chosen: "), std::string::npos) << devices;
    const std::string capabilities = capability_report(*device_);
    for (size_t i = 0; i < capability_count; ++i)
        EXPECT_NE(capabilities.find(capability_name(static_cast<Capability>(i))),
                  std::string::npos);
}

TEST_F(RealDevice, EveryCapabilityHasAReason) {
    for (size_t i = 0; i < capability_count; ++i) {
        const auto capability = static_cast<Capability>(i);
        EXPECT_FALSE(device_->capabilities().state(capability).reason.empty())
            << capability_name(capability);
    }
}

} // namespace
} // namespace kobalt::vulkan::test
