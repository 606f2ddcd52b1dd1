// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Rows that are packed from the top (GL_MESA_pack_invert, GL_ANGLE_pack_reverse_row_order): apart
// from their order all is as otherwise.
#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr GLsizei kRows = 4;
constexpr GLenum kInvert = 0x8758; // GL_PACK_INVERT_MESA

class ReversedRowsTest : public GlTest {
protected:
    Missing missing() const override { return lacks("GL_MESA_pack_invert"); }
    /// A column of a pixel's width whose rows are red by 10, 20, 30, 40 from below.
    void prepare() override {
        make_target({.width = 1, .height = kRows});
        gl::Enable(GL_SCISSOR_TEST);
        for (GLint row = 0; row < kRows; ++row) {
            gl::Scissor(0, row, 1, 1);
            gl::ClearColor(static_cast<float>(10 * (row + 1)) / 255.0F, 0, 0, 0);
            gl::Clear(GL_COLOR_BUFFER_BIT);
        }
        gl::Disable(GL_SCISSOR_TEST);
    }
    static constexpr int kBefore = 4; ///< rows of memory in front of what the app gives
    using Memory = std::array<Byte4, 16>;
    /// The red of what lies in memory, from `kBefore` rows before on, after a read of `kRows` rows
    /// from row `y` on; 0 where nothing was written.
    static std::array<int, 16> read(GLint y, GLint skip) {
        Memory memory{};
        gl::PixelStorei(GL_PACK_SKIP_ROWS, skip);
        gl::ReadPixels(0, y, 1, kRows, GL_RGBA, GL_UNSIGNED_BYTE, memory.data() + kBefore);
        gl::PixelStorei(GL_PACK_SKIP_ROWS, 0);
        std::array<int, 16> reds{};
        for (size_t i = 0; i < reds.size(); ++i) {
            reds.at(i) = memory.at(i)[0];
        }
        return reds;
    }
};

TEST_F(ReversedRowsTest, SkippedRowsComeFirst) {
    EXPECT_EQ(read(0, 2), (std::array<int, 16>{0, 0, 0, 0, 0, 0, 10, 20, 30, 40}));
    gl::PixelStorei(kInvert, GL_TRUE);
    EXPECT_EQ(read(0, 0), (std::array<int, 16>{0, 0, 0, 0, 40, 30, 20, 10}));
    EXPECT_EQ(read(0, 2), (std::array<int, 16>{0, 0, 0, 0, 0, 0, 40, 30, 20, 10}));
}

TEST_F(ReversedRowsTest, RowsOutsideOfTheFramebuffer) {
    gl::PixelStorei(kInvert, GL_TRUE);
    EXPECT_EQ(read(-2, 0), (std::array<int, 16>{0, 0, 0, 0, 20, 10}));
    EXPECT_EQ(read(-1, 1), (std::array<int, 16>{0, 0, 0, 0, 0, 30, 20, 10}));
    EXPECT_EQ(read(1, 0), (std::array<int, 16>{0, 0, 0, 0, 0, 40, 30, 20}));
    EXPECT_EQ(read(2, 1), (std::array<int, 16>{0, 0, 0, 0, 0, 0, 0, 40, 30}));
}

TEST_F(ReversedRowsTest, BuffersThatAreTooSmall) {
    gl::PixelStorei(kInvert, GL_TRUE);
    const std::vector<Byte4> room(kRows - 1);
    make_buffer(GL_PIXEL_PACK_BUFFER, room);
    gl::ReadPixels(0, 0, 1, kRows, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_OPERATION});
    gl::ReadPixels(0, 0, 1, kRows - 1, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
    gl::BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

} // namespace
} // namespace kobalt::gltest
