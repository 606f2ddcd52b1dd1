// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <memory>
#include <thread>
#include <vector>

#include "shared_tests.h"

namespace kobalt::windowtest {

namespace {

/// Tests two windows on one connection, each with a context of its own in a thread of its own.
void two_threads(Display* display, const MakeTarget& make) {
    std::array<std::unique_ptr<Target>, 2> targets;
    for (auto& target : targets) {
        target = make({});
        if (!target->current()) {
            return;
        }
        target->release();
    }
    targets[1]->window().move(10 + 2 * targets[0]->width(), 10);
    const std::string api = targets[0]->api();
    const int errors = x_errors();
    std::array<int, 2> failed{};
    std::vector<std::thread> threads;
    for (size_t i = 0; i < targets.size(); ++i) {
        threads.emplace_back([&, i] {
            Target& target = *targets[i];
            if (!target.make_current()) {
                ++failed[i];
                return;
            }
            const Painter painter;
            for (int frame = 0; frame < 60; ++frame) {
                if (frame == 30) {
                    target.set_interval(0);
                }
                painter.draw(target.width(), target.height(), frame);
                failed[i] += !target.swap();
            }
            gl::Finish();
            failed[i] += gl::GetError() != GL_NO_ERROR;
            target.release();
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (size_t i = 0; i < targets.size(); ++i) {
        const std::string which = api + " thread " + std::to_string(i);
        expect(failed[i] == 0, which + ": " + std::to_string(failed[i]) + " failures");
        expect_quarters_x(targets[i]->window(), targets[i]->width(), targets[i]->height(), which);
    }
    XSync(display, False);
    expect(x_errors() == errors, api + ": X errors from two threads");
}

} // namespace

void run_thread_tests(Display* display, const MakeTarget& make) {
    two_threads(display, make);
}

} // namespace kobalt::windowtest
