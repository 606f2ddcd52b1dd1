// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What an app waits for: one draw until it is done, and threads that draw beside each other.
#include <atomic>
#include <memory>
#include <thread>

#include "cases.h"
#include "steady.h"
#include "steady_scene.h"

namespace kobalt::sso {

namespace {

constexpr int kTextures = 2;

/// How long a draw takes with all that is behind it, where nothing is new.
Outcome finish(const Job& job) {
    const Target target(job.options.pictures);
    bind_triangle();
    const auto scene = SteadyScene::create(job.driver, job.seed, false);
    if (!scene) {
        return std::unexpected(scene.error());
    }
    const std::vector<GLuint> textures = make_textures(kTextures);
    std::vector<double> times;
    const int warm_up = job.options.number(200, 2);
    const int count = job.options.number(5000, 10);
    for (int i = 0; i < warm_up + count; ++i) {
        gl::BindTexture(GL_TEXTURE_2D, textures[static_cast<size_t>(i % kTextures)]);
        const Clock::time_point begin = Clock::now();
        draw_triangle();
        gl::Flush();
        gl::Finish();
        if (i >= warm_up) {
            times.push_back(1e6 * seconds_since(begin));
        }
    }
    if (Outcome good =
            target.expect_cell(0, SteadyScene::colour(0, (warm_up + count - 1) % kTextures, 0));
        !good) {
        return good;
    }
    job.figures.add_spread("draw_finish", times, "us");
    return {};
}

/// A context of its own, that shares its objects with all others, on a thread of its own.
class Drawer {
public:
    Drawer(const Job& job, const offscreen::Context& context, int number,
           const std::atomic<bool>& begin)
        : job_(job), context_(context), number_(number), begin_(begin),
          thread_([this] { work(); }) {}

    bool ready() const { return ready_; }
    /// Waits for it.
    Outcome end() {
        thread_.join();
        return outcome_;
    }
    double draws_per_second() const { return rate_.per_second; }

private:
    void work() {
        if (context_.make_current()) {
            outcome_ = draw();
            context_.release_current();
        } else {
            outcome_ = failed("a shared context can't be made current in its thread");
        }
        ready_ = true;
    }

    Outcome draw() {
        const Target target(job_.options.pictures);
        bind_triangle();
        const auto scene = SteadyScene::create(
            job_.driver, job_.seed + static_cast<std::uint64_t>(number_), false);
        if (!scene) {
            return std::unexpected(scene.error());
        }
        const std::vector<GLuint> textures = make_textures(kTextures);
        const auto step = [&](int i) {
            gl::BindTexture(GL_TEXTURE_2D, textures[static_cast<size_t>(i % kTextures)]);
            draw_triangle();
        };
        step(0);
        gl::Finish();
        ready_ = true;
        begin_.wait(false);
        rate_ = steady(job_.options, 0, step);
        return target.expect_cell(0, SteadyScene::colour(0, (rate_.steps - 1) % kTextures, 0));
    }

    const Job& job_;
    const offscreen::Context& context_;
    const int number_;
    const std::atomic<bool>& begin_;
    Rate rate_;
    Outcome outcome_;
    std::atomic<bool> ready_ = false;
    std::jthread thread_; // the last: it uses the others
};

Outcome threads(const Job& job) {
    const int count = job.options.number(16, 3);
    std::vector<offscreen::Context> contexts;
    for (int i = 0; i < count; ++i) {
        auto made = job.context.create_shared({});
        if (!made) {
            return failed("no further context: " + made.error());
        }
        contexts.push_back(std::move(*made));
    }
    std::atomic<bool> begin = false;
    std::vector<std::unique_ptr<Drawer>> drawers;
    for (int i = 0; i < count; ++i) {
        drawers.push_back(
            std::make_unique<Drawer>(job, contexts[static_cast<size_t>(i)], i, begin));
    }
    // The making of what they draw with doesn't count.
    for (const auto& drawer : drawers) {
        while (!drawer->ready()) {
            std::this_thread::yield();
        }
    }
    begin = true;
    begin.notify_all();
    double draws = 0;
    Outcome outcome;
    for (const auto& drawer : drawers) {
        if (const Outcome ended = drawer->end(); !ended && outcome) {
            outcome = ended;
        }
        draws += drawer->draws_per_second();
    }
    if (outcome) {
        job.figures.add("draws", draws / 1e6, "M/s");
    }
    return outcome;
}

constexpr std::array kCases{
    Case{"finish", "one warm draw, glFlush and glFinish", finish},
    Case{"threads_16", "16 threads with shared contexts, another texture at each draw", threads}};

} // namespace

std::span<const Case> thread_cases() {
    return kCases;
}

} // namespace kobalt::sso
