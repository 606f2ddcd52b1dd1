// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// kobalt-window-tests [glx|egl|wayland]: draws to X11 windows through GLX and EGL, or to Wayland
// ones, and checks what is read back by GL and by the X server. A word behind glx or egl runs one
// part alone: "resizes", "threads", "growth", "recovery", "renderer", or "until-killed", which
// kills the X server while it draws. "no-glx" is for a server without GLX, "swap-times" measures.
// Exit status 0: all good, 1: something failed, 77: no display.
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

#include "shared_tests.h"
#include "watchdog/watchdog.h"

namespace {

using namespace kobalt::windowtest;

constexpr std::string_view systems[] = {"", "glx", "egl", "wayland", "no-glx", "swap-times"};

struct NamedPart {
    std::string_view name;
    void (*run)(Display*, const MakeTarget&);
};

constexpr NamedPart parts[] = {
    {"resizes", run_random_resizes}, {"threads", run_windows_of_threads},
    {"growth", run_growth},          {"recovery", run_recovery},
    {"renderer", run_renderer},      {"until-killed", run_until_the_server_dies}};

int report() {
    // Xlib's own handler ends programs there.
    expect(x_errors() == 0, "there were " + std::to_string(x_errors()) + " X errors");
    std::printf("%s\n", failures() == 0 ? "window tests passed" : "window tests FAILED");
    return failures() == 0 ? 0 : 1;
}

int usage() {
    std::fprintf(stderr,
                 "usage: kobalt-window-tests [glx|egl|wayland|no-glx|swap-times]\n"
                 "       kobalt-window-tests glx|egl resizes|threads|growth|recovery|renderer|"
                 "until-killed\n");
    return 2;
}

void run_part(Display* display, std::string_view system, const NamedPart& part) {
    if (system == "egl") {
        expect(with_egl(display, part.run), "EGL cannot be initialised on this X display");
    } else {
        expect(with_glx(display, part.run), "the X server has no GLX");
    }
}

} // namespace

int main(int argc, char** argv) {
    const std::string_view which = argc > 1 ? argv[1] : "";
    const NamedPart* part =
        argc == 3 ? std::ranges::find(parts, std::string_view(argv[2]), &NamedPart::name) : nullptr;
    if (argc > 3 || std::ranges::find(systems, which) == std::end(systems) ||
        part == std::end(parts) || (part != nullptr && which != "glx" && which != "egl")) {
        return usage();
    }
    if (which == "wayland") {
        if (!run_wayland()) {
            std::fprintf(stderr, "kobalt-window-tests: no Wayland display; set WAYLAND_DISPLAY\n");
            return 77;
        }
        return report();
    }
    if (part != nullptr && part->name == "until-killed") {
        // The test's runner waits for 60 s.
        kobalt::watchdog::end_after(std::chrono::seconds(45));
    }
    XInitThreads();
    Display* display = XOpenDisplay(nullptr);
    if (display == nullptr) {
        std::fprintf(stderr, "kobalt-window-tests: no X display; set DISPLAY or use xvfb-run\n");
        return 77;
    }
    catch_x_errors();
    if (part != nullptr) {
        run_part(display, which, *part);
        return report();
    }
    if (which == "no-glx") {
        run_without_glx(display);
        return report();
    }
    if (which == "swap-times") {
        with_glx(display, [](Display*, const MakeTarget& make) { show_swap_times(make); });
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
