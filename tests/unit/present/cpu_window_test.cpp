// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Windows without a swapchain, with a window system that the tests hold in their hands.
#include "present/cpu_window.h"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <future>

#include <sys/mman.h>

#include "frame_test.h"
#include "present/rectangles.h"

namespace kobalt::present {
namespace {

using namespace std::chrono_literals;

class Pages final : public SharedPages {
public:
    explicit Pages(size_t bytes)
        : bytes_(static_cast<std::byte*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                              MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
                 bytes) {}
    ~Pages() override { munmap(bytes_.data(), bytes_.size()); }
    std::span<std::byte> bytes() const override { return bytes_; }

private:
    std::span<std::byte> bytes_;
};

/// What a window system saw, and what it does about it.
struct Screen {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::vector<std::byte>> pictures;
    VkExtent2D extent{};
    std::vector<VkRect2D> damage; ///< of each picture
    Put answer = Put::yes;
    bool blocked = false;
    bool interrupted = false;

    void block(bool on) {
        const std::scoped_lock lock(mutex);
        blocked = on;
        changed.notify_all();
    }
    /// Waits until there are `count` pictures, and returns the last one's 32-bit pixels.
    std::vector<uint32_t> after(size_t count) {
        std::unique_lock lock(mutex);
        EXPECT_TRUE(changed.wait_for(lock, 10s, [&] { return pictures.size() >= count; }));
        std::vector<uint32_t> pixels(pictures.empty() ? 0 : pictures.back().size() / 4);
        if (!pixels.empty())
            std::memcpy(pixels.data(), pictures.back().data(), 4 * pixels.size());
        return pixels;
    }
};

class Sink final : public FrameSink {
public:
    Sink(Screen& screen, const PixelLayout& layout, bool shares)
        : screen_(screen), layout_(layout), shares_(shares) {}

    const PixelLayout& layout() const override { return layout_; }
    vulkan::Result<std::unique_ptr<SharedPages>> allocate(size_t bytes) override {
        if (!shares_)
            return nullptr;
        return std::make_unique<Pages>(bytes);
    }
    Put put(const Picture& picture) override {
        std::unique_lock lock(screen_.mutex);
        EXPECT_EQ(picture.pages != nullptr, shares_);
        screen_.changed.wait(lock, [&] { return !screen_.blocked || screen_.interrupted; });
        screen_.pictures.emplace_back(picture.pixels.begin(), picture.pixels.end());
        screen_.extent = picture.extent;
        screen_.damage.push_back(picture.damage);
        screen_.changed.notify_all();
        return screen_.interrupted ? Put::lost : screen_.answer;
    }
    void interrupt() override {
        const std::scoped_lock lock(screen_.mutex);
        screen_.interrupted = true;
        screen_.changed.notify_all();
    }
    const char* name() const override { return "test"; }

private:
    Screen& screen_;
    const PixelLayout layout_;
    const bool shares_;
};

constexpr PixelMasks bgrx = {32, 0xff0000, 0xff00, 0xff, 24};
constexpr PixelMasks bgra = {32, 0xff0000, 0xff00, 0xff, 32};
constexpr PixelMasks rgb565 = {16, 0xf800, 0x7e0, 0x1f, 16};
constexpr PixelMasks deep = {32, 0x3ff, 0xffc00, 0x3ff00000, 30};

/// The parameter: whether the sink has memory that it shares with the window system.
class CpuWindowTest : public FrameTest, public testing::WithParamInterface<bool> {
protected:
    void SetUp() override {
        FrameTest::SetUp();
        if (device_)
            pools_ = std::make_unique<vulkan::CommandPools>(*device_, device_->graphics());
    }
    void TearDown() override {
        window_.reset();
        pools_.reset();
        FrameTest::TearDown();
    }

    CpuWindow& open(PixelMasks masks, int interval = 0, bool translucent = false) {
        WindowInfo info;
        info.interval = interval;
        info.translucent = translucent;
        window_ = std::make_unique<CpuWindow>(
            *device_, *pools_, std::make_unique<Sink>(screen_, *pixel_layout(masks), GetParam()),
            info);
        return *window_;
    }
    Shown show(const render::Ref<render::Image>& frame) { return window_->present({frame, this}); }

    Screen screen_;
    std::unique_ptr<vulkan::CommandPools> pools_;
    std::unique_ptr<CpuWindow> window_;
};

TEST_P(CpuWindowTest, BitsThatFitAreCopied) {
    open(bgrx);
    ASSERT_EQ(show(frame(5, 3)), Shown::yes);
    EXPECT_EQ(screen_.after(1), std::vector<uint32_t>(15, 0xffff0000));
    EXPECT_EQ(screen_.extent.width, 5u);
    EXPECT_EQ(screen_.extent.height, 3u);
}

TEST_P(CpuWindowTest, OthersAreConverted) {
    open(bgrx);
    ASSERT_EQ(show(frame(5, 3, VK_FORMAT_R8G8B8A8_UNORM)), Shown::yes);
    EXPECT_EQ(screen_.after(1), std::vector<uint32_t>(15, 0xffff0000));
    ASSERT_EQ(show(frame(7, 2, VK_FORMAT_R8G8B8A8_SRGB)), Shown::yes);
    EXPECT_EQ(screen_.after(2), std::vector<uint32_t>(14, 0xffff0000));
    open(deep);
    ASSERT_EQ(show(frame(2, 2)), Shown::yes);
    EXPECT_EQ(screen_.after(3), std::vector<uint32_t>(4, 0xc00003ff));
}

TEST_P(CpuWindowTest, RowsOfSixteenBitsEndAtWords) {
    open(rgb565);
    ASSERT_EQ(show(frame(3, 2)), Shown::yes);
    screen_.after(1);
    const std::vector<std::byte>& bytes = screen_.pictures.back();
    ASSERT_EQ(bytes.size(), 16u);
    for (const size_t row : {0, 8})
        for (size_t x = 0; x < 3; ++x) {
            uint16_t pixel = 0;
            std::memcpy(&pixel, bytes.data() + row + 2 * x, 2);
            EXPECT_EQ(pixel, 0xf800) << row << ", " << x;
        }
}

TEST_P(CpuWindowTest, AFrameThatWasNeverDrawnIsBlack) {
    open(bgra);
    ASSERT_EQ(show(frame(4, 4, VK_FORMAT_B8G8R8A8_UNORM, false)), Shown::yes);
    EXPECT_EQ(screen_.after(1), std::vector<uint32_t>(16, 0xff000000));
    open(bgra, 0, true);
    ASSERT_EQ(show(frame(4, 4, VK_FORMAT_B8G8R8A8_UNORM, false)), Shown::yes);
    EXPECT_EQ(screen_.after(2), std::vector<uint32_t>(16, 0));
}

TEST_P(CpuWindowTest, SizesChangeFromFrameToFrame) {
    open(bgrx, 0);
    size_t count = 0;
    for (const uint32_t size : {64u, 700u, 33u, 1u, 512u, 65u}) {
        ASSERT_EQ(show(frame(size, size)), Shown::yes);
        EXPECT_EQ(screen_.after(++count), std::vector<uint32_t>(size_t{size} * size, 0xffff0000));
    }
}

TEST_P(CpuWindowTest, FramesOfIntervalZeroGiveWayToNewerOnes) {
    open(bgrx, 0);
    const auto image = frame(8, 8);
    screen_.block(true);
    for (int i = 0; i < 20; ++i)
        ASSERT_EQ(show(image), Shown::yes);
    const auto last = frame(9, 9);
    ASSERT_EQ(show(last), Shown::yes);
    screen_.block(false);
    window_.reset(); // shows the last frame
    EXPECT_LE(screen_.pictures.size(), 3u);
    EXPECT_EQ(screen_.extent.width, 9u);
}

TEST_P(CpuWindowTest, OthersWaitForASlot) {
    open(bgrx, 1);
    const auto image = frame(8, 8);
    screen_.block(true);
    auto shown = std::async(std::launch::async, [&] {
        for (int i = 0; i < 4; ++i)
            EXPECT_EQ(show(image), Shown::yes);
    });
    EXPECT_EQ(shown.wait_for(100ms), std::future_status::timeout);
    screen_.block(false);
    EXPECT_EQ(shown.wait_for(10s), std::future_status::ready);
    screen_.after(4);
}

TEST_P(CpuWindowTest, TheIntervalPacesFrames) {
    open(bgrx, 2);
    const auto image = frame(8, 8);
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 4; ++i)
        ASSERT_EQ(show(image), Shown::yes);
    screen_.after(4);
    EXPECT_GE(std::chrono::steady_clock::now() - start, 6 * FrameClock().period());
}

TEST_P(CpuWindowTest, AWindowThatIsGoneIsLost) {
    open(bgrx, 1);
    screen_.answer = Put::lost;
    const auto image = frame(8, 8);
    ASSERT_EQ(show(image), Shown::yes);
    screen_.after(1);
    while (!window_->lost())
        std::this_thread::yield();
    EXPECT_EQ(show(image), Shown::lost);
    EXPECT_EQ(window_->size(), std::nullopt);
}

TEST_P(CpuWindowTest, AServerThatDoesNotAnswerDelaysTheEndForASecondAtMost) {
    open(bgrx, 1);
    screen_.block(true);
    ASSERT_EQ(show(frame(8, 8)), Shown::yes);
    const auto start = std::chrono::steady_clock::now();
    window_.reset();
    EXPECT_TRUE(screen_.interrupted);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
}

TEST_P(CpuWindowTest, AgesCountFrames) {
    CpuWindow& window = open(bgrx);
    const auto image = frame(8, 8);
    const int a = 0, b = 0;
    EXPECT_EQ(window.buffer_age(&a), 0);
    ASSERT_EQ(window.present({image, &a}), Shown::yes);
    ASSERT_EQ(window.present({image, &b}), Shown::yes);
    EXPECT_EQ(window.buffer_age(&a), 2);
    EXPECT_EQ(window.buffer_age(&b), 1);
    window.forget(&b);
    EXPECT_EQ(window.buffer_age(&b), 0);
}

bool same(const VkRect2D& a, const VkRect2D& b) {
    return a.offset.x == b.offset.x && a.offset.y == b.offset.y &&
           a.extent.width == b.extent.width && a.extent.height == b.extent.height;
}

constexpr VkRect2D left_part = {{1, 2}, {2, 1}};
constexpr VkRect2D right_part = {{6, 4}, {9, 2}}; // two columns of it are in the frame
constexpr VkRect2D both_parts = {{1, 2}, {7, 4}};

TEST_P(CpuWindowTest, OnlyDamageIsPut) {
    open(bgrx, 1);
    const auto image = frame(8, 8);
    size_t count = 0;
    const auto put = [&](std::optional<VkRect2D> damage) {
        EXPECT_EQ(window_->present({image, this, true, damage}), Shown::yes);
        screen_.after(++count);
        return screen_.damage.back();
    };
    const VkRect2D all = {{0, 0}, {8, 8}};
    EXPECT_TRUE(same(put(left_part), all)); // the first picture
    EXPECT_TRUE(same(put(left_part), left_part));
    EXPECT_TRUE(same(put(right_part), {{6, 4}, {2, 2}}));
    EXPECT_TRUE(same(put({}), all));
}

TEST_P(CpuWindowTest, DamageOfFramesThatGaveWayIsPutToo) {
    open(bgrx, 0);
    const auto image = frame(8, 8);
    ASSERT_EQ(show(image), Shown::yes);
    screen_.after(1);
    screen_.block(true);
    ASSERT_EQ(window_->present({image, this, true, right_part}), Shown::yes);
    for (int i = 0; i < 10; ++i)
        ASSERT_EQ(window_->present({image, this, true, i ? right_part : left_part}), Shown::yes);
    screen_.block(false);
    window_.reset(); // shows the last frame
    VkRect2D around = screen_.damage.at(1);
    for (size_t i = 2; i < screen_.damage.size(); ++i)
        around = united(around, screen_.damage[i]);
    EXPECT_TRUE(same(around, both_parts));
}

INSTANTIATE_TEST_SUITE_P(, CpuWindowTest, testing::Bool(), [](const auto& info) {
    return info.param ? "SharedMemory" : "OwnMemory";
});

} // namespace
} // namespace kobalt::present
