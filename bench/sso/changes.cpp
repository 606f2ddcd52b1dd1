// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// One thing that changes between two draws of one program, and nothing that does.
#include "cases.h"
#include "steady.h"
#include "steady_scene.h"

namespace kobalt::sso {

namespace {

constexpr int kLookedAt = 8;
constexpr int kWarmUp = 512;

/// Measures with `change(scene, textures, step)` before each draw; `shades(step)` gives the
/// expected colours: numbers of the tint, the texture and the block.
template <class Change, class Shades>
Outcome measure(const Job& job, Change&& change, Shades&& shades) {
    const Target target(job.options.pictures);
    bind_triangle();
    const auto scene = SteadyScene::create(job.driver, job.seed, false);
    if (!scene) {
        return std::unexpected(scene.error());
    }
    const std::vector<GLuint> textures = make_textures(2);
    gl::BindTexture(GL_TEXTURE_2D, textures[0]);
    return measure_steady(
        job.options, job.figures, target, kLookedAt, kWarmUp,
        [&](int i) {
            change(*scene, textures, i);
            draw_triangle();
        },
        [&](int i) {
            const std::array<int, 3> numbers = shades(i);
            return SteadyScene::colour(numbers[0], numbers[1], numbers[2]);
        });
}

using Textures = std::vector<GLuint>;

Outcome nothing(const Job& job) {
    return measure(
        job, [](const SteadyScene&, const Textures&, int) {},
        [](int) {
            return std::array{0, 0, 0};
        });
}

Outcome uniform(const Job& job) {
    return measure(
        job,
        [](const SteadyScene& scene, const Textures&, int i) {
            gl::Uniform4f(scene.tint, SteadyScene::shade(i), 0, 0, 0);
        },
        [](int i) {
            return std::array{i, 0, 0};
        });
}

Outcome ubo_range(const Job& job) {
    return measure(
        job,
        [](const SteadyScene& scene, const Textures&, int i) {
            gl::BindBufferRange(GL_UNIFORM_BUFFER, 0, scene.blocks, (i & 1) * scene.block_step, 16);
        },
        [](int i) {
            return std::array{0, 0, i};
        });
}

Outcome texture(const Job& job) {
    return measure(
        job,
        [](const SteadyScene&, const Textures& textures, int i) {
            gl::BindTexture(GL_TEXTURE_2D, textures[static_cast<size_t>(i & 1)]);
        },
        [](int i) {
            return std::array{0, i & 1, 0};
        });
}

constexpr std::array kCases{
    Case{"draw", "nothing changes between draws", nothing},
    Case{"uniform", "one glUniform4f at each draw", uniform},
    Case{"ubo_range", "one glBindBufferRange of a uniform buffer at each draw", ubo_range},
    Case{"texture", "one glBindTexture at each draw, two in turn", texture}};

} // namespace

std::span<const Case> change_cases() {
    return kCases;
}

} // namespace kobalt::sso
