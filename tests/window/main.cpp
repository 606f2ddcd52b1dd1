// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// kobalt-window-tests [glx|egl|wayland]: draws to X11 windows through GLX and EGL, or to Wayland
// ones, and checks what is read back by GL and by the X server. With "until-killed" behind it, it
// kills the X server while it draws. "no-glx" is for a server without GLX, "swap-times" measures.
// Exit status 0: all good, 1: something failed, 77: no display.
#include <cstdio>
#include <string_view>

#include "shared_tests.h"
#include "watchdog.h"

namespace {

int report() {
    using kobalt::windowtest::failures;
    std::printf("%s\n", failures() == 0 ? "window tests passed" : "window tests FAILED");
    return failures() == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    const std::string_view which = argc > 1 ? argv[1] : "";
    const bool until_killed = argc == 3 && std::string_view(argv[2]) == "until-killed";
    if (!which.empty() && which != "glx" && which != "egl" && which != "wayland" &&
        which != "no-glx" && which != "swap-times") {
        std::fprintf(
            stderr,
            "usage: kobalt-window-tests [glx|egl|wayland|no-glx|swap-times] [until-killed]\n");
        return 2;
    }
    using namespace kobalt::windowtest;
    if (which == "wayland") {
        if (!run_wayland()) {
            std::fprintf(stderr, "kobalt-window-tests: no Wayland display; set WAYLAND_DISPLAY\n");
            return 77;
        }
        return report();
    }
    if (until_killed) {
        // The test's runner waits for 60 s.
        end_after(std::chrono::seconds(45));
    }
    XInitThreads();
    Display* display = XOpenDisplay(nullptr);
    if (display == nullptr) {
        std::fprintf(stderr, "kobalt-window-tests: no X display; set DISPLAY or use xvfb-run\n");
        return 77;
    }
    catch_x_errors();
    if (until_killed) {
        expect(which == "egl" ? run_egl_until_the_server_dies(display)
                              : run_glx_until_the_server_dies(display),
               "no window system on this X display");
        return report();
    }
    if (which == "no-glx") {
        run_without_glx(display);
        return report();
    }
    if (which == "swap-times") {
        show_swap_times(
            [&](const TargetOptions& options) { return make_glx_target(display, options); });
        return report();
    }
    if (which != "egl") {
        expect(run_glx(display), "the X server has no GLX");
    }
    if (which != "glx") {
        expect(run_egl(display), "EGL cannot be initialised on this X display");
    }
    XCloseDisplay(display);
    return report();
}
