// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// kobalt-transfer [--seconds SECONDS] [--most SIDE] [--no-pictures] [FORMAT…]
//
// Measures how fast textures get to the GPU and back, on whatever OpenGL the environment selects:
// formats × sizes × ways. One line a figure, `case <tab> metric <tab> value <tab> unit`, or
// `case <tab> failed <tab> - <tab> reason`; the lines that begin with # say who drew. Wrong texels
// are a failure. --seconds: for each figure (default 0.1); --most: no larger textures (default
// 2048); --no-pictures is for devices that draw nothing.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <unistd.h>

#include "demo/offscreen/egl_context.h"
#include "demo/offscreen/expected_renderer.h"
#include "small.h"
#include "ways.h"

namespace kobalt::transfer {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array kSides{16, 64, 256, 1024, 2048};

struct Options {
    double seconds = 0.1;
    int most = kSides.back();
    bool pictures = true;
    std::vector<std::string_view> formats; ///< empty: all
};

/// How often a second `once` is done, with the wait for the last one.
double rate(const Options& options, const std::function<void()>& once) {
    constexpr int warm = 4; // more than the buffers of a ring
    for (int i = 0; i < warm; ++i) {
        once();
    }
    gl::Finish();
    int count = 0;
    const Clock::time_point begin = Clock::now();
    std::chrono::duration<double> spent{};
    while (spent.count() < options.seconds) {
        once();
        ++count;
        spent = Clock::now() - begin;
    }
    gl::Finish();
    spent = Clock::now() - begin;
    return count / spent.count();
}

void print(const std::string& name, const char* metric, double value, const char* unit) {
    std::printf("%s\t%s\t%.6g\t%s\n", name.c_str(), metric, value, unit);
    std::fflush(stdout);
}

/// Measures one way; false where the texels are wrong or GL has an error.
bool measure(const Options& options, const std::string& name, const Way& way,
             const Subject& subject) {
    const std::unique_ptr<Mover> mover = way.make(subject);
    const double each = rate(options, [&] { mover->move(); });
    const bool right = !options.pictures || mover->arrived();
    const GLenum error = gl::GetError();
    if (!right || error != GL_NO_ERROR) {
        std::printf("%s %s\tfailed\t-\t%s, GL error 0x%04x\n", name.c_str(), way.name,
                    right ? "right texels" : "wrong texels", error);
        return false;
    }
    print(name, way.name, each * static_cast<double>(subject.bytes()) / 1e6, "MB/s");
    return true;
}

bool measure_format(const Options& options, const Format& format) {
    bool good = true;
    for (const int side : kSides) {
        if (side > options.most) {
            continue;
        }
        const std::string name = std::string(format.name) + " " + std::to_string(side);
        const Subject subject(format, side);
        for (const Way& way : ways_up()) {
            subject.clear();
            good = measure(options, "up " + name, way, subject) && good;
        }
        subject.upload(subject.pattern().data());
        for (const Way& way : ways_down()) {
            good = measure(options, "down " + name, way, subject) && good;
        }
    }
    return good;
}

double resident_mb() {
    long pages = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%*s %ld", &pages) != 1) {
            pages = 0;
        }
        std::fclose(file);
    }
    return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

std::string text_of(GLenum name) {
    const auto* text = gl::GetString(name);
    return text != nullptr ? reinterpret_cast<const char*>(text) : "?";
}

bool is_wanted(const Options& options, const Format& format) {
    for (const std::string_view name : options.formats) {
        if (name == format.name) {
            return true;
        }
    }
    return options.formats.empty();
}

int measure_all(const Options& options) {
    const auto context =
        offscreen::Context::create({.profile = offscreen::Profile::Core, .major = 4, .minor = 5});
    if (!context) {
        std::fprintf(stderr, "kobalt-transfer: no OpenGL 4.5 context: %s\n",
                     context.error().c_str());
        return 1;
    }
    const std::string renderer = text_of(GL_RENDERER);
    if (!offscreen::is_drawn_by(offscreen::expected_renderer(), renderer)) {
        std::fprintf(stderr, "kobalt-transfer: '%s' draws, not '%s'\n", renderer.c_str(),
                     offscreen::expected_renderer().c_str());
        return 1;
    }
    std::printf("# renderer\t%s\n# version\t%s\n", renderer.c_str(), text_of(GL_VERSION).c_str());
    bool good = true;
    for (const Format& format : kFormats) {
        good = (!is_wanted(options, format) || measure_format(options, format)) && good;
    }
    for (const Small& one : small_cases()) {
        print(one.name, "rate", rate(options, one.once), "1/s");
    }
    print("process", "resident", resident_mb(), "MB");
    return good && gl::GetError() == GL_NO_ERROR ? 0 : 1;
}

/// Reads the command line; false where a word means nothing.
bool parse(std::span<char* const> words, Options& options) {
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == "--no-pictures") {
            options.pictures = false;
        } else if (word == "--seconds" && i + 1 < words.size()) {
            options.seconds = std::atof(words[++i]);
        } else if (word == "--most" && i + 1 < words.size()) {
            options.most = std::atoi(words[++i]);
        } else if (!word.starts_with("-")) {
            options.formats.push_back(word);
        } else {
            return false;
        }
    }
    for (const std::string_view name : options.formats) {
        bool known = false;
        for (const Format& format : kFormats) {
            known = known || name == format.name;
        }
        if (!known) {
            return false;
        }
    }
    return options.seconds > 0 && options.most >= kSides.front();
}

} // namespace
} // namespace kobalt::transfer

int main(int argc, char** argv) {
    kobalt::transfer::Options options;
    if (!kobalt::transfer::parse({argv + 1, static_cast<size_t>(argc > 0 ? argc - 1 : 0)},
                                 options)) {
        std::fprintf(stderr, "usage: kobalt-transfer [--seconds SECONDS] [--most SIDE, at least "
                             "16] [--no-pictures] [FORMAT...], formats:");
        for (const auto& format : kobalt::transfer::kFormats) {
            std::fprintf(stderr, " %s", format.name);
        }
        std::fprintf(stderr, "\n");
        return 2;
    }
    const int status = kobalt::transfer::measure_all(options);
    kobalt::offscreen::terminate_display();
    return status;
}
