// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "measure.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <sys/mman.h>
#include <sys/resource.h>

#include "counting_layer/counters.h"

namespace kobalt::frame {

namespace {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

using Snapshot = std::array<std::uint64_t, counting::kCounterCount>;

Snapshot snapshot() {
    Snapshot copy{};
    for (size_t i = 0; i < copy.size(); ++i) {
        copy[i] = counting::counters()[i].load();
    }
    return copy;
}

double process_us() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto us = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
    };
    return us(usage.ru_utime) + us(usage.ru_stime);
}

void print(const char* scene, const char* metric, double value, const char* unit) {
    std::printf("%s\t%s\t%.6g\t%s\n", scene, metric, value, unit);
}

/// Draws the frames; the time spent in GL's calls.
Microseconds draw(Scene& scene, int first, int count, int pause_us) {
    Microseconds spent{};
    for (int i = 0; i < count; ++i) {
        const Clock::time_point begin = Clock::now();
        scene.draw(first + i);
        gl::Flush();
        spent += Clock::now() - begin;
        if (pause_us > 0) {
            std::this_thread::sleep_for(std::chrono::microseconds(pause_us));
        }
    }
    return spent;
}

/// Lets Mesa's and the driver's threads finish what isn't a frame's.
void settle() {
    gl::Finish();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    gl::Finish();
}

} // namespace

std::expected<void, std::string> measure(const Kind& kind, Size size, const Frames& frames) {
    constexpr std::array<float, 16> no_offset{};
    GLuint vertex_array = 0;
    gl::GenVertexArrays(1, &vertex_array);
    gl::BindVertexArray(vertex_array);
    const GLuint block =
        make_buffer(GL_UNIFORM_BUFFER, sizeof no_offset, no_offset.data(), GL_STATIC_DRAW);
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, block);

    const std::unique_ptr<Scene> scene = kind.make(size);
    draw(*scene, 0, frames.warm, frames.pause_us);
    settle();
    if (const GLenum error = gl::GetError(); error != GL_NO_ERROR) {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "GL error 0x%04x", error);
        return std::unexpected(text.data());
    }
    const Snapshot before = snapshot();
    const double process_before = process_us();
    const Clock::time_point begin = Clock::now();
    const Microseconds calls = draw(*scene, frames.warm, frames.counted, frames.pause_us);
    const Microseconds wall = Clock::now() - begin;
    const double process = process_us() - process_before;
    const Clock::time_point end = Clock::now();
    gl::Finish();
    const Microseconds finish = Clock::now() - end;
    const Snapshot after = snapshot();

    for (size_t i = 0; i < after.size(); ++i) {
        if (after[i] != before[i]) {
            print(kind.name, counting::kCounterNames.at(i),
                  static_cast<double>(after[i] - before[i]) / frames.counted, "/frame");
        }
    }
    print(kind.name, "calls", calls.count() / frames.counted, "us");
    print(kind.name, "process", process / frames.counted, "us");
    print(kind.name, "wall", wall.count() / frames.counted, "us");
    print(kind.name, "finish", finish.count(), "us");
    print(kind.name, "frame", (wall + finish).count() / frames.counted, "us");
    std::fflush(stdout);
    return {};
}

bool share_counters() {
    const int file = memfd_create("kobalt-counters", 0);
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    return file >= 0 && setenv(counting::kCountersFile, path.c_str(), 1) == 0;
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

} // namespace kobalt::frame
