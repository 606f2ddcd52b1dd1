// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <functional>
#include <thread>

#include "demo/offscreen/egl_context.h"
#include "figures.h"

namespace kobalt::sso {

/// Runs work on a thread of its own, with a context that is current there alone. If the context
/// can't be made current, `without` runs instead, and that failure is the outcome.
class ContextThread {
public:
    ContextThread(
        const offscreen::Context& context, std::function<Outcome()> work,
        std::function<void()> without = [] {})
        : thread_([this, &context, work = std::move(work), without = std::move(without)] {
              if (context.make_current()) {
                  outcome_ = work();
                  context.release_current();
              } else {
                  without();
                  outcome_ = failed("the shared context can't be made current in its thread");
              }
              done_ = true;
          }) {}

    bool done() const { return done_; }
    /// Waits for the thread.
    Outcome end() {
        thread_.join();
        return outcome_;
    }

private:
    Outcome outcome_;
    std::atomic<bool> done_ = false;
    std::jthread thread_; // declared last: the thread uses the other members
};

} // namespace kobalt::sso
