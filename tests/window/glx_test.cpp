// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cstdio>
#include <vector>

#include "glx_proc.h"
#include "shared_tests.h"
#include "target.h"

namespace kobalt::windowtest {

namespace {

void front_buffer(Display* display) {
    const auto glx = make_glx_target(display);
    if (!glx->current()) {
        return;
    }
    const Painter painter;
    painter.draw(glx->width(), glx->height(), 0);
    glx->swap();
    gl::Finish();
    gl::DrawBuffer(GL_FRONT);
    gl::ClearColor(0.2F, 0.4F, 0.6F, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    painter.draw(glx->width(), glx->height(), 30);
    gl::Flush();
    gl::Finish();
    expect_quarters_x(glx->window(), glx->width(), glx->height(), "GLX front buffer after a flush");
    expect(gl::GetError() == GL_NO_ERROR, "GLX front buffer: a GL error is left behind");
}

void several_windows(Display* display) {
    const auto first = make_glx_target(display);
    const auto second = make_glx_target(display);
    const auto third = make_glx_target(display);
    // Each target made its own context current, so the third one's is current now.
    if (!third->current()) {
        return;
    }
    const Painter painter;
    for (int frame = 0; frame < 10; ++frame) {
        painter.draw(third->width(), third->height(), frame);
        third->swap();
    }
    gl::Finish();
    expect_quarters_x(third->window(), third->width(), third->height(), "GLX third window");
}

} // namespace

bool with_glx(Display* display, const Part& part) {
    int error = 0;
    int event = 0;
    if (!glXQueryExtension(display, &error, &event)) {
        return false;
    }
    part(display, [&](const TargetOptions& options) { return make_glx_target(display, options); });
    return true;
}

bool run_glx(Display* display) {
    if (!with_glx(display, run_shared_tests)) {
        return false;
    }
    front_buffer(display);
    several_windows(display);
    run_glx_sync_tests(display);
    run_glx_pixmap_tests(display);
    run_glx_pbuffer_tests(display);
    return true;
}

} // namespace kobalt::windowtest
