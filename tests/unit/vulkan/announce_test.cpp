// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Tests what test runs rely on: that the driver announces the enabled validation layer, and that
// the layer with synchronisation validation reports a hazard at all.

#include "compute_harness.h"

#include "vulkan/instance/validation_suppressions.h"

namespace kobalt::vulkan::test {
namespace {

InstanceOptions options_for(const CapturedLog& captured, bool validation,
                            std::vector<std::string> debug) {
    InstanceOptions options;
    options.environment = Environment::from_process();
    options.environment.validation = validation;
    options.environment.debug = std::move(debug);
    options.log = captured.log();
    return options;
}

/// The log of an instance with these switches.
std::string announced(bool validation, std::vector<std::string> debug) {
    CapturedLog captured;
    const auto instance = Instance::create(options_for(captured, validation, std::move(debug)));
    EXPECT_TRUE(instance.has_value());
    return captured.text();
}

TEST(Announce, NothingIsSaidWithoutBeingAsked) {
    EXPECT_EQ(announced(false, {}), "");
    EXPECT_EQ(announced(true, {"sync"}), "");
}

TEST(Announce, TheLayerIsNamedOnlyWhereItIsOn) {
    EXPECT_EQ(announced(false, {"announce", "sync"}), "started, no validation layer is on\n");
    EXPECT_EQ(announced(true, {"announce"}), "started, VK_LAYER_KHRONOS_validation is on\n");
    EXPECT_EQ(announced(true, {"sync", "announce"}),
              "started, VK_LAYER_KHRONOS_validation is on, with synchronisation\n");
}

// KOBALT_DEBUG=descriptors enables the layer by itself, and the layer's shader instrumentation.
TEST(Announce, DescriptorsAreCheckedOnTheGpu) {
    EXPECT_EQ(announced(false, {"announce", "descriptors"}),
              "started, VK_LAYER_KHRONOS_validation is on, GPU-assisted\n");
    EXPECT_EQ(announced(true, {"announce", "descriptors", "sync"}),
              "started, VK_LAYER_KHRONOS_validation is on, with synchronisation, GPU-assisted\n");
}

class Hazards : public ::testing::Test {
protected:
    /// The messages about two fills of one buffer, with or without a barrier between them.
    static std::string fill_twice(std::vector<std::string> debug, bool barrier) {
        CapturedLog captured;
        auto instance = Instance::create(options_for(captured, true, std::move(debug)));
        EXPECT_TRUE(instance.has_value());
        auto selection = select_physical_device(**instance);
        EXPECT_TRUE(selection.has_value());
        auto device = Device::create(*instance, selection->device());
        EXPECT_TRUE(device.has_value());
        record(**device, barrier);
        return captured.text();
    }

private:
    /// 64 words are filled, and filled again.
    static void record(Device& device, bool barrier) {
        auto buffer = storage_buffer(device, 64, MemoryKind::device_local);
        ASSERT_TRUE(buffer.has_value());
        CommandPools pools(device, device.graphics());
        auto pool = pools.acquire();
        ASSERT_TRUE(pool.has_value());
        auto commands = (*pool)->begin();
        ASSERT_TRUE(commands.has_value());
        device.vk().CmdFillBuffer(*commands, buffer->handle(), 0, 256, 1);
        if (barrier) {
            auto memory = vk_struct<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
            memory.srcAccessMask = memory.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
            device.vk().CmdPipelineBarrier(*commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                           VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &memory, 0,
                                           nullptr, 0, nullptr);
        }
        device.vk().CmdFillBuffer(*commands, buffer->handle(), 0, 256, 2);
        ASSERT_TRUE((*pool)->end(*commands).has_value());
        const auto value = device.graphics().submit({&*commands, 1}, {});
        ASSERT_TRUE(value.has_value());
        pools.release(std::move(*pool), *value);
        ASSERT_TRUE(device.graphics().wait_idle().has_value());
    }
};

TEST_F(Hazards, SynchronisationValidationSeesOne) {
    EXPECT_NE(fill_twice({"sync"}, false).find("SYNC-HAZARD-WRITE-AFTER-WRITE"), std::string::npos);
    EXPECT_EQ(fill_twice({"sync"}, true), "");
    EXPECT_EQ(fill_twice({}, false), "") << "it is what sync switches on";
}

TEST(Suppressions, EachAsksForWordsAndHasAProof) {
    for (const Suppression& suppression : validation_suppressions()) {
        EXPECT_GT(suppression.contains.size(), 10u) << suppression.message_id;
        EXPECT_GT(suppression.proof.size(), 40u) << suppression.message_id;
    }
}

} // namespace
} // namespace kobalt::vulkan::test
