// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "watchdog.h"

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include <execinfo.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace kobalt::watchdog {

namespace {

/// Runs in the thread whose stack is printed. Allocates nothing: the thread may be inside malloc().
void print_stack(int /*signal*/) {
    std::array<char, 16> name{};
    prctl(PR_GET_NAME, name.data());
    std::array<char, 64> line{};
    const int length = std::snprintf(line.data(), line.size(), "thread %ld (%s):\n",
                                     syscall(SYS_gettid), name.data());
    (void)!write(STDERR_FILENO, line.data(), static_cast<size_t>(length));
    std::array<void*, 48> stack{};
    const int depth = backtrace(stack.data(), static_cast<int>(stack.size()));
    backtrace_symbols_fd(stack.data(), depth, STDERR_FILENO);
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

} // namespace

void end_after(std::chrono::seconds limit) {
    // The first call loads libgcc, which a signal handler must not do.
    std::array<void*, 1> unused{};
    backtrace(unused.data(), 1);
    struct sigaction action = {};
    action.sa_handler = print_stack;
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &action, nullptr);
    std::thread([limit] {
        std::this_thread::sleep_for(limit);
        std::fprintf(stderr, "no end after %lld s; what the threads do:\n",
                     static_cast<long long>(limit.count()));
        print_stacks();
        std::signal(SIGALRM, SIG_DFL);
        kill(getpid(), SIGALRM);
    }).detach();
}

} // namespace kobalt::watchdog
