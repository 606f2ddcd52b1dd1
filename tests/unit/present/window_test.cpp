// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Windows on headless surfaces: everything of presentation but a window system.
#include "present/window_system.h"

#include <chrono>
#include <future>
#include <thread>

#include "frame_test.h"
#include "present/copy.h"
#include "present/fallback_window.h"

namespace kobalt::present {
namespace {

class WindowTest : public FrameTest {
protected:
    void SetUp() override {
        FrameTest::SetUp();
        if (!device_)
            return;
        if (!device_->instance().has_extension("VK_EXT_headless_surface") ||
            !device_->has(vulkan::Capability::swapchain))
            GTEST_SKIP() << "this device has no headless surfaces";
        system_ = std::make_unique<WindowSystem>(*device_);
    }

    void TearDown() override {
        if (device_) {
            EXPECT_TRUE(device_->wait_idle());
        }
        system_.reset();
        FrameTest::TearDown();
    }

    std::shared_ptr<Window> open(int interval = 1) {
        WindowInfo info;
        info.surface.type = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT;
        info.interval = interval;
        auto window = system_->open(info);
        EXPECT_TRUE(window) << window.error().to_string();
        return window ? *window : nullptr;
    }

    /// The swapchain's part of a window.
    static SwapchainWindow& of(Window& window) {
        return dynamic_cast<SwapchainWindow&>(*dynamic_cast<FallbackWindow&>(window).current());
    }

    std::unique_ptr<WindowSystem> system_;
};

TEST_F(WindowTest, ShowsFramesWithOneSwapchain) {
    const auto window = open();
    ASSERT_TRUE(window);
    const auto image = frame(64, 48);
    const int buffer = 0;
    EXPECT_EQ(window->buffer_age(&buffer), 0);
    for (int i = 0; i < 10; ++i) {
        ASSERT_EQ(window->present({image, &buffer}), Shown::yes) << i;
        EXPECT_EQ(window->buffer_age(&buffer), 1);
    }
    EXPECT_EQ(of(*window).swapchains_made(), 1u);
    EXPECT_FALSE(window->lost());
}

// As before another device opens the native windows: a swapchain that stays would refuse that one.
TEST_F(WindowTest, ClosesForGood) {
    const auto window = open();
    ASSERT_TRUE(window);
    const auto image = frame(64, 48);
    const int buffer = 0;
    ASSERT_EQ(window->present({image, &buffer}), Shown::yes);
    system_->close();
    EXPECT_TRUE(window->lost());
    EXPECT_EQ(window->present({image, &buffer}), Shown::lost);
    EXPECT_EQ(of(*window).presentations(), 1u);
    WindowInfo again;
    again.surface.type = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT;
    EXPECT_FALSE(system_->open(again));
}

TEST_F(WindowTest, FollowsTheFramesSize) {
    const auto window = open();
    ASSERT_TRUE(window);
    const int buffer = 0;
    for (const uint32_t size : {64u, 200u, 33u, 64u}) {
        const auto image = frame(size, size);
        for (int i = 0; i < 5; ++i)
            ASSERT_EQ(window->present({image, &buffer}), Shown::yes);
    }
    // Some devices give headless windows a size of their own.
    EXPECT_EQ(of(*window).swapchains_made(), window->size() ? 1u : 4u);
}

TEST_F(WindowTest, IntervalsAndFormatsChangeOnTheFly) {
    const auto window = open(0);
    ASSERT_TRUE(window);
    const int buffer = 0;
    const auto bgra = frame(64, 64);
    const auto rgba = frame(64, 64, VK_FORMAT_R8G8B8A8_UNORM);
    const auto deep = frame(64, 64, VK_FORMAT_A2B10G10R10_UNORM_PACK32);
    for (const int interval : {0, 1, 0, -1}) {
        window->set_interval(interval);
        for (const auto& image : {bgra, rgba, deep})
            ASSERT_EQ(window->present({image, &buffer}), Shown::yes);
    }
}

TEST_F(WindowTest, AnIntervalOfNShowsAFrameForNRefreshes) {
    const auto window = open(3);
    ASSERT_TRUE(window);
    const int buffer = 0;
    const auto image = frame(64, 64);
    ASSERT_EQ(window->present({image, &buffer}), Shown::yes);
    EXPECT_EQ(of(*window).presentations(), 3u);
    EXPECT_EQ(window->buffer_age(&buffer), 1); // presenting it several times counts as one frame
    for (const int interval : {0, 1, -1}) {
        const uint64_t before = of(*window).presentations();
        window->set_interval(interval);
        ASSERT_EQ(window->present({image, &buffer}), Shown::yes);
        EXPECT_EQ(of(*window).presentations(), before + 1) << interval;
    }
}

TEST_F(WindowTest, AFrameThatWasNeverDrawnIsBlack) {
    const auto window = open();
    ASSERT_TRUE(window);
    const int buffer = 0;
    EXPECT_EQ(window->present({frame(64, 64, VK_FORMAT_B8G8R8A8_UNORM, false), &buffer}),
              Shown::yes);
}

TEST_F(WindowTest, AgesOfExchangedBuffers) {
    const auto window = open();
    ASSERT_TRUE(window);
    const auto image = frame(16, 16);
    const int a = 0, b = 0;
    ASSERT_EQ(window->present({image, &a}), Shown::yes);
    EXPECT_EQ(window->buffer_age(&b), 0);
    ASSERT_EQ(window->present({image, &b}), Shown::yes);
    EXPECT_EQ(window->buffer_age(&a), 2);
    ASSERT_EQ(window->present({image, &a}), Shown::yes);
    EXPECT_EQ(window->buffer_age(&b), 2);
    window->forget(&b);
    EXPECT_EQ(window->buffer_age(&b), 0);
}

TEST_F(WindowTest, TheFrameMayGoWhileItIsBeingCopied) {
    const auto window = open();
    ASSERT_TRUE(window);
    const int buffer = 0;
    for (int i = 0; i < 20; ++i)
        ASSERT_EQ(window->present({frame(64, 64), &buffer}), Shown::yes);
}

TEST_F(WindowTest, OthersSubmitWhileAFrameIsAwaited) {
    // CPU drivers wait for the frame in vkQueuePresentKHR. Another context must be able to submit
    // meanwhile.
    const auto window = open();
    ASSERT_TRUE(window);
    const auto image = frame(64, 48);
    const int buffer = 0;
    vulkan::Queue& queue = device_->graphics();
    const auto gate = vulkan::Timeline::create(*device_, "gate");
    ASSERT_TRUE(gate);
    const vulkan::SemaphorePoint opened{(*gate)->semaphore(), 1};
    ASSERT_TRUE(queue.submit({}, {&opened, 1})); // the frame's copy comes after this submission
    const uint64_t before = queue.timeline().submitted();
    std::thread presents([&] { EXPECT_EQ(window->present({image, &buffer}), Shown::yes); });
    while (queue.timeline().submitted() == before)
        std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(100)); // the other thread is waiting now
    auto submits = std::async(std::launch::async, [&] { return queue.submit({}).has_value(); });
    EXPECT_EQ(submits.wait_for(std::chrono::seconds(10)), std::future_status::ready);
    auto signal = vulkan::vk_struct<VkSemaphoreSignalInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO);
    signal.semaphore = (*gate)->semaphore();
    signal.value = 1;
    EXPECT_EQ(device_->vk().SignalSemaphore(device_->handle(), &signal), VK_SUCCESS);
    EXPECT_TRUE(submits.get());
    presents.join();
    EXPECT_TRUE(device_->wait_idle());
}

TEST_F(WindowTest, UnknownWindowSystemsAreRefused) {
    WindowInfo info;
    info.surface.type = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    const auto window = system_->open(info);
    ASSERT_FALSE(window);
    EXPECT_EQ(window.error().result, VK_ERROR_EXTENSION_NOT_PRESENT);
}

TEST_F(WindowTest, CopiesMeetAtTheTopLeft) {
    const auto small = frame(4, 4);
    const auto target = frame(8, 6, VK_FORMAT_B8G8R8A8_UNORM, false);
    record([&](VkCommandBuffer commands) {
        record_copy(*device_, commands, {small->handle(), {4, 4}},
                    {target->handle(), {8, 6}, false});
        to_general(commands, target->handle(), VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    });
    const auto texels = read(target->handle(), 8, 6);
    for (uint32_t y = 0; y < 6; ++y)
        for (uint32_t x = 0; x < 8; ++x)
            EXPECT_EQ(texels[y * 8 + x], x < 4 && y < 4 ? 0xffff0000u : 0xff000000u)
                << x << ", " << y;
}

TEST_F(WindowTest, ConversionsSwapChannels) {
    const auto source = frame(4, 4, VK_FORMAT_R8G8B8A8_UNORM);
    const auto target = frame(4, 4, VK_FORMAT_B8G8R8A8_UNORM, false);
    record([&](VkCommandBuffer commands) {
        record_copy(*device_, commands, {source->handle(), {4, 4}},
                    {target->handle(), {4, 4}, true});
        to_general(commands, target->handle(), VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    });
    EXPECT_EQ(read(target->handle(), 4, 4)[5], 0xffff0000u); // red in B8G8R8A8
}

} // namespace
} // namespace kobalt::present
