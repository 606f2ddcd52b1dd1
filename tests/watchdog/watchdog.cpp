// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "watchdog.h"

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

#include <dlfcn.h>
#include <execinfo.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace kobalt::watchdog {

namespace {

constexpr int most_frames = 24;

/// Prints NAME+OFFSET of a function, or the library's name and the offset in it where the function
/// has no name.
void print_frame(void* address) {
    Dl_info info{};
    std::array<char, 160> text{};
    int length = 0;
    const auto at = reinterpret_cast<uintptr_t>(address);
    if (dladdr(address, &info) == 0) {
        length = std::snprintf(text.data(), text.size(), " %#zx", at);
    } else if (info.dli_sname != nullptr) {
        length = std::snprintf(text.data(), text.size(), " %.120s+%#zx", info.dli_sname,
                               at - reinterpret_cast<uintptr_t>(info.dli_saddr));
    } else {
        const std::string_view path = info.dli_fname;
        length = std::snprintf(text.data(), text.size(), " %.120s+%#zx",
                               path.substr(path.rfind('/') + 1).data(),
                               at - reinterpret_cast<uintptr_t>(info.dli_fbase));
    }
    (void)!write(STDERR_FILENO, text.data(), static_cast<size_t>(length));
}

/// Runs in the thread whose stack is printed. Allocates nothing: the thread may be inside malloc().
void print_stack(int /*signal*/) {
    std::array<char, 16> name{};
    prctl(PR_GET_NAME, name.data());
    std::array<char, 64> line{};
    const int length = std::snprintf(line.data(), line.size(),
                                     "thread %ld (%s):", syscall(SYS_gettid), name.data());
    (void)!write(STDERR_FILENO, line.data(), static_cast<size_t>(length));
    std::array<void*, most_frames> stack{};
    const int depth = backtrace(stack.data(), most_frames);
    for (int i = 2; i < depth; ++i) { // behind this function and the signal's return
        print_frame(stack[static_cast<size_t>(i)]);
    }
    (void)!write(STDERR_FILENO, "\n", 1);
}

void print_stacks() {
    const auto own = static_cast<pid_t>(syscall(SYS_gettid));
    std::error_code error;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
        const pid_t thread = std::atoi(task.path().filename().c_str());
        if (thread == own) {
            continue;
        }
        syscall(SYS_tgkill, getpid(), thread, SIGUSR1);
        // One after the other, so that their lines don't mix.
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
}

/// When the program ends; in a child of fork() there is no thread that looks.
struct Deadline {
    std::mutex mutex; ///< guards both
    std::chrono::steady_clock::time_point time;
    std::chrono::seconds limit{};
};

void watch(Deadline& deadline) {
    std::chrono::seconds limit{};
    for (;;) {
        std::chrono::steady_clock::time_point end;
        {
            const std::lock_guard lock(deadline.mutex);
            end = deadline.time;
            limit = deadline.limit;
        }
        if (std::chrono::steady_clock::now() >= end) {
            break;
        }
        std::this_thread::sleep_until(end);
    }
    std::fprintf(stderr, "no end after %lld s; what the threads do:\n",
                 static_cast<long long>(limit.count()));
    print_stacks();
    std::signal(SIGALRM, SIG_DFL);
    kill(getpid(), SIGALRM);
}

/// The first call: what print_stack() needs, and the thread that looks.
void start(Deadline& deadline) {
    // The first call loads libgcc, which a signal handler must not do.
    std::array<void*, 1> unused{};
    backtrace(unused.data(), 1);
    struct sigaction action = {};
    action.sa_handler = print_stack;
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &action, nullptr);
    std::thread(watch, std::ref(deadline)).detach();
}

} // namespace

void end_after(std::chrono::seconds limit) {
    // Never destroyed: the thread goes on while the process exits.
    static auto& deadline = *std::make_unique<Deadline>().release();
    static std::once_flag started;
    {
        const std::lock_guard lock(deadline.mutex);
        deadline.time = std::chrono::steady_clock::now() + limit;
        deadline.limit = limit;
    }
    std::call_once(started, start, std::ref(deadline));
}

} // namespace kobalt::watchdog
