// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What frames may cost the driver, stated scene by scene: passes, barriers, descriptors, links and
// compilations. Warm frames, so each compiles and links nothing.
#include "counters.h"
#include "fresh_text.h"

namespace kobalt::gltest {
namespace {

constexpr int kDraws = 100;
/// The descriptor ring may go on to another buffer within a frame, and the backend of descriptor
/// pools has new pools in each batch: the sets that are in use are written once more then.
constexpr std::uint64_t kRewrites = 2;
constexpr std::uint64_t kEach = kDraws + kRewrites;

const char* const kPlainFs = "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }";

class CostTest : public CountedTest {
protected:
    void prepare() override {
        CountedTest::prepare();
        target_ = make_target();
        bind_new_vao();
    }
    /// A frame of kDraws draws in one pass that begins with a clear; `change` comes before each.
    std::function<void()> frame(const std::function<void(int)>& change) const {
        return [this, change] {
            target_.bind();
            gl::Clear(GL_COLOR_BUFFER_BIT);
            for (int i = 0; i < kDraws; ++i) {
                change(i);
                gl::DrawArrays(GL_TRIANGLES, 0, 3);
            }
        };
    }
    /// The frame is warm, and has all its draws.
    void expect_cost(const std::function<void()>& scene, const Budget& budget) const {
        const Spent spent = measure_warm(scene);
        EXPECT_EQ(spent.at("draws"), kDraws);
        expect_within(spent, budget);
        gl::Finish();
    }
    /// Each draw has another value in the program's `uniform vec4 c`, and costs a descriptor for
    /// it: one push, or one set, but not both.
    void expect_uniform_cost(GLuint program) const {
        gl::UseProgram(program);
        const GLint place = gl::GetUniformLocation(program, "c");
        expect_cost(frame([place](int i) {
                        gl::Uniform4f(place, static_cast<float>(i) / kDraws, 0, 0, 1);
                    }),
                    {{"passes", 1},
                     {"barriers", 1},
                     {"descriptors", kEach},
                     {"descriptor-writes", kEach},
                     {"descriptor-offsets", kEach}});
    }
    const Target& target() const { return target_; }
    static std::array<GLuint, 2> two_programs() {
        return {
            vs_fs(kFullscreenVs, kPlainFs),
            vs_fs(kFullscreenVs, "out vec4 result; void main() { result = vec4(1, 0, 0, 1); }")};
    }

private:
    Target target_;
};

TEST_F(CostTest, NothingChanges) {
    gl::UseProgram(vs_fs(kFullscreenVs, kPlainFs));
    expect_cost(frame([](int) {}), {{"passes", 1}, {"barriers", 1}});
}

TEST_F(CostTest, AUniformForEachDraw) {
    expect_uniform_cost(
        vs_fs(kFullscreenVs, "uniform vec4 c; out vec4 result; void main() { result = c; }"));
}

// A pushed uniform leaves the set with the texture as it is.
TEST_F(CostTest, AUniformBesideATexture) {
    texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, kGreen.data());
    expect_uniform_cost(vs_fs(kFullscreenVs,
                              "uniform sampler2D t; uniform vec4 c; out vec4 result; void main() { "
                              "result = c * texelFetch(t, ivec2(0), 0); }"));
}

TEST_F(CostTest, ABlockRangeForEachDraw) {
    const GLuint program =
        vs_fs(kFullscreenVs, "layout(std140) uniform B { vec4 c; }; out vec4 result; void main() { "
                             "result = c; }");
    gl::UniformBlockBinding(program, gl::GetUniformBlockIndex(program, "B"), 0);
    gl::UseProgram(program);
    const std::vector<Float4> values(static_cast<size_t>(kDraws) * 16, Float4{0, 1, 0, 1});
    const GLuint buffer = make_buffer(GL_UNIFORM_BUFFER, values);
    expect_cost(frame([buffer](int i) {
                    gl::BindBufferRange(GL_UNIFORM_BUFFER, 0, buffer, GLintptr{i} * 256,
                                        sizeof(Float4));
                }),
                {{"passes", 1},
                 {"barriers", 1},
                 {"descriptors", kEach},
                 {"descriptor-writes", kEach},
                 {"descriptor-offsets", kEach}});
}

TEST_F(CostTest, ATextureForEachDraw) {
    gl::UseProgram(vs_fs(kFullscreenVs, "uniform sampler2D t; out vec4 result; void main() { "
                                        "result = texelFetch(t, ivec2(0), 0); }"));
    std::array<GLuint, 2> textures{};
    for (GLuint& one : textures) {
        one = texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, kGreen.data());
    }
    expect_cost(frame([textures](int i) {
                    gl::BindTexture(GL_TEXTURE_2D, textures.at(static_cast<size_t>(i) % 2));
                }),
                {{"passes", 1},
                 {"barriers", 1},
                 {"descriptors", kEach},
                 {"descriptor-writes", kEach},
                 {"descriptor-offsets", kEach}});
}

TEST_F(CostTest, AProgramForEachDraw) {
    const std::array<GLuint, 2> programs = two_programs();
    expect_cost(
        frame([programs](int i) { gl::UseProgram(programs.at(static_cast<size_t>(i) % 2)); }),
        {{"passes", 1}, {"barriers", 1}});
}

// Bound pipelines take more command memory than draws do, so a batch holds fewer of them.
TEST_F(CostTest, ProgramsForEachDrawEndABatchSooner) {
    if (drawn_by_llvmpipe()) {
        GTEST_SKIP() << "a CPU device takes as much memory for the one as for the other";
    }
    const std::array<GLuint, 2> programs = two_programs();
    const auto batches = [&](size_t count) {
        return measure_warm([&] {
                   for (size_t i = 0; i < 6000; ++i) {
                       gl::UseProgram(programs.at(i % count));
                       gl::DrawArrays(GL_TRIANGLES, 0, 3);
                   }
               })
            .at("batches");
    };
    EXPECT_GE(batches(2), batches(1) + 2);
}

// Their sets stay: each costs an offset, and no descriptor.
TEST_F(CostTest, ProgramsThatComeBackWithTheirBlock) {
    std::array<GLuint, 2> programs{};
    for (size_t i = 0; i < programs.size(); ++i) {
        programs.at(i) = vs_fs(kFullscreenVs,
                               "layout(std140) uniform B { vec4 c; }; out vec4 result; void main() "
                               "{ result = c * " +
                                   std::to_string(i + 1) + ".0; }");
        gl::UniformBlockBinding(programs.at(i), gl::GetUniformBlockIndex(programs.at(i), "B"), 0);
    }
    const std::vector<Float4> values(16, Float4{0, 1, 0, 1});
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, make_buffer(GL_UNIFORM_BUFFER, values));
    expect_cost(
        frame([programs](int i) { gl::UseProgram(programs.at(static_cast<size_t>(i) % 2)); }),
        {{"passes", 1},
         {"barriers", 1},
         {"descriptors", 1}, // pushed, in each command buffer, where blocks are
         {"descriptor-writes", 2 * kRewrites},
         {"descriptor-offsets", kEach}});
}

TEST_F(CostTest, VertexBuffersForEachDraw) {
    gl::UseProgram(vs_fs("layout(location = 0) in vec2 place; void main() { gl_Position = "
                         "vec4(place, 0, 1); }",
                         kPlainFs));
    const std::vector<float> corners{-1, -1, 3, -1, -1, 3};
    std::array<GLuint, 2> buffers{};
    for (GLuint& one : buffers) {
        one = make_buffer(GL_ARRAY_BUFFER, corners);
    }
    gl::EnableVertexAttribArray(0);
    expect_cost(frame([buffers](int i) {
                    gl::BindBuffer(GL_ARRAY_BUFFER, buffers.at(static_cast<size_t>(i) % 2));
                    gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
                }),
                {{"passes", 1}, {"barriers", 1}});
}

TEST_F(CostTest, BlendStateForEachDraw) {
    gl::UseProgram(vs_fs(kFullscreenVs, kPlainFs));
    gl::Enable(GL_BLEND);
    expect_cost(frame([](int i) { gl::BlendFunc(GL_ONE, i % 2 == 0 ? GL_ONE : GL_ZERO); }),
                {{"passes", 1}, {"barriers", 1}});
}

// Uploads to what the frame has not used yet go before the pass, which they don't end.
TEST_F(CostTest, AFreshTextureForEachDraw) {
    gl::UseProgram(vs_fs(kFullscreenVs, "uniform sampler2D t; out vec4 result; void main() { "
                                        "result = texelFetch(t, ivec2(0), 0); }"));
    const std::vector<std::uint8_t> texels(std::size_t{4} * 64 * 64, 255);
    std::vector<GLuint> textures;
    for (int i = 0; i < kDraws; ++i) {
        textures.push_back(texture_2d(GL_RGBA8, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, texels.data()));
    }
    expect_cost(frame([&](int i) {
                    gl::BindTexture(GL_TEXTURE_2D, textures.at(static_cast<size_t>(i)));
                    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 8, 8, 32, 32, GL_RGBA, GL_UNSIGNED_BYTE,
                                      texels.data());
                }),
                {{"passes", 1},
                 {"barriers", 3},
                 {"descriptors", kEach},
                 {"descriptor-writes", kEach},
                 {"descriptor-offsets", kEach}});
}

TEST_F(CostTest, PartOfABufferForEachDraw) {
    const GLuint program =
        vs_fs(kFullscreenVs, "layout(std140) uniform B { vec4 c; }; out vec4 result; void main() { "
                             "result = c; }");
    gl::UniformBlockBinding(program, gl::GetUniformBlockIndex(program, "B"), 0);
    gl::UseProgram(program);
    const std::vector<Float4> values(256, Float4{0, 1, 0, 1});
    std::vector<GLuint> buffers;
    for (int i = 0; i < kDraws; ++i) {
        buffers.push_back(make_buffer(GL_UNIFORM_BUFFER, values));
    }
    expect_cost(frame([&](int i) {
                    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, buffers.at(static_cast<size_t>(i)));
                    gl::BufferSubData(GL_UNIFORM_BUFFER, 0, sizeof(Float4), values.data());
                }),
                {{"passes", 1},
                 {"barriers", 3},
                 {"descriptors", kEach},
                 {"descriptor-writes", kEach},
                 {"descriptor-offsets", kEach}});
}

TEST_F(CostTest, AFramebufferForEachDraw) {
    gl::UseProgram(vs_fs(kFullscreenVs, kPlainFs));
    const std::array<Target, 2> targets{make_target(), make_target()};
    const auto scene = [targets] {
        for (int i = 0; i < kDraws; ++i) {
            targets.at(static_cast<size_t>(i) % 2).bind();
            gl::DrawArrays(GL_TRIANGLES, 0, 3);
        }
    };
    expect_cost(scene, {{"passes", kDraws}, {"barriers", kDraws}});
    EXPECT_EQ(measure(scene).at("passes"), kDraws) << "what is counted is not what happens";
}

TEST_F(CostTest, Instances) {
    gl::UseProgram(vs_fs(kFullscreenVs, kPlainFs));
    const auto scene = [this] {
        target().bind();
        gl::Clear(GL_COLOR_BUFFER_BIT);
        for (int i = 0; i < kDraws; ++i) {
            gl::DrawArraysInstanced(GL_TRIANGLES, 0, 3, 10);
        }
    };
    expect_cost(scene, {{"passes", 1}, {"barriers", 1}});
}

// Before the first draw they are the pass's load operation, behind it a command in the pass.
TEST_F(CostTest, ClearsBeginNoPassOfTheirOwn) {
    const Target deep = make_target({.depth = GL_DEPTH_COMPONENT24});
    gl::UseProgram(vs_fs(kFullscreenVs, kPlainFs));
    const auto scene = [deep] {
        deep.bind();
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::Clear(GL_DEPTH_BUFFER_BIT);
        for (int i = 0; i < kDraws; ++i) {
            gl::DrawArrays(GL_TRIANGLES, 0, 3);
            if (i == kDraws / 2) {
                gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
            }
        }
    };
    expect_cost(scene, {{"passes", 1}, {"barriers", 1}});
}

// The counters would be good for nothing if they stood still.
TEST_F(CostTest, WhatIsNewIsCounted) {
    const Spent spent = measure([this] {
        target().bind();
        draw_fullscreen(vs_fs(kFullscreenVs, kFreshUniform +
                                                 "out vec4 result; void main() { result = "
                                                 "vec4(0, 1, 0, 1) + " +
                                                 fresh_zero() + "; }"));
    });
    EXPECT_EQ(spent.at("draws"), 1);
    EXPECT_EQ(spent.at("passes"), 1);
    EXPECT_GE(spent.at("stage-compiles"), 1);
    EXPECT_GE(spent.at("descriptors"), 1);
    EXPECT_GE(spent.at("descriptor-offsets"), 1); // a set's, or a push
    EXPECT_EQ(spent.at("late-shaders"), 0) << "a link made them";
    expect_pixel(0, 0, kGreen);
}

} // namespace
} // namespace kobalt::gltest
