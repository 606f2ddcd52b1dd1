// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

// GL_ARB_sample_locations: the app says where in a pixel its samples are.

namespace kobalt::gltest {
namespace {

constexpr int kSize = 16;
constexpr int kSamples = 4;

class SampleLocationTest : public GlTest {
protected:
    Missing missing() const override { return lacks("GL_ARB_sample_locations"); }
    void prepare() override {
        gl::Enable(GL_MULTISAMPLE);
        target_ = make_black_target({kSize, kSize, GL_RGBA8, GL_DEPTH24_STENCIL8, kSamples});
    }

    static void use(bool locations, bool grid = false) {
        gl::FramebufferParameteri(GL_DRAW_FRAMEBUFFER,
                                  GL_FRAMEBUFFER_PROGRAMMABLE_SAMPLE_LOCATIONS_ARB, locations);
        gl::FramebufferParameteri(GL_DRAW_FRAMEBUFFER,
                                  GL_FRAMEBUFFER_SAMPLE_LOCATION_PIXEL_GRID_ARB, grid);
    }
    /// All samples of all pixels in one place.
    static void place(float x, float y) {
        std::vector<float> locations;
        for (int i = 0; i < kSamples; ++i) {
            locations.insert(locations.end(), {x, y});
        }
        gl::FramebufferSampleLocationsfvARB(GL_DRAW_FRAMEBUFFER, 0, kSamples, locations.data());
    }
    /// A green rectangle with corners in pixels.
    void draw(float left, float bottom, float right, float top, float depth = 0) const {
        const auto ndc = [](float pixels) { return pixels / kSize * 2 - 1; };
        painter_->draw({ndc(left), ndc(bottom), ndc(right), ndc(top)}, {0, 1, 0, 1}, depth);
    }
    Picture resolved() const {
        const Target single = make_target({kSize, kSize});
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, target_.framebuffer);
        gl::BlitFramebuffer(0, 0, kSize, kSize, 0, 0, kSize, kSize, GL_COLOR_BUFFER_BIT,
                            GL_NEAREST);
        single.bind();
        const Picture picture = read_picture(kSize, kSize);
        target_.bind();
        return picture;
    }

    Target target_;
    std::unique_ptr<RectPainter> painter_ = nullptr;
    void make_painter() { painter_ = std::make_unique<RectPainter>(); }
};

// The rectangle's corner is a quarter of a pixel into pixel (8, 8).
TEST_F(SampleLocationTest, SamplesAreWhereTheAppPutsThem) {
    make_painter();
    struct Case {
        float x, y;
        Byte4 expected; ///< of pixel (8, 8)
    };
    for (const Case& one : {Case{0.125F, 0.125F, kBlack}, Case{0.875F, 0.875F, kGreen},
                            Case{0.875F, 0.125F, kBlack}, Case{0.125F, 0.875F, kBlack}}) {
        gl::Clear(GL_COLOR_BUFFER_BIT);
        use(true);
        place(one.x, one.y);
        draw(8.25F, 8.25F, 16, 16);
        use(false);
        const Picture picture = resolved();
        EXPECT_EQ(texel_of(picture, 8, 8), one.expected) << one.x << ", " << one.y;
        EXPECT_EQ(texel_of(picture, 9, 9), kGreen);
        EXPECT_EQ(texel_of(picture, 7, 7), kBlack);
        EXPECT_EQ(texel_of(picture, 9, 8), one.y > 0.5F ? kGreen : kBlack);
        EXPECT_EQ(texel_of(picture, 8, 9), one.x > 0.5F ? kGreen : kBlack);
    }
}

TEST_F(SampleLocationTest, SwitchedOffTheyAreTheDevices) {
    make_painter();
    draw(8.25F, 0, 16, 16);
    const Picture before = resolved();
    use(true);
    place(0.125F, 0.125F);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    draw(8.25F, 0, 16, 16);
    EXPECT_EQ(texel_of(resolved(), 8, 4), kBlack);
    use(false);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    draw(8.25F, 0, 16, 16);
    EXPECT_EQ(resolved().rgba, before.rgba);
    EXPECT_NE(texel_of(before, 8, 4), kBlack);
}

// Every second row of pixels may have its samples elsewhere.
TEST_F(SampleLocationTest, RowsOfTheGrid) {
    std::array<GLint, 1> width{};
    std::array<GLint, 1> height{};
    gl::GetIntegerv(GL_SAMPLE_LOCATION_PIXEL_GRID_WIDTH_ARB, width.data());
    gl::GetIntegerv(GL_SAMPLE_LOCATION_PIXEL_GRID_HEIGHT_ARB, height.data());
    ASSERT_GE(width[0], 1);
    ASSERT_GE(height[0], 1);
    std::vector<float> locations;
    for (int y = 0; y < height[0]; ++y) {
        for (int i = 0; i < width[0] * kSamples; ++i) {
            locations.insert(locations.end(), {0.5F, y == 0 ? 0.875F : 0.125F});
        }
    }
    make_painter();
    use(true, true);
    gl::FramebufferSampleLocationsfvARB(
        GL_DRAW_FRAMEBUFFER, 0, static_cast<GLsizei>(locations.size() / 2), locations.data());
    for (int y = 0; y < kSize; ++y) {
        draw(0, static_cast<float>(y) + 0.5F, kSize, static_cast<float>(y) + 1);
    }
    use(false);
    const Picture picture = resolved();
    for (int y = 0; y < kSize; ++y) {
        EXPECT_EQ(texel_of(picture, 3, y), y % height[0] == 0 ? kGreen : kBlack) << "row " << y;
    }
}

// Depth is that of the locations, and stays what it was for draws with others.
TEST_F(SampleLocationTest, DepthOfBoth) {
    make_painter();
    gl::Enable(GL_DEPTH_TEST);
    use(true);
    place(0.875F, 0.875F);
    painter_->draw({-1, -1, 1, 1}, {1, 0, 0, 1}, 0.5F);
    gl::EvaluateDepthValuesARB();
    place(0.125F, 0.125F);
    draw(0, 0, 8, 16, 0.75F); // behind
    draw(8, 0, 16, 16, 0.25F);
    use(false);
    const Picture picture = resolved();
    EXPECT_EQ(texel_of(picture, 3, 3), kRed);
    EXPECT_EQ(texel_of(picture, 12, 3), kGreen);
    gl::Disable(GL_DEPTH_TEST);
}

TEST_F(SampleLocationTest, Queries) {
    std::array<GLint, 1> bits{};
    gl::GetIntegerv(GL_SAMPLE_LOCATION_SUBPIXEL_BITS_ARB, bits.data());
    EXPECT_GE(bits[0], 1);
    place(0.25F, 0.75F);
    std::array<GLfloat, 1> x{};
    std::array<GLfloat, 1> y{};
    gl::GetMultisamplefv(GL_PROGRAMMABLE_SAMPLE_LOCATION_ARB, 2, x.data());
    gl::GetMultisamplefv(GL_PROGRAMMABLE_SAMPLE_LOCATION_ARB, 3, y.data());
    EXPECT_EQ(x[0], 0.25F);
    EXPECT_EQ(y[0], 0.75F);
}

} // namespace
} // namespace kobalt::gltest
