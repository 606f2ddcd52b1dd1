// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Programs made by the hundred: alone, and in one context while another draws.
#include <algorithm>
#include <atomic>
#include <thread>

#include "cases.h"
#include "process.h"
#include "programs.h"

namespace kobalt::sso {

namespace {

constexpr int kDrawsPerFrame = 100;

/// All are made without a question asked, and then each draws: how long until all have.
Outcome link(const Job& job) {
    const int count = job.options.number(1000, 3);
    const Target target(job.options.pictures);
    bind_triangle();
    const WholePrograms whole(job.driver, job.seed);
    gl::UseProgram(whole.make(count)); // the compiler's own beginnings don't count
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

    // A cell shows the last that was drawn to it.
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

/// What a thread with a shared context makes.
class Loader {
public:
    Loader(const offscreen::Context& context, const WholePrograms& whole, int first, int count)
        : thread_([this, &context, &whole, first, count] {
              if (!context.make_current()) {
                  outcome_ = failed("the shared context can't be made current in its thread");
              } else {
                  load(whole, first, count);
                  context.release_current();
              }
              done_ = true;
          }) {}

    bool done() const { return done_; }
    /// Waits for it. The programs are `made` then.
    Outcome end() {
        thread_.join();
        return outcome_;
    }
    const std::vector<GLuint>& made() const { return made_; }
    double seconds() const { return seconds_; }

private:
    void load(const WholePrograms& whole, int first, int count) {
        const Clock::time_point begin = Clock::now();
        for (int i = 0; i < count && outcome_; ++i) {
            made_.push_back(whole.make(first + i));
            outcome_ = linked(made_.back());
        }
        gl::Finish(); // what another context sees of them (GL 4.6, 5.3)
        seconds_ = seconds_since(begin);
    }

    std::vector<GLuint> made_;
    double seconds_ = 0;
    Outcome outcome_;
    std::atomic<bool> done_ = false;
    std::jthread thread_; // the last: it uses the others
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

    Loader loader(*shared, whole, own, count);
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
        gl::UseProgram(loader.made()[static_cast<size_t>(i)]);
        draw_triangle();
    }
    gl::Finish();
    const double used = seconds_since(begin);
    if (Outcome good = target.expect(count, [&](int i) { return whole.colour(own + i); }); !good) {
        return good;
    }
    const double median = percentile(beside, 0.5);
    const double longest = percentile(beside, 1.0);
    job.figures.add("programs", count / loader.seconds(), "1/s");
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
