// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "test_device.h"

#include <cstdlib>

#include <dlfcn.h>

namespace kobalt::vulkan::test {
namespace {

TEST(InstanceTest, NoLoaderIsOneClearError) {
    InstanceOptions options;
    options.environment.loader = "/nonexistent/libvulkan.so.1";
    const auto instance = Instance::create(std::move(options));
    ASSERT_FALSE(instance.has_value());
    const std::string text = instance.error().to_string();
    EXPECT_NE(text.find("/nonexistent/libvulkan.so.1"), std::string::npos) << text;
    EXPECT_NE(text.find("libvulkan1"), std::string::npos)
        << "it must say what to install: " << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << "one line";
}

TEST(InstanceTest, ALibraryThatIsNoLoader) {
    InstanceOptions options;
    options.environment.loader = "libm.so.6";
    const auto instance = Instance::create(std::move(options));
    ASSERT_FALSE(instance.has_value());
    EXPECT_NE(instance.error().to_string().find("not a Vulkan loader"), std::string::npos);
}

// The real loader opens and closes each driver for the enumeration, which takes tens of
// milliseconds.
TEST(InstanceTest, ExtensionsAreEnumeratedOnce) {
    void* const library = dlopen(KOBALT_COUNTING_LOADER, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    const auto counted = reinterpret_cast<int (*)()>(dlsym(library, "kobalt_counted_enumerations"));
    ASSERT_NE(counted, nullptr);
    InstanceOptions options;
    options.environment.loader = KOBALT_COUNTING_LOADER;
    const int before = counted(); // another test may have opened the library
    KOBALT_VALUE(instance, Instance::create(std::move(options)));
    EXPECT_TRUE(instance->has_extension("VK_KHR_surface"));
    EXPECT_EQ(counted() - before, 1);
    instance.reset();
    dlclose(library);
}

TEST(InstanceTest, MissingValidationLayerIsAWarning) {
    if (std::getenv("KOBALT_VALIDATION"))
        GTEST_SKIP() << "the layer is installed";
    CapturedLog captured;
    InstanceOptions options;
    options.environment.validation = true;
    options.log = captured.log();
    KOBALT_VALUE(instance, Instance::create(std::move(options)));
    if (instance->validation())
        GTEST_SKIP() << "the layer is installed";
    EXPECT_EQ(captured.count(LogLevel::warning), 1u);
    EXPECT_NE(captured.text().find("VK_LAYER_KHRONOS_validation"), std::string::npos);
}

TEST(InstanceTest, ValidationMessagesAreCounted) {
    // The other tests check for zero messages, which would mean nothing if messages got lost.
    CapturedLog captured;
    InstanceOptions options;
    options.environment = Environment::from_process();
    options.environment.validation = true;
    options.log = captured.log();
    KOBALT_VALUE(instance, Instance::create(std::move(options)));
    if (!instance->validation())
        GTEST_SKIP() << "the validation layer is not installed";
    KOBALT_VALUE(selection, select_physical_device(*instance));
    KOBALT_VALUE(device, Device::create(instance, selection.device()));
    EXPECT_EQ(instance->validation_messages(), 0u) << captured.text();
    auto info = vk_struct<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
    info.minLod = 2.0f; // VUID-VkSamplerCreateInfo-maxLod-01973: maxLod must not be less
    VkSampler sampler = VK_NULL_HANDLE;
    ASSERT_EQ(device->vk().CreateSampler(device->handle(), &info, nullptr, &sampler), VK_SUCCESS);
    device->vk().DestroySampler(device->handle(), sampler, nullptr);
    EXPECT_EQ(instance->validation_messages(), 1u);
    EXPECT_NE(captured.text().find("VUID-VkSamplerCreateInfo-maxLod-01973"), std::string::npos)
        << captured.text();
}

TEST(InstanceTest, EnvironmentIsRead) {
    setenv("KOBALT_DISABLE", " a, ,b ,VK_EXT_c,", 1);
    setenv("KOBALT_DEVICE", "llvmpipe", 1);
    setenv("KOBALT_CACHE_MAX_MB", "3", 1);
    setenv("KOBALT_DEBUG", "names,sync", 1);
    setenv("KOBALT_WINDOWS", "cpu", 1);
    const Environment environment = Environment::from_process();
    unsetenv("KOBALT_DISABLE");
    unsetenv("KOBALT_DEVICE");
    unsetenv("KOBALT_CACHE_MAX_MB");
    unsetenv("KOBALT_DEBUG");
    unsetenv("KOBALT_WINDOWS");
    EXPECT_EQ(environment.windows, "cpu");
    EXPECT_EQ(environment.disabled, (std::vector<std::string>{"a", "b", "VK_EXT_c"}));
    EXPECT_EQ(environment.device, "llvmpipe");
    EXPECT_EQ(environment.cache_max_bytes, 3u << 20);
    EXPECT_TRUE(environment.debug_names);
    EXPECT_TRUE(environment.has_debug("sync"));
    EXPECT_FALSE(environment.has_debug("sy"));
}

TEST(InstanceTest, ErrorText) {
    const Error error{VK_ERROR_OUT_OF_DEVICE_MEMORY, "creating a buffer", "\"x\", 4 bytes"};
    EXPECT_EQ(error.to_string(),
              "creating a buffer on \"x\", 4 bytes: VK_ERROR_OUT_OF_DEVICE_MEMORY");
    EXPECT_EQ(result_name(static_cast<VkResult>(12345)), "VkResult(12345)");
    EXPECT_EQ(size_text(512), "512 B");
    EXPECT_EQ(size_text(3u << 19), "1.5 MiB");
}

} // namespace
} // namespace kobalt::vulkan::test
