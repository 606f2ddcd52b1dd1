// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "figures.h"

namespace kobalt::sso {

using Colour = std::array<float, 4>;

/// A small RGBA8 framebuffer, divided into cells of 2 × 2 pixels. A round of draws gives each draw
/// a cell, so that one read at the end checks them all, and no read disturbs a draw.
class Target {
public:
    static constexpr int kCells = 24 * 24;

    /// Makes the framebuffer and binds it with a clear picture. It lives as long as the context.
    explicit Target(bool judged);

    static void clear();
    /// Sets the viewport of the following draws.
    static void use_cell(int cell);

    /// Reads the picture once and compares the first `count` cells. Fails if a cell is wrong or if
    /// GL has an error.
    Outcome expect(int count, const std::function<Colour(int)>& colour_of) const;
    /// The same for one cell.
    Outcome expect_cell(int cell, const Colour& colour) const;

private:
    bool judged_;
};

/// Fails if GL has an error.
Outcome no_gl_error();

} // namespace kobalt::sso
