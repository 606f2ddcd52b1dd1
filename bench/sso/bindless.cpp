// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// ARB_bindless_texture: draws through handles, and handles made.
#include <algorithm>

#include "cases.h"
#include "steady.h"
#include "steady_scene.h"

namespace kobalt::sso {

namespace {

constexpr int kResident = 1000;
constexpr int kManyHandles = 100000;

/// A scene whose sampler takes handles, where the driver has them.
struct Bindless {
    Target target;
    SteadyScene scene;
};

std::expected<Bindless, Trouble> bindless_scene(const Job& job) {
    if (!job.driver.bindless()) {
        return skipped(job.driver.lacks("GL_ARB_bindless_texture"));
    }
    const Target target(job.options.pictures);
    bind_triangle();
    const auto scene = SteadyScene::create(job.driver, job.seed, true);
    if (!scene) {
        return std::unexpected(scene.error());
    }
    return Bindless{target, *scene};
}

GLuint64 resident_handle(GLuint texture) {
    const GLuint64 handle = ext::GetTextureHandle(texture);
    ext::MakeTextureHandleResident(handle);
    return handle;
}

Outcome draws(const Job& job) {
    const auto bindless = bindless_scene(job);
    if (!bindless) {
        return std::unexpected(bindless.error());
    }
    const int count = job.options.number(kResident, 50);
    std::vector<GLuint64> handles;
    for (const GLuint texture : make_textures(count)) {
        handles.push_back(resident_handle(texture));
    }
    return measure_steady(
        job.options, job.figures, bindless->target, count, 2 * count,
        [&](int i) {
            ext::UniformHandle(bindless->scene.picture, handles[static_cast<size_t>(i % count)]);
            draw_triangle();
        },
        [&](int i) { return SteadyScene::colour(0, i % count, 0); });
}

/// Handles of textures that are there already; then some of them are drawn with.
Outcome made(const Job& job) {
    const auto bindless = bindless_scene(job);
    if (!bindless) {
        return std::unexpected(bindless.error());
    }
    const int count = job.options.number(kManyHandles, 500);
    const std::vector<GLuint> textures = make_textures(count);
    gl::Finish();
    const double before = resident_mb();
    std::vector<GLuint64> handles(textures.size());
    const Clock::time_point begin = Clock::now();
    std::ranges::transform(textures, handles.begin(), resident_handle);
    const double spent = seconds_since(begin);

    const int step = std::max(count / 100, 1);
    const Outcome good = each_right(
        bindless->target, count / step,
        [&](int i) {
            ext::UniformHandle(bindless->scene.picture, handles[static_cast<size_t>(i * step)]);
            draw_triangle();
        },
        [&](int i) { return SteadyScene::colour(0, i * step, 0); });
    if (!good) {
        return good;
    }
    job.figures.add("handles", count / spent, "1/s");
    job.figures.add("rss_growth", resident_mb() - before, "MB");
    const Clock::time_point end = Clock::now();
    std::ranges::for_each(handles, ext::MakeTextureHandleNonResident);
    gl::DeleteTextures(count, textures.data());
    gl::Finish();
    job.figures.add("released", count / seconds_since(end), "1/s");
    return no_gl_error();
}

/// Textures that come and go while frames are in flight: made, drawn with through a handle,
/// deleted.
Outcome churn(const Job& job) {
    const auto bindless = bindless_scene(job);
    if (!bindless) {
        return std::unexpected(bindless.error());
    }
    constexpr int kAlive = 16;
    constexpr int kDrawsPerFrame = 64;
    struct Entry {
        GLuint texture = 0;
        GLuint64 handle = 0;
    };
    std::array<Entry, kAlive> alive{};
    const auto next = [&](int i) {
        Entry& entry = alive[static_cast<size_t>(i % kAlive)];
        if (entry.texture != 0) {
            ext::MakeTextureHandleNonResident(entry.handle);
            gl::DeleteTextures(1, &entry.texture);
        }
        entry.texture = make_textures(1).front();
        entry.handle = resident_handle(entry.texture);
        ext::UniformHandle(bindless->scene.picture, entry.handle);
        draw_triangle();
        if (i % kDrawsPerFrame == 0) {
            gl::Flush();
        }
    };
    const auto colour_of = [](int) { return SteadyScene::colour(0, 0, 0); };
    if (Outcome good = each_right(bindless->target, 2 * kAlive, next, colour_of); !good) {
        return good;
    }
    const Rate rate = steady(job.options, 2 * kAlive, next);
    if (Outcome good = bindless->target.expect_cell(0, colour_of(0)); !good) {
        return good;
    }
    job.figures.add("textures", rate.per_second, "1/s");
    return {};
}

constexpr std::array kCases{
    Case{"bindless_draws", "another handle at each draw, 1,000 of them resident", draws},
    Case{"bindless_handles", "100,000 handles made and made resident", made},
    Case{"bindless_churn", "a texture and its handle made, drawn with and deleted", churn}};

} // namespace

std::span<const Case> bindless_cases() {
    return kCases;
}

} // namespace kobalt::sso
