// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// kobalt-fault-frames [--armed-from FRAME] [--frames COUNT] [--robust] [--window PLACE]: draws
// frames above the layer VK_LAYER_KOBALT_fault, which makes calls fail from frame FRAME on (0: from
// before the context or the window is made, more than COUNT: behind the last frame, until the
// process has ended), and prints what it sees as an application, one JSON object a line. With
// --window the frames are swapped in windows of the X server that DISPLAY names.
// Exit status 0: it ran to its end, 3: no GL context.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "demo/offscreen/egl_context.h"
#include "fault_layer/plan.h"
#include "frame.h"
#include "window.h"

namespace kobalt::faults {
namespace {

using offscreen::Context;
using offscreen::ContextRequest;

/// The layer's counts. Without a layer: memory that nobody else sees.
fault::State& layer_state() {
    static fault::State alone{};
    fault::State* const shared = fault::State::map();
    return shared ? *shared : alone;
}

void print_frame(int number, const Seen& seen, uint32_t struck, GLenum reset) {
    std::string wrong, errors;
    for (const std::string& one : seen.wrong)
        wrong += (wrong.empty() ? "\"" : ", \"") + one + "\"";
    for (const GLenum one : seen.errors)
        errors += (errors.empty() ? "" : ", ") + std::to_string(one);
    std::printf(
        "{\"frame\": %d, \"struck\": %u, \"wrong\": [%s], \"errors\": [%s], \"link_failed\": "
        "%s, \"incomplete\": %s, \"reset\": %u, \"swap_error\": %d}\n",
        number, struck, wrong.c_str(), errors.c_str(), seen.link_failed ? "true" : "false",
        seen.incomplete ? "true" : "false", reset, seen.swap_error);
    std::fflush(stdout);
}

struct Options {
    int armed_from = 2, frames = 6;
    bool robust = false;
    std::optional<int> window; ///< the windows' place on the screen; empty: none is made
};

std::optional<Options> parse(int count, char** words) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        if (word == "--robust")
            options.robust = true;
        else if (word == "--armed-from" && i + 1 < count)
            options.armed_from = std::atoi(words[++i]);
        else if (word == "--frames" && i + 1 < count)
            options.frames = std::atoi(words[++i]);
        else if (word == "--window" && i + 1 < count)
            options.window = std::atoi(words[++i]);
        else
            return {};
    }
    return options;
}

/// What a context that is made after a loss draws.
const char* next_context(const ContextRequest& request) {
    auto context = Context::create(request);
    if (!context)
        return "none";
    Seen seen;
    const Lasting lasting;
    draw_frame(1, lasting, seen);
    return seen.wrong.empty() && seen.errors.empty() && !gl::GetGraphicsResetStatus() ? "good"
                                                                                      : "broken";
}

Lasting make_lasting() {
    Lasting lasting;
    Seen made;
    collect_errors(made);
    std::printf("{\"lasting_told\": %s}\n",
                lasting.linked() && made.errors.empty() ? "false" : "true");
    return lasting;
}

/// Draws the frames with `draw(number, seen)`, and arms the layer before the one that the options
/// name. Returns whether the device was lost.
template <class Draw>
bool draw_frames(const Options& options, Draw&& draw) {
    fault::State& state = layer_state();
    bool lost = false;
    for (int i = 1; i <= options.frames && !lost; ++i) {
        if (i == options.armed_from)
            state.armed = 1;
        const uint32_t before = state.struck;
        Seen seen;
        if (!draw(i, seen))
            return false;
        const GLenum reset = gl::GetGraphicsResetStatus();
        print_frame(i, seen, state.struck - before, reset);
        lost = reset != GL_NO_ERROR;
    }
    if (options.armed_from > options.frames)
        state.armed = 1;
    return lost;
}

/// False: no window can be made, at the second attempt either.
bool renew(Windows& windows, int number, int width, int height) {
    for (int attempt = 1; attempt <= 2; ++attempt) {
        const uint32_t before = layer_state().struck;
        const int error = windows.renew(width, height);
        if (error == EGL_SUCCESS)
            return true;
        std::printf("{\"no_window\": %d, \"attempt\": %d, \"egl_error\": %d, \"struck\": %u}\n",
                    number, attempt, error, layer_state().struck - before);
    }
    return false;
}

void swap_window(Windows& windows, int number, Seen& seen) {
    const int error = windows.swap();
    seen.swap_error = error == EGL_SUCCESS ? 0 : error;
    collect_errors(seen);
    if (error == EGL_SUCCESS && seen.wrong.empty() && seen.errors.empty() &&
        !windows.shows(window_colour(number)))
        seen.wrong.emplace_back("window");
}

/// Returns whether the device was lost; nothing: there is no context.
std::optional<bool> run_in_windows(const Options& options) {
    constexpr int resized[] = {3, 5}, renewed = 6;
    const auto windows = Windows::create(options.robust, *options.window);
    if (!windows)
        return {};
    layer_state().armed = options.armed_from == 0;
    if (!renew(*windows, 0, 96, 64))
        return false;
    const Lasting lasting = make_lasting();
    const bool lost = draw_frames(options, [&](int number, Seen& seen) {
        for (const int one : resized)
            if (number == one)
                windows->resize(96 + 16 * number, 64 + 8 * number);
        if (number == renewed && !renew(*windows, number, 120, 90))
            return false;
        lasting.fill_window(number, windows->width(), windows->height(), seen);
        swap_window(*windows, number, seen);
        return true;
    });
    return lost;
}

/// The same without a window.
std::optional<bool> run_off_screen(const Options& options, const ContextRequest& request) {
    layer_state().armed = options.armed_from == 0;
    const auto context = Context::create(request);
    if (!context)
        return {};
    const Lasting lasting = make_lasting();
    return draw_frames(options, [&](int number, Seen& seen) {
        draw_frame(number, lasting, seen);
        return true;
    });
}

int run(const Options& options) {
    ContextRequest request{offscreen::Profile::Core, 4, 3};
    request.robust = options.robust;
    const auto lost = options.window ? run_in_windows(options) : run_off_screen(options, request);
    if (!lost) {
        std::printf("{\"context\": \"none\"}\n");
        return 3;
    }
    if (options.armed_from <= options.frames)
        layer_state().armed = 0;
    if (*lost)
        std::printf("{\"next_context\": \"%s\"}\n", next_context(request));
    if (*lost || !options.window)
        offscreen::terminate_display();
    if (*lost) {
        std::printf("{\"next_display\": \"%s\"}\n", next_context(request));
        offscreen::terminate_display();
    }
    std::printf("{\"x_errors\": %d, \"end\": true}\n", x_errors());
    return 0;
}

} // namespace
} // namespace kobalt::faults

int main(int argc, char** argv) {
    const auto options = kobalt::faults::parse(argc, argv);
    if (!options) {
        std::fprintf(stderr, "usage: kobalt-fault-frames [--armed-from FRAME] [--frames COUNT] "
                             "[--robust] [--window PLACE]\n");
        return 2;
    }
    return kobalt::faults::run(*options);
}
