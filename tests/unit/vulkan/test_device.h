// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#pragma once

#include "vulkan/device/device.h"

#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <vector>

namespace kobalt::vulkan::test {

/// A log whose lines a test can look at.
struct CapturedLog {
    struct Line {
        LogLevel level;
        std::string text;
    };
    CapturedLog();
    Log log() const { return log_; }
    size_t count(LogLevel level) const;
    /// All lines, one below the other.
    std::string text() const;

private:
    struct Lines {
        std::mutex lines_mutex;
        std::vector<Line> lines;
    };
    std::shared_ptr<Lines> lines_ = std::make_shared<Lines>();
    Log log_;
};

/// A device of this machine, selected by KOBALT_DEVICE. With KOBALT_VALIDATION=1 a test fails if it
/// causes validation messages.
class VulkanTest : public ::testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;

    /// Replaces the device by one with `options`.
    void make_device(const DeviceOptions& options);
    /// True if the device lacks `capability`; the caller then marks the test as skipped.
    bool lacks(Capability capability) const { return !device_->has(capability); }
    std::string why_not(Capability capability) const;

    CapturedLog captured_;
    std::shared_ptr<Instance> instance_;
    DeviceSelection selection_;
    std::unique_ptr<Device> device_;
};

#define KOBALT_NEEDS(capability)                                                                   \
    if (lacks(capability))                                                                         \
    GTEST_SKIP() << why_not(capability)

/// The value of a Result, or a test failure with the error's text.
#define KOBALT_VALUE(name, expression)                                                             \
    auto name##_result = (expression);                                                             \
    ASSERT_TRUE(name##_result.has_value()) << name##_result.error().to_string();                   \
    auto name = std::move(*name##_result)

/// A folder of the test's own, removed at the end.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

} // namespace kobalt::vulkan::test
