// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// kobalt-draw-cost [OPERATIONS]
//   What a draw costs the CPU after each kind of change: one line a case, `case <tab> nanoseconds`.
//   Each case runs inside a function of its own, and measured_end() follows it, so that callgrind
//   can count its instructions: --dump-before='measured_*'.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <expected>
#include <span>
#include <string>

#include "demo/offscreen/egl_context.h"
#include "scene.h"

namespace {

using kobalt::drawcost::Scene;

constexpr int kWarmUp = 64;
constexpr int kDefaultOperations = 20000;
// A wait costs as much as thousands of draws, so the case with waits does a hundredth of the
// operations.
constexpr int kDrawsPerWait = 100;

void draw() {
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
}

size_t parity(int i) {
    return static_cast<size_t>(i & 1);
}

} // namespace

// Each function leaves the scene unchanged when `count` is even.
extern "C" {

[[gnu::noipa]] void measured_draw(const Scene& /*scene*/, int count) {
    for (int i = 1; i <= count; ++i) {
        draw();
    }
}

[[gnu::noipa]] void measured_uniform(const Scene& scene, int count) {
    for (int i = 1; i <= count; ++i) {
        gl::Uniform4f(scene.tints[0], static_cast<float>(i & 1), 0.5F, 0.25F, 1.0F);
        draw();
    }
}

[[gnu::noipa]] void measured_uniform_block(const Scene& scene, int count) {
    for (int i = 1; i <= count; ++i) {
        gl::BindBufferRange(GL_UNIFORM_BUFFER, 0, scene.blocks, (i & 1) * scene.block_step, 16);
        draw();
    }
}

[[gnu::noipa]] void measured_one_block_of_eight(const Scene& scene, int count) {
    gl::UseProgram(scene.eight_blocks);
    for (int i = 1; i <= count; ++i) {
        gl::BindBufferRange(GL_UNIFORM_BUFFER, 1, scene.blocks, (i & 1) * scene.block_step, 16);
        draw();
    }
    gl::UseProgram(scene.programs[0]);
}

[[gnu::noipa]] void measured_texture(const Scene& scene, int count) {
    for (int i = 1; i <= count; ++i) {
        gl::BindTexture(GL_TEXTURE_2D, scene.textures[parity(i)]);
        draw();
    }
}

[[gnu::noipa]] void measured_vertex_array(const Scene& scene, int count) {
    for (int i = 1; i <= count; ++i) {
        gl::BindVertexArray(scene.vertex_arrays[parity(i)]);
        draw();
    }
}

[[gnu::noipa]] void measured_program(const Scene& scene, int count) {
    for (int i = 1; i <= count; ++i) {
        gl::UseProgram(scene.programs[parity(i)]);
        draw();
    }
}

[[gnu::noipa]] void measured_blend(const Scene& /*scene*/, int count) {
    for (int i = 1; i <= count; ++i) {
        (i & 1 ? gl::Enable : gl::Disable)(GL_BLEND);
        draw();
    }
}

[[gnu::noipa]] void measured_viewport(const Scene& /*scene*/, int count) {
    for (int i = 1; i <= count; ++i) {
        gl::Viewport(0, 0,
                     i & 1 ? kobalt::drawcost::kTargetSize / 2 : kobalt::drawcost::kTargetSize,
                     kobalt::drawcost::kTargetSize);
        draw();
    }
}

[[gnu::noipa]] void measured_flush_finish(const Scene& /*scene*/, int count) {
    for (int i = 1; i <= count; ++i) {
        draw();
        gl::Flush();
        gl::Finish();
    }
}

[[gnu::noipa]] void measured_list(const Scene& scene, int count) {
    for (int i = 1; i <= count; ++i) {
        gl::CallList(scene.lists[parity(i)]);
    }
}

[[gnu::noipa]] void measured_end() {}
}

namespace {

struct Case {
    const char* name;
    void (*run)(const Scene&, int);
    int share = 1; ///< the case does 1 / `share` of the operations
};

constexpr std::array<Case, 10> kCases{{{"draw", measured_draw},
                                       {"uniform", measured_uniform},
                                       {"uniform_block", measured_uniform_block},
                                       {"one_block_of_eight", measured_one_block_of_eight},
                                       {"texture", measured_texture},
                                       {"vertex_array", measured_vertex_array},
                                       {"program", measured_program},
                                       {"blend", measured_blend},
                                       {"viewport", measured_viewport},
                                       {"flush_finish", measured_flush_finish, kDrawsPerWait}}};

constexpr std::array<Case, 1> kListCases{{{"list", measured_list}}};

void measure(const Scene& scene, std::span<const Case> cases, int operations) {
    std::fprintf(stderr, "%s\n", reinterpret_cast<const char*>(gl::GetString(GL_RENDERER)));
    for (const Case& one : cases) {
        const int count = operations / one.share;
        one.run(scene, kWarmUp);
        gl::Finish();
        const auto start = std::chrono::steady_clock::now();
        one.run(scene, count);
        measured_end();
        const std::chrono::duration<double, std::nano> spent =
            std::chrono::steady_clock::now() - start;
        gl::Finish();
        std::printf("%s\t%.1f\n", one.name, spent.count() / count);
        std::fflush(stdout);
    }
}

/// Measures the cases in a context of their own. False: it said why not.
bool measure_in(const kobalt::offscreen::ContextRequest& request,
                std::expected<Scene, std::string> (*create)(), std::span<const Case> cases,
                int operations) {
    const auto context = kobalt::offscreen::Context::create(request);
    if (!context) {
        std::fprintf(stderr, "kobalt-draw-cost: %s\n", context.error().c_str());
        return false;
    }
    const auto scene = create();
    if (!scene) {
        std::fprintf(stderr, "kobalt-draw-cost: %s\n", scene.error().c_str());
        return false;
    }
    measure(*scene, cases, operations);
    return gl::GetError() == GL_NO_ERROR;
}

} // namespace

int main(int argc, char** argv) {
    const int operations = argc > 1 ? std::atoi(argv[1]) : kDefaultOperations;
    if (argc > 2 || operations < 2 * kDrawsPerWait) {
        std::fprintf(stderr, "usage: kobalt-draw-cost [OPERATIONS], at least %d\n",
                     2 * kDrawsPerWait);
        return 2;
    }
    using kobalt::offscreen::Profile;
    const bool good = measure_in({}, Scene::create, kCases, operations) &&
                      measure_in({.profile = Profile::Compatibility}, Scene::create_lists,
                                 kListCases, operations);
    kobalt::offscreen::terminate_display();
    return good ? 0 : 1;
}
