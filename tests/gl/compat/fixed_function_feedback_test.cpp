// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What the fixed function keeps and tells: attribute stacks, display lists, feedback and selection.
#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

TEST_F(FixedFunctionTest, AccumulatesStateInAttributeStacks) {
    gl::Color4f(1, 0, 0, 1);
    gl::PushAttrib(GL_ALL_ATTRIB_BITS);
    gl::Color4f(0, 1, 0, 1);
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(0, 0, 4, 4);
    quad();
    gl::PopAttrib();
    expect_area(0, 0, 4, 4, kGreen);
    quad();
    expect_area(0, 0, kSize, kSize, kRed);
}

// GL 4.6 (compatibility), Feedback and Flatshading: what is fed back has the colours of the face
// that is seen and, flat shaded, of the provoking vertex.
TEST_F(FixedFunctionTest, FeedbackHasTheColoursThatAreDrawn) {
    const auto expect_blue = [] {
        std::array<GLfloat, 32> values{};
        gl::FeedbackBuffer(32, GL_3D_COLOR, values.data());
        gl::RenderMode(GL_FEEDBACK);
        gl::Begin(GL_TRIANGLES); // clockwise
        gl::Color4f(1, 0, 0, 1);
        gl::Vertex2f(0.5F, 0.5F);
        gl::Color4f(0, 1, 0, 1);
        gl::Vertex2f(0.5F, -0.5F);
        gl::Color4f(0, 0, 1, 1);
        gl::Vertex2f(-0.5F, -0.5F);
        gl::End();
        const GLint count = gl::RenderMode(GL_RENDER);
        // A token for each point; one for the polygon and how many vertices it has.
        const bool points = values[0] == static_cast<GLfloat>(GL_POINT_TOKEN);
        EXPECT_EQ(count, points ? 24 : 23);
        for (size_t i = 0; i < 3; ++i) {
            const size_t colour = points ? 8 * i + 4 : 7 * i + 5;
            EXPECT_NEAR(values[colour], 0, 1e-3F) << i;
            EXPECT_NEAR(values[colour + 1], 0, 1e-3F) << i;
            EXPECT_NEAR(values[colour + 2], 1, 1e-3F) << i;
        }
    };
    gl::ShadeModel(GL_FLAT);
    expect_blue();
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_POINT);
    expect_blue();
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    gl::ShadeModel(GL_SMOOTH);
    gl::Enable(GL_LIGHTING);
    gl::LightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);
    const std::array<float, 4> black{0, 0, 0, 1};
    const std::array<float, 4> red{1, 0, 0, 1};
    const std::array<float, 4> blue{0, 0, 1, 1};
    gl::LightModelfv(GL_LIGHT_MODEL_AMBIENT, black.data());
    gl::Materialfv(GL_FRONT, GL_EMISSION, red.data());
    gl::Materialfv(GL_BACK, GL_EMISSION, blue.data());
    expect_blue();
    gl::Disable(GL_LIGHTING);
}

// GL 4.6 (compatibility), Selection: depths are multiplied by 2^32-1.
TEST_F(FixedFunctionTest, SelectedDepthOfTheFarPlane) {
    std::array<GLuint, 8> hits{};
    gl::SelectBuffer(static_cast<GLsizei>(hits.size()), hits.data());
    gl::RenderMode(GL_SELECT);
    gl::InitNames();
    gl::Begin(GL_LINES);
    gl::Vertex3f(0, 0, -1);
    gl::Vertex3f(0, 0, 1);
    gl::End();
    EXPECT_EQ(gl::RenderMode(GL_RENDER), 1);
    EXPECT_EQ(hits[1], 0U);
    EXPECT_EQ(hits[2], 0xFFFFFFFFU);
}

// GL 4.6 (compatibility), Display Lists: a list may end between glBegin and glEnd. None of its
// vertices is one of the next list's, and where it is called, none is missing.
TEST_F(FixedFunctionTest, ListsThatEndWithinAPrimitive) {
    const GLuint lists = gl::GenLists(2);
    gl::NewList(lists, GL_COMPILE);
    gl::Begin(GL_TRIANGLES);
    gl::Vertex2f(0, 0);
    gl::EndList();
    gl::NewList(lists + 1, GL_COMPILE);
    gl::Begin(GL_TRIANGLES);
    gl::Color4f(0, 1, 0, 1);
    gl::Vertex2f(-1, -1);
    gl::Vertex2f(3, -1);
    gl::Vertex2f(-1, 3);
    gl::End();
    gl::EndList();
    gl::CallList(lists + 1);
    expect_area(0, 0, kSize, kSize, kGreen);
    gl::NewList(lists, GL_COMPILE);
    gl::Begin(GL_TRIANGLE_STRIP);
    gl::Color4f(1, 0, 0, 1);
    gl::Vertex2f(-1, -1);
    gl::Vertex2f(1, -1);
    gl::Vertex2f(-1, 1);
    gl::EndList();
    gl::CallList(lists);
    gl::Vertex2f(1, 1);
    gl::End();
    expect_area(0, 0, kSize, kSize, kRed);
}

// 14.5 and figure 21.2: each segment of GL_LINES resets the stipple, of a strip the first. 14.1:
// colours are clamped in feedback and for the raster position as they are in a draw.
TEST_F(FixedFunctionTest, FeedbackOfLinesAndClampedColours) {
    const auto tokens = [](GLenum mode) {
        std::array<float, 64> feedback{};
        gl::FeedbackBuffer(64, GL_3D_COLOR, feedback.data());
        gl::RenderMode(GL_FEEDBACK);
        gl::Begin(mode);
        gl::Color4f(1.5F, -0.5F, 0.25F, 1);
        for (const float x : {-0.5F, 0.5F, -0.25F, 0.25F}) {
            gl::Vertex3f(x, 0, 0);
        }
        gl::End();
        const GLint count = gl::RenderMode(GL_RENDER);
        constexpr GLint segment = 1 + 2 * 7; // a token and two vertices
        std::vector<GLenum> found;
        for (GLint at = 0; at + segment <= count; at += segment) {
            found.push_back(static_cast<GLenum>(feedback[static_cast<size_t>(at)]));
            EXPECT_EQ(feedback[static_cast<size_t>(at) + 4], 1);
            EXPECT_EQ(feedback[static_cast<size_t>(at) + 5], 0);
            EXPECT_EQ(feedback[static_cast<size_t>(at) + 6], 0.25F);
        }
        return found;
    };
    const GLenum reset = GL_LINE_RESET_TOKEN;
    EXPECT_EQ(tokens(GL_LINES), (std::vector<GLenum>{reset, reset}));
    EXPECT_EQ(tokens(GL_LINE_STRIP), (std::vector<GLenum>{reset, GL_LINE_TOKEN, GL_LINE_TOKEN}));
    gl::RasterPos2f(0, 0);
    Float4 colour{};
    gl::GetFloatv(GL_CURRENT_RASTER_COLOR, colour.data());
    EXPECT_EQ(colour, (Float4{1, 0, 0.25F, 1}));
}

} // namespace
} // namespace kobalt::gltest
