// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// A window whose device is lost, and which another context goes on drawing to.
#include <cstdlib>

#include "shared_tests.h"

namespace kobalt::windowtest {

void run_recovery(Display* display, const MakeTarget& make) {
    const auto target = make({});
    if (!target->current()) {
        return;
    }
    const std::string api = target->api();
    const int errors = x_errors();
    {
        const Painter painter;
        for (int frame = 0; frame < 5; ++frame) {
            painter.draw(target->width(), target->height(), frame);
            target->swap();
        }
        gl::Finish();
        expect_quarters_x(target->window(), target->width(), target->height(),
                          api + " before the device is lost");
        for (int frame = 0; frame < 60; ++frame) {
            gl::ClearColor(1, 0, 1, 1);
            gl::Clear(GL_COLOR_BUFFER_BIT);
            gl::Finish();
            target->swap();
        }
    }
    unsetenv("KOBALT_FAULT"); // the next device stays
    expect(target->renew_context(), api + ": no context after the device was lost");
    const Painter painter;
    for (int frame = 0; frame < 5; ++frame) {
        painter.draw(target->width(), target->height(), frame);
        target->swap();
    }
    gl::Finish();
    expect_quarters_x(target->window(), target->width(), target->height(),
                      api + " after the device was lost");
    target->window().resize(target->width() * 2, target->height() * 2);
    for (int frame = 0; frame < 5; ++frame) {
        gl::Viewport(0, 0, target->width() * 2, target->height() * 2);
        painter.draw(target->width() * 2, target->height() * 2, frame);
        target->swap();
    }
    gl::Finish();
    expect_quarters_x(target->window(), target->width() * 2, target->height() * 2,
                      api + " after the device was lost and the window resized");
    target->destroy();
    const auto next = make({});
    expect(next->current(), api + ": no further window after the device was lost");
    XSync(display, False);
    expect(x_errors() == errors, api + ": X errors after the device was lost");
}

} // namespace kobalt::windowtest
