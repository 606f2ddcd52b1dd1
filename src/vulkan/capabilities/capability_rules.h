// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/capabilities/capabilities.h"

#include <vector>

namespace kobalt::vulkan {

/// One feature bit and its name in reasons ("robustness2.nullDescriptor").
struct FeatureBit {
    const char* name;
    VkBool32& (*of)(DeviceFeatures&);
};

/// What a capability needs, and what it turns on.
struct CapabilityRule {
    Capability id;
    std::vector<const char*> extensions; ///< all of these; "A|B": either, A where both are offered
    std::vector<FeatureBit> required;    ///< all of these bits
    std::vector<FeatureBit> optional;    ///< turned on where they are offered
    std::vector<Capability> needs;       ///< must be on; they come earlier in the table
};

/// The table, in the order in which it is to be decided.
const std::vector<CapabilityRule>& capability_rules();

} // namespace kobalt::vulkan
