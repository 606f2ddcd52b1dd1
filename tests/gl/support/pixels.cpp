// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Reading pixels, and judging them.
#include <cmath>
#include <cstdlib>
#include <string>

#include "support.h"

namespace kobalt::gltest {

Byte4 pixel(int x, int y) {
    Byte4 value{};
    gl::ReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, value.data());
    return value;
}

Float4 pixel_float(int x, int y) {
    Float4 value{};
    gl::ReadPixels(x, y, 1, 1, GL_RGBA, GL_FLOAT, value.data());
    return value;
}

Int4 pixel_int(int x, int y) {
    Int4 value{};
    gl::ReadPixels(x, y, 1, 1, GL_RGBA_INTEGER, GL_INT, value.data());
    return value;
}

Uint4 pixel_uint(int x, int y) {
    Uint4 value{};
    gl::ReadPixels(x, y, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, value.data());
    return value;
}

Picture read_picture(int width, int height) {
    Picture picture{width, height, {}};
    picture.rgba.resize(static_cast<size_t>(width) * static_cast<size_t>(height) * 4);
    gl::ReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, picture.rgba.data());
    return picture;
}

namespace {

bool close(const std::uint8_t* actual, const Byte4& expected, int tolerance) {
    for (size_t c = 0; c < 4; ++c) {
        if (std::abs(actual[c] - expected[c]) > tolerance) {
            return false;
        }
    }
    return true;
}

std::string text(const std::uint8_t* value) {
    std::string result = "(";
    for (size_t c = 0; c < 4; ++c) {
        result += (c ? ", " : "") + std::to_string(value[c]);
    }
    return result + ")";
}

} // namespace

void expect_pixel(int x, int y, const Byte4& expected, int tolerance) {
    const Byte4 actual = pixel(x, y);
    EXPECT_TRUE(close(actual.data(), expected, tolerance))
        << "pixel " << x << "," << y << " is " << text(actual.data()) << ", expected "
        << text(expected.data());
}

void expect_near(const Float4& actual, const Float4& expected, float tolerance,
                 const std::string& what) {
    for (size_t c = 0; c < 4; ++c) {
        EXPECT_NEAR(actual[c], expected[c], tolerance) << what << " channel " << c;
    }
}

void expect_area(int x, int y, int width, int height, const Byte4& expected, int tolerance) {
    Picture picture{width, height, {}};
    picture.rgba.resize(static_cast<size_t>(width) * static_cast<size_t>(height) * 4);
    gl::ReadPixels(x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, picture.rgba.data());
    for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
            const auto* actual = picture.at(column, row);
            if (!close(actual, expected, tolerance)) {
                ADD_FAILURE() << "pixel " << x + column << "," << y + row << " is " << text(actual)
                              << ", expected " << text(expected.data());
                return;
            }
        }
    }
}

int count_pixels(const Picture& picture, const Byte4& colour) {
    int count = 0;
    for (size_t i = 0; i < picture.rgba.size(); i += 4) {
        count += close(&picture.rgba[i], colour, 1) ? 1 : 0;
    }
    return count;
}

} // namespace kobalt::gltest
