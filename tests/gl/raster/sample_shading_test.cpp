// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// glMinSampleShading (OpenGL 4.6, section 14.3.1.1): fragments run at samples, with what a program
// that was linked while it was asked for has brought with it.
#include "counters.h"
#include "fresh_text.h"

namespace kobalt::gltest {
namespace {

/// Green where inputs are those at a sample beside the pixel's centre, red where they are those at
/// the centre. No cache knows it.
GLuint link_place_program(const std::string& blue = "0") {
    return vs_fs(
        "out vec2 place; void main() { vec2 at = vec2((gl_VertexID << 1) & 2, gl_VertexID & "
        "2); place = at * 8.0; gl_Position = vec4(at * 2.0 - 1.0, 0, 1); }",
        "#extension GL_ARB_sample_shading : enable\n" + kFreshUniform +
            "in vec2 place; out vec4 colour; void main() { colour = "
            "abs(fract(place.x) - 0.5 + " +
            fresh_zero() + ") < 0.01 ? vec4(1, 0, 0, 1) : vec4(0, 1, " + blue + ", 1); }");
}

class SampleShadingTest : public CountedTest {
protected:
    Missing missing() const override {
        const Missing counters = CountedTest::missing();
        return counters ? counters : lacks("GL_ARB_sample_shading");
    }
    void prepare() override {
        CountedTest::prepare();
        bind_new_vao();
        target_ = make_target({8, 8, GL_RGBA8, GL_NONE, 4});
    }
    static void ask() {
        gl::Enable(GL_SAMPLE_SHADING);
        gl::MinSampleShadingARB(1);
    }
    void expect_everywhere(const Byte4& colour) const {
        const Target single = make_target({8, 8});
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, target_.framebuffer);
        gl::BlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        single.bind();
        expect_area(0, 0, 8, 8, colour);
        target_.bind();
    }

    Target target_;
};

// A program whose own code runs at samples costs as much: nothing, but where the device has whole
// pipelines or state that belongs to them.
TEST_F(SampleShadingTest, IsThereWithALinkThatComesBehindIt) {
    const GLuint by_itself = link_place_program("float(gl_SampleID)");
    const Spent usual = measure([by_itself] { draw_fullscreen(by_itself); });
    ask();
    const GLuint program = link_place_program();
    const Spent spent = measure([program] { draw_fullscreen(program); });
    EXPECT_EQ(spent.at("late-shaders"), 0);
    EXPECT_LE(spent.at("draw-compiles"), usual.at("draw-compiles"));
    expect_everywhere(kGreen);
}

TEST_F(SampleShadingTest, IsMadeOnceForAProgramThatWasThere) {
    const GLuint program = link_place_program();
    draw_fullscreen(program);
    expect_everywhere(kRed);
    ask();
    const auto draw = [program] { draw_fullscreen(program); };
    EXPECT_EQ(measure(draw).at("late-shaders"), 0) << "the state tracker makes no variant";
    EXPECT_EQ(measure(draw).at("draw-compiles"), 0);
    expect_everywhere(kGreen);
    gl::Disable(GL_SAMPLE_SHADING);
    EXPECT_EQ(measure(draw).at("draw-compiles"), 0);
    expect_everywhere(kRed);
}

// A quarter of four samples is one: nothing has to run more often.
TEST_F(SampleShadingTest, LeavesFragmentsAloneWhereOneIsEnough) {
    const GLuint program = link_place_program();
    gl::Enable(GL_SAMPLE_SHADING);
    gl::MinSampleShadingARB(0.25F);
    draw_fullscreen(program);
    expect_everywhere(kRed);
}

TEST_F(SampleShadingTest, IsForMultisampledTargetsAlone) {
    const GLuint program = link_place_program();
    ask();
    draw_fullscreen(program);
    make_target({8, 8});
    draw_fullscreen(program);
    expect_area(0, 0, 8, 8, kRed);
    target_.bind();
    expect_everywhere(kGreen);
}

} // namespace
} // namespace kobalt::gltest
