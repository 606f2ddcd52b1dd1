// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/instance/physical_device.h"

#include <functional>
#include <memory>

namespace kobalt::vulkan {

/// A device, and the instance that it belongs to.
struct DeviceChoice {
    std::shared_ptr<Instance> instance;
    DeviceSelection selection; ///< devices of another instance have no handle
};

/// The UUID of the device that is wanted where KOBALT_DEVICE isn't set; empty: any.
using FindWanted = std::function<std::string(const std::vector<PhysicalDevice>&)>;

/// Which devices a choice lists.
enum class Listing {
    as_needed, ///< those that the choice needed
    all,       ///< those that KOBALT_DEVICE and DRI_PRIME could name; takes a second instance
};

/// Makes an instance and chooses a device by the KOBALT_DEVICE and DRI_PRIME of its environment.
/// The loader drops a driver that refuses the instance's version, as SwiftShader does with any that
/// is newer than its own. So where no device of the instance is the one that is asked for, those
/// that only an instance of Vulkan 1.3 has are looked through as well. They come behind the others,
/// and are never chosen unasked where another one can be had.
Result<DeviceChoice> choose_device(const InstanceOptions& options, const FindWanted& find = nullptr,
                                   Listing listing = Listing::as_needed);

} // namespace kobalt::vulkan
