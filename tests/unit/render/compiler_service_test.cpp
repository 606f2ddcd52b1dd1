// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <chrono>
#include <ctime>
#include <functional>
#include <future>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "render/shaders/compiler_service.h"

namespace kobalt::render::test {
namespace {

using namespace std::chrono_literals;

class Job final : public CompileJob {
public:
    explicit Job(std::function<void()> work) : work_(std::move(work)) {}
    bool abandoned = false;

private:
    void run() override { work_(); }
    void abandon() override { abandoned = true; }
    std::function<void()> work_;
};

/// Keeps a service's threads busy until it is lifted.
class Blockade {
public:
    Blockade(CompilerService& service, uint32_t threads) {
        for (uint32_t i = 0; i < threads; ++i) {
            jobs_.push_back(make_ref<Job>([this] {
                ++begun_;
                open_.wait();
            }));
            service.submit(jobs_.back(), Urgency::shader);
        }
        while (begun_ < threads)
            std::this_thread::yield();
    }
    ~Blockade() { lift(); }
    void lift() {
        if (!std::exchange(lifted_, true))
            opener_.set_value();
        for (const auto& job : jobs_)
            job->finish();
    }

private:
    std::promise<void> opener_;
    std::shared_future<void> open_ = opener_.get_future().share();
    std::atomic<uint32_t> begun_{0};
    bool lifted_ = false;
    std::vector<Ref<Job>> jobs_;
};

// Uses an exit status of its own, since nothing else shows that the last wait was called.
TEST(CompilerService, AnExitEndsWithTheLastWait) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            static CompilerService service(1);
            static std::atomic<bool> ran{false};
            service.set_last_wait([] { _exit(ran ? 42 : 43); });
            service.submit(make_ref<Job>([] {
                               std::this_thread::sleep_for(50ms);
                               ran = true;
                           }),
                           Urgency::shader);
            std::this_thread::sleep_for(10ms);
            std::exit(0); // the job is still running
        },
        testing::ExitedWithCode(42), "");
}

TEST(CompilerService, JobsRunOnItsThreads) {
    CompilerService service(2);
    std::atomic<int> runs{0};
    std::vector<Ref<Job>> jobs;
    const std::thread::id here = std::this_thread::get_id();
    for (int i = 0; i < 100; ++i) {
        jobs.push_back(make_ref<Job>([&] { runs += std::this_thread::get_id() != here; }));
        service.submit(jobs.back(), Urgency::shader);
    }
    for (const auto& job : jobs)
        while (!job->done())
            std::this_thread::yield();
    EXPECT_EQ(runs, 100);
}

TEST(CompilerService, WhoNeedsAWaitingJobDoesIt) {
    CompilerService service(1);
    Blockade busy(service, 1);
    std::thread::id where;
    const auto job = make_ref<Job>([&] { where = std::this_thread::get_id(); });
    service.submit(job, Urgency::shader);
    EXPECT_FALSE(job->done());
    job->finish(); // would hang if it waited for the thread
    EXPECT_TRUE(job->done());
    EXPECT_EQ(where, std::this_thread::get_id());
}

TEST(CompilerService, ItTellsHowMuchWaits) {
    CompilerService service(1);
    EXPECT_EQ(service.waiting(), 0u);
    Blockade blockade(service, 1);
    std::vector<Ref<Job>> jobs;
    for (size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(service.waiting(), i) << "the one that runs doesn't wait";
        jobs.push_back(make_ref<Job>([] {}));
        service.submit(jobs.back(), Urgency::shader);
    }
    const auto optimizes = make_ref<Job>([] {});
    service.submit(optimizes, Urgency::optimize);
    EXPECT_EQ(service.waiting(), 3u) << "no draw needs what optimises";
    blockade.lift();
    for (const auto& job : jobs)
        job->finish();
    while (!optimizes->done())
        std::this_thread::yield();
    EXPECT_EQ(service.waiting(), 0u);
}

TEST(CompilerService, WhoNeedsARunningJobWaits) {
    CompilerService service(1);
    std::atomic<bool> begun = false, over = false;
    const auto job = make_ref<Job>([&] {
        begun = true;
        std::this_thread::sleep_for(20ms);
        over = true;
    });
    service.submit(job, Urgency::shader);
    while (!begun)
        std::this_thread::yield();
    job->finish();
    EXPECT_TRUE(over);
}

TEST(CompilerService, ACancelledJobNeverRuns) {
    CompilerService service(1);
    bool ran = false;
    const auto cancelled = make_ref<Job>([&] { ran = true; });
    const auto withdrawn = make_ref<Job>([&] { ran = true; });
    {
        Blockade busy(service, 1);
        service.submit(cancelled, Urgency::shader);
        service.submit(withdrawn, Urgency::shader);
        cancelled->cancel();
        withdrawn->withdraw();
        EXPECT_TRUE(cancelled->done() && cancelled->abandoned);
        EXPECT_TRUE(withdrawn->done() && withdrawn->abandoned);
    }
    const auto last = make_ref<Job>([] {});
    service.submit(last, Urgency::shader);
    last->finish();
    EXPECT_FALSE(ran);
}

TEST(CompilerService, WhatDrawsNeedComesBeforeOptimising) {
    CompilerService service(1);
    std::vector<int> order;
    const auto optimized = make_ref<Job>([&] { order.push_back(2); });
    const auto needed = make_ref<Job>([&] { order.push_back(1); });
    {
        Blockade busy(service, 1);
        service.submit(optimized, Urgency::optimize);
        service.submit(needed, Urgency::shader);
    }
    while (!optimized->done() || !needed->done())
        std::this_thread::yield();
    EXPECT_EQ(order, (std::vector{1, 2}));
}

TEST(CompilerService, OneThreadAtATimeOptimises) {
    CompilerService service(4);
    std::atomic<int> now{0}, most{0};
    std::vector<Ref<Job>> jobs;
    for (int i = 0; i < 8; ++i) {
        jobs.push_back(make_ref<Job>([&] {
            most = std::max(most.load(), ++now);
            std::this_thread::sleep_for(2ms);
            --now;
        }));
        service.submit(jobs.back(), Urgency::optimize);
    }
    for (const auto& job : jobs)
        while (!job->done())
            std::this_thread::yield();
    EXPECT_EQ(most, 1);
}

TEST(CompilerService, WithoutThreadsTheSubmitterWorks) {
    CompilerService service(2);
    service.limit_threads(0);
    const auto job = make_ref<Job>([] {});
    service.submit(job, Urgency::shader);
    EXPECT_TRUE(job->done());
    service.limit_threads(UINT32_MAX); // no limit
    std::thread::id where;
    const auto other = make_ref<Job>([&] { where = std::this_thread::get_id(); });
    service.submit(other, Urgency::shader);
    while (!other->done())
        std::this_thread::yield();
    EXPECT_NE(where, std::this_thread::get_id());
}

TEST(CompilerService, WhoTakesTheThreadsAwayDoesWhatWasQueued) {
    CompilerService service(1);
    Blockade busy(service, 1);
    std::vector<Ref<Job>> jobs;
    for (int i = 0; i < 10; ++i) {
        jobs.push_back(make_ref<Job>([] {}));
        service.submit(jobs.back(), Urgency::shader);
    }
    service.limit_threads(0);
    for (const auto& job : jobs)
        EXPECT_TRUE(job->done());
}

TEST(CompilerService, AfterTheEndJobsAreDoneByWhoNeedsThem) {
    CompilerService service(1);
    service.halt();
    bool ran = false;
    const auto job = make_ref<Job>([&] { ran = true; });
    service.submit(job, Urgency::shader);
    EXPECT_FALSE(job->done());
    job->finish();
    EXPECT_TRUE(ran);
    EXPECT_EQ(job->references(), 1u);
}

// A thread that may not take a job whose time has come must not ask for it again and again.
TEST(CompilerService, DeferredJobsSleepWhileThereAreNoThreads) {
    CompilerService service(2);
    std::promise<void> ran;
    service.submit_later(make_ref<Job>([&] { ran.set_value(); }), 10ms);
    service.limit_threads(0);
    const std::clock_t begin = std::clock(); // the process's time on processors
    std::this_thread::sleep_for(200ms);
    EXPECT_LT(std::clock() - begin, CLOCKS_PER_SEC / 20);
    service.limit_threads(UINT32_MAX);
    EXPECT_EQ(ran.get_future().wait_for(30s), std::future_status::ready);
}

TEST(CompilerService, DeferredJobsRunWhenTheirTimeHasCome) {
    CompilerService service(2);
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    std::promise<Clock::duration> later, sooner;
    service.submit_later(make_ref<Job>([&] { later.set_value(Clock::now() - begin); }), 200ms);
    service.submit_later(make_ref<Job>([&] { sooner.set_value(Clock::now() - begin); }), 50ms);
    std::promise<void> now;
    service.submit(make_ref<Job>([&] { now.set_value(); }), Urgency::shader);
    now.get_future().wait();
    EXPECT_LT(Clock::now() - begin, 200ms) << "other jobs wait for deferred ones";
    EXPECT_GE(sooner.get_future().get(), 50ms);
    EXPECT_GE(later.get_future().get(), 200ms);
}

TEST(CompilerService, DeferredJobsEndWithTheService) {
    bool ran = false;
    const auto job = make_ref<Job>([&] { ran = true; });
    {
        CompilerService service(1);
        service.submit_later(job, 1h);
    }
    CompilerService without_threads(0);
    without_threads.submit_later(job, 0ms);
    std::this_thread::sleep_for(20ms);
    EXPECT_FALSE(ran);
    EXPECT_EQ(job->references(), 1u);
}

} // namespace
} // namespace kobalt::render::test
