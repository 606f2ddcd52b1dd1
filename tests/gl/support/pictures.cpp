// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "pictures.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "support.h"

namespace kobalt::gltest {

namespace {

/// A drawn pixel differs from the background by more than clearing may be rounded.
constexpr int kDrawn = 2;

int channel_difference(const std::uint8_t* a, const std::uint8_t* b) {
    int most = 0;
    for (int c = 0; c < 4; ++c) {
        most = std::max(most, std::abs(a[c] - b[c]));
    }
    return most;
}

/// True where `picture` has a pixel like `wanted` at the place, or so near.
bool fits_around(const Picture& picture, int x, int y, const std::uint8_t* wanted,
                 const PictureLimit& limit) {
    const int left = std::max(x - limit.shift, 0);
    const int right = std::min(x + limit.shift, picture.width - 1);
    const int top = std::min(y + limit.shift, picture.height - 1);
    for (int row = std::max(y - limit.shift, 0); row <= top; ++row) {
        for (int column = left; column <= right; ++column) {
            if (channel_difference(picture.at(column, row), wanted) <= limit.channel) {
                return true;
            }
        }
    }
    return false;
}

std::string gl_text(GLenum name) {
    const auto* text = gl::GetString(name);
    return text != nullptr ? reinterpret_cast<const char*>(text) : "?";
}

/// reference/README.md: where each picture came from, a line of a table each. Lines of pictures
/// that aren't written now stay.
void note_origin(const std::string& folder, const std::string& name) {
    const std::string path = folder + "/README.md";
    std::map<std::string, std::string> rows;
    {
        std::ifstream old(path);
        for (std::string line; std::getline(old, line);) {
            if (line.starts_with("| ") && line.find(".png") != std::string::npos) {
                rows[line.substr(2, line.find(".png") - 2)] = line;
            }
        }
    }
    const std::chrono::year_month_day date{
        std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
    std::array<char, 16> day{};
    std::snprintf(day.data(), day.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
    rows[name] = "| " + name + ".png | " + gl_text(GL_RENDERER) + " | " + gl_text(GL_VERSION) +
                 " | " + day.data() + " |";
    std::ofstream file(path);
    file
        << "# Reference pictures\n\n"
           "What the picture tests (`tests/gl/pictures/*_test.cpp`) must draw. Another driver than "
           "Kobalt drew them,\nand the same command wrote this list of who and when:\n\n"
           "```sh\n"
           "./kobalt peer llvmpipe -- build/prefix/bin/kobalt-gl-tests --write-references "
           "tests/gl/reference --gtest_filter='*PictureTest.*'\n"
           "```\n\n"
           "| picture | GL_RENDERER | GL_VERSION | day |\n|---|---|---|---|\n";
    for (const auto& [key, row] : rows) {
        file << row << "\n";
    }
    EXPECT_TRUE(file.good()) << "writing " << path;
}

void write_reference(const Picture& picture, const std::string& name) {
    const std::string& folder = picture_options().write_references;
    // A driver's own pictures would call right whatever it draws.
    ASSERT_EQ(gl_text(GL_RENDERER).find("Kobalt"), std::string::npos)
        << "references are written by another driver than Kobalt";
    const auto written = offscreen::write_png(folder + "/" + name + ".png", picture, true);
    ASSERT_TRUE(written.has_value()) << written.error();
    note_origin(folder, name);
}

/// A share in percent.
std::string percent(double share, int digits) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, 100 * share);
    return text.data();
}

/// One line of pictures.tsv.
struct Line {
    std::string name;
    const char* limits;
    PictureLimit limit;
    PictureDifference actual;
    PictureDifference empty;
    std::vector<std::pair<std::string_view, PictureDifference>> without;
};

void write_line(const Line& line) {
    const std::string& folder = picture_options().artifacts;
    if (folder.empty()) {
        return;
    }
    static bool begun = false;
    std::ofstream file(folder + "/pictures.tsv", begun ? std::ios::app : std::ios::trunc);
    if (!begun) {
        file << "# " << gl_text(GL_RENDERER) << ", " << gl_text(GL_VERSION)
             << "; shares of the drawn pixels, in percent\n"
                "# case\tlimits\tdrawn\tlimit\tdifference\tempty\twithout\n";
        begun = true;
    }
    std::ostringstream without;
    for (const auto& [feature, difference] : line.without) {
        without << (without.str().empty() ? "" : ", ") << feature << " "
                << percent(difference.share(), 1);
    }
    file << line.name << '\t' << line.limits << '\t' << line.actual.drawn << '\t'
         << percent(line.limit.share, 2) << '\t' << percent(line.actual.share(), 2) << '\t'
         << percent(line.empty.share(), 1) << '\t' << without.str() << '\n';
}

} // namespace

PictureOptions& picture_options() {
    static PictureOptions options;
    return options;
}

PictureDifference compare_pictures(const Picture& actual, const Picture& reference,
                                   const Picture& empty, const PictureLimit& limit) {
    PictureDifference result;
    for (int y = 0; y < reference.height; ++y) {
        for (int x = 0; x < reference.width; ++x) {
            const std::uint8_t* here = actual.at(x, y);
            const std::uint8_t* wanted = reference.at(x, y);
            result.drawn += channel_difference(wanted, empty.at(x, y)) > kDrawn ? 1 : 0;
            const int difference = channel_difference(here, wanted);
            result.largest = std::max(result.largest, difference);
            if (difference > limit.channel &&
                !(limit.shift > 0 && fits_around(reference, x, y, here, limit) &&
                  fits_around(actual, x, y, wanted, limit))) {
                ++result.off;
            }
        }
    }
    return result;
}

void judge_picture(const PictureCase& picture, int width, int height,
                   const std::vector<std::string_view>& features,
                   const std::function<void()>& begin,
                   const std::function<void(const Parts&)>& draw) {
    const PictureOptions& options = picture_options();
    const auto drawn = [&](const Parts& parts) {
        begin();
        draw(parts);
        return read_picture(width, height);
    };
    const Picture actual = drawn(Parts());
    if (!options.write_references.empty()) {
        write_reference(actual, picture.name);
        return;
    }
    begin();
    const Picture empty = read_picture(width, height);
    std::vector<Picture> without;
    for (const std::string_view feature : features) {
        without.push_back(drawn(Parts(feature)));
    }
    const std::string file = std::string("/") + picture.name + ".png";
    const auto reference = offscreen::read_png(options.reference + file);
    ASSERT_TRUE(reference.has_value()) << reference.error();
    ASSERT_EQ(reference->width, width);
    ASSERT_EQ(reference->height, height);
    ASSERT_FALSE(features.empty()) << "no feature is left out to see the test fail";

    const bool lavapipe = drawn_by_llvmpipe();
    for (const bool tight : {true, false}) {
        const PictureLimit& limit = tight ? picture.lavapipe : picture.elsewhere;
        const auto compare = [&](const Picture& one) {
            return compare_pictures(one, *reference, empty, limit);
        };
        Line line{picture.name,   tight ? "lavapipe" : "elsewhere",
                  limit,          compare(actual),
                  compare(empty), {}};
        EXPECT_GT(line.actual.drawn, 0) << picture.name << ": the reference is empty";
        EXPECT_GE(line.empty.share(), 3 * limit.share)
            << picture.name << ": the empty picture is too near (limits for " << line.limits << ")";
        for (size_t i = 0; i < features.size(); ++i) {
            line.without.emplace_back(features[i], compare(without[i]));
            EXPECT_GT(line.without.back().second.share(), limit.share)
                << picture.name << ": passes without its " << features[i] << " (limits for "
                << line.limits << ")";
        }
        if (tight == lavapipe) {
            const PictureDifference& off = line.actual;
            testing::Test::RecordProperty("picture_max_difference", off.largest);
            testing::Test::RecordProperty("picture_differing_pixels", off.off);
            EXPECT_LE(off.share(), limit.share)
                << picture.name << ": " << off.off << " of " << off.drawn
                << " drawn pixels are off (largest difference " << off.largest << ")";
            if (off.share() > limit.share && !options.artifacts.empty()) {
                const auto written = offscreen::write_png(options.artifacts + file, actual, true);
                EXPECT_TRUE(written.has_value()) << written.error();
            }
        }
        if (!recording_mode()) {
            write_line(line);
        }
    }
}

} // namespace kobalt::gltest
