// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// kobalt-sso [--case NAME[,NAME]] [--quick] [--seed N] [--pause SECONDS] [--no-pictures] | --list
//
// Measures what a program feels that picks its shader stages as it draws: the first use of each
// combination, steady changes, many objects, bindless textures and loading, on whatever OpenGL the
// environment selects. One line a figure, `case <tab> metric <tab> value <tab> unit`, or
// `case <tab> skipped|failed <tab> - <tab> reason`; the lines that begin with # say who drew. Each
// case has a process of its own where there are several. The exit status is 0 where none failed: a
// wrong picture is a failure, what the driver lacks is skipped.
//
// --seed takes the number that goes into the shaders' constants (default: the clock), --pause the
// load screen before first uses (default 1); --quick tests the cases rather than measures;
// --no-pictures is for devices that draw nothing.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "demo/offscreen/expected_renderer.h"
#include "random.h"

namespace kobalt::sso {
namespace {

// The time limit for a driver that hangs; the slowest case takes a minute or two on a CPU device.
constexpr unsigned kLimitSeconds = 600;

std::vector<Case> all_cases() {
    std::vector<Case> all;
    for (const auto group :
         {start_cases(), first_use_cases(), swap_cases(), change_cases(), many_cases(),
          bindless_cases(), dispatch_cases(), thread_cases(), loading_cases()}) {
        all.insert(all.end(), group.begin(), group.end());
    }
    return all;
}

std::string text_of(GLenum name) {
    const auto* text = gl::GetString(name);
    return text != nullptr ? reinterpret_cast<const char*>(text) : "?";
}

Outcome measure(const Case& one, bool first, const Options& options, const Figures& figures) {
    const Clock::time_point begin = Clock::now();
    const auto context = offscreen::Context::create({});
    if (!context) {
        return failed("no OpenGL 3.3 context: " + context.error());
    }
    const std::string renderer = text_of(GL_RENDERER);
    if (!offscreen::is_drawn_by(offscreen::expected_renderer(), renderer)) {
        return failed("'" + renderer + "' draws, not '" + offscreen::expected_renderer() + "'");
    }
    if (first) {
        std::printf("# renderer\t%s\n# version\t%s\n# seed\t%llu\n", renderer.c_str(),
                    text_of(GL_VERSION).c_str(), static_cast<unsigned long long>(options.seed));
    }
    const Driver driver = Driver::ask();
    return one.run({options, *context, driver, figures, seed_for(options.seed, one.name), begin});
}

/// Runs one case from start to end; true where it didn't fail.
bool run(const Case& one, bool first, const Options& options) {
    alarm(kLimitSeconds);
    const Figures figures(one.name);
    const Outcome outcome = measure(one, first, options, figures);
    if (!outcome) {
        figures.add(outcome.error());
    }
    offscreen::terminate_display();
    return outcome || outcome.error().kind == Trouble::Kind::Skipped;
}

/// Runs the case in a process of its own.
bool run_apart(const Case& one, bool first, const Options& options) {
    std::fflush(stdout);
    const pid_t child = fork(); // before any GL call, so that the fork breaks nothing
    if (child == 0) {
        std::exit(run(one, first, options) ? 0 : 1);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        std::perror("kobalt-sso: no process for a case");
        return false;
    }
    if (WIFSIGNALED(status)) {
        Figures(one.name).add({Trouble::Kind::Failed,
                               WTERMSIG(status) == SIGALRM
                                   ? "did not end within " + std::to_string(kLimitSeconds) + " s"
                                   : "died of signal " + std::to_string(WTERMSIG(status))});
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main_of(std::span<char* const> words) {
    const auto options = parse(words);
    if (!options) {
        std::fprintf(stderr,
                     "kobalt-sso: %s\nusage: kobalt-sso [--case NAME[,NAME]] [--quick] [--seed N] "
                     "[--pause SECONDS] [--no-pictures] | --list\n",
                     options.error().c_str());
        return 2;
    }
    std::vector<Case> chosen = all_cases();
    if (options->list) {
        for (const Case& one : chosen) {
            std::printf("%s\t%s\n", one.name, one.what);
        }
        return 0;
    }
    for (const std::string& name : options->cases) {
        if (std::ranges::find(chosen, name, &Case::name) == chosen.end()) {
            std::fprintf(stderr, "kobalt-sso: there is no case '%s'; --list names them\n",
                         name.c_str());
            return 2;
        }
    }
    if (!options->cases.empty()) {
        std::erase_if(chosen, [&](const Case& one) {
            return std::ranges::find(options->cases, one.name) == options->cases.end();
        });
    }
    if (chosen.size() == 1) {
        return run(chosen.front(), true, *options) ? 0 : 1;
    }
    bool first = true;
    bool good = true;
    for (const Case& one : chosen) {
        good = run_apart(one, std::exchange(first, false), *options) && good;
    }
    return good ? 0 : 1;
}

} // namespace
} // namespace kobalt::sso

int main(int argc, char** argv) {
    return kobalt::sso::main_of({argv + 1, static_cast<size_t>(argc > 0 ? argc - 1 : 0)});
}
