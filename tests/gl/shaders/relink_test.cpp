// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL 4.6, 7.3: a program that is in use is drawn with as it was, when a link of it fails.
#include "support.h"

namespace kobalt::gltest {
namespace {

const char* const kVertex = R"(#version 330 compatibility
uniform sampler2D image;
void main() { gl_Position = gl_Vertex + textureLod(image, gl_Vertex.xy, 0.0); })";
const char* const kFragment = R"(#version 330 compatibility
void main() { gl_FragColor = vec4(0, 1, 0, 1); })";

class RelinkTest : public CompatTest {
protected:
    void prepare() override {
        make_black_target({8, 8});
        const Byte4 nothing{0, 0, 0, 0};
        texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, nothing.data());
        program_ = link({{GL_VERTEX_SHADER, kVertex}, {GL_FRAGMENT_SHADER, kFragment}});
        ASSERT_NE(program_, 0U);
        gl::UseProgram(program_);
    }
    void fail_to_link() const {
        const GLuint shader = gl::CreateShader(GL_GEOMETRY_SHADER);
        gl::AttachShader(program_, shader);
        gl::LinkProgram(program_);
        GLint linked = 1;
        gl::GetProgramiv(program_, GL_LINK_STATUS, &linked);
        EXPECT_EQ(linked, 0);
    }
    static void expect_raster_position() {
        gl::RasterPos2f(0.5F, -0.5F);
        Float4 position{};
        gl::GetFloatv(GL_CURRENT_RASTER_POSITION, position.data());
        EXPECT_EQ(position[0], 6.0F);
        EXPECT_EQ(position[1], 2.0F);
    }
    GLuint program_ = 0;
};

TEST_F(RelinkTest, RasterPositions) {
    fail_to_link();
    expect_raster_position();
}

// The second time the program comes out of the cache.
TEST_F(RelinkTest, RasterPositionsOfAProgramThatWasThereBefore) {
    program_ = link({{GL_VERTEX_SHADER, kVertex}, {GL_FRAGMENT_SHADER, kFragment}});
    gl::UseProgram(program_);
    fail_to_link();
    expect_raster_position();
}

TEST_F(RelinkTest, Draws) {
    fail_to_link();
    const std::vector<float> corners{-1, -1, 3, -1, -1, 3};
    make_buffer(GL_ARRAY_BUFFER, corners);
    gl::EnableVertexAttribArray(0);
    gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, 8, 8, kGreen);
}

} // namespace
} // namespace kobalt::gltest
