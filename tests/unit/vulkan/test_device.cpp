// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "test_device.h"

#include <cstdlib>
#include <filesystem>

namespace kobalt::vulkan::test {

CapturedLog::CapturedLog() {
    log_.set_sink([lines = lines_](LogLevel level, std::string_view text) {
        const std::lock_guard lock(lines->lines_mutex);
        lines->lines.push_back({level, std::string(text)});
    });
}

size_t CapturedLog::count(LogLevel level) const {
    const std::lock_guard lock(lines_->lines_mutex);
    size_t count = 0;
    for (const Line& line : lines_->lines)
        count += line.level == level;
    return count;
}

std::string CapturedLog::text() const {
    const std::lock_guard lock(lines_->lines_mutex);
    std::string text;
    for (const Line& line : lines_->lines)
        text += line.text + "\n";
    return text;
}

void VulkanTest::SetUp() {
    InstanceOptions options;
    options.app_name = "kobalt unit tests";
    options.environment = Environment::from_process();
    options.environment.cache_dir.clear();
    options.log = captured_.log();
    Result<std::shared_ptr<Instance>> instance = Instance::create(std::move(options));
    ASSERT_TRUE(instance.has_value()) << instance.error().to_string();
    instance_ = *instance;
    Result<DeviceSelection> selection = select_physical_device(*instance_);
    ASSERT_TRUE(selection.has_value()) << selection.error().to_string();
    selection_ = std::move(*selection);
    make_device({});
}

void VulkanTest::make_device(const DeviceOptions& options) {
    device_.reset();
    Result<std::unique_ptr<Device>> device =
        Device::create(instance_, selection_.device(), options);
    ASSERT_TRUE(device.has_value()) << device.error().to_string();
    device_ = std::move(*device);
}

void VulkanTest::TearDown() {
    device_.reset();
    if (instance_) {
        EXPECT_EQ(instance_->validation_messages(), 0u) << captured_.text();
    }
}

std::string VulkanTest::why_not(Capability capability) const {
    return std::string(capability_name(capability)) + ": " +
           device_->capabilities().state(capability).reason;
}

TemporaryFolder::TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "kobalt-test-XXXXXX";
    if (mkdtemp(name.data()))
        path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty())
        std::filesystem::remove_all(path_, ignored);
}

} // namespace kobalt::vulkan::test
