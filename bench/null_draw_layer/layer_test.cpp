// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cstring>
#include <gtest/gtest.h>
#include <vulkan/vk_layer.h>

// Tests the layer between a mock program and a mock driver, without a loader.

extern "C" VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version);

namespace {

/// A dispatchable handle starts with its dispatch table.
struct Object {
    const void* table;
};
const int instance_table = 0, device_table = 0;
Object instance_object{&instance_table}, device_object{&device_table};
const auto instance = reinterpret_cast<VkInstance>(&instance_object);
const auto device = reinterpret_cast<VkDevice>(&device_object);

VKAPI_ATTR void VKAPI_CALL driver_command() {}

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

PFN_vkVoidFunction driver_function(const char* name) {
    if (std::strcmp(name, "vkCreateInstance") == 0)
        return reinterpret_cast<PFN_vkVoidFunction>(driver_create_instance);
    if (std::strcmp(name, "vkCreateDevice") == 0)
        return reinterpret_cast<PFN_vkVoidFunction>(driver_create_device);
    return std::strcmp(name, "vkCmdUnknown") == 0 ? nullptr : driver_command;
}
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL driver_instance_function(VkInstance, const char* name) {
    return driver_function(name);
}
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL driver_device_function(VkDevice, const char* name) {
    return driver_function(name);
}

class NullDrawLayer : public ::testing::Test {
protected:
    void SetUp() override {
        layer.loaderLayerInterfaceVersion = 2;
        ASSERT_EQ(vkNegotiateLoaderLayerInterfaceVersion(&layer), VK_SUCCESS);
        VkLayerInstanceLink instance_link{nullptr, driver_instance_function, nullptr};
        VkLayerInstanceCreateInfo instance_chain{VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO};
        instance_chain.function = VK_LAYER_LINK_INFO;
        instance_chain.u.pLayerInfo = &instance_link;
        VkInstanceCreateInfo instance_info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, &instance_chain};
        const auto create_instance = reinterpret_cast<PFN_vkCreateInstance>(
            layer.pfnGetInstanceProcAddr(VK_NULL_HANDLE, "vkCreateInstance"));
        VkInstance made = VK_NULL_HANDLE;
        ASSERT_EQ(create_instance(&instance_info, nullptr, &made), VK_SUCCESS);

        VkLayerDeviceLink device_link{nullptr, driver_instance_function, driver_device_function};
        VkLayerDeviceCreateInfo device_chain{VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO};
        device_chain.function = VK_LAYER_LINK_INFO;
        device_chain.u.pLayerInfo = &device_link;
        VkDeviceCreateInfo device_info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &device_chain};
        const auto create_device = reinterpret_cast<PFN_vkCreateDevice>(
            layer.pfnGetInstanceProcAddr(made, "vkCreateDevice"));
        VkDevice made_device = VK_NULL_HANDLE;
        ASSERT_EQ(create_device(VK_NULL_HANDLE, &device_info, nullptr, &made_device), VK_SUCCESS);
    }
    void TearDown() override {
        const auto end = [&](const char* name) {
            return layer.pfnGetInstanceProcAddr(instance, name);
        };
        reinterpret_cast<PFN_vkDestroyDevice>(end("vkDestroyDevice"))(device, nullptr);
        reinterpret_cast<PFN_vkDestroyInstance>(end("vkDestroyInstance"))(instance, nullptr);
    }
    bool reaches_driver(const char* name) {
        return layer.pfnGetDeviceProcAddr(device, name) == driver_command;
    }
    VkNegotiateLayerInterface layer{LAYER_NEGOTIATE_INTERFACE_STRUCT};
};

TEST_F(NullDrawLayer, SwallowsCommands) {
    for (const char* name : {"vkCmdDraw", "vkCmdDispatch", "vkCmdBindPipeline", "vkCmdCopyBuffer",
                             "vkCmdPipelineBarrier2"}) {
        EXPECT_FALSE(reaches_driver(name)) << name;
        EXPECT_TRUE(layer.pfnGetDeviceProcAddr(device, name)) << name;
        EXPECT_EQ(layer.pfnGetInstanceProcAddr(instance, name),
                  layer.pfnGetDeviceProcAddr(device, name));
    }
}

// Shader objects are bound and all their state is set by commands; descriptors are bound, pushed
// and given offsets in either form.
TEST_F(NullDrawLayer, SwallowsShaderObjectsAndDescriptors) {
    for (const char* name :
         {"vkCmdBindShadersEXT", "vkCmdSetVertexInputEXT", "vkCmdSetPolygonModeEXT",
          "vkCmdSetColorBlendEquationEXT", "vkCmdSetDepthClampRangeEXT", "vkCmdBindDescriptorSets2",
          "vkCmdPushConstants2KHR", "vkCmdPushDescriptorSetKHR", "vkCmdPushDescriptorSet",
          "vkCmdPushDescriptorSetWithTemplate2KHR", "vkCmdBindDescriptorBuffersEXT",
          "vkCmdSetDescriptorBufferOffsetsEXT", "vkCmdSetDescriptorBufferOffsets2EXT"})
        EXPECT_FALSE(reaches_driver(name)) << name;
    for (const char* name :
         {"vkCreateShadersEXT", "vkDestroyShaderEXT", "vkGetShaderBinaryDataEXT"})
        EXPECT_TRUE(reaches_driver(name)) << name;
}

TEST_F(NullDrawLayer, PassesOnEverythingElse) {
    for (const char* name :
         {"vkQueueSubmit2", "vkGetDescriptorEXT", "vkBeginCommandBuffer", "vkCreateBuffer",
          "vkCmdBeginQuery", "vkCmdWriteTimestamp2", "vkCmdCopyQueryPoolResults"})
        EXPECT_TRUE(reaches_driver(name)) << name;
}

TEST_F(NullDrawLayer, HasNoCommandThatTheDriverLacks) {
    EXPECT_FALSE(layer.pfnGetDeviceProcAddr(device, "vkCmdUnknown"));
}

} // namespace
