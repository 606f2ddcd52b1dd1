// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Many objects alive at once, and drawn with in turn.
#include "cases.h"
#include "steady.h"
#include "steady_scene.h"

namespace kobalt::sso {

namespace {

Outcome programs(const Job& job) {
    const int count = job.options.number(1000, 3);
    const Target target(job.options.pictures);
    bind_triangle();
    const WholePrograms whole(job.driver, job.seed);
    // Memory for the first program is the compiler's own, so it doesn't count.
    gl::UseProgram(whole.make(count));
    draw_triangle();
    gl::Finish();
    const double before = resident_mb();

    std::vector<GLuint> made;
    for (int i = 0; i < count; ++i) {
        made.push_back(whole.make(i));
    }
    if (Outcome good = linked(made); !good) {
        return good;
    }
    const auto next = [&](int i) {
        gl::UseProgram(made[static_cast<size_t>(i % count)]);
        draw_triangle();
    };
    if (Outcome good = measure_steady(job.options, job.figures, target, count, 2 * count, next,
                                      [&](int i) { return whole.colour(i % count); });
        !good) {
        return good;
    }
    job.figures.add("rss_growth", resident_mb() - before, "MB");
    return {};
}

Outcome textures(const Job& job) {
    const int count = job.options.number(10000, 200);
    const Target target(job.options.pictures);
    bind_triangle();
    const auto scene = SteadyScene::create(job.driver, job.seed, false);
    if (!scene) {
        return std::unexpected(scene.error());
    }
    const std::vector<GLuint> made = make_textures(count);
    return measure_steady(
        job.options, job.figures, target, count, 2 * count,
        [&](int i) {
            gl::BindTexture(GL_TEXTURE_2D, made[static_cast<size_t>(i % count)]);
            draw_triangle();
        },
        [&](int i) { return SteadyScene::colour(0, i % count, 0); });
}

constexpr std::array kCases{
    Case{"programs_1000", "1,000 programs alive, drawn with in turn", programs},
    Case{"textures_10000", "10,000 textures alive, drawn with in turn", textures}};

} // namespace

std::span<const Case> many_cases() {
    return kCases;
}

} // namespace kobalt::sso
