// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/shaders/compiler_service.h"

#include <algorithm>
#include <cfenv>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

namespace kobalt::render {
namespace {

constexpr uint32_t most_useful_threads = 8;

/// Lower priority than the app's own threads where processors are short, but not so low that a draw
/// that waits for a job would starve.
constexpr int nice_value = 4;

/// The services whose threads run. Many programs call exit() while a context lives: no thread may
/// be in Vulkan then, because the exit handlers of its libraries destroy what it uses.
class RunningServices {
public:
    static RunningServices& get() {
        // Never destroyed: a service may outlive any order of exit handlers.
        static auto& services = *std::make_unique<RunningServices>().release();
        return services;
    }
    void add(CompilerService& service) {
        const std::lock_guard lock(mutex_);
        services_.insert(&service);
    }
    void remove(CompilerService& service) {
        const std::lock_guard lock(mutex_);
        services_.erase(&service);
    }
    /// Does nothing in a child of fork(): the threads are the parent's, and a mutex may be held.
    void halt_all() {
        if (getpid() != process_)
            return;
        const std::lock_guard lock(mutex_);
        for (CompilerService* service : services_)
            service->end_with_process();
    }
    /// Exit handlers run in the opposite order of their registration, and C++ objects inside of
    /// functions register theirs when they are first used. So ours is registered again after the
    /// first jobs, in order to run before those that these jobs registered.
    void halt_at_exit() {
        if (registrations_.fetch_add(1, std::memory_order_relaxed) < most_registrations)
            on_exit([](int status, void*) { get().exit(status); }, nullptr);
    }
    /// The Vulkan device is a CPU, whose driver's exit handlers join its threads.
    void note_cpu_device() { cpu_device_.store(true, std::memory_order_relaxed); }
    /// A device hangs, and its driver's exit handlers may wait for it without end.
    void note_hanging_device() { hanging_device_.store(true, std::memory_order_relaxed); }

private:
    // A child of fork() has none of the threads that lavapipe's exit handler joins, and glibc
    // unmaps their stacks where they are more than its cache holds (40 MiB): the child would crash
    // in there, and run no exit handler that was registered before.
    void exit(int status) {
        if (getpid() != process_ && cpu_device_.load(std::memory_order_relaxed)) {
            std::fflush(nullptr);
            _exit(status);
        }
        halt_all();
        if (hanging_device_.load(std::memory_order_relaxed)) {
            std::fflush(nullptr);
            _exit(status);
        }
    }

    static constexpr int most_registrations = 64;
    std::atomic<bool> cpu_device_{false};
    std::atomic<bool> hanging_device_{false};
    const pid_t process_ = getpid();
    std::atomic<int> registrations_{0};
    std::mutex mutex_; ///< guards services_, and keeps those in it alive
    std::set<CompilerService*> services_;
};

/// exit() destroys the calling thread's own objects before it runs any exit handler. Where the
/// program's first thread submits jobs and exits, the halt here comes while all that a job uses
/// exists.
struct FirstThreadsEnd {
    ~FirstThreadsEnd() {
        if (gettid() == getpid()) // also true in a child of fork()
            RunningServices::get().halt_all();
    }
    void construct() const {}
};
thread_local const FirstThreadsEnd first_threads_end;

} // namespace

bool CompileJob::claim() {
    int expected = waiting;
    return state_.compare_exchange_strong(expected, running, std::memory_order_acquire);
}

void CompileJob::mark_finished() {
    // notify_all() first looks whether anybody waits. No other order keeps the processor from
    // looking before a waiter can see the store.
    state_.store(finished, std::memory_order_seq_cst);
    state_.notify_all();
}

void CompileJob::run_claimed() {
    run();
    mark_finished();
}

void CompileJob::finish() {
    if (done())
        return;
    const Ref<CompileJob> self(this); // a waiter may release it as soon as it is finished
    if (claim())
        return run_claimed();
    state_.wait(running, std::memory_order_acquire);
}

void CompileJob::withdraw() {
    if (!claim())
        return;
    const Ref<CompileJob> self(this); // abandon() may release the last reference
    abandon();
    mark_finished();
}

void CompileJob::cancel() {
    if (done())
        return;
    const Ref<CompileJob> self(this);
    withdraw();
    state_.wait(running, std::memory_order_acquire);
}

uint32_t CompilerService::default_threads() {
    const uint32_t processors = std::max(std::thread::hardware_concurrency(), 2u);
    return std::min(processors - 1, most_useful_threads);
}

CompilerService::CompilerService(uint32_t most_threads)
    : most_threads_(most_threads), limit_(most_threads) {}

CompilerService::~CompilerService() {
    RunningServices::get().remove(*this);
    halt();
}

void CompilerService::halt() {
    std::vector<std::thread> ended;
    std::array<std::deque<Ref<CompileJob>>, 2> dropped; // released outside of the lock
    std::vector<Deferred> never_due;
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
        ended.swap(threads_);
        dropped.swap(queues_);
        never_due.swap(deferred_);
    }
    changed_.notify_all();
    for (std::thread& thread : ended)
        thread.join();
}

void CompilerService::note_cpu_device() {
    RunningServices::get().note_cpu_device();
}

void CompilerService::note_hanging_device() {
    RunningServices::get().note_hanging_device();
}

void CompilerService::end_with_process() {
    halt();
    if (last_wait_)
        last_wait_();
}

void CompilerService::limit_threads(uint32_t count) {
    std::deque<Ref<CompileJob>> left; // jobs that no thread will take
    {
        const std::lock_guard lock(mutex_);
        limit_ = std::min(count, most_threads_);
        if (limit_ == 0)
            left.swap(queues_[static_cast<size_t>(Urgency::shader)]);
    }
    changed_.notify_all();
    for (const Ref<CompileJob>& job : left)
        job->finish();
}

size_t CompilerService::waiting() {
    const std::lock_guard lock(mutex_);
    return queues_[static_cast<size_t>(Urgency::shader)].size();
}

void CompilerService::start_thread() {
    try {
        threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) { // the process can't have more threads: submit() sees that
    }
}

void CompilerService::register_for_exit() {
    std::call_once(registered_, [this] {
        RunningServices::get().add(*this);
        RunningServices::get().halt_at_exit();
    });
    first_threads_end.construct();
}

void CompilerService::submit(Ref<CompileJob> job, Urgency urgency) {
    register_for_exit();
    {
        const std::lock_guard lock(mutex_);
        if (stop_)
            return;
        if (limit_ > 0) {
            const uint32_t in_queue = static_cast<uint32_t>(queues_[0].size() + queues_[1].size());
            if (idle_ <= in_queue && threads_.size() < limit_)
                start_thread();
            if (!threads_.empty()) {
                queues_[static_cast<size_t>(urgency)].push_back(std::move(job));
                changed_.notify_one();
                return;
            }
        }
    }
    // A draw that links a pipeline must not wait for its optimisation, unless there never are
    // threads.
    if (urgency == Urgency::shader || most_threads_ == 0)
        job->finish();
}

void CompilerService::submit_later(Ref<CompileJob> job, std::chrono::steady_clock::duration delay) {
    register_for_exit();
    {
        const std::lock_guard lock(mutex_);
        if (stop_ || most_threads_ == 0)
            return;
        if (threads_.empty())
            start_thread();
        deferred_.push_back({std::chrono::steady_clock::now() + delay, std::move(job)});
    }
    changed_.notify_one(); // a thread that sleeps without end
}

/// A job whose time has come, under the lock.
Ref<CompileJob> CompilerService::take_due() {
    if (deferred_.empty() || busy_ >= limit_)
        return {};
    const auto now = std::chrono::steady_clock::now();
    const auto found = std::ranges::find_if(
        deferred_, [now](const Deferred& deferred) { return deferred.due <= now; });
    if (found == deferred_.end())
        return {};
    Ref<CompileJob> job = std::move(found->job);
    deferred_.erase(found);
    return job;
}

void CompilerService::wait_for_jobs(std::unique_lock<std::mutex>& lock) {
    ++idle_;
    if (deferred_.empty() || busy_ >= limit_) // a job that is due must wait for others as well
        changed_.wait(lock);
    else
        changed_.wait_until(lock, std::ranges::min(deferred_, {}, &Deferred::due).due);
    --idle_;
}

/// The next job for a thread, under the lock; null: there is none, or enough others are at work.
Ref<CompileJob> CompilerService::take(Urgency& urgency) {
    for (const Urgency one : {Urgency::shader, Urgency::optimize}) {
        std::deque<Ref<CompileJob>>& queue = queues_[static_cast<size_t>(one)];
        if (busy_ >= limit_ || queue.empty() || (one == Urgency::optimize && optimizing_))
            continue;
        Ref<CompileJob> job = std::move(queue.front());
        queue.pop_front();
        urgency = one;
        return job;
    }
    return take_due();
}

void CompilerService::work() {
    pthread_setname_np(pthread_self(), "kobalt-compile");
    // Threads inherit floating-point exceptions that the app may have unmasked (feenableexcept):
    // those are for its own arithmetic.
    (void)fesetenv(FE_DFL_ENV);
    (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nice_value);
    std::unique_lock lock(mutex_);
    bool worked = false; // since it last had nothing to do
    while (!stop_) {
        Urgency urgency{};
        Ref<CompileJob> job = take(urgency);
        if (!job) {
            if (std::exchange(worked, false))
                RunningServices::get().halt_at_exit();
            wait_for_jobs(lock);
            continue;
        }
        const bool optimizes = urgency == Urgency::optimize;
        optimizing_ |= optimizes;
        worked = true;
        ++busy_;
        lock.unlock();
        if (job->claim())
            job->run_claimed();
        job.reset();
        lock.lock();
        --busy_;
        if (optimizes)
            optimizing_ = false;
        if (optimizes || limit_ < most_threads_)
            changed_.notify_one(); // what waited for this is free now
    }
}

} // namespace kobalt::render
