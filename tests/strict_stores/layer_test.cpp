// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <bit>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "strict_stores/seen.h"
#include "vulkan_layer/layer.h"

// Tests the layer between a mock program and a mock driver, without a loader.

extern "C" VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version);

extern "C" kobalt::strict_stores::Seen* kobalt_strict_stores_seen() {
    static kobalt::strict_stores::Seen seen;
    return &seen;
}

namespace kobalt::strict_stores {
namespace {

/// A dispatchable handle starts with its dispatch table. A device shares its table with its
/// command buffers.
struct Object {
    const void* table;
};
const int instance_table = 0, device_table = 0;
Object instance_object{&instance_table}, device_object{&device_table};
const auto instance = reinterpret_cast<VkInstance>(&instance_object);
const auto device = reinterpret_cast<VkDevice>(&device_object);
const auto commands = reinterpret_cast<VkCommandBuffer>(&device_object);

using Calls = std::vector<std::string>;
Calls reached; ///< calls that reached the mock driver, with what the layer may change

template <class... Values>
void note(const std::string& call, Values... values) {
    reached.push_back(call + (... + (" " + std::to_string(values))));
}

VKAPI_ATTR VkResult VKAPI_CALL driver_create_instance(const VkInstanceCreateInfo*,
                                                      const VkAllocationCallbacks*,
                                                      VkInstance* made) {
    *made = instance;
    return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL driver_create_device(VkPhysicalDevice, const VkDeviceCreateInfo*,
                                                    const VkAllocationCallbacks*, VkDevice* made) {
    *made = device;
    return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL driver_function_of_any_kind() {
    return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL driver_begin(VkCommandBuffer, const VkRenderingInfo* info) {
    note("pass", int{info->pDepthAttachment->loadOp}, int{info->pStencilAttachment->loadOp});
}
VKAPI_ATTR void VKAPI_CALL driver_clear(VkCommandBuffer, std::uint32_t count,
                                        const VkClearAttachment* attachments, std::uint32_t,
                                        const VkClearRect*) {
    for (std::uint32_t i = 0; i < count; ++i)
        note("clear", attachments[i].aspectMask);
}
VKAPI_ATTR void VKAPI_CALL driver_depth_write(VkCommandBuffer, VkBool32 enable) {
    note("depth", enable);
}
VKAPI_ATTR void VKAPI_CALL driver_stencil_mask(VkCommandBuffer, VkStencilFaceFlags faces,
                                               std::uint32_t mask) {
    note("stencil", faces, mask);
}

PFN_vkVoidFunction driver_function(const char* name) {
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    if (is("vkCreateInstance"))
        return layer::erased(driver_create_instance);
    if (is("vkCreateDevice"))
        return layer::erased(driver_create_device);
    if (is("vkCmdBeginRendering"))
        return layer::erased(driver_begin);
    if (is("vkCmdClearAttachments"))
        return layer::erased(driver_clear);
    if (is("vkCmdSetDepthWriteEnableEXT"))
        return layer::erased(driver_depth_write);
    // A device with the extension alone.
    if (is("vkCmdSetDepthWriteEnable") || is("vkCmdSetDepthWriteEnableKHR"))
        return nullptr;
    if (is("vkCmdSetStencilWriteMask"))
        return layer::erased(driver_stencil_mask);
    return layer::erased(driver_function_of_any_kind);
}
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL driver_instance_function(VkInstance, const char* name) {
    return driver_function(name);
}
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL driver_device_function(VkDevice, const char* name) {
    return driver_function(name);
}

constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT,
                             kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;

class StrictStoresLayer : public ::testing::Test {
protected:
    void SetUp() override {
        layer_.loaderLayerInterfaceVersion = 2;
        ASSERT_EQ(vkNegotiateLoaderLayerInterfaceVersion(&layer_), VK_SUCCESS);
        VkLayerInstanceLink instance_link{nullptr, driver_instance_function, nullptr};
        VkLayerInstanceCreateInfo instance_chain{VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO};
        instance_chain.function = VK_LAYER_LINK_INFO;
        instance_chain.u.pLayerInfo = &instance_link;
        VkInstanceCreateInfo instance_info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, &instance_chain};
        VkInstance made = VK_NULL_HANDLE;
        ASSERT_EQ(reinterpret_cast<PFN_vkCreateInstance>(layer_.pfnGetInstanceProcAddr(
                      VK_NULL_HANDLE, "vkCreateInstance"))(&instance_info, nullptr, &made),
                  VK_SUCCESS);
        VkLayerDeviceLink device_link{nullptr, driver_instance_function, driver_device_function};
        VkLayerDeviceCreateInfo device_chain{VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO};
        device_chain.function = VK_LAYER_LINK_INFO;
        device_chain.u.pLayerInfo = &device_link;
        VkDeviceCreateInfo device_info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &device_chain};
        VkDevice made_device = VK_NULL_HANDLE;
        ASSERT_EQ(reinterpret_cast<PFN_vkCreateDevice>(layer_.pfnGetInstanceProcAddr(
                      made, "vkCreateDevice"))(VK_NULL_HANDLE, &device_info, nullptr, &made_device),
                  VK_SUCCESS);
        begin_commands();
    }
    void TearDown() override {
        const auto end = [&](const char* name) {
            return layer_.pfnGetInstanceProcAddr(instance, name);
        };
        reinterpret_cast<PFN_vkDestroyDevice>(end("vkDestroyDevice"))(device, nullptr);
        reinterpret_cast<PFN_vkDestroyInstance>(end("vkDestroyInstance"))(instance, nullptr);
    }
    template <class Function>
    Function get(const char* name) const {
        return reinterpret_cast<Function>(layer_.pfnGetDeviceProcAddr(device, name));
    }
    void begin_commands() const {
        get<PFN_vkBeginCommandBuffer>("vkBeginCommandBuffer")(commands, nullptr);
        reached.clear();
    }
    void begin_pass(VkImageAspectFlags stored,
                    VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_LOAD) const {
        VkRenderingAttachmentInfo depth{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
        depth.imageView = std::bit_cast<VkImageView>(std::uint64_t{1});
        depth.loadOp = load;
        VkRenderingAttachmentInfo stencil = depth;
        const auto store = [stored](VkImageAspectFlags aspect) {
            return stored & aspect ? VK_ATTACHMENT_STORE_OP_STORE : VK_ATTACHMENT_STORE_OP_NONE;
        };
        depth.storeOp = store(kDepth);
        stencil.storeOp = store(kStencil);
        VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
        info.pDepthAttachment = &depth;
        info.pStencilAttachment = &stencil;
        get<PFN_vkCmdBeginRendering>("vkCmdBeginRendering")(commands, &info);
    }
    void end_pass() const { get<PFN_vkCmdEndRendering>("vkCmdEndRendering")(commands); }
    void set_depth_write(VkBool32 enable) const {
        get<PFN_vkCmdSetDepthWriteEnable>("vkCmdSetDepthWriteEnableEXT")(commands, enable);
    }
    void set_stencil_mask(VkStencilFaceFlags faces, std::uint32_t mask) const {
        get<PFN_vkCmdSetStencilWriteMask>("vkCmdSetStencilWriteMask")(commands, faces, mask);
    }
    void clear(VkImageAspectFlags aspects) const {
        const VkClearAttachment attachment{aspects, 0, {}};
        const VkClearRect area{{{0, 0}, {1, 1}}, 0, 1};
        get<PFN_vkCmdClearAttachments>("vkCmdClearAttachments")(commands, 1, &attachment, 1, &area);
    }

private:
    VkNegotiateLayerInterface layer_{LAYER_NEGOTIATE_INTERFACE_STRUCT};
};

TEST_F(StrictStoresLayer, DropsDepthThatIsNotStored) {
    set_depth_write(VK_TRUE);
    begin_pass(kStencil);
    set_depth_write(VK_TRUE);
    end_pass();
    begin_pass(kDepth | kStencil);
    EXPECT_EQ(reached, (Calls{"depth 1", "pass 0 0", "depth 0", "depth 0", "pass 0 0", "depth 1"}));
}

TEST_F(StrictStoresLayer, DropsStencilOfEachFace) {
    begin_pass(kDepth);
    set_stencil_mask(VK_STENCIL_FACE_BACK_BIT, 7);
    end_pass();
    begin_pass(kStencil);
    set_stencil_mask(VK_STENCIL_FACE_FRONT_AND_BACK, 5);
    set_stencil_mask(VK_STENCIL_FACE_FRONT_BIT, 3);
    end_pass();
    begin_pass(kStencil);
    EXPECT_EQ(reached, (Calls{"pass 0 0", "stencil 2 0", "pass 0 0", "stencil 2 7", "stencil 3 5",
                              "stencil 1 3", "pass 0 0", "stencil 1 3", "stencil 2 5"}));
}

TEST_F(StrictStoresLayer, DropsClearsInPasses) {
    begin_pass(kStencil);
    clear(kDepth);
    clear(kDepth | kStencil);
    clear(VK_IMAGE_ASPECT_COLOR_BIT);
    EXPECT_EQ(reached, (Calls{"pass 0 0", "clear 4", "clear 1"}));
}

TEST_F(StrictStoresLayer, DropsClearsThatBeginPasses) {
    begin_pass(kStencil, VK_ATTACHMENT_LOAD_OP_CLEAR);
    end_pass();
    begin_pass(kDepth, VK_ATTACHMENT_LOAD_OP_CLEAR);
    EXPECT_EQ(reached, (Calls{"pass 0 1", "pass 1 0"}));
}

TEST_F(StrictStoresLayer, SetsOnlyWhatTheCommandBufferSet) {
    set_depth_write(VK_TRUE);
    set_stencil_mask(VK_STENCIL_FACE_FRONT_AND_BACK, 5);
    begin_commands(); // without an end
    begin_pass(0);
    EXPECT_EQ(reached, Calls{"pass 0 0"});
    set_depth_write(VK_TRUE);
    get<PFN_vkEndCommandBuffer>("vkEndCommandBuffer")(commands);
    begin_commands();
    begin_pass(0);
    EXPECT_EQ(reached, Calls{"pass 0 0"});
}

TEST_F(StrictStoresLayer, TellsTheProgramWhatItSaw) {
    const Seen& seen = *kobalt_strict_stores_seen();
    EXPECT_GT(seen.devices, 0U);
    const std::uint32_t depth = seen.depth_unstored, stencil = seen.stencil_unstored;
    begin_pass(kStencil);
    end_pass();
    begin_pass(kDepth | kStencil);
    EXPECT_EQ(seen.depth_unstored, depth + 1);
    EXPECT_EQ(seen.stencil_unstored, stencil);
}

} // namespace
} // namespace kobalt::strict_stores
