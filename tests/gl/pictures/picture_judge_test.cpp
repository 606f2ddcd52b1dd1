// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// The judge of the picture tests, judged: what it counts, and where the references came from.
#include "pictures.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr int kSide = 8;
constexpr Byte4 kBackground{10, 10, 30, 64};

void set(Picture& picture, int x, int y, const Byte4& colour) {
    std::ranges::copy(colour, picture.rgba.begin() + 4 * (y * kSide + x));
}

Picture background() {
    Picture picture{kSide, kSide, std::vector<std::uint8_t>(4 * kSide * kSide)};
    for (int i = 0; i < kSide * kSide; ++i) {
        set(picture, i % kSide, i / kSide, kBackground);
    }
    return picture;
}

/// A line of four pixels.
Picture with_line(int y, const Byte4& colour = kRed) {
    Picture picture = background();
    for (int x = 2; x < 6; ++x) {
        set(picture, x, y, colour);
    }
    return picture;
}

TEST(PictureJudge, CountsSharesOfWhatIsDrawn) {
    const auto same = compare_pictures(with_line(3), with_line(3), background(), {2, 0});
    EXPECT_EQ(same.drawn, 4);
    EXPECT_EQ(same.off, 0);
    const auto nothing = compare_pictures(background(), with_line(3), background(), {2, 0});
    EXPECT_EQ(nothing.share(), 1.0);
    Picture half = with_line(3);
    set(half, 2, 3, kBackground);
    set(half, 3, 3, kBackground);
    EXPECT_EQ(compare_pictures(half, with_line(3), background(), {2, 0}).share(), 0.5);
    // What is too much counts as well.
    set(half, 2, 3, kRed);
    set(half, 3, 3, kRed);
    set(half, 7, 7, kRed);
    EXPECT_EQ(compare_pictures(half, with_line(3), background(), {2, 0}).share(), 0.25);
}

TEST(PictureJudge, AlphaCounts) {
    const Byte4 transparent{255, 0, 0, 0};
    const auto off =
        compare_pictures(with_line(3, transparent), with_line(3), background(), {2, 0});
    EXPECT_EQ(off.off, 4);
    EXPECT_EQ(off.largest, 255);
}

TEST(PictureJudge, EmptyReferencesFitNothing) {
    EXPECT_EQ(compare_pictures(background(), background(), background(), {2, 0}).share(), 1.0);
}

TEST(PictureJudge, ShiftedPixelsFitWhereTheyMay) {
    EXPECT_EQ(compare_pictures(with_line(4), with_line(3), background(), {2, 0}).off, 8);
    EXPECT_EQ(compare_pictures(with_line(4), with_line(3), background(), {2, 0, 1}).off, 0);
    EXPECT_EQ(compare_pictures(with_line(6), with_line(3), background(), {2, 0, 1}).off, 8);
    // Missing is not shifted, nor is another colour.
    EXPECT_EQ(compare_pictures(background(), with_line(3), background(), {2, 0, 1}).off, 4);
    EXPECT_EQ(compare_pictures(with_line(3, kGreen), with_line(3), background(), {2, 0, 1}).off, 4);
}

TEST(PictureJudge, ReferencesComeFromAnotherDriver) {
    const std::filesystem::path folder = picture_options().reference;
    std::ifstream file(folder / "README.md");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    int pictures = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".png") {
            continue;
        }
        ++pictures;
        const std::string head = "| " + entry.path().filename().string() + " | ";
        const size_t row = text.find(head);
        ASSERT_NE(row, std::string::npos) << entry.path() << " has no line in README.md";
        const std::string drew = text.substr(row + head.size(), text.find('\n', row) - row);
        EXPECT_EQ(drew.find("Kobalt"), std::string::npos) << entry.path() << " was drawn by us";
    }
    EXPECT_GT(pictures, 0);
}

} // namespace
} // namespace kobalt::gltest
