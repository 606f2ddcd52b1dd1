// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Many windows, many sizes, and a server that dies.
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include <unistd.h>

#include "shared_tests.h"

namespace kobalt::windowtest {

namespace {

void random_resizes(const MakeTarget& make) {
    const auto target = make({});
    if (!target->current()) {
        return;
    }
    const std::string api = target->api();
    const Painter painter;
    std::minstd_rand random(38); // NOLINT(cert-msc51-cpp): the same sizes in each run
    target->set_interval(0);
    constexpr int resizes = 300;
    for (int i = 0; i < resizes; ++i) {
        const int width = 20 + static_cast<int>(random() % 600);
        const int height = 20 + static_cast<int>(random() % 500);
        const bool judged = i % 30 == 29;
        if (judged) {
            target->window().resize(width, height);
        } else {
            target->window().request_size(width, height);
        }
        painter.draw(width, height, i);
        expect(target->swap(), api + ": a swap fails after a resize");
        if (judged) {
            painter.draw(width, height, i);
            expect(target->swap(), api + ": a swap fails after a resize");
            gl::Finish();
            expect_quarters_x(target->window(), width, height,
                              api + " after resize " + std::to_string(i));
        }
    }
    expect(gl::GetError() == GL_NO_ERROR, api + " resizes: a GL error is left behind");
}

/// 52 windows from four threads, some of which live at the same time.
void windows_of_threads(Display* display, const MakeTarget& make) {
    constexpr int threads = 4;
    constexpr int rounds = 13;
    const int errors = x_errors();
    std::atomic<int> failed{0};
    for (int round = 0; round < rounds; ++round) {
        std::array<std::unique_ptr<Target>, threads> targets;
        for (int i = 0; i < threads; ++i) {
            targets[i] = make({.width = 100, .height = 80});
            if (!targets[i]->current()) {
                return;
            }
            targets[i]->release();
            targets[i]->window().move(10 + 120 * i, 10);
        }
        std::vector<std::thread> workers;
        for (const auto& target : targets) {
            workers.emplace_back([&failed, &target] {
                if (!target->make_current()) {
                    ++failed;
                    return;
                }
                const Painter painter;
                target->set_interval(0);
                for (int frame = 0; frame < 10; ++frame) {
                    painter.draw(target->width(), target->height(), frame);
                    failed += !target->swap();
                }
                gl::Finish();
                failed += gl::GetError() != GL_NO_ERROR;
                target->release();
            });
        }
        for (std::thread& worker : workers) {
            worker.join();
        }
        const std::string when = std::string(targets[0]->api()) +
                                 " windows of four threads, round " + std::to_string(round);
        for (const auto& target : targets) {
            expect_quarters_x(target->window(), target->width(), target->height(), when);
        }
        expect(failed == 0, when + ": " + std::to_string(failed) + " failures");
    }
    XSync(display, False);
    expect(x_errors() == errors, "X errors from windows of four threads");
}

int on_dead_server(Display*) {
    std::printf("the X server is gone: Xlib noticed\n");
    std::fflush(stdout);
    _exit(0);
}

} // namespace

void run_many_tests(Display* display, const MakeTarget& make) {
    random_resizes(make);
    windows_of_threads(display, make);
}

void run_until_the_server_dies(const MakeTarget& make) {
    XSetIOErrorHandler(on_dead_server);
    const auto target = make({.width = 800, .height = 600});
    expect(target->current(), "no window to draw to until the server dies");
    if (!target->current()) {
        return;
    }
    const char* server = std::getenv("KOBALT_TEST_XSERVER"); // NOLINT(concurrency-mt-unsafe)
    expect(server != nullptr, "KOBALT_TEST_XSERVER has to name the X server's process");
    if (server == nullptr) {
        return;
    }
    const Painter painter;
    target->set_interval(0);
    // GLX reports each swap after that as an error, and EGL on X11 doesn't tell.
    allow_x_error("GLXBadCurrentWindow");
    constexpr int killed_at = 60;
    for (int frame = 0; frame < 4 * killed_at && target->swap(); ++frame) {
        painter.draw(target->width(), target->height(), frame);
        if (frame == killed_at) {
            kill(static_cast<pid_t>(std::atoi(server)), SIGKILL);
        }
    }
    std::printf("the X server is gone\n");
    std::fflush(stdout);
    // What Xlib and GLX would do with the dead connection is not this test's.
    _exit(failures() == 0 ? 0 : 1);
}

} // namespace kobalt::windowtest
