// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/device/device_fault.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace kobalt::vulkan {
namespace {

std::string hexadecimal(uint64_t value) {
    char text[2 + 16 + 1];
    std::snprintf(text, sizeof(text), "0x%" PRIx64, value);
    return text;
}

const char* kind_of(VkDeviceFaultAddressTypeEXT type) {
    switch (type) {
    case VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT:
        return "an invalid read";
    case VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT:
        return "an invalid write";
    case VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_EXT:
        return "execution of memory that is no code";
    case VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT:
    case VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_EXT:
    case VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT:
        return "an instruction";
    default:
        return "an access of unknown kind";
    }
}

/// The reported address is exact to `addressPrecision`, a power of two
/// (VkDeviceFaultAddressInfoEXT).
std::string address_line(const VkDeviceFaultAddressInfoEXT& info) {
    const VkDeviceSize precision = info.addressPrecision ? info.addressPrecision : 1;
    const VkDeviceAddress first = info.reportedAddress & ~(precision - 1);
    return std::string(kind_of(info.addressType)) + " at " + hexadecimal(first) + " to " +
           hexadecimal(first + (precision - 1));
}

} // namespace

std::vector<std::string> device_fault_lines(const DeviceDispatch& vk, VkDevice device) {
    if (!vk.GetDeviceFaultInfoEXT)
        return {};
    auto counts = vk_struct<VkDeviceFaultCountsEXT>(VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT);
    if (vk.GetDeviceFaultInfoEXT(device, &counts, nullptr) < 0)
        return {};
    counts.vendorBinarySize = 0; // not asked for
    std::vector<VkDeviceFaultAddressInfoEXT> addresses(counts.addressInfoCount);
    std::vector<VkDeviceFaultVendorInfoEXT> vendor(counts.vendorInfoCount);
    auto info = vk_struct<VkDeviceFaultInfoEXT>(VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT);
    info.pAddressInfos = addresses.data();
    info.pVendorInfos = vendor.data();
    if (vk.GetDeviceFaultInfoEXT(device, &counts, &info) < 0)
        return {};
    addresses.resize(std::min<size_t>(addresses.size(), counts.addressInfoCount));
    vendor.resize(std::min<size_t>(vendor.size(), counts.vendorInfoCount));
    std::vector<std::string> lines;
    if (info.description[0])
        lines.push_back(std::string("the driver says: ") + info.description);
    for (const VkDeviceFaultAddressInfoEXT& address : addresses)
        lines.push_back(address_line(address));
    for (const VkDeviceFaultVendorInfoEXT& own : vendor)
        lines.push_back(std::string(own.description) + ": code " +
                        hexadecimal(own.vendorFaultCode) + ", data " +
                        hexadecimal(own.vendorFaultData));
    return lines;
}

} // namespace kobalt::vulkan
