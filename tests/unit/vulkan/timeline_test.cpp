// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "compute_harness.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include <sched.h>
#include <time.h>

namespace kobalt::vulkan::test {
namespace {

class TimelineTest : public VulkanTest {
protected:
    /// A value that counts its destruction.
    struct Witness {
        explicit Witness(int& count) : count(&count) {}
        Witness(Witness&& other) noexcept : count(std::exchange(other.count, nullptr)) {}
        ~Witness() {
            if (count)
                ++*count;
        }
        int* count;
    };
    struct LargeWitness {
        Witness witness;
        std::byte ballast[512] = {};
    };

    void signal(Timeline& timeline, uint64_t value) {
        auto info = vk_struct<VkSemaphoreSignalInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO);
        info.semaphore = timeline.semaphore();
        info.value = value;
        device_->vk().SignalSemaphore(device_->handle(), &info);
    }
};

TEST_F(TimelineTest, ReachedAndWait) {
    KOBALT_VALUE(timeline, Timeline::create(*device_, "test"));
    EXPECT_TRUE(timeline->reached(0));
    EXPECT_FALSE(timeline->reached(1));
    KOBALT_VALUE(early, timeline->wait(2, 1'000'000));
    EXPECT_FALSE(early) << "waiting for what never came said it came";
    signal(*timeline, 5);
    EXPECT_EQ(timeline->known_completed(), 0u) << "nobody has asked yet";
    EXPECT_TRUE(timeline->reached(4));
    EXPECT_EQ(timeline->known_completed(), 4u) << "only what was asked for is known";
    KOBALT_VALUE(done, timeline->wait(5));
    EXPECT_TRUE(done);
}

// A hang is a device that completes nothing, however long its work takes.
TEST_F(TimelineTest, ADeviceThatGoesOnIsNotGivenUp) {
    make_device({.disabled = {}, .single_queue = false, .patience = std::chrono::seconds(2)});
    KOBALT_VALUE(timeline, Timeline::create(*device_, "test"));
    std::jthread device([&] {
        for (uint64_t value = 1; value <= 4; ++value) {
            std::this_thread::sleep_for(std::chrono::milliseconds(700));
            signal(*timeline, value);
        }
    });
    timeline->wait_to_destroy(4);
    EXPECT_TRUE(timeline->reached(4));
    EXPECT_FALSE(device_->lost());
    EXPECT_FALSE(device_->given_up());
}

TEST_F(TimelineTest, PollsBeforeItSleeps) {
    KOBALT_VALUE(timeline, Timeline::create(*device_, "test"));
    timeline->set_polling(60'000'000'000); // long enough that it never sleeps
    KOBALT_VALUE(early, timeline->wait(1, 1'000'000));
    EXPECT_FALSE(early) << "polling went on beyond the time that was given";
    std::jthread signaller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        signal(*timeline, 1);
    });
    KOBALT_VALUE(done, timeline->wait(1));
    EXPECT_TRUE(done);
    timeline->set_polling(1'000'000);
    std::jthread late([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        signal(*timeline, 2);
    });
    KOBALT_VALUE(slept, timeline->wait(2));
    EXPECT_TRUE(slept);
}

// A wait for a long frame must not keep a processor busy.
TEST_F(TimelineTest, ALongWaitSleeps) {
    const auto processor_time = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    };
    KOBALT_VALUE(timeline, Timeline::create(*device_, "test"));
    timeline->set_polling(Timeline::default_polling_ns);
    const auto begin = processor_time();
    KOBALT_VALUE(done, timeline->wait(1, 20'000'000));
    EXPECT_FALSE(done);
    EXPECT_LT(processor_time() - begin, std::chrono::milliseconds(1));
}

/// Pins the calling thread, and the threads that it starts, to one processor while this object
/// exists.
class OneProcessor {
public:
    OneProcessor() {
        sched_getaffinity(0, sizeof all_, &all_);
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(sched_getcpu(), &one);
        good_ = sched_setaffinity(0, sizeof one, &one) == 0;
    }
    ~OneProcessor() { sched_setaffinity(0, sizeof all_, &all_); }
    OneProcessor(const OneProcessor&) = delete;
    OneProcessor& operator=(const OneProcessor&) = delete;
    bool good() const { return good_; }

private:
    cpu_set_t all_{};
    bool good_;
};

// A frame's wait beside a compiling thread, in the worst case: on the same processor.
TEST_F(TimelineTest, AShortWaitKeepsItsProcessor) {
    using Clock = std::chrono::steady_clock;
    using Milliseconds = std::chrono::duration<double, std::milli>;
    KOBALT_VALUE(timeline, Timeline::create(*device_, "test"));
    const uint64_t short_ns = 200'000;
    timeline->set_polling(short_ns);
    const OneProcessor here;
    ASSERT_TRUE(here.good());
    std::atomic<bool> stop{false};
    std::jthread busy([&] {
        while (!stop.load(std::memory_order_relaxed)) {
        }
    });
    std::vector<double> waits(101);
    for (double& wait : waits) {
        const Clock::time_point begin = Clock::now();
        KOBALT_VALUE(done, timeline->wait(1, short_ns));
        EXPECT_FALSE(done);
        wait = Milliseconds(Clock::now() - begin).count();
    }
    stop = true;
    // The other thread may run now and then, but not in each wait.
    std::ranges::sort(waits);
    EXPECT_LT(waits[waits.size() / 2], 0.6) << "milliseconds";
}

TEST_F(TimelineTest, DestructionIsDeferredInOrder) {
    KOBALT_VALUE(timeline, Timeline::create(*device_, "test"));
    DeferredDestruction deferred(*timeline);
    int early = 0;
    int late = 0;
    int out_of_order = 0;
    int boxed = 0;
    int unused = 0;
    deferred.defer(0, Witness(unused));
    EXPECT_EQ(unused, 1) << "a value without a use goes at once";
    deferred.defer(1, Witness(early));
    deferred.defer(3, Witness(late));
    deferred.defer(2, Witness(out_of_order));
    deferred.defer(2, LargeWitness{Witness(boxed)});
    EXPECT_EQ(deferred.collect(), 0u);
    EXPECT_EQ(deferred.pending(), 4u);
    signal(*timeline, 2);
    EXPECT_EQ(deferred.collect(), 3u);
    EXPECT_EQ(early, 1);
    EXPECT_EQ(out_of_order, 1);
    EXPECT_EQ(boxed, 1);
    EXPECT_EQ(late, 0) << "destroyed while the device may still use it";
    signal(*timeline, 3);
    EXPECT_EQ(deferred.collect(), 1u);
    EXPECT_EQ(late, 1);
    EXPECT_EQ(deferred.pending(), 0u);
}

TEST_F(TimelineTest, ABufferOutlivesItsSubmission) {
    Queue& queue = device_->graphics();
    KOBALT_VALUE(gate, Timeline::create(*device_, "gate"));
    CommandPools pools(*device_, queue);
    KOBALT_VALUE(target, storage_buffer(*device_, 64, MemoryKind::readback));
    KOBALT_VALUE(source, storage_buffer(*device_, 64, MemoryKind::upload));
    std::fill_n(words(source), 64, 42u);
    KOBALT_VALUE(pool, pools.acquire());
    KOBALT_VALUE(commands, pool->begin());
    const VkBufferCopy region{0, 0, 256};
    device_->vk().CmdCopyBuffer(commands, source.handle(), target.handle(), 1, &region);
    ASSERT_TRUE(pool->end(commands).has_value());
    const SemaphorePoint wait{gate->semaphore(), 1};
    KOBALT_VALUE(value, queue.submit({&commands, 1}, {&wait, 1}));
    pools.release(std::move(pool), value);
    queue.deferred().defer(value, std::move(source));
    EXPECT_EQ(queue.deferred().collect(), 0u);
    signal(*gate, 1);
    ASSERT_TRUE(queue.timeline().wait(value).has_value());
    EXPECT_EQ(queue.deferred().collect(), 1u);
    target.invalidate(0, VK_WHOLE_SIZE);
    EXPECT_EQ(words(target)[63], 42u);
}

TEST_F(TimelineTest, ALostDeviceNeverHangs) {
    ASSERT_TRUE(device_->wait_idle().has_value());
    device_->status().mark_lost("a test");
    EXPECT_TRUE(device_->lost());
    EXPECT_EQ(device_->status().reason(), "a test");
    const auto submitted = device_->graphics().submit({});
    ASSERT_FALSE(submitted.has_value());
    EXPECT_EQ(submitted.error().result, VK_ERROR_DEVICE_LOST);
    const auto waited = device_->graphics().timeline().wait(1000);
    ASSERT_FALSE(waited.has_value());
    EXPECT_EQ(waited.error().result, VK_ERROR_DEVICE_LOST);
    EXPECT_TRUE(device_->graphics().timeline().reached(1000)) << "nothing may wait for ever";
    device_->status().mark_lost("another reason");
    EXPECT_EQ(device_->status().reason(), "a test") << "the first reason is the one that counts";
    EXPECT_EQ(captured_.count(LogLevel::error), 1u) << captured_.text();
}

} // namespace
} // namespace kobalt::vulkan::test
