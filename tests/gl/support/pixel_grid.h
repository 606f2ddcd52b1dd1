// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <optional>
#include <vector>

#include "support.h"

namespace kobalt::gltest {

/// Each draw covers the next pixel of a target alone, and what they show is looked at in the end:
/// reading in between would wait for the draws. The first ones are those of the lowest row.
class PixelGrid {
public:
    static constexpr int kSize = 64; ///< pixels each way

    /// Binds a target, black, and a vertex array, and turns the scissor test on.
    PixelGrid();
    /// Draws with what is in use.
    void draw(GLenum mode, const Byte4& expected, GLsizei vertices = 3);
    /// A triangle.
    void draw(const Byte4& expected) { draw(GL_TRIANGLES, expected); }
    /// Expects each pixel to be what its draw said. The next draw covers the first one again.
    void expect();
    /// How many pixels are not, for those who allow for some; otherwise as expect().
    int wrong();

private:
    std::vector<Byte4> expected_;
};

/// Tests of `Base` that draw into a grid of pixels.
template <typename Base>
class GridTestOf : public Base {
protected:
    void prepare() override {
        Base::prepare();
        grid_.emplace();
    }
    void draw(GLenum mode, const Byte4& expected, GLsizei vertices = 3) {
        grid_->draw(mode, expected, vertices);
    }
    void draw(const Byte4& expected) { grid_->draw(expected); }
    void draw_with(GLuint program, const Byte4& expected) {
        gl::UseProgram(program);
        draw(expected);
    }
    void expect_drawn() { grid_->expect(); }
    int wrong_pixels() { return grid_->wrong(); }

private:
    std::optional<PixelGrid> grid_; ///< from prepare() on
};

} // namespace kobalt::gltest
