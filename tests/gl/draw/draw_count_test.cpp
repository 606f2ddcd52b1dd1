// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// How many draws a buffer asks for (OpenGL 4.6, 10.4, MultiDrawArraysIndirectCount): the count is
// the program's own, a compute shader's or a query's, and maxdrawcount bounds it.
#include <algorithm>
#include <array>

#include "compute.h"
#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr GLuint kMost = 50;
constexpr GLuint kSide = 160; // of the target, in pixels

enum class From { program, shader, query };

class DrawCountTest : public ComputeTest, public testing::WithParamInterface<From> {
protected:
    Missing missing() const override { return first_of({ComputeTest::missing(), lacks(4, 6)}); }
    void prepare() override {
        make_target({kSide, kSide});
        points_ = vs_only(R"(#version 430 core
            layout(std430, binding = 0) buffer Seen { uint seen; };
            void main() { atomicAdd(seen, 1u); gl_Position = vec4(0); })");
        square_ = vs_fs("void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) "
                        "* 2.0 - 1.0, 0, 1); }",
                        "out vec4 color; void main() { color = vec4(1); }");
        store_ = compute("layout(local_size_x = 1) in;"
                         "layout(std430, binding = 0) buffer Out { uint count; };"
                         "uniform uint value; void main() { count = value; }");
        bind_new_vao();
        // Each another vertex: a device may run the shader once for several draws of the same.
        std::vector<std::array<GLuint, 4>> draws;
        for (GLuint i = 0; i < kMost; ++i) {
            draws.push_back({1, 1, i, 0});
        }
        make_buffer(GL_DRAW_INDIRECT_BUFFER, draws);
    }
    static GLuint vs_only(const char* source) {
        return link({{GL_VERTEX_SHADER, source},
                     {GL_FRAGMENT_SHADER, "#version 430 core\nvoid main() {}"}});
    }

    /// Fills the bound GL_PARAMETER_BUFFER with COUNT, or with as many samples as a query counts.
    void write_count(GLuint buffer, GLuint count) {
        if (GetParam() == From::program) {
            gl::BufferSubData(GL_PARAMETER_BUFFER, 0, sizeof count, &count);
            return;
        }
        if (GetParam() == From::shader) {
            gl::UseProgram(store_);
            gl::Uniform1ui(gl::GetUniformLocation(store_, "value"), count);
            gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
            gl::DispatchCompute(1, 1, 1);
            gl::MemoryBarrier(GL_COMMAND_BARRIER_BIT);
            return;
        }
        GLuint query = 0;
        gl::GenQueries(1, &query);
        gl::UseProgram(square_);
        gl::Enable(GL_SCISSOR_TEST);
        if (count < kSide) {
            gl::Scissor(0, 0, static_cast<GLsizei>(count), 1);
        } else {
            gl::Scissor(0, 0, kSide, static_cast<GLsizei>(count / kSide));
        }
        gl::BeginQuery(GL_SAMPLES_PASSED, query);
        gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        gl::EndQuery(GL_SAMPLES_PASSED);
        gl::Disable(GL_SCISSOR_TEST);
        gl::BindBuffer(GL_QUERY_BUFFER, buffer);
        gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, nullptr);
        gl::BindBuffer(GL_QUERY_BUFFER, 0);
        gl::DeleteQueries(1, &query);
    }

    GLuint points_ = 0, square_ = 0, store_ = 0;
};

TEST_P(DrawCountTest, IsBoundedByTheCall) {
    constexpr GLuint before = 31;
    // Of a query the whole target; else what a signed count, as GL's are, can have.
    const GLuint greatest = GetParam() == From::query ? kSide * kSide : 0x7fffffffU;
    for (const GLuint count :
         {0U, 1U, 7U, kMost - 1, kMost, kMost + 1, kSide, 4 * kSide, greatest, 3U}) {
        const GLuint buffer =
            make_buffer(GL_PARAMETER_BUFFER, std::vector<GLuint>{before}, GL_STATIC_DRAW);
        write_count(buffer, count);
        const GLuint seen = storage(0, {0});
        gl::UseProgram(points_);
        gl::Enable(GL_RASTERIZER_DISCARD);
        gl::MultiDrawArraysIndirectCount(GL_POINTS, nullptr, 0, kMost, 0);
        gl::Disable(GL_RASTERIZER_DISCARD);
        EXPECT_EQ(words_of(seen, 1), Words{std::min(count, kMost)}) << "of " << count;
        gl::DeleteBuffers(1, &buffer);
        gl::DeleteBuffers(1, &seen);
    }
}

// Commands without Count in their names don't look at a parameter buffer that is bound.
TEST_P(DrawCountTest, IsOfCountedDrawsOnly) {
    const GLuint buffer = make_buffer(GL_PARAMETER_BUFFER, std::vector<GLuint>{99}, GL_STATIC_DRAW);
    write_count(buffer, 0);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<GLuint>{0, 1, 2, 3});
    const GLuint seen = storage(0, {0});
    gl::UseProgram(points_);
    gl::Enable(GL_RASTERIZER_DISCARD);
    gl::MultiDrawArraysIndirect(GL_POINTS, nullptr, kMost, 0);
    EXPECT_EQ(words_of(seen, 1), Words{kMost});
    gl::DrawArraysIndirect(GL_POINTS, nullptr);
    EXPECT_EQ(words_of(seen, 1), Words{kMost + 1});
    // One index from the third on, then one from the second on.
    make_buffer(GL_DRAW_INDIRECT_BUFFER, std::vector<GLuint>{1, 1, 2, 0, 0, 1, 1, 1, 0, 0});
    gl::MultiDrawElementsIndirect(GL_POINTS, GL_UNSIGNED_INT, nullptr, 2, 0);
    EXPECT_EQ(words_of(seen, 1), Words{kMost + 3});
    gl::DrawElementsIndirect(GL_POINTS, GL_UNSIGNED_INT, nullptr);
    EXPECT_EQ(words_of(seen, 1), Words{kMost + 4});
    gl::Disable(GL_RASTERIZER_DISCARD);
}

std::string name_of(const testing::TestParamInfo<From>& info) {
    constexpr const char* names[] = {"Program", "Shader", "Query"};
    return names[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Sources, DrawCountTest,
                         testing::Values(From::program, From::shader, From::query), name_of);

} // namespace
} // namespace kobalt::gltest
