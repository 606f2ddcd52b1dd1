// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "test_device.h"

#include "vulkan/capabilities/bindless_limits.h"
#include "vulkan/capabilities/capability_rules.h"
#include "vulkan/capabilities/device_chain.h"

namespace kobalt::vulkan::test {
namespace {

/// A device that offers everything the rules ask for.
DeviceOffer generous() {
    DeviceOffer offer;
    offer.properties.core.apiVersion = VK_API_VERSION_1_3;
    for (const CapabilityRule& rule : capability_rules()) {
        for (const char* either : rule.extensions) {
            const std::string name = either;
            offer.extensions.insert(name.substr(0, name.find('|')));
        }
        for (const FeatureBit& bit : rule.required)
            bit.of(offer.features) = VK_TRUE;
        for (const FeatureBit& bit : rule.optional)
            bit.of(offer.features) = VK_TRUE;
    }
    auto& eds3 = offer.features.extended_dynamic_state3;
    eds3.extendedDynamicState3PolygonMode = VK_TRUE;
    eds3.extendedDynamicState3LineStippleEnable = VK_TRUE;
    eds3.extendedDynamicState3ProvokingVertexMode = VK_TRUE;
    VkPhysicalDeviceLimits& limits = offer.properties.core.limits;
    limits.maxPerStageDescriptorSamplers = limits.maxDescriptorSetSamplers = 1'000'000;
    limits.maxPerStageDescriptorSampledImages = limits.maxDescriptorSetSampledImages = 1'000'000;
    limits.maxPerStageDescriptorStorageImages = limits.maxDescriptorSetStorageImages = 1'000'000;
    limits.maxPerStageResources = 1'000'000;
    auto& v12 = offer.properties.vulkan12;
    v12.robustBufferAccessUpdateAfterBind = VK_TRUE;
    v12.maxPerStageDescriptorUpdateAfterBindSamplers = 1'000'000;
    v12.maxDescriptorSetUpdateAfterBindSamplers = 1'000'000;
    v12.maxPerStageDescriptorUpdateAfterBindSampledImages = 1'000'000;
    v12.maxDescriptorSetUpdateAfterBindSampledImages = 1'000'000;
    v12.maxPerStageDescriptorUpdateAfterBindStorageImages = 1'000'000;
    v12.maxDescriptorSetUpdateAfterBindStorageImages = 1'000'000;
    v12.maxPerStageUpdateAfterBindResources = 1'000'000;
    v12.maxUpdateAfterBindDescriptorsInAllPools = 1'000'000;
    auto& buffers = offer.properties.descriptor_buffer;
    buffers.maxDescriptorBufferBindings = buffers.maxSamplerDescriptorBufferBindings =
        buffers.maxResourceDescriptorBufferBindings = 3;
    buffers.maxSamplerDescriptorBufferRange = buffers.maxResourceDescriptorBufferRange = 1u << 30;
    buffers.descriptorBufferAddressSpaceSize = buffers.samplerDescriptorBufferAddressSpaceSize =
        buffers.resourceDescriptorBufferAddressSpaceSize = 1u << 30;
    buffers.combinedImageSamplerDescriptorSize = 96;
    buffers.sampledImageDescriptorSize = 64;
    buffers.samplerDescriptorSize = 32;
    buffers.uniformTexelBufferDescriptorSize = buffers.robustUniformTexelBufferDescriptorSize = 64;
    buffers.storageImageDescriptorSize = 64;
    buffers.storageTexelBufferDescriptorSize = buffers.robustStorageTexelBufferDescriptorSize = 64;
    return offer;
}

TEST(Capabilities, EveryOneIsDecidedOnce) {
    std::vector<int> rules(capability_count, 0);
    for (const CapabilityRule& rule : capability_rules()) {
        ++rules[static_cast<size_t>(rule.id)];
        for (const Capability needed : rule.needs)
            EXPECT_EQ(rules[static_cast<size_t>(needed)], 1)
                << capability_name(rule.id) << " comes before what it needs";
    }
    for (size_t i = 0; i < capability_count; ++i) {
        const auto capability = static_cast<Capability>(i);
        // Known only once the queues are chosen.
        const bool queue = capability == Capability::dedicated_transfer_queue ||
                           capability == Capability::dedicated_compute_queue;
        EXPECT_EQ(rules[i], queue ? 0 : 1) << capability_name(capability);
    }
}

TEST(Capabilities, EverythingOfferedIsOn) {
    const Capabilities all = Capabilities::decide(generous(), {}, true);
    for (const CapabilityRule& rule : capability_rules()) {
        EXPECT_TRUE(all.has(rule.id))
            << capability_name(rule.id) << ": " << all.state(rule.id).reason;
        EXPECT_EQ(all.state(rule.id).reason, "offered by the device");
    }
    EXPECT_TRUE(all.features().extended_dynamic_state3.extendedDynamicState3PolygonMode);
}

TEST(Capabilities, NothingOfferedIsOffWithTheReason) {
    const Capabilities none = Capabilities::decide({}, {}, true);
    EXPECT_FALSE(none.has(Capability::descriptor_buffer));
    EXPECT_EQ(none.state(Capability::descriptor_buffer).reason,
              "VK_EXT_descriptor_buffer is not offered by the device");
    EXPECT_EQ(none.state(Capability::logic_op).reason,
              "feature core.logicOp is not offered by the device");
    EXPECT_TRUE(none.extensions().empty());
}

TEST(Capabilities, EachOneCanBeSwitchedOff) {
    const DeviceOffer offer = generous();
    for (const CapabilityRule& rule : capability_rules()) {
        const std::vector<std::string> names = {std::string(capability_name(rule.id))};
        const Capabilities without = Capabilities::decide(offer, names, true);
        EXPECT_FALSE(without.has(rule.id)) << names[0];
        EXPECT_EQ(without.state(rule.id).reason, "switched off by KOBALT_DISABLE");
        EXPECT_TRUE(without.unknown_names().empty());
        // A capability that is off enables nothing: bits that only this capability turns on are off
        // on the device.
        Capabilities changed = without;
        for (const FeatureBit& bit : rule.required) {
            DeviceFeatures features = without.features();
            const std::string name = bit.name;
            if (name.find("descriptorBindingPartiallyBound") != std::string::npos ||
                name.find("runtimeDescriptorArray") != std::string::npos)
                continue; // part of the profile
            EXPECT_FALSE(bit.of(features)) << name << " is on though " << names[0] << " is off";
        }
    }
}

TEST(Capabilities, WhatNeedsItGoesOffToo) {
    const std::vector<std::string> names = {"line_rasterization", "provoking_vertex"};
    const Capabilities without = Capabilities::decide(generous(), names, true);
    EXPECT_FALSE(without.has(Capability::stippled_rectangular_lines));
    EXPECT_EQ(without.state(Capability::stippled_rectangular_lines).reason,
              "needs line_rasterization, which is off");
    const auto& eds3 = without.features().extended_dynamic_state3;
    EXPECT_FALSE(eds3.extendedDynamicState3LineStippleEnable);
    EXPECT_FALSE(eds3.extendedDynamicState3ProvokingVertexMode);
    EXPECT_TRUE(eds3.extendedDynamicState3PolygonMode);
}

TEST(Capabilities, EitherExtensionWillDo) {
    DeviceOffer offer = generous();
    offer.extensions.erase("VK_EXT_line_rasterization");
    EXPECT_FALSE(Capabilities::decide(offer, {}, true).has(Capability::line_rasterization));
    offer.extensions.insert("VK_KHR_line_rasterization");
    const Capabilities khr = Capabilities::decide(offer, {}, true);
    EXPECT_TRUE(khr.has(Capability::line_rasterization));
    EXPECT_TRUE(khr.has_extension("VK_KHR_line_rasterization"));
}

TEST(Capabilities, Vulkan14StandsInForExtensionsThatAreNotListed) {
    DeviceOffer offer = generous();
    offer.extensions.erase("VK_KHR_push_descriptor");
    EXPECT_FALSE(Capabilities::decide(offer, {}, true).has(Capability::push_descriptors));
    offer.extensions.insert(core_1_4);
    const Capabilities core = Capabilities::decide(offer, {}, true);
    EXPECT_TRUE(core.has(Capability::push_descriptors));

    // The Vulkan 1.4 structure takes over the bits of extension structures, which then must not be
    // chained.
    DeviceFeatures features = core.features();
    const std::set<std::string> chained = merge_core_1_4(features, core.extensions());
    EXPECT_FALSE(chained.contains("VK_KHR_maintenance5"));
    EXPECT_TRUE(chained.contains("VK_EXT_robustness2"));
    EXPECT_TRUE(features.vulkan14.pushDescriptor);
    EXPECT_TRUE(features.vulkan14.maintenance5);
    EXPECT_TRUE(features.vulkan14.hostImageCopy);
    bool linked = false;
    for (auto* next = static_cast<VkBaseOutStructure*>(chain(features, chained, true)); next;
         next = next->pNext) {
        linked |= next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES;
        EXPECT_NE(next->sType, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_6_FEATURES_KHR);
        EXPECT_NE(next->sType, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_KHR);
    }
    EXPECT_TRUE(linked);

    // Where the device lists the extension, nothing changes.
    const Capabilities listed = Capabilities::decide(generous(), {}, true);
    EXPECT_FALSE(listed.has_extension(core_1_4));
    DeviceFeatures same = listed.features();
    EXPECT_EQ(merge_core_1_4(same, listed.extensions()), listed.extensions());
}

TEST(Capabilities, AnExtensionCanBeHidden) {
    const std::vector<std::string> names = {"VK_EXT_robustness2"};
    const Capabilities without = Capabilities::decide(generous(), names, true);
    EXPECT_FALSE(without.has(Capability::null_descriptor));
    EXPECT_EQ(without.state(Capability::null_descriptor).reason,
              "VK_EXT_robustness2 is hidden by KOBALT_DISABLE");
}

// Robust access costs time, so only pipelines that request it have it.
TEST(Capabilities, RobustnessIsLeftToPipelinesWhereTheyCanAsk) {
    DeviceOffer offer = generous();
    const auto decide = [&](std::vector<std::string> disabled = {}) {
        return Capabilities::decide(offer, disabled, true);
    };
    Capabilities some = decide();
    EXPECT_TRUE(some.has(Capability::robust_buffer_access));
    EXPECT_TRUE(some.has(Capability::robust_buffer_access2));
    EXPECT_TRUE(some.features().pipeline_robustness.pipelineRobustness);
    EXPECT_FALSE(some.features().core.robustBufferAccess);
    EXPECT_FALSE(some.features().robustness2.robustBufferAccess2);
    EXPECT_TRUE(some.features().robustness2.nullDescriptor);
    EXPECT_TRUE(some.features().vulkan13.robustImageAccess);
    const auto on_the_device = [](const Capabilities& found) {
        return !found.has(Capability::pipeline_robustness) &&
               !found.features().pipeline_robustness.pipelineRobustness &&
               found.features().core.robustBufferAccess &&
               found.features().robustness2.robustBufferAccess2;
    };
    EXPECT_TRUE(on_the_device(decide({"pipeline_robustness"})));
    // A descriptor buffer holds descriptors of one size for robust and other pipelines.
    offer.properties.descriptor_buffer.robustStorageBufferDescriptorSize = 128;
    EXPECT_TRUE(on_the_device(decide()));
    EXPECT_FALSE(on_the_device(decide({"descriptor_buffer"})));
}

TEST(Capabilities, UnknownNamesAreReported) {
    const std::vector<std::string> names = {"descriptor_bufer"};
    const Capabilities result = Capabilities::decide(generous(), names, true);
    ASSERT_EQ(result.unknown_names().size(), 1u);
    EXPECT_EQ(result.unknown_names()[0], "descriptor_bufer");
}

TEST(Capabilities, NoSurfaceNoSwapchain) {
    const Capabilities result = Capabilities::decide(generous(), {}, false);
    EXPECT_FALSE(result.has(Capability::swapchain));
    EXPECT_FALSE(result.has_extension("VK_KHR_swapchain"));
}

TEST(Capabilities, BindlessIsSizedByTheLimitsOfTheBackend) {
    DeviceOffer offer = generous();
    EXPECT_EQ(bindless_limits(offer.properties, BindlessStorage::buffer).textures, 500'001u);
    EXPECT_EQ(bindless_limits(offer.properties, BindlessStorage::set).textures, 500'001u);
    // Each backend has limits of its own.
    offer.properties.core.limits.maxPerStageDescriptorSamplers = 16;
    EXPECT_EQ(bindless_limits(offer.properties, BindlessStorage::buffer).textures, 0u);
    EXPECT_EQ(bindless_limits(offer.properties, BindlessStorage::set).textures, 500'001u);
    const std::vector<std::string> names = {"descriptor_buffer"};
    EXPECT_FALSE(Capabilities::decide(offer, {}, true).has(Capability::bindless));
    EXPECT_TRUE(Capabilities::decide(offer, names, true).has(Capability::bindless));

    // A descriptor buffer has a limited size, and the rings take a part of it.
    offer = generous();
    offer.properties.descriptor_buffer.samplerDescriptorBufferAddressSpaceSize = 64u << 20;
    const BindlessLimits small = bindless_limits(offer.properties, BindlessStorage::buffer);
    const uint64_t others =
        uint64_t{small.texel_buffers} + uint64_t{small.images} + uint64_t{small.image_texels};
    EXPECT_LE(uint64_t{small.textures} * 96 + others * 64, 32u << 20);
    EXPECT_GT(small.textures, 200'000u);

    // Texel buffers count as sampled images, too, and room is left for the stages' own sets.
    offer = generous();
    offer.properties.vulkan12.maxPerStageUpdateAfterBindResources = 10'000;
    const BindlessLimits few = bindless_limits(offer.properties, BindlessStorage::set);
    EXPECT_LE(few.textures + few.texel_buffers + few.images + few.image_texels, 10'000u - 5 * 192);
    EXPECT_GE(few.textures, least_bindless_textures);
    EXPECT_GE(few.images, least_bindless_images);
    EXPECT_GE(few.image_texels, least_bindless_images);
}

TEST(Capabilities, BindlessSharesTheOnlyDescriptorBufferWithTheRings) {
    DeviceOffer offer = generous();
    EXPECT_EQ(bindless_storage(Capabilities::decide(offer, {}, true)), BindlessStorage::buffer);
    offer.properties.descriptor_buffer.maxSamplerDescriptorBufferBindings = 1;
    offer.properties.descriptor_buffer.maxResourceDescriptorBufferRange = 64u << 20;
    const Capabilities result = Capabilities::decide(offer, {}, true);
    EXPECT_EQ(result.state(Capability::several_descriptor_buffers).reason,
              "the device binds one descriptor buffer at a time");
    EXPECT_TRUE(result.has(Capability::bindless));
    EXPECT_EQ(bindless_storage(result), BindlessStorage::shared_buffer);
    EXPECT_EQ(shared_ring_bytes(offer.properties), 32u << 20);
    const BindlessLimits limits = bindless_limits(offer.properties, BindlessStorage::shared_buffer);
    const uint64_t others =
        uint64_t{limits.texel_buffers} + uint64_t{limits.images} + uint64_t{limits.image_texels};
    EXPECT_LE(uint64_t{limits.textures} * 96 + others * 64, 32u << 20);
    EXPECT_GT(limits.textures, 200'000u);
    const std::vector<std::string> names = {"descriptor_buffer"};
    EXPECT_EQ(bindless_storage(Capabilities::decide(offer, names, true)), BindlessStorage::set);
}

TEST(Capabilities, BindlessGoesOffWithTheReason) {
    DeviceOffer offer = generous();
    offer.properties.core.limits.maxPerStageResources = 1500;
    Capabilities result = Capabilities::decide(offer, {}, true);
    EXPECT_FALSE(result.has(Capability::bindless));
    EXPECT_NE(result.state(Capability::bindless).reason.find("of at least 1024"),
              std::string::npos);

    offer = generous();
    offer.properties.core.limits.maxDescriptorSetStorageImages = 1030;
    result = Capabilities::decide(offer, {}, true);
    EXPECT_FALSE(result.has(Capability::bindless));
    EXPECT_NE(result.state(Capability::bindless).reason.find("image handles"), std::string::npos);

    offer = generous();
    offer.properties.vulkan12.robustBufferAccessUpdateAfterBind = VK_FALSE;
    EXPECT_TRUE(Capabilities::decide(offer, {}, true).has(Capability::bindless));
    const std::vector<std::string> names = {"descriptor_buffer"};
    EXPECT_FALSE(Capabilities::decide(offer, names, true).has(Capability::bindless));
}

class DisabledDevice : public VulkanTest {};

TEST_F(DisabledDevice, EachCapabilityAloneAndAllTogether) {
    std::vector<std::string> all;
    for (const char* name : {"graphics_pipeline_library", "descriptor_buffer",
                             "extended_dynamic_state3", "robust_buffer_access", "swapchain"}) {
        make_device({{name}, false});
        all.emplace_back(name);
        for (size_t i = 0; i < capability_count; ++i) {
            const auto capability = static_cast<Capability>(i);
            if (capability_name(capability) == name) {
                EXPECT_FALSE(device_->has(capability));
            }
        }
    }
    for (size_t i = 0; i < capability_count; ++i)
        all.emplace_back(capability_name(static_cast<Capability>(i)));
    make_device({all, true});
    EXPECT_TRUE(device_->capabilities().extensions().empty());
    EXPECT_EQ(device_->vk().GetDescriptorEXT == nullptr, true)
        << "a command of an extension that is off can still be called";
}

TEST_F(DisabledDevice, AMisspeltNameWarns) {
    make_device({{"descriptor_bufer"}, false});
    EXPECT_NE(captured_.text().find("descriptor_bufer"), std::string::npos);
}

} // namespace
} // namespace kobalt::vulkan::test
