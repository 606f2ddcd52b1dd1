// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_KHR_blend_equation_advanced and the state around it: what switches blending off, and what the
// target's format does to the source (OpenGL 4.6, sections 17.3.6 and 17.3.8).
#include "support.h"

namespace kobalt::gltest {
namespace {

class AdvancedBlendStateTest : public GlTest {
protected:
    Missing missing() const override { return lacks("GL_KHR_blend_equation_advanced"); }
    void prepare() override {
        bind_new_vao();
        program_ = vs_fs(kFullscreenVs,
                         "#extension GL_KHR_blend_equation_advanced : require\n"
                         "uniform vec4 colour; layout(blend_support_multiply) out; out vec4 "
                         "result; void main() { result = colour; }");
        gl::UseProgram(program_);
        gl::Enable(GL_BLEND);
        gl::BlendEquation(GL_MULTIPLY_KHR);
    }
    /// `colour` over opaque half grey.
    void draw(const Float4& colour) const {
        gl::ClearColor(0.5F, 0.5F, 0.5F, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        set_uniform(program_, "colour", colour);
        gl::BlendBarrierKHR();
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
    }

    GLuint program_ = 0;
};

TEST_F(AdvancedBlendStateTest, IsOffUnderALogicalOperation) {
    make_target();
    draw({1, 0.5F, 0, 1});
    expect_pixel(0, 0, {128, 64, 0, 255}, 1);
    gl::Enable(GL_COLOR_LOGIC_OP);
    gl::LogicOp(GL_COPY);
    draw({1, 0.5F, 0, 1});
    expect_pixel(0, 0, {255, 128, 0, 255}, 1);
    gl::Disable(GL_COLOR_LOGIC_OP);
    draw({1, 0.5F, 0, 1});
    expect_pixel(0, 0, {128, 64, 0, 255}, 1);
}

TEST_F(AdvancedBlendStateTest, AsksForTheBlendingOfTheFirstDrawBuffer) {
    make_target();
    gl_function<decltype(&::glDisablei)>("glDisablei")(GL_BLEND, 0);
    draw({1, 0.5F, 0, 1});
    expect_pixel(0, 0, {255, 128, 0, 255}, 1);
    gl_function<decltype(&::glEnablei)>("glEnablei")(GL_BLEND, 0);
    draw({1, 0.5F, 0, 1});
    expect_pixel(0, 0, {128, 64, 0, 255}, 1);
}

// A source of 2, 0.5, -1 is 1, 0.5, 0 for fixed point; floating point takes it as it is.
TEST_F(AdvancedBlendStateTest, ClampsTheSourceForFixedPoint) {
    make_target();
    draw({2, 0.5F, -1, 1});
    expect_pixel(0, 0, {128, 64, 0, 255}, 1);
    make_target({.color = GL_RGBA16F});
    draw({2, 0.5F, -1, 1});
    const Float4 stored = pixel_float(0, 0);
    EXPECT_NEAR(stored[0], 1, 0.01F);
    EXPECT_NEAR(stored[1], 0.25F, 0.01F);
    EXPECT_NEAR(stored[2], -0.5F, 0.01F);
    make_target();
    draw({2, 0.5F, -1, 1});
    expect_pixel(0, 0, {128, 64, 0, 255}, 1);
}

// Outputs may share a location by their components (GLSL 4.60, 4.4.2).
TEST_F(AdvancedBlendStateTest, BlendsOutputsThatShareALocation) {
    if (const Missing why = lacks(4, 4, "GL_ARB_enhanced_layouts")) {
        GTEST_SKIP() << *why;
    }
    make_target();
    for (const auto& [outputs, statements] :
         {std::pair{"layout(location = 0) out vec2 a; layout(location = 0, component = 2) out vec2 "
                    "b;",
                    "a = vec2(1, 0.5); b = vec2(0, 1);"},
          {"layout(location = 0) out float a; layout(location = 0, component = 1) out vec3 b;",
           "a = 1.0; b = vec3(0.5, 0, 1);"},
          {"layout(location = 0) out vec2 a[1]; layout(location = 0, component = 2) out vec2 b[1];",
           "a[0] = vec2(1, 0.5); b[0] = vec2(0, 1);"}}) {
        gl::ClearColor(0.5F, 0.5F, 0.5F, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::UseProgram(
            vs_fs(kFullscreenVs, std::string("#extension GL_KHR_blend_equation_advanced : require\n"
                                             "#extension GL_ARB_enhanced_layouts : require\n"
                                             "layout(blend_support_multiply) out;\n") +
                                     outputs + " void main() { " + statements + " }"));
        gl::BlendBarrierKHR();
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        SCOPED_TRACE(outputs);
        expect_pixel(0, 0, {128, 64, 0, 255}, 1);
    }
}

} // namespace
} // namespace kobalt::gltest
