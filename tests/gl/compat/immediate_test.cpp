// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Vertices between glBegin and glEnd, whose attributes come and go (OpenGL 4.6, compatibility
// profile, 10.7).
#include <algorithm>
#include <functional>

#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

class ImmediateTest : public FixedFunctionTest {
protected:
    static std::array<float, 4> current_color() {
        std::array<float, 4> color{};
        gl::GetFloatv(GL_CURRENT_COLOR, color.data());
        return color;
    }
};

// 10.7.2: what a call doesn't give is 0, and alpha 1, each time.
TEST_F(ImmediateTest, ComponentsThatAreLeftOutAgain) {
    const auto colors = [] {
        for (const float alpha : {0.4F, 0.6F}) {
            gl::Color4f(0.1F, 0.2F, 0.3F, alpha);
            gl::Color3f(0, 1, 0);
        }
    };
    colors();
    EXPECT_EQ(current_color(), (std::array<float, 4>{0, 1, 0, 1}));
    gl::Begin(GL_QUADS);
    colors();
    for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
        gl::Vertex2f(static_cast<float>(x), static_cast<float>(y));
    }
    gl::End();
    EXPECT_EQ(lit(), kSize * kSize);
    EXPECT_EQ(current_color(), (std::array<float, 4>{0, 1, 0, 1}));
}

/// 2.3: commands are executed in the order in which they are given, though vertices wait for more.
class PendingVerticesTest : public ImmediateTest {
protected:
    Missing missing() const override { return lacks(4, 3, "GL_ARB_shader_storage_buffer_object"); }
    /// A column of pixels.
    static void column(int x) { quad(at(x) - 1.0F / kSize, -1, at(x) + 1.0F / kSize, 1); }
    static GLuint program(const std::string& fragment) {
        return link({{GL_VERTEX_SHADER, "#version 430 compatibility\nvoid main() { gl_Position = "
                                        "gl_Vertex; }"},
                     {GL_FRAGMENT_SHADER, "#version 430 compatibility\n" + fragment}});
    }
};

TEST_F(PendingVerticesTest, WhatTheyReadChangesBehindThem) {
    gl::UseProgram(program("layout(std140, binding = 0) uniform B { vec4 colour; }; void main() { "
                           "gl_FragColor = colour; }"));
    const Float4 red{1, 0, 0, 1};
    const Float4 green{0, 1, 0, 1};
    const GLuint other = make_buffer(GL_COPY_READ_BUFFER, std::vector<Float4>{green});
    const std::vector<std::function<void()>> changes{
        [&] { gl::BufferSubData(GL_UNIFORM_BUFFER, 0, sizeof(green), green.data()); },
        [&] {
            gl::BindBuffer(GL_COPY_READ_BUFFER, other);
            gl::CopyBufferSubData(GL_COPY_READ_BUFFER, GL_UNIFORM_BUFFER, 0, 0, sizeof(green));
        },
        [&] {
            void* const mapped =
                gl::MapBufferRange(GL_UNIFORM_BUFFER, 0, sizeof(green), GL_MAP_WRITE_BIT);
            std::copy(green.begin(), green.end(), static_cast<float*>(mapped));
            gl::UnmapBuffer(GL_UNIFORM_BUFFER);
        },
        [&] {
            gl_function<PFNGLCLEARBUFFERDATAPROC>("glClearBufferData")(
                GL_UNIFORM_BUFFER, GL_RGBA32F, GL_RGBA, GL_FLOAT, green.data());
        }};
    for (size_t i = 0; i < changes.size(); ++i) {
        SCOPED_TRACE(i);
        gl::BindBufferBase(GL_UNIFORM_BUFFER, 0,
                           make_buffer(GL_UNIFORM_BUFFER, std::vector<Float4>{red}));
        gl::Clear(GL_COLOR_BUFFER_BIT);
        column(2);
        changes[i]();
        column(5);
        expect_pixel(2, 3, kRed);
        expect_pixel(5, 3, kGreen);
    }
}

TEST_F(PendingVerticesTest, WhatTheyWriteIsThere) {
    gl::UseProgram(program("layout(std430, binding = 0) buffer B { uint count; }; void main() { "
                           "atomicAdd(count, 1u); gl_FragColor = vec4(0); }"));
    const GLuint buffer = make_buffer(GL_SHADER_STORAGE_BUFFER, std::vector<GLuint>{0});
    gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    column(2);
    gl::MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    GLuint count = 0;
    gl::GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(count), &count);
    EXPECT_EQ(count, GLuint{kSize});
    column(2);
    gl::GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(count), &count);
    EXPECT_EQ(count, 2 * GLuint{kSize});
}

TEST_F(PendingVerticesTest, TheConditionIsForWhatFollows) {
    GLuint query = 0;
    gl::GenQueries(1, &query);
    gl::BeginQuery(GL_SAMPLES_PASSED, query);
    gl::EndQuery(GL_SAMPLES_PASSED);
    gl::Color4f(0, 1, 0, 1);
    column(2);
    gl::BeginConditionalRender(query, GL_QUERY_WAIT);
    column(5);
    gl::EndConditionalRender();
    expect_pixel(2, 3, kGreen);
    expect_pixel(5, 3, kBlack);
    gl::DeleteQueries(1, &query);
}

} // namespace
} // namespace kobalt::gltest
