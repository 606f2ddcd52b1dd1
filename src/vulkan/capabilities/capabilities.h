// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/capabilities/capability_list.h"
#include "vulkan/capabilities/device_features.h"
#include "vulkan/capabilities/device_properties.h"

#include <array>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kobalt::vulkan {

enum class Capability : uint32_t {
#define KOBALT_MEMBER(name) name,
    KOBALT_CAPABILITIES(KOBALT_MEMBER)
#undef KOBALT_MEMBER
};

#define KOBALT_COUNT(name) (void)Capability::name, ++count;
inline constexpr size_t capability_count = [] {
    size_t count = 0;
    KOBALT_CAPABILITIES(KOBALT_COUNT)
    return count;
}();
#undef KOBALT_COUNT

/// The name used by KOBALT_DISABLE and `kobalt info`.
std::string_view capability_name(Capability capability);

/// One line of the capability table.
struct CapabilityState {
    bool enabled = false;
    /// Why it is on ("offered by the device") or off ("VK_EXT_x is not offered by the device",
    /// "switched off by KOBALT_DISABLE", "needs y, which is off").
    std::string reason;
};

/// What one device offers, before any decision.
struct DeviceOffer {
    DeviceFeatures features;
    DeviceProperties properties;
    std::set<std::string> extensions;
};

/// The table of capabilities of a device, and what must be enabled to have them: a feature bit or
/// an extension is enabled only by a capability that is on, so switching a capability off really
/// removes it.
class Capabilities {
public:
    Capabilities() = default;

    /// Decides the table. `disabled` are names from KOBALT_DISABLE; a name may also be that of an
    /// extension ("VK_EXT_x"), which hides it. Unknown names come back in unknown_names().
    static Capabilities decide(const DeviceOffer& offer, std::span<const std::string> disabled,
                               bool surfaces);

    bool has(Capability capability) const {
        return states_[static_cast<size_t>(capability)].enabled;
    }
    const CapabilityState& state(Capability capability) const {
        return states_[static_cast<size_t>(capability)];
    }
    /// Feature bits to enable (and, on a device, those enabled). extended_dynamic_state3's single
    /// bits are read here: features().extended_dynamic_state3.
    const DeviceFeatures& features() const { return features_; }
    /// Extensions to enable.
    const std::set<std::string>& extensions() const { return extensions_; }
    bool has_extension(const std::string& name) const { return extensions_.contains(name); }
    std::span<const std::string> unknown_names() const { return unknown_; }

    /// Sets a capability that is known only once queues are chosen.
    void set(Capability capability, bool enabled, std::string reason);

private:
    std::array<CapabilityState, capability_count> states_{};
    DeviceFeatures features_;
    std::set<std::string> extensions_;
    std::vector<std::string> unknown_;
};

/// What the device profile asks for and `offer` lacks; empty: the device meets it.
std::vector<std::string> missing_from_profile(const DeviceOffer& offer);

} // namespace kobalt::vulkan
