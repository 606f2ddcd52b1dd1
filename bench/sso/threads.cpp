// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What an app waits for: one draw until it is done, and threads that draw beside each other.
#include <latch>
#include <memory>

#include "cases.h"
#include "context_thread.h"
#include "steady.h"
#include "steady_scene.h"

namespace kobalt::sso {

namespace {

/// Draws, with another texture each time.
class Drawing {
public:
    static std::expected<Drawing, Trouble> create(const Job& job, std::uint64_t seed) {
        Drawing made(Target(job.options.pictures));
        bind_triangle();
        if (const auto scene = SteadyScene::create(job.driver, seed, false); !scene) {
            return std::unexpected(scene.error());
        }
        made.textures_ = make_textures(kTextures);
        return made;
    }
    void bind(int i) const {
        gl::BindTexture(GL_TEXTURE_2D, textures_[static_cast<size_t>(i % kTextures)]);
    }
    void step(int i) const {
        bind(i);
        draw_triangle();
    }
    /// Fails if the picture is not the one of step `last`.
    Outcome expect(int last) const {
        return target_.expect_cell(0, SteadyScene::colour(0, last % kTextures, 0));
    }

private:
    static constexpr int kTextures = 2;
    explicit Drawing(const Target& target) : target_(target) {}

    Target target_;
    std::vector<GLuint> textures_;
};

/// Times a draw with glFlush and glFinish, where nothing is new.
Outcome finish(const Job& job) {
    const auto drawing = Drawing::create(job, job.seed);
    if (!drawing) {
        return std::unexpected(drawing.error());
    }
    std::vector<double> times;
    const int warm_up = job.options.number(200, 2);
    const int count = job.options.number(5000, 10);
    for (int i = 0; i < warm_up + count; ++i) {
        drawing->bind(i);
        const Clock::time_point begin = Clock::now();
        draw_triangle();
        gl::Flush();
        gl::Finish();
        if (i >= warm_up) {
            times.push_back(1e6 * seconds_since(begin));
        }
    }
    if (Outcome good = drawing->expect(warm_up + count - 1); !good) {
        return good;
    }
    job.figures.add_spread("draw_finish", times, "us");
    return {};
}

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
    std::latch together(count); // making the objects that they draw with doesn't count
    std::vector<Rate> rates(contexts.size());
    const auto draw = [&](size_t number) -> Outcome {
        const auto drawing = Drawing::create(job, job.seed + number);
        if (drawing) {
            drawing->step(0);
            gl::Finish();
        }
        together.arrive_and_wait();
        if (!drawing) {
            return std::unexpected(drawing.error());
        }
        rates[number] = steady(job.options, 0, [&](int i) { drawing->step(i); });
        return drawing->expect(rates[number].steps - 1);
    };
    std::vector<std::unique_ptr<ContextThread>> drawers;
    for (size_t i = 0; i < contexts.size(); ++i) {
        drawers.push_back(std::make_unique<ContextThread>(
            contexts[i], [&draw, i] { return draw(i); }, [&] { together.count_down(); }));
    }
    double draws = 0;
    Outcome outcome;
    for (size_t i = 0; i < drawers.size(); ++i) {
        if (const Outcome ended = drawers[i]->end(); !ended && outcome) {
            outcome = ended;
        }
        draws += rates[i].per_second;
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
