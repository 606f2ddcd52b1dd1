// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

// GL_NV_conservative_raster: a pixel is drawn if any part of it is covered.

namespace kobalt::gltest {
namespace {

constexpr int kSize = 16;

class ConservativeTest : public GlTest {
protected:
    Missing missing() const override { return lacks("GL_NV_conservative_raster"); }
    void prepare() override {
        make_target({kSize, kSize});
        gl::ClearColor(0, 0, 0, 1);
    }
    /// How many pixels of a triangle in a corner of pixel (8, 8), away from its centre.
    static int drawn() {
        static const char* const place =
            "layout(location = 0) in vec2 p; void main() { gl_Position "
            "= vec4(p / 8.0 - 1.0, 0, 1); }";
        const GLuint program = vs_fs(place, "out vec4 c; void main() { c = vec4(0, 1, 0, 1); }");
        bind_new_vao();
        make_buffer(GL_ARRAY_BUFFER, std::vector<float>{8.15F, 8.15F, 8.35F, 8.15F, 8.15F, 8.35F});
        gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
        gl::EnableVertexAttribArray(0);
        gl::UseProgram(program);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        return count_pixels(read_picture(kSize, kSize), kGreen);
    }
};

TEST_F(ConservativeTest, TouchedPixelsAreDrawn) {
    EXPECT_EQ(drawn(), 0);
    gl::Enable(GL_CONSERVATIVE_RASTERIZATION_NV);
    EXPECT_EQ(drawn(), 1);
    expect_pixel(8, 8, kGreen);
    gl::Disable(GL_CONSERVATIVE_RASTERIZATION_NV);
    EXPECT_EQ(drawn(), 0);
}

TEST_F(ConservativeTest, DilatedTrianglesTouchMore) {
    if (!has_extension("GL_NV_conservative_raster_dilate")) {
        GTEST_SKIP() << "GL_NV_conservative_raster_dilate is not there";
    }
    gl::Enable(GL_CONSERVATIVE_RASTERIZATION_NV);
    gl::ConservativeRasterParameterfNV(GL_CONSERVATIVE_RASTER_DILATE_NV, 0.75F);
    EXPECT_GE(drawn(), 3);
    gl::ConservativeRasterParameterfNV(GL_CONSERVATIVE_RASTER_DILATE_NV, 0);
    EXPECT_EQ(drawn(), 1);
}

} // namespace
} // namespace kobalt::gltest
