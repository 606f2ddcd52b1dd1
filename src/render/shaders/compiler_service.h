// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "render/base/ref.h"

namespace kobalt::render {

/// A piece of compiling, done once by whichever thread gets to it.
class CompileJob : public RefCounted {
public:
    /// It has run, or never will. What it made is visible to a thread that saw this.
    bool done() const { return state_.load(std::memory_order_acquire) == finished; }
    /// Afterwards it is done: it runs here if nobody has begun it, else this waits for it.
    void finish();
    /// Afterwards it is done: it never runs if nobody has begun it, else this waits for it.
    void cancel();
    /// Does the same without waiting: if a thread has begun the job, that thread goes on.
    void withdraw();

private:
    friend class CompilerService;
    virtual void run() = 0;
    /// Called instead of run() where the job never runs.
    virtual void abandon() {}
    bool claim();
    void run_claimed();
    void mark_finished();
    static constexpr int waiting = 0, running = 1, finished = 2;
    std::atomic<int> state_{waiting};
};

/// In the order in which jobs are taken.
enum class Urgency : uint8_t {
    shader,  ///< a draw will need it: one stage, or stages that are compiled together
    optimize ///< draws already have something that works
};

/// Threads that compile in the background, so that linking a program returns at once and a draw
/// waits for its own shaders alone. A thread that needs a job which nobody has begun runs it itself
/// (CompileJob::finish), so nothing waits in a queue and there is always progress.
class CompilerService {
public:
    /// As many threads as the machine has processors, less one for the app; at most eight.
    static uint32_t default_threads();
    explicit CompilerService(uint32_t most_threads = default_threads());
    ~CompilerService();

    /// Hands `job` to the threads, which start with the first job. Where no thread may run, the job
    /// runs here; an optimising job runs here only if there never are threads.
    void submit(Ref<CompileJob> job, Urgency urgency);
    /// Hands `job` to the threads when `delay` has passed. It never runs where no thread may, nor
    /// where the threads are halted earlier.
    void submit_later(Ref<CompileJob> job, std::chrono::steady_clock::duration delay);
    /// The number of queued jobs that draws will need.
    size_t waiting();
    /// Limits the threads that compile (glMaxShaderCompilerThreadsKHR). 0: submit() runs the job
    /// itself. A value above default_threads() means default_threads().
    void limit_threads(uint32_t count);
    /// Ends the threads after their current jobs. Queued jobs are dropped, and later jobs run in
    /// the threads that need them.
    void halt();
    /// Sets what an exit of the process also waits for, after halt(). To be called before the first
    /// job.
    void set_last_wait(std::function<void()> wait) { last_wait_ = std::move(wait); }
    /// The device is a CPU: a child of fork() then ends in exit() without the handlers that were
    /// registered before those of this process's services. On a GPU it runs all of them.
    static void note_cpu_device();
    /// A device was given up (vulkan::Device::give_up): exit() then ends the process where it would
    /// call the exit handlers that were registered before those of this process's services.
    static void note_hanging_device();
    /// Called when the process exits: halt(), and the last wait.
    void end_with_process();

private:
    void work();
    void start_thread();
    void register_for_exit();
    Ref<CompileJob> take(Urgency& urgency);
    Ref<CompileJob> take_due();
    void wait_for_jobs(std::unique_lock<std::mutex>& lock);

    const uint32_t most_threads_;
    std::function<void()> last_wait_;
    std::once_flag registered_; ///< in the list that a process exit halts
    std::mutex mutex_;          ///< guards everything below
    std::condition_variable changed_;
    std::array<std::deque<Ref<CompileJob>>, 2> queues_; ///< by Urgency
    struct Deferred {
        std::chrono::steady_clock::time_point due;
        Ref<CompileJob> job;
    };
    std::vector<Deferred> deferred_;
    std::vector<std::thread> threads_;
    uint32_t idle_ = 0, busy_ = 0, limit_;
    bool optimizing_ = false; ///< one thread at a time: the others stay free for what draws need
    bool stop_ = false;
};

} // namespace kobalt::render
