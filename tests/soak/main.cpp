// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// kobalt-soak [--seconds S] [--max-growth PERCENT] [--max-rss MIB] [--end-after S] [--load NAME]...
//             [--list]
//
// Does one thing after another for S seconds each (default 20), as fast as the driver takes it, on
// whatever OpenGL the environment selects, and prints one line of tab separated values a load. Each
// load runs in a process of its own, and is ended after --end-after seconds (default 30 times S,
// and a minute): what its threads do then is told. A load fails where the last frame is wrong,
// where the process grows beyond --max-rss (default 4096), and, with --max-growth, where its
// resident set or the device memory grows by more after the first second. The exit status is 0
// where none failed.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "demo/offscreen/expected_renderer.h"
#include "loads.h"
#include "memory.h"
#include "scene.h"
#include "watchdog/watchdog.h"

namespace kobalt::soak {
namespace {

struct Options {
    double seconds = 20;
    std::optional<double> max_growth;
    std::int64_t max_rss_mib = 4096;
    std::optional<double> end_after;
    std::vector<std::string> loads;
};

std::vector<LoadKind> all_loads() {
    std::vector<LoadKind> all;
    for (const auto group : {drawing_loads(), data_loads()}) {
        all.insert(all.end(), group.begin(), group.end());
    }
    return all;
}

double seconds_between(Clock::time_point start, Clock::time_point end) {
    return std::chrono::duration<double>(end - start).count();
}

std::string text_of(GLenum name) {
    const auto* text = gl::GetString(name);
    return text != nullptr ? reinterpret_cast<const char*>(text) : "?";
}

/// Four columns: after the first second, at the end, the most between, and by how much that is
/// more in percent.
std::string columns(const MemoryCurve& curve) {
    if (curve.empty()) {
        return "-\t-\t-\t-";
    }
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), "%lld\t%lld\t%lld\t%.1f",
                  static_cast<long long>(curve.after_first_second()),
                  static_cast<long long>(curve.last()), static_cast<long long>(curve.most()),
                  curve.growth_percent());
    return text.data();
}

struct Outcome {
    std::uint32_t iterations = 0;
    double seconds = 0; ///< with the wait for what was queued
    double drain_seconds = 0;
    MemoryCurve resident;
    MemoryCurve device;
    std::string failure; ///< empty: none
};

Outcome soak(const LoadKind& kind, const offscreen::Context& context, const Options& options) {
    const DeviceMemory device;
    const std::unique_ptr<Load> load = kind.make(context);
    gl::Finish();
    Outcome outcome;
    ResidentSampler sampler(options.max_rss_mib * 1024);
    const Clock::time_point start = Clock::now();
    Clock::time_point now = start;
    double next_device_sample = 0;
    while (seconds_between(start, now) < options.seconds && !sampler.exceeded()) {
        load->step(outcome.iterations++);
        now = Clock::now();
        const double second = seconds_between(start, now);
        if (second >= next_device_sample) {
            if (const auto kib = device.used_kib()) {
                outcome.device.add(second, *kib);
            }
            next_device_sample = second + 0.1;
        }
    }
    gl::Finish();
    const Clock::time_point end = Clock::now();
    sampler.stop();
    outcome.seconds = seconds_between(start, end);
    outcome.drain_seconds = seconds_between(now, end);
    outcome.resident = sampler.curve();
    const std::string wrong = load->wrong_after(outcome.iterations - 1);
    const GLenum error = gl::GetError();
    const auto grows = [&options](const MemoryCurve& curve) {
        return options.max_growth && !curve.empty() && curve.growth_percent() > *options.max_growth;
    };
    if (sampler.exceeded()) {
        outcome.failure = "stopped: more than " + std::to_string(options.max_rss_mib) + " MiB";
    } else if (!wrong.empty()) {
        outcome.failure = "wrong: " + wrong;
    } else if (error != GL_NO_ERROR) {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "GL error 0x%04x", error);
        outcome.failure = text.data();
    } else if (grows(outcome.resident)) {
        outcome.failure = "grows: resident set";
    } else if (grows(outcome.device)) {
        outcome.failure = "grows: device memory";
    }
    return outcome;
}

/// The whole life of the process of one load. `first` also says who draws.
int run_load(const LoadKind& kind, bool first, const Options& options) {
    // A queue without bounds may take for ever to drain.
    watchdog::end_after(std::chrono::seconds(
        static_cast<int>(options.end_after.value_or(options.seconds * 30 + 60))));
    const auto context = offscreen::Context::create(offscreen::ContextRequest{});
    if (!context) {
        std::fprintf(stderr, "kobalt-soak: no OpenGL 3.3 context: %s\n", context.error().c_str());
        return 1;
    }
    const std::string renderer = text_of(GL_RENDERER);
    const std::string wanted = offscreen::expected_renderer();
    if (!offscreen::is_drawn_by(wanted, renderer)) {
        std::fprintf(stderr, "kobalt-soak: '%s' draws, not '%s'\n", renderer.c_str(),
                     wanted.c_str());
        return 1;
    }
    if (first) {
        std::printf("# %s, %s, %g s a load; memory in KiB\n"
                    "# load\titerations\trate\trss_1s\trss_end\trss_max\trss_growth\tdevice_1s\t"
                    "device_end\tdevice_max\tdevice_growth\tdrain_ms\tresult\n",
                    renderer.c_str(), text_of(GL_VERSION).c_str(), options.seconds);
    }
    const Outcome outcome = soak(kind, *context, options);
    std::printf("%s\t%u\t%.1f\t%s\t%s\t%.1f\t%s\n", kind.name, outcome.iterations,
                outcome.iterations / outcome.seconds, columns(outcome.resident).c_str(),
                columns(outcome.device).c_str(), 1000 * outcome.drain_seconds,
                outcome.failure.empty() ? "ok" : outcome.failure.c_str());
    std::fflush(stdout);
    return outcome.failure.empty() ? 0 : 1;
}

/// Runs the load in a process of its own and waits for it; true where it didn't fail.
bool run_apart(const LoadKind& kind, bool first, const Options& options) {
    std::fflush(stdout);
    const pid_t child = fork(); // before any GL: there is nothing that a fork could break
    if (child == 0) {
        std::exit(run_load(kind, first, options));
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        std::perror("kobalt-soak: no process for a load");
        return false;
    }
    if (WIFSIGNALED(status)) {
        std::printf("%s\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\tdied of signal %d\n", kind.name,
                    WTERMSIG(status));
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::optional<Options> parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; i += 2) {
        const std::string_view flag = argv[i];
        if (i + 1 >= argc) {
            return std::nullopt;
        }
        if (flag == "--seconds") {
            options.seconds = std::strtod(argv[i + 1], nullptr);
        } else if (flag == "--max-growth") {
            options.max_growth = std::strtod(argv[i + 1], nullptr);
        } else if (flag == "--max-rss") {
            options.max_rss_mib = std::strtol(argv[i + 1], nullptr, 10);
        } else if (flag == "--end-after") {
            options.end_after = std::strtod(argv[i + 1], nullptr);
        } else if (flag == "--load") {
            options.loads.emplace_back(argv[i + 1]);
        } else {
            return std::nullopt;
        }
    }
    // Growth is what comes after the first second.
    return options.seconds > 1 && options.max_rss_mib > 0 ? std::optional(options) : std::nullopt;
}

int main_of(int argc, char** argv) {
    const std::vector<LoadKind> loads = all_loads();
    if (argc == 2 && std::string_view(argv[1]) == "--list") {
        for (const LoadKind& kind : loads) {
            std::printf("%s\t%s\n", kind.name, kind.what);
        }
        return 0;
    }
    const auto options = parse(argc, argv);
    const auto known = [&loads](const std::string& name) {
        return std::ranges::any_of(loads, [&](const LoadKind& kind) { return kind.name == name; });
    };
    if (!options || !std::ranges::all_of(options->loads, known)) {
        std::fprintf(stderr, "usage: kobalt-soak [--seconds S] [--max-growth PERCENT] [--max-rss "
                             "MIB] [--end-after S] [--load NAME]... | --list    (S is more than "
                             "1)\n");
        return 2;
    }
    bool first = true;
    bool good = true;
    for (const LoadKind& kind : loads) {
        if (options->loads.empty() || std::ranges::count(options->loads, kind.name) > 0) {
            good = run_apart(kind, std::exchange(first, false), *options) && good;
        }
    }
    return good ? 0 : 1;
}

} // namespace
} // namespace kobalt::soak

int main(int argc, char** argv) {
    return kobalt::soak::main_of(argc, argv);
}
