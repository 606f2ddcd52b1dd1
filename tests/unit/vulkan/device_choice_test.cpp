// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "test_device.h"

#include "vulkan/instance/device_choice.h"

#include <cstdlib>
#include <filesystem>

#include <dlfcn.h>

namespace kobalt::vulkan::test {
namespace {

InstanceOptions options_for(const std::string& device, const std::string& prime = {}) {
    InstanceOptions options;
    options.environment.device = device;
    options.environment.dri_prime = prime;
    return options;
}

class CountedChoice : public testing::Test {
protected:
    void SetUp() override {
        library_ = dlopen(KOBALT_COUNTING_LOADER, RTLD_NOW | RTLD_LOCAL);
        ASSERT_NE(library_, nullptr) << dlerror();
        counted_ = reinterpret_cast<int (*)()>(dlsym(library_, "kobalt_counted_instances"));
        ASSERT_NE(counted_, nullptr);
    }
    void TearDown() override {
        if (library_)
            dlclose(library_);
    }
    /// The instances that a choice makes.
    int instances(InstanceOptions options, Listing listing = Listing::as_needed) {
        options.environment.loader = KOBALT_COUNTING_LOADER;
        const int before = counted_();
        (void)choose_device(options, nullptr, listing);
        return counted_() - before;
    }

private:
    void* library_ = nullptr;
    int (*counted_)() = nullptr;
};

TEST_F(CountedChoice, OneInstanceWhereTheDeviceIsThere) {
    KOBALT_VALUE(choice, choose_device(options_for("")));
    if (choice.instance->api_version() != newest_api_version)
        GTEST_SKIP() << "no driver here takes Vulkan 1.4";
    EXPECT_EQ(instances(options_for("")), 1);
    EXPECT_EQ(instances(options_for(choice.selection.device().properties().name())), 1);
    EXPECT_EQ(instances(options_for("0")), 1);
}

TEST_F(CountedChoice, AnotherOneForWhatIsMissing) {
    KOBALT_VALUE(choice, choose_device(options_for("")));
    if (choice.instance->api_version() != newest_api_version)
        GTEST_SKIP() << "no driver here takes Vulkan 1.4";
    EXPECT_EQ(instances(options_for("nobody's card")), 2);
    EXPECT_EQ(instances(options_for("", "pci-ffff_77_00_0")), 2);
    EXPECT_EQ(instances(options_for(""), Listing::all), 2);
}

/// lavapipe, and SwiftShader, which refuses instances of Vulkan 1.4.
class TwoDrivers : public testing::Test {
protected:
    void SetUp() override {
        const char* files = std::getenv("VK_DRIVER_FILES");
        files_ = files ? files : "";
        const std::string other =
            std::filesystem::path(files_).parent_path() / "swiftshader_icd.json";
        if (!files_.ends_with("lvp_icd.json") || !std::filesystem::exists(other))
            GTEST_SKIP() << "VK_DRIVER_FILES=" << files_
                         << " isn't a lavapipe that has SwiftShader beside it";
        setenv("VK_DRIVER_FILES", (files_ + ":" + other).c_str(), 1);
        changed_ = true;
    }
    void TearDown() override {
        if (changed_)
            setenv("VK_DRIVER_FILES", files_.c_str(), 1);
    }

private:
    std::string files_;
    bool changed_ = false;
};

TEST_F(TwoDrivers, EachCanBeNamed) {
    struct Case {
        InstanceOptions options;
        const char* name;
        uint32_t version;
    };
    const Case cases[] = {
        {options_for(""), "llvmpipe", VK_API_VERSION_1_4},
        {options_for("llvmpipe"), "llvmpipe", VK_API_VERSION_1_4},
        {options_for("swiftshader"), "SwiftShader", VK_API_VERSION_1_3},
        {options_for("0"), "llvmpipe", VK_API_VERSION_1_4},
        {options_for("1"), "SwiftShader", VK_API_VERSION_1_3},
        {options_for("", "1ae0:c0de"), "SwiftShader", VK_API_VERSION_1_3},
        {options_for("", "pci-ffff_77_00_0"), "llvmpipe", VK_API_VERSION_1_4},
    };
    for (const Case& wish : cases) {
        for (const Listing listing : {Listing::as_needed, Listing::all}) {
            KOBALT_VALUE(choice, choose_device(wish.options, nullptr, listing));
            EXPECT_TRUE(choice.selection.device().properties().name().starts_with(wish.name))
                << choice.selection.device().properties().name();
            EXPECT_EQ(choice.instance->api_version(), wish.version) << wish.name;
            EXPECT_TRUE(choice.selection.device().chosen);
            EXPECT_TRUE(Device::create(choice.instance, choice.selection.device())) << wish.name;
            if (listing == Listing::all) {
                ASSERT_EQ(choice.selection.devices.size(), 2u);
                EXPECT_EQ(choice.selection.devices[1].index, 1u);
                EXPECT_FALSE(choice.selection.devices[1].verdict.empty());
            }
        }
    }
}

TEST_F(TwoDrivers, TheErrorNamesBoth) {
    const auto choice = choose_device(options_for("nobody's card"));
    ASSERT_FALSE(choice);
    const std::string text = choice.error().to_string();
    EXPECT_TRUE(text.contains("llvmpipe")) << text;
    EXPECT_TRUE(text.contains("SwiftShader")) << text;
}

} // namespace
} // namespace kobalt::vulkan::test
