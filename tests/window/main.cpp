// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// kobalt-window-tests [glx|egl]: draws to X11 windows through GLX and EGL and checks what is read
// back by GL and by the X server. Exit status 0: all good, 1: something failed, 77: no X display.
#include <cstdio>
#include <string_view>

#include "checks.h"

int main(int argc, char** argv) {
    const std::string_view which = argc > 1 ? argv[1] : "";
    if (!which.empty() && which != "glx" && which != "egl") {
        std::fprintf(stderr, "usage: kobalt-window-tests [glx|egl]\n");
        return 2;
    }
    Display* display = XOpenDisplay(nullptr);
    if (display == nullptr) {
        std::fprintf(stderr, "kobalt-window-tests: no X display; set DISPLAY or use xvfb-run\n");
        return 77;
    }
    using namespace kobalt::windowtest;
    if (which != "egl") {
        expect(run_glx(display), "the X server has no GLX");
    }
    if (which != "glx") {
        expect(run_egl(display), "EGL cannot be initialised on this X display");
    }
    XCloseDisplay(display);
    std::printf("%s\n", failures() == 0 ? "window tests passed" : "window tests FAILED");
    return failures() == 0 ? 0 : 1;
}
