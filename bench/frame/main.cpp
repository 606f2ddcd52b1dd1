// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// kobalt-frame [--size WIDTHxHEIGHT] [--warm N] [--frames N] [--pause MICROSECONDS] [SCENE…]
// kobalt-frame --list
//
// Draws frames as games draw them, on whatever OpenGL the environment selects, and prints what a
// frame costs: `scene <tab> metric <tab> value <tab> unit`, or `scene <tab> failed <tab> - <tab>
// reason`. The lines that begin with # say who drew. Counts come from the Vulkan layer
// VK_LAYER_KOBALT_counting (bench/counting_layer), if the environment puts it below the driver.
#include <algorithm>
#include <cstdio>

#include "demo/offscreen/egl_context.h"
#include "demo/offscreen/expected_renderer.h"
#include "options.h"

namespace kobalt::frame {
namespace {

std::vector<Kind> all_scenes() {
    std::vector<Kind> all;
    for (const auto group :
         {light_scenes(), pass_scenes(), target_scenes(), stream_scenes(), pixel_buffer_scenes(),
          overlay_scenes(), whole_scenes(), game_scenes()}) {
        all.insert(all.end(), group.begin(), group.end());
    }
    return all;
}

std::string text_of(GLenum name) {
    const auto* text = gl::GetString(name);
    return text != nullptr ? reinterpret_cast<const char*>(text) : "?";
}

/// Draws one scene in a context of its own; `said` is whether the driver's name was printed.
std::expected<void, std::string> run(const Kind& kind, const Options& options, bool& said) {
    const auto context =
        offscreen::Context::create({.profile = offscreen::Profile::Core, .major = 4, .minor = 5});
    if (!context) {
        return std::unexpected("no OpenGL 4.5 context: " + context.error());
    }
    const std::string renderer = text_of(GL_RENDERER);
    if (!offscreen::is_drawn_by(offscreen::expected_renderer(), renderer)) {
        return std::unexpected("'" + renderer + "' draws, not '" + offscreen::expected_renderer() +
                               "'");
    }
    if (!said) {
        std::printf("# renderer\t%s\n# version\t%s\n", renderer.c_str(),
                    text_of(GL_VERSION).c_str());
        said = true;
    }
    return measure(kind, options.size, options.frames);
}

int run_all(const std::vector<Kind>& chosen, const Options& options) {
    bool good = true;
    bool said = false;
    for (const Kind& kind : chosen) {
        const auto outcome = run(kind, options, said);
        if (!outcome) {
            std::printf("%s\tfailed\t-\t%s\n", kind.name, outcome.error().c_str());
            good = false;
        }
        std::fflush(stdout);
    }
    std::printf("process\tresident\t%.4g\tMB\n", resident_mb());
    std::fflush(stdout);
    offscreen::terminate_display();
    return good ? 0 : 1;
}

int main_of(std::span<char* const> words) {
    const auto options = parse(words);
    if (!options) {
        std::fprintf(stderr,
                     "kobalt-frame: %s\nusage: kobalt-frame [--size WIDTHxHEIGHT] [--warm N] "
                     "[--frames N] [--pause MICROSECONDS] [SCENE...] | --list\n",
                     options.error().c_str());
        return 2;
    }
    std::vector<Kind> chosen = all_scenes();
    if (options->list) {
        for (const Kind& kind : chosen) {
            std::printf("%s\t%s\n", kind.name, kind.what);
        }
        return 0;
    }
    const auto is_called = [](const std::string& name) {
        return [name](const Kind& kind) { return kind.name == name; };
    };
    for (const std::string& name : options->scenes) {
        if (std::ranges::none_of(chosen, is_called(name))) {
            std::fprintf(stderr, "kobalt-frame: there is no scene '%s'; --list names them\n",
                         name.c_str());
            return 2;
        }
    }
    if (!options->scenes.empty()) {
        std::erase_if(chosen, [&](const Kind& kind) {
            return std::ranges::find(options->scenes, kind.name) == options->scenes.end();
        });
    }
    if (!share_counters()) {
        std::perror("kobalt-frame: no file for the counters");
        return 1;
    }
    return run_all(chosen, *options);
}

} // namespace
} // namespace kobalt::frame

int main(int argc, char** argv) {
    return kobalt::frame::main_of({argv + 1, static_cast<size_t>(argc > 0 ? argc - 1 : 0)});
}
