// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/capabilities/capabilities.h"

#include "vulkan/capabilities/bindless_limits.h"
#include "vulkan/capabilities/capability_rules.h"

#include <algorithm>

namespace kobalt::vulkan {

namespace {

constexpr std::string_view names[] = {
#define KOBALT_NAME(name) #name,
    KOBALT_CAPABILITIES(KOBALT_NAME)
#undef KOBALT_NAME
};

/// The offered one of "A" or "A|B"; empty: none.
std::string offered_extension(const std::set<std::string>& offered, const std::string& either) {
    size_t start = 0;
    while (start <= either.size()) {
        const size_t end = std::min(either.find('|', start), either.size());
        std::string name = either.substr(start, end - start);
        if (offered.contains(name))
            return name;
        start = end + 1;
    }
    return {};
}

/// "A" or "A or B", for reasons.
std::string extension_text(std::string either) {
    if (const size_t bar = either.find('|'); bar != std::string::npos)
        either.replace(bar, 1, " or ");
    return either;
}

/// A dynamic-state command may be used only if the state's own feature is on, so the dynamic-state
/// bit follows that feature.
void trim_dynamic_state(const Capabilities& capabilities, DeviceFeatures& features) {
    auto& bits = features.extended_dynamic_state3;
    const auto follow = [&](Capability capability, VkBool32& bit) {
        if (!capabilities.has(capability))
            bit = VK_FALSE;
    };
    follow(Capability::depth_clip_enable, bits.extendedDynamicState3DepthClipEnable);
    follow(Capability::depth_clip_control, bits.extendedDynamicState3DepthClipNegativeOneToOne);
    follow(Capability::line_rasterization, bits.extendedDynamicState3LineRasterizationMode);
    follow(Capability::line_rasterization, bits.extendedDynamicState3LineStippleEnable);
    follow(Capability::provoking_vertex, bits.extendedDynamicState3ProvokingVertexMode);
    follow(Capability::geometry_streams, bits.extendedDynamicState3RasterizationStream);
    follow(Capability::sample_locations, bits.extendedDynamicState3SampleLocationsEnable);
    follow(Capability::alpha_to_one, bits.extendedDynamicState3AlphaToOneEnable);
    follow(Capability::conservative_rasterization,
           bits.extendedDynamicState3ConservativeRasterizationMode);
    // Off: states of extensions that Kobalt never enables, and states that Kobalt bakes into
    // pipelines.
    bits.extendedDynamicState3ExtraPrimitiveOverestimationSize = VK_FALSE;
    bits.extendedDynamicState3ColorBlendAdvanced = VK_FALSE;
    bits.extendedDynamicState3ViewportWScalingEnable = VK_FALSE;
    bits.extendedDynamicState3ViewportSwizzle = VK_FALSE;
    bits.extendedDynamicState3CoverageToColorEnable = VK_FALSE;
    bits.extendedDynamicState3CoverageToColorLocation = VK_FALSE;
    bits.extendedDynamicState3CoverageModulationMode = VK_FALSE;
    bits.extendedDynamicState3CoverageModulationTableEnable = VK_FALSE;
    bits.extendedDynamicState3CoverageModulationTable = VK_FALSE;
    bits.extendedDynamicState3CoverageReductionMode = VK_FALSE;
    bits.extendedDynamicState3RepresentativeFragmentTestEnable = VK_FALSE;
    bits.extendedDynamicState3ShadingRateImageEnable = VK_FALSE;
}

/// GL requests robust access per context, and other contexts must not pay for it. So the device
/// enables it for all pipelines only where single pipelines can't request it. Images stay robust in
/// every context: a load outside an image must return zero (OpenGL 4.6, 8.26), and the hardware
/// checks their bounds.
void trim_robustness(Capabilities& capabilities, DeviceFeatures& features,
                     const DeviceProperties& properties) {
    if (!capabilities.has(Capability::pipeline_robustness))
        return;
    const auto& p = properties.descriptor_buffer;
    const bool same =
        p.robustUniformBufferDescriptorSize == p.uniformBufferDescriptorSize &&
        p.robustStorageBufferDescriptorSize == p.storageBufferDescriptorSize &&
        p.robustUniformTexelBufferDescriptorSize == p.uniformTexelBufferDescriptorSize &&
        p.robustStorageTexelBufferDescriptorSize == p.storageTexelBufferDescriptorSize;
    if (capabilities.has(Capability::descriptor_buffer) && !same) {
        features.pipeline_robustness.pipelineRobustness = VK_FALSE;
        capabilities.set(Capability::pipeline_robustness, false,
                         "the device's descriptors of robust buffers are others");
        return;
    }
    features.core.robustBufferAccess = VK_FALSE;
    features.robustness2.robustBufferAccess2 = VK_FALSE;
}

void trim_descriptor_buffers(Capabilities& capabilities, const DeviceProperties& properties) {
    const auto& p = properties.descriptor_buffer;
    if (capabilities.has(Capability::several_descriptor_buffers) &&
        std::min({p.maxDescriptorBufferBindings, p.maxSamplerDescriptorBufferBindings,
                  p.maxResourceDescriptorBufferBindings}) < 2)
        capabilities.set(Capability::several_descriptor_buffers, false,
                         "the device binds one descriptor buffer at a time");
}

/// Bindless handles need enough descriptors. An update-after-bind set may not hold buffers where
/// the rules of robust access disable that feature.
void trim_bindless(Capabilities& capabilities, const DeviceProperties& properties) {
    if (!capabilities.has(Capability::bindless))
        return;
    const BindlessStorage stored_in = bindless_storage(capabilities);
    std::string off = bindless_limits(properties, stored_in).lacking;
    if (off.empty() && stored_in == BindlessStorage::set &&
        (!capabilities.features().vulkan12.descriptorBindingUniformTexelBufferUpdateAfterBind ||
         !capabilities.features().vulkan12.descriptorBindingStorageTexelBufferUpdateAfterBind))
        off = "robustBufferAccessUpdateAfterBind is not offered by the device";
    if (!off.empty())
        capabilities.set(Capability::bindless, false, std::move(off));
}

} // namespace

std::string_view capability_name(Capability capability) {
    return names[static_cast<size_t>(capability)];
}

void Capabilities::set(Capability capability, bool enabled, std::string reason) {
    states_[static_cast<size_t>(capability)] = {enabled, std::move(reason)};
}

Capabilities Capabilities::decide(const DeviceOffer& offer, std::span<const std::string> disabled,
                                  bool surfaces) {
    Capabilities result;
    DeviceFeatures offered = offer.features;
    std::set<std::string> extensions = offer.extensions;
    std::set<std::string> hidden;

    for (const std::string& name : disabled) {
        if (name.starts_with("VK_")) {
            if (extensions.erase(name))
                hidden.insert(name);
        } else if (std::find(std::begin(names), std::end(names), name) == std::end(names)) {
            result.unknown_.push_back(name);
        }
    }
    const auto is_disabled = [&](std::string_view name) {
        return std::find(disabled.begin(), disabled.end(), name) != disabled.end();
    };
    if (!surfaces)
        extensions.erase("VK_KHR_swapchain");

    for (const CapabilityRule& rule : capability_rules()) {
        std::vector<std::string> found;
        std::string off;
        if (is_disabled(capability_name(rule.id)))
            off = "switched off by KOBALT_DISABLE";
        for (size_t i = 0; off.empty() && i < rule.needs.size(); ++i)
            if (!result.has(rule.needs[i]))
                off = "needs " + std::string(capability_name(rule.needs[i])) + ", which is off";
        for (size_t i = 0; off.empty() && i < rule.extensions.size(); ++i) {
            const std::string name = offered_extension(extensions, rule.extensions[i]);
            if (!name.empty())
                found.push_back(name);
            else if (!surfaces && rule.id == Capability::swapchain)
                off = "the instance has no surface extension";
            else if (!offered_extension(hidden, rule.extensions[i]).empty())
                off = extension_text(rule.extensions[i]) + " is hidden by KOBALT_DISABLE";
            else
                off = extension_text(rule.extensions[i]) + " is not offered by the device";
        }
        for (size_t i = 0; off.empty() && i < rule.required.size(); ++i)
            if (!rule.required[i].of(offered))
                off = std::string("feature ") + rule.required[i].name +
                      " is not offered by the device";

        if (!off.empty()) {
            result.set(rule.id, false, std::move(off));
            continue;
        }
        result.set(rule.id, true, "offered by the device");
        result.extensions_.insert(found.begin(), found.end());
        for (const FeatureBit& bit : rule.required)
            bit.of(result.features_) = VK_TRUE;
        for (const FeatureBit& bit : rule.optional)
            bit.of(result.features_) = bit.of(offered);
    }

    if (result.has(Capability::extended_dynamic_state3)) {
        result.features_.extended_dynamic_state3 = offered.extended_dynamic_state3;
        result.features_.extended_dynamic_state3.pNext = nullptr;
        trim_dynamic_state(result, result.features_);
    }
    // VkDeviceCreateInfo: with robustBufferAccess, update-after-bind of buffers needs
    // robustBufferAccessUpdateAfterBind.
    if (result.has(Capability::robust_buffer_access) &&
        !offer.properties.vulkan12.robustBufferAccessUpdateAfterBind) {
        auto& bits = result.features_.vulkan12;
        bits.descriptorBindingUniformTexelBufferUpdateAfterBind = VK_FALSE;
        bits.descriptorBindingStorageTexelBufferUpdateAfterBind = VK_FALSE;
    }
    trim_robustness(result, result.features_, offer.properties);
    trim_descriptor_buffers(result, offer.properties);
    trim_bindless(result, offer.properties);

    // The features of the device profile.
    auto& features = result.features_;
    features.vulkan12.timelineSemaphore = VK_TRUE;
    features.vulkan12.bufferDeviceAddress = VK_TRUE;
    features.vulkan12.hostQueryReset = VK_TRUE;
    features.vulkan12.descriptorIndexing = VK_TRUE;
    features.vulkan12.descriptorBindingPartiallyBound = VK_TRUE;
    features.vulkan12.runtimeDescriptorArray = VK_TRUE;
    features.vulkan12.separateDepthStencilLayouts = offered.vulkan12.separateDepthStencilLayouts;
    features.vulkan12.subgroupBroadcastDynamicId = offered.vulkan12.subgroupBroadcastDynamicId;
    features.vulkan13.dynamicRendering = VK_TRUE;
    features.vulkan13.synchronization2 = VK_TRUE;
    features.vulkan13.maintenance4 = VK_TRUE;
    return result;
}

std::vector<std::string> missing_from_profile(const DeviceOffer& offer) {
    std::vector<std::string> missing;
    const uint32_t version = offer.properties.core.apiVersion;
    if (version < VK_API_VERSION_1_3) {
        missing.push_back("Vulkan 1.3 (it has " + std::to_string(VK_API_VERSION_MAJOR(version)) +
                          "." + std::to_string(VK_API_VERSION_MINOR(version)) + ")");
        return missing;
    }
    const auto want = [&](VkBool32 bit, const char* name) {
        if (!bit)
            missing.push_back(std::string("feature ") + name);
    };
    const auto& v12 = offer.features.vulkan12;
    const auto& v13 = offer.features.vulkan13;
    want(v13.dynamicRendering, "dynamicRendering");
    want(v13.synchronization2, "synchronization2");
    want(v13.maintenance4, "maintenance4");
    want(v12.timelineSemaphore, "timelineSemaphore");
    want(v12.bufferDeviceAddress, "bufferDeviceAddress");
    want(v12.hostQueryReset, "hostQueryReset");
    want(v12.descriptorIndexing, "descriptorIndexing");
    want(v12.descriptorBindingPartiallyBound, "descriptorBindingPartiallyBound");
    want(v12.runtimeDescriptorArray, "runtimeDescriptorArray");
    return missing;
}

} // namespace kobalt::vulkan
