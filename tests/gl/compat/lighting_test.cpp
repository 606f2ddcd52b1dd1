// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

using LightingTest = FixedFunctionTest;

// GL 4.6 (compatibility), 12.2.1: anything to the power of the shininess 0 is 1, also where the
// light comes from afar or out of a cone.
TEST_F(LightingTest, AnAttenuatedLightOnDullMaterial) {
    const auto light = gl_function<decltype(&glLightf)>("glLightf");
    ASSERT_TRUE(light);
    const Float4 black{0, 0, 0, 1};
    const Float4 white{1, 1, 1, 1};
    const Float4 aside{1, 0, 0.5F, 1};
    gl::Enable(GL_LIGHTING);
    gl::Enable(GL_LIGHT0);
    gl::LightModelfv(GL_LIGHT_MODEL_AMBIENT, black.data());
    gl::Lightfv(GL_LIGHT0, GL_DIFFUSE, black.data());
    gl::Lightfv(GL_LIGHT0, GL_SPECULAR, white.data());
    gl::Lightfv(GL_LIGHT0, GL_POSITION, aside.data());
    gl::Materialfv(GL_FRONT_AND_BACK, GL_SPECULAR, white.data());
    gl::LightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);
    gl::PointSize(kSize);
    for (const bool back : {false, true}) {
        for (const float attenuation : {1.0F, 2.0F, 4.0F}) {
            light(GL_LIGHT0, GL_CONSTANT_ATTENUATION, attenuation);
            const float side = back ? -1.0F : 1.0F;
            gl::Begin(GL_TRIANGLES);
            gl::Normal3f(0, 0, side);
            gl::Vertex2f(-0.1F, -0.1F * side);
            gl::Vertex2f(0.1F, -0.1F * side);
            gl::Vertex2f(0, 0.1F * side);
            gl::End();
            const auto grey = static_cast<std::uint8_t>(255.0F / attenuation + 0.5F);
            expect_pixel(kSize / 2, kSize / 2, {grey, grey, grey, 255}, 2);
        }
    }
}

} // namespace
} // namespace kobalt::gltest
