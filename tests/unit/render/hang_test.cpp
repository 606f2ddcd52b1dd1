// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// A GPU that hangs: a program that ends its use of it goes on.
#include "gpu.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include "render/sync/run_ahead.h"

namespace kobalt::render::test {
namespace {

using namespace std::chrono_literals;

/// Submits work that the device can't begin.
class Gate {
public:
    explicit Gate(vulkan::Device& device)
        : timeline_(vulkan::Timeline::create(device, "gate").value()) {
        const vulkan::SemaphorePoint opened{timeline_->semaphore(), 1,
                                            VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
        EXPECT_TRUE(device.graphics().submit({}, std::span(&opened, 1)));
    }

private:
    std::unique_ptr<vulkan::Timeline> timeline_;
};

/// Stands for the shaders of a program, whose threads an exit has to end.
class NoWork : public CompileJob {
private:
    void run() override {}
    void abandon() override {}
};

/// Ends the process by exit(0) while a device hangs, and all use of the device before where
/// `destroys` says so. Its messages go to stderr then.
[[noreturn]] void exit_with_a_hanging_device(bool destroys) {
    std::string why;
    const Config config{.name = "hang", .disabled = {}, .validated = false, .patience = 200ms};
    auto gpu = Gpu::create(config, why);
    if (!gpu) {
        std::fprintf(stderr, "%s\n", why.c_str());
        _exit(2);
    }
    // In the place of a driver's exit handler that waits for the device without end.
    (void)std::atexit([] { _exit(3); });
    gpu->engine().compiler().submit(make_ref<NoWork>(), Urgency::shader);
    const Gate gate(gpu->device());
    const Ref<Buffer> from = gpu->buffer(1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    const Ref<Buffer> to = gpu->buffer(1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    if (!destroys)
        std::exit(0);
    const VkBufferCopy all{0, 0, 1024};
    {
        Recorder recorder(gpu->engine());
        // As many as may be in flight: the flush at the end of the recorder exceeds them.
        for (size_t i = 0; i < RunAheadLimits{}.batches; ++i) {
            recorder.copy_buffer(*from, *to, std::span(&all, 1));
            recorder.flush();
        }
        recorder.copy_buffer(*from, *to, std::span(&all, 1));
    }
    for (const std::string& message : gpu->messages())
        std::fprintf(stderr, "%s\n", message.c_str());
    gpu.reset();
    std::fputs("all is destroyed\n", stderr);
    std::exit(0);
}

TEST(HangDeathTest, EndsTheUseOfTheDevice) {
    GTEST_FLAG_SET(death_test_style, "threadsafe"); // the device's threads don't survive a fork
    EXPECT_EXIT(exit_with_a_hanging_device(true), testing::ExitedWithCode(0),
                "it has completed nothing for 0.2 s.*\n(.*\n)*all is destroyed");
}

TEST(HangDeathTest, EndsAProcessThatExits) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(exit_with_a_hanging_device(false), testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace kobalt::render::test
