// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "worker.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <execinfo.h>
#include <unistd.h>

#include "demo/offscreen/egl_context.h"
#include "random.h"

namespace kobalt::fuzz {
namespace {

/// Says where a fatal signal came from, then ends the process by it.
void tell_stack(int signal) {
    std::array<void*, 40> frames{};
    const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
    backtrace_symbols_fd(frames.data(), count, STDERR_FILENO);
    std::raise(signal); // the handler is gone: SA_RESETHAND
}

void install_handlers() {
    // The first call loads a library, which no signal handler may do.
    std::array<void*, 1> frame{};
    backtrace(frame.data(), 1);
    struct sigaction action {};
    action.sa_handler = tell_stack;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) {
        sigaction(signal, &action, nullptr);
    }
}

} // namespace

std::int64_t now_ns() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

void work(const TargetKind& kind, const RunRequest& request, Progress& progress) {
    install_handlers();
    auto target = kind.make();
    if (!target) {
        std::fprintf(stderr, "kobalt-fuzz: %s\n", target.error().c_str());
        std::exit(no_target_status);
    }
    std::uint64_t count = kind.inputs_of_worker;
    if (request.limits.inputs != 0) {
        count = std::min(count, request.limits.inputs);
    }
    for (; count > 0 && !progress.stopping; --count) {
        progress.journal.clear();
        progress.begun_ns = now_ns();
        progress.running = true;
        const std::string wrong =
            (*target)->run(input_seed(request.seed, progress.current), progress.journal);
        if (!wrong.empty()) {
            std::fprintf(stderr, "%s%llu: %s\n%s", wrong_mark,
                         static_cast<unsigned long long>(progress.current), wrong.c_str(),
                         progress.journal.text().c_str());
        }
        progress.running = false;
        ++progress.current;
    }
    progress.begun_ns = now_ns();
    target->reset();
    offscreen::terminate_display();
    std::exit(0);
}

} // namespace kobalt::fuzz
