// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Programs made by the hundred: alone, and in one context while another draws.
#include <algorithm>

#include "cases.h"
#include "context_thread.h"
#include "process.h"
#include "programs.h"

namespace kobalt::sso {

namespace {

constexpr int kDrawsPerFrame = 100;

/// Times making all programs without any query, and then drawing with each, until all have drawn.
Outcome link(const Job& job) {
    const int count = job.options.number(1000, 3);
    const Target target(job.options.pictures);
    bind_triangle();
    const WholePrograms whole(job.driver, job.seed);
    gl::UseProgram(whole.make(count)); // warm-up: the compiler's start doesn't count
    draw_triangle();
    Target::clear();
    gl::Finish();

    std::vector<GLuint> programs;
    const double busy_before = thread_cpu_seconds();
    const Clock::time_point begin = Clock::now();
    for (int i = 0; i < count; ++i) {
        programs.push_back(whole.make(i));
    }
    const double called = seconds_since(begin);
    for (int i = 0; i < count; ++i) {
        Target::use_cell(i % Target::kCells);
        gl::UseProgram(programs[static_cast<size_t>(i)]);
        draw_triangle();
    }
    gl::Finish();
    const double spent = seconds_since(begin);
    const double busy = thread_cpu_seconds() - busy_before;

    // A cell has the colour of the last draw to it.
    const auto last_in = [&](int cell) {
        return cell + (count - 1 - cell) / Target::kCells * Target::kCells;
    };
    const Outcome same = target.expect(std::min(count, Target::kCells),
                                       [&](int cell) { return whole.colour(last_in(cell)); });
    if (Outcome good = linked(programs); !good) {
        return good;
    }
    if (!same) {
        return same;
    }
    job.figures.add("programs", count / spent, "1/s");
    job.figures.add("calls", 1e3 * called, "ms");
    job.figures.add("app_thread", 100 * busy / spent, "%");
    return {};
}

/// Draws frames until `done` says so; milliseconds of each.
template <class Done>
std::vector<double> frames(const std::vector<GLuint>& programs, Done&& done) {
    std::vector<double> times;
    do {
        const Clock::time_point begin = Clock::now();
        for (int i = 0; i < kDrawsPerFrame; ++i) {
            gl::UseProgram(programs[static_cast<size_t>(i) % programs.size()]);
            draw_triangle();
        }
        gl::Flush();
        gl::Finish();
        times.push_back(1e3 * seconds_since(begin));
    } while (!done());
    return times;
}

/// The results of a thread with a shared context.
struct Loaded {
    std::vector<GLuint> made;
    double seconds = 0;

    Outcome load(const WholePrograms& whole, int first, int count) {
        Outcome outcome;
        const Clock::time_point begin = Clock::now();
        for (int i = 0; i < count && outcome; ++i) {
            made.push_back(whole.make(first + i));
            outcome = linked(made.back());
        }
        gl::Finish(); // so that another context sees the programs (GL 4.6, 5.3)
        seconds = seconds_since(begin);
        return outcome;
    }
};

Outcome load_beside(const Job& job) {
    const int count = job.options.number(500, 2);
    const int own = job.options.number(8, 2);
    const Target target(job.options.pictures);
    bind_triangle();
    const WholePrograms whole(job.driver, job.seed);
    std::vector<GLuint> drawn;
    for (int i = 0; i < own; ++i) {
        drawn.push_back(whole.make(i));
    }
    if (Outcome good = linked(drawn); !good) {
        return good;
    }
    const auto shared = job.context.create_shared({});
    if (!shared) {
        return failed("no second context: " + shared.error());
    }
    int left = job.options.number(200, 5);
    const std::vector<double> alone = frames(drawn, [&left] { return --left < 0; });

    Loaded loaded;
    ContextThread loader(*shared, [&] { return loaded.load(whole, own, count); });
    std::vector<double> beside = frames(drawn, [&loader] { return loader.done(); });
    if (Outcome good = loader.end(); !good) {
        return good;
    }
    if (Outcome good = target.expect_cell(0, whole.colour((kDrawsPerFrame - 1) % own)); !good) {
        return good;
    }
    // This context draws with what the other one made.
    Target::clear();
    gl::Finish();
    const Clock::time_point begin = Clock::now();
    for (int i = 0; i < count; ++i) {
        Target::use_cell(i);
        gl::UseProgram(loaded.made[static_cast<size_t>(i)]);
        draw_triangle();
    }
    gl::Finish();
    const double used = seconds_since(begin);
    if (Outcome good = target.expect(count, [&](int i) { return whole.colour(own + i); }); !good) {
        return good;
    }
    const double median = percentile(beside, 0.5);
    const double longest = percentile(beside, 1.0);
    job.figures.add("programs", count / loaded.seconds, "1/s");
    job.figures.add("frame_alone", percentile(alone, 0.5), "ms");
    job.figures.add("frame_median", median, "ms");
    job.figures.add("frame_longest", longest, "ms");
    job.figures.add("longest_of_median", longest / median, "x");
    job.figures.add("first_used", 1e3 * used, "ms");
    return {};
}

constexpr std::array kCases{
    Case{"link_1000", "1,000 programs linked, until all have drawn", link},
    Case{"load_beside", "500 programs made in one context while another draws", load_beside}};

} // namespace

std::span<const Case> loading_cases() {
    return kCases;
}

} // namespace kobalt::sso
