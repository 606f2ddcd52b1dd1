// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Windows that go while their frames are on the way: by the program itself, in any order with the
// context, and by somebody else.
#include <cstdio>

#include "shared_tests.h"

namespace kobalt::windowtest {

namespace {

enum class Order { window_while_current, window_before_context, context_before_window };

constexpr const char* name(Order order) {
    switch (order) {
    case Order::window_while_current:
        return "the window is destroyed while its context is current";
    case Order::window_before_context:
        return "the window is destroyed before its context";
    default:
        return "the window is destroyed after its context";
    }
}

/// Frames large enough that the server takes longer to copy them than we take to draw them, so that
/// some are always pending.
constexpr TargetOptions large{.width = 1200, .height = 960};

void destroyed_after_swaps(Display* display, const MakeTarget& make, Order order) {
    const int errors = x_errors();
    std::string api;
    constexpr int rounds = 20;
    for (int round = 0; round < rounds; ++round) {
        const auto target = make(large);
        api = target->api();
        if (!target->current()) {
            return;
        }
        for (int frame = 0; frame < 6; ++frame) {
            gl::ClearColor(0, 0.5F, frame & 1 ? 1.0F : 0.0F, 1);
            gl::Clear(GL_COLOR_BUFFER_BIT);
            target->swap();
        }
        if (order == Order::window_before_context) {
            target->release();
        }
        if (order == Order::context_before_window) {
            target->destroy();
        }
        target->window().destroy();
        target->destroy();
    }
    XSync(display, False);
    expect(x_errors() == errors, api + ": " + name(order) + ": " +
                                     std::to_string(x_errors() - errors) + " X errors in " +
                                     std::to_string(rounds) + " rounds");
}

/// Another client destroys the window. Its swaps raise an error then, and nothing
/// may crash or hang.
void destroyed_by_another(Display* display, const MakeTarget& make) {
    const auto target = make({});
    if (!target->current()) {
        return;
    }
    const std::string api = target->api();
    const int errors = x_errors();
    const Painter painter;
    for (int frame = 0; frame < 5; ++frame) {
        painter.draw(target->width(), target->height(), frame);
        target->swap();
    }
    Display* other = XOpenDisplay(DisplayString(display));
    XDestroyWindow(other, target->window().handle());
    XSync(other, False);
    for (int frame = 0; frame < 20; ++frame) {
        painter.draw(target->width(), target->height(), frame);
        expect(target->swap_fails(),
               api + ": swap " + std::to_string(frame) + " to a destroyed window raises no error");
    }
    gl::Finish();
    target->window().forget();
    target->destroy();
    XCloseDisplay(other);
    XSync(display, False);
    expect(x_errors() == errors, api + ": X errors after another client destroyed the window");

    const auto next = make({});
    expect(next->current(), api + ": no window any more after another client destroyed one");
    if (!next->current()) {
        return;
    }
    const Painter again;
    again.draw(next->width(), next->height(), 0);
    next->swap();
    gl::Finish();
    expect_quarters_x(next->window(), next->width(), next->height(),
                      api + " after another client destroyed a window");
}

/// Swaps a surface whose context isn't current: GLX and EGL allow the call, and define its effect.
void swapped_without_context(Display* display, const MakeTarget& make) {
    const auto target = make({});
    if (!target->current()) {
        return;
    }
    const std::string api = target->api();
    const int errors = x_errors();
    const Painter painter;
    painter.draw(target->width(), target->height(), 0);
    target->swap();
    gl::Finish();
    expect_quarters_x(target->window(), target->width(), target->height(),
                      api + " before the context is released");
    target->release();
    for (int frame = 0; frame < 3; ++frame) {
        (void)target->swap();
    }
    expect(target->make_current(), api + ": the context can't be made current again");
    painter.draw(target->width(), target->height(), 1);
    target->swap();
    gl::Finish();
    expect_quarters_x(target->window(), target->width(), target->height(),
                      api + " after swaps without a context");
    XSync(display, False);
    expect(x_errors() == errors, api + ": X errors from swaps without a context");
}

} // namespace

void run_lifetime_tests(Display* display, const MakeTarget& make) {
    for (const Order order : {Order::window_while_current, Order::window_before_context,
                              Order::context_before_window}) {
        destroyed_after_swaps(display, make, order);
    }
    destroyed_by_another(display, make);
    swapped_without_context(display, make);
}

} // namespace kobalt::windowtest
