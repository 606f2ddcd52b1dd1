// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "beside.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <random>
#include <thread>

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "frames.h"

namespace kobalt::memory {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

constexpr uint32_t kDrawsPerFrame = 100;
constexpr uint32_t kFramesAlone = 1000;
/// The time for which the app's thread works on a program before the other threads get it: its
/// GLSL.
constexpr microseconds kTextTime{500};
/// The time that a program takes in the loads `work` (computing only) and `pages` (mapping and
/// unmapping pages only).
constexpr microseconds kWorkTime{1500};

/// The scheduling priority of the threads that make programs.
enum class Priority { low, batch, idle };
constexpr std::array kPriorities{"nice_4", "batch", "idle"};

enum class Load { none, work, pages, programs };
constexpr std::array kLoads{"none", "work", "pages", "programs"};

/// How often another thread preempted the calling thread.
long taken_processors() {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

void take_priority(Priority priority) {
    constexpr int as_kobalt = 4;
    (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), as_kobalt);
    const sched_param none{};
    if (priority != Priority::low)
        (void)sched_setscheduler(0, priority == Priority::batch ? SCHED_BATCH : SCHED_IDLE, &none);
}

void work_until(Clock::time_point end) {
    while (Clock::now() < end) {
    }
}

/// Several threads that process the jobs of one thread, the app's, which produces them at its own
/// pace.
class Loader {
public:
    using Job = std::function<void(uint32_t)>;
    Loader(uint32_t count, uint32_t threads, Priority priority, Job job)
        : count_(count), job_(std::move(job)) {
        for (uint32_t i = 0; i < threads; ++i)
            threads_.emplace_back([this, priority] {
                take_priority(priority);
                work();
            });
        threads_.emplace_back([this] { hand_out(); });
    }
    bool done() const { return done_.load(std::memory_order_acquire) == count_; }

private:
    void hand_out() {
        for (uint32_t i = 0; i < count_; ++i) {
            work_until(Clock::now() + kTextTime);
            const std::lock_guard lock(mutex_);
            ++handed_out_;
            changed_.notify_one();
        }
        const std::lock_guard lock(mutex_);
        changed_.notify_all();
    }
    void work() {
        std::unique_lock lock(mutex_);
        while (taken_ < count_) {
            if (taken_ == handed_out_) {
                changed_.wait(lock);
                continue;
            }
            const uint32_t number = taken_++;
            lock.unlock();
            job_(number);
            done_.fetch_add(1, std::memory_order_release);
            lock.lock();
        }
        changed_.notify_all(); // wakes the threads that wait for more
    }

    const uint32_t count_;
    const Job job_;
    std::atomic<uint32_t> done_{0};
    std::mutex mutex_; ///< guards the next two
    uint32_t handed_out_ = 0, taken_ = 0;
    std::condition_variable changed_;
    std::vector<std::jthread> threads_; ///< declared last: the threads use the other members
};

/// Maps and unmaps memory like a compiler, without a compiler.
void take_pages(Clock::time_point end) {
    constexpr size_t bytes = 256 << 10, page = 4096;
    while (Clock::now() < end) {
        void* const taken =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (taken == MAP_FAILED)
            return;
        for (size_t at = 0; at < bytes; at += page)
            static_cast<volatile char*>(taken)[at] = 1;
        munmap(taken, bytes);
    }
}

void print(std::vector<Frame>& frames, Load load, Priority priority, Wait wait, uint32_t threads,
           long taken) {
    std::ranges::sort(frames, {}, &Frame::total);
    const Frame& longest = frames.back();
    const double median = frames[frames.size() / 2].total;
    std::printf("%s\t%s\t%u\t%s\t%zu\t%.3f\t%.3f\t%.3f\t%.1f\t%.3f\t%.3f\t%.3f\t%.3f\t%ld\n",
                kLoads.at(static_cast<size_t>(load)),
                load == Load::none ? "-" : kPriorities.at(static_cast<size_t>(priority)), threads,
                name_of(wait), frames.size(), median, frames[frames.size() * 99 / 100].total,
                longest.total, longest.total / median, longest.record, longest.submit, longest.wait,
                longest.off, taken);
    std::fflush(stdout);
}

/// Numbers programs differently in each run and line: otherwise they would come out of the driver's
/// cache.
uint32_t first_number() {
    constexpr uint32_t most = 800'000;
    return Frames::kPrograms + std::random_device{}() % most;
}

} // namespace

void draw_beside(const Way& way, uint32_t count, uint32_t threads) {
    const Vulkan vk = open_vulkan();
    if (const char* missing = lacks(vk.abilities, way)) {
        std::printf("# %s: the device lacks %s\n", way.name, missing);
        return;
    }
    const Maker maker(vk, way, VK_NULL_HANDLE);
    Frames frames(vk, way, maker, kDrawsPerFrame);
    uint32_t next = first_number();
    std::vector<Program> made(count);

    const auto measure = [&](Load load, Priority priority, Wait wait) {
        const auto job = [&](uint32_t i) {
            if (load == Load::work)
                work_until(Clock::now() + kWorkTime);
            else if (load == Load::pages)
                take_pages(Clock::now() + kWorkTime);
            else
                made[i] = maker.make(next + i);
        };
        std::vector<Frame> times;
        times.reserve(1 << 20); // reserved, since growing maps pages, too
        const long taken_before = taken_processors();
        if (load == Load::none) {
            while (times.size() < kFramesAlone)
                times.push_back(frames.draw(wait));
        } else {
            const Loader loader(count, threads, priority, job);
            while (!loader.done())
                times.push_back(frames.draw(wait));
        }
        print(times, load, priority, wait, load == Load::none ? 0 : threads,
              taken_processors() - taken_before);
        if (load != Load::programs)
            return;
        for (Program& program : made)
            maker.destroy(program);
        next += count;
    };

    std::printf("# device\t%s\n# driver\t%s\n# way\t%s\n", vk.name.c_str(), vk.driver.c_str(),
                way.name);
    std::puts("# beside\tpriority\tthreads\twait\tframes\tmedian_ms\tp99_ms\tlongest_ms\t"
              "longest/median\tof_it_record\tsubmit\twait\toff_cpu\tprocessor_taken");
    // Where the device is the CPU, polling takes processor time from it.
    const std::vector<Wait> waits = vk.is_cpu
                                        ? std::vector{Wait::sleeps}
                                        : std::vector{Wait::gives_way, Wait::stays, Wait::sleeps};
    (void)frames.draw(Wait::sleeps);
    for (const Wait wait : waits)
        measure(Load::none, Priority::low, wait);
    for (const Load load : {Load::work, Load::pages, Load::programs})
        for (const Wait wait : waits)
            measure(load, Priority::low, wait);
    for (const Wait wait : waits)
        measure(Load::programs, Priority::batch, wait);
    if (!vk.is_cpu) // a CPU device would leave the other threads no time
        for (const Wait wait : waits)
            measure(Load::programs, Priority::idle, wait);
}

} // namespace kobalt::memory
