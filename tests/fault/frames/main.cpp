// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// kobalt-fault-frames [--armed-from FRAME] [--frames COUNT] [--robust]: draws frames above the
// layer VK_LAYER_KOBALT_fault, which makes calls fail from frame FRAME on (0 to start with: from
// before the context is made), and prints what it sees as an application, one JSON object a line.
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
        "%s, \"incomplete\": %s, \"reset\": %u}\n",
        number, struck, wrong.c_str(), errors.c_str(), seen.link_failed ? "true" : "false",
        seen.incomplete ? "true" : "false", reset);
    std::fflush(stdout);
}

struct Options {
    int armed_from = 2, frames = 6;
    bool robust = false;
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

int run(const Options& options) {
    fault::State& state = layer_state();
    state.armed = options.armed_from == 0;
    ContextRequest request{offscreen::Profile::Core, 4, 3};
    request.robust = options.robust;
    bool lost = false;
    {
        auto context = Context::create(request);
        if (!context) {
            std::printf("{\"context\": \"none\"}\n");
            return 3;
        }
        const Lasting lasting;
        Seen made;
        collect_errors(made);
        std::printf("{\"lasting_told\": %s}\n",
                    lasting.linked() && made.errors.empty() ? "false" : "true");
        for (int i = 1; i <= options.frames && !lost; ++i) {
            if (i == options.armed_from)
                state.armed = 1;
            const uint32_t before = state.struck;
            Seen seen;
            draw_frame(i, lasting, seen);
            const GLenum reset = gl::GetGraphicsResetStatus();
            print_frame(i, seen, state.struck - before, reset);
            lost = reset != GL_NO_ERROR;
        }
    }
    state.armed = 0;
    if (lost)
        std::printf("{\"next_context\": \"%s\"}\n", next_context(request));
    offscreen::terminate_display();
    if (lost)
        std::printf("{\"next_display\": \"%s\"}\n", next_context(request));
    offscreen::terminate_display();
    std::printf("{\"end\": true}\n");
    return 0;
}

} // namespace
} // namespace kobalt::faults

int main(int argc, char** argv) {
    const auto options = kobalt::faults::parse(argc, argv);
    if (!options) {
        std::fprintf(stderr, "usage: kobalt-fault-frames [--armed-from FRAME] [--frames COUNT] "
                             "[--robust]\n");
        return 2;
    }
    return kobalt::faults::run(*options);
}
