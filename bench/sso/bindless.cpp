// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// ARB_bindless_texture: draws through handles, and handles made.
#include <algorithm>
#include <cstdio>

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

/// Times the creation of handles of existing textures; then draws with some of them.
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

/// Creates many handles at once: each texture with each sampler. A driver with room for fewer
/// returns no handle from some number on (ARB_bindless_texture, "Errors"); the limit can't be
/// queried.
Outcome alive(const Job& job) {
    if (ext::GetTextureSamplerHandle == nullptr) {
        return skipped(job.driver.lacks("GL_ARB_bindless_texture"));
    }
    const auto bindless = bindless_scene(job);
    if (!bindless) {
        return std::unexpected(bindless.error());
    }
    const std::vector<GLuint> textures = make_textures(job.options.number(1000, 20));
    std::vector<GLuint> samplers(static_cast<size_t>(job.options.number(500, 10)));
    gl::GenSamplers(static_cast<GLsizei>(samplers.size()), samplers.data());
    for (const GLuint sampler : samplers) {
        gl::SamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl::SamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    gl::Finish();
    const size_t wanted = textures.size() * samplers.size();
    const double before = resident_mb();
    std::vector<GLuint64> handles;
    handles.reserve(wanted);
    const Clock::time_point begin = Clock::now();
    while (handles.size() < wanted) {
        const GLuint64 handle = ext::GetTextureSamplerHandle(
            textures[handles.size() % textures.size()], samplers[handles.size() / textures.size()]);
        if (handle == 0) {
            (void)gl::GetError(); // drops the error that there is no room for more
            break;
        }
        handles.push_back(handle);
    }
    const double spent = seconds_since(begin);
    std::printf("# handles\t%zu of %zu are alive\n", handles.size(), wanted);
    std::vector<GLuint64> distinct = handles;
    std::ranges::sort(distinct);
    if (handles.empty() || std::ranges::adjacent_find(distinct) != distinct.end()) {
        return failed(handles.empty() ? "there was no handle at all"
                                      : "two textures and samplers have the same handle");
    }
    const size_t step = std::max<size_t>(handles.size() / 100, 1);
    const auto nth = [&](int i) { return static_cast<size_t>(i) * step; };
    const auto drawn = static_cast<int>(handles.size() / step);
    const Outcome good = each_right(
        bindless->target, drawn,
        [&](int i) {
            const GLuint64 handle = handles[nth(i)];
            ext::MakeTextureHandleResident(handle);
            ext::UniformHandle(bindless->scene.picture, handle);
            draw_triangle();
        },
        [&](int i) {
            return SteadyScene::colour(0, static_cast<int>(nth(i) % textures.size()), 0);
        });
    if (!good) {
        return good;
    }
    job.figures.add("handles", static_cast<double>(handles.size()) / spent, "1/s");
    job.figures.add("refused", static_cast<double>(wanted - handles.size()), "handles");
    job.figures.add("rss_growth", resident_mb() - before, "MB");
    const Clock::time_point end = Clock::now();
    gl::DeleteTextures(static_cast<GLsizei>(textures.size()), textures.data());
    gl::DeleteSamplers(static_cast<GLsizei>(samplers.size()), samplers.data());
    gl::Finish();
    job.figures.add("deleted", static_cast<double>(handles.size()) / seconds_since(end), "1/s");
    return no_gl_error();
}

/// Creates textures, draws with them through a handle and deletes them while frames are in flight.
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
    Case{"bindless_alive", "500,000 handles alive, of 1,000 textures and 500 samplers", alive},
    Case{"bindless_churn", "a texture and its handle made, drawn with and deleted", churn}};

} // namespace

std::span<const Case> bindless_cases() {
    return kCases;
}

} // namespace kobalt::sso
