// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <chrono>
#include <cstdio>

#include "shared_tests.h"

namespace kobalt::windowtest {

namespace {

void swap_and_resize(Target& target) {
    const std::string api = target.api();
    expect(target.current(), api + ": no double-buffered 3.3 context on a window");
    if (!target.current()) {
        return;
    }
    expect_renderer();
    const Painter painter;
    int width = target.width();
    int height = target.height();
    for (int frame = 0; frame < 60; ++frame) {
        const std::string when = api + " frame " + std::to_string(frame);
        if (frame == 20 || frame == 40) {
            width = frame == 20 ? 240 : 96;
            height = frame == 20 ? 200 : 64;
            target.window().resize(width, height);
        }
        painter.draw(width, height, frame);
        if (frame % 10 == 9) {
            expect_quarters_gl(GL_BACK, width, height, when + " before the swap");
        }
        expect(target.swap(), when + ": the swap fails");
        if (frame % 10 == 9) {
            gl::Finish();
            expect_quarters_x(target.window(), width, height, when);
        }
    }
    for (const int interval : {0, 1, 0}) {
        if (!target.set_interval(interval)) {
            std::printf("skipped: %s has no swap interval\n", api.c_str());
            break;
        }
        for (int frame = 0; frame < 5; ++frame) {
            painter.draw(width, height, frame);
            target.swap();
        }
    }
    gl::Finish();
    expect_quarters_x(target.window(), width, height, api + " after changes of the swap interval");
    expect(gl::GetError() == GL_NO_ERROR, api + ": a GL error is left behind");
}

/// Resizes the window at every frame without waiting: only the final picture is checked.
void resize_while_rendering(Target& target) {
    const std::string api = target.api();
    if (!target.current()) {
        return;
    }
    const Painter painter;
    int width = 0;
    int height = 0;
    for (int frame = 0; frame < 40; ++frame) {
        width = 64 + 37 * (frame % 7);
        height = 48 + 29 * (frame % 5);
        target.window().request_size(width, height);
        painter.draw(width, height, frame);
        expect(target.swap(), api + " resizing: the swap fails");
    }
    for (int frame = 0; frame < 3; ++frame) {
        painter.draw(width, height, frame);
        target.swap();
    }
    gl::Finish();
    expect_quarters_x(target.window(), width, height, api + " after resizing at every frame");
    expect(gl::GetError() == GL_NO_ERROR, api + " resizing: a GL error is left behind");
}

void multisampled(const MakeTarget& make) {
    const auto target = make({.samples = 4});
    const std::string api = target->api();
    if (!target->current()) {
        std::printf("skipped: %s offers no multisampled window\n", api.c_str());
        return;
    }
    GLint samples = 0;
    gl::GetIntegerv(GL_SAMPLES, &samples);
    expect(samples >= 4, api + " multisampled: GL_SAMPLES is " + std::to_string(samples));
    const Painter painter;
    for (int frame = 0; frame < 5; ++frame) {
        painter.draw(target->width(), target->height(), frame);
        expect_quarters_gl(GL_BACK, target->width(), target->height(),
                           api + " multisampled before the swap");
        target->swap();
    }
    gl::Finish();
    expect_quarters_x(target->window(), target->width(), target->height(),
                      api + " multisampled window");
    expect(gl::GetError() == GL_NO_ERROR, api + " multisampled: a GL error is left behind");
}

void single_buffered(const MakeTarget& make) {
    const auto target = make({.double_buffered = false});
    const std::string api = target->api();
    if (!target->current() || !target->single_buffered()) {
        std::printf("skipped: %s offers no single-buffered window\n", api.c_str());
        return;
    }
    const Painter painter;
    for (int frame = 0; frame < 3; ++frame) {
        painter.draw(target->width(), target->height(), frame);
        gl::Flush();
    }
    gl::Finish();
    expect_quarters_x(target->window(), target->width(), target->height(),
                      api + " single-buffered window");
    // Swapping has no effect on such a window, and must not fail.
    expect(target->swap(), api + " single-buffered: the swap fails");
    gl::Finish();
    expect_quarters_x(target->window(), target->width(), target->height(),
                      api + " single-buffered window after a swap");
    expect(gl::GetError() == GL_NO_ERROR, api + " single-buffered: a GL error is left behind");
}

} // namespace

void run_swap_tests(const MakeTarget& make) {
    swap_and_resize(*make({}));
    resize_while_rendering(*make({}));
    multisampled(make);
    single_buffered(make);
}

void run_shared_tests(Display* display, const MakeTarget& make) {
    run_swap_tests(make);
    run_partial_tests(make);
    run_lifetime_tests(display, make);
    run_thread_tests(display, make);
    run_many_tests(display, make);
}

} // namespace kobalt::windowtest
