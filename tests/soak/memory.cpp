// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "memory.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>

#include <unistd.h>

#include "demo/offscreen/gl_api.h"

namespace kobalt::soak {

namespace {

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

std::int64_t MemoryCurve::after_first_second() const {
    const auto found =
        std::ranges::find_if(samples_, [](const Sample& one) { return one.second >= 1; });
    return found == samples_.end() ? last() : found->kib;
}

std::int64_t MemoryCurve::most() const {
    std::int64_t most = last();
    for (const Sample& one : samples_) {
        if (one.second >= 1) {
            most = std::max(most, one.kib);
        }
    }
    return most;
}

double MemoryCurve::growth_percent() const {
    const auto before = static_cast<double>(std::max<std::int64_t>(after_first_second(), 1));
    return 100 * (static_cast<double>(most()) / before - 1);
}

std::int64_t resident_kib() {
    // proc(5): total and resident pages are the first two numbers.
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "re"),
                                                               std::fclose);
    long total = 0;
    long resident = 0;
    if (!file || std::fscanf(file.get(), "%ld %ld", &total, &resident) != 2) {
        return 0;
    }
    return static_cast<std::int64_t>(resident) * (sysconf(_SC_PAGESIZE) / 1024);
}

ResidentSampler::ResidentSampler(std::int64_t ceiling_kib)
    : ceiling_kib_(ceiling_kib), thread_([this] {
          while (!stopping_.load()) {
              sample();
              std::this_thread::sleep_for(std::chrono::milliseconds(100));
          }
      }) {}

void ResidentSampler::stop() {
    if (thread_.joinable()) {
        stopping_ = true;
        thread_.join();
        sample();
    }
}

void ResidentSampler::sample() {
    const std::int64_t kib = resident_kib();
    curve_.add(seconds_since(start_), kib);
    if (kib > ceiling_kib_) {
        exceeded_ = true;
    }
}

DeviceMemory::DeviceMemory() {
    const auto* renderer = reinterpret_cast<const char*>(gl::GetString(GL_RENDERER));
    for (const char* cpu : {"llvmpipe", "SwiftShader"}) {
        if (renderer == nullptr || std::string_view(renderer).find(cpu) != std::string_view::npos) {
            return;
        }
    }
    GLint count = 0;
    gl::GetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count && !offered_; ++i) {
        const auto* name = gl::GetStringi(GL_EXTENSIONS, static_cast<GLuint>(i));
        offered_ = name != nullptr && std::string_view(reinterpret_cast<const char*>(name)) ==
                                          "GL_NVX_gpu_memory_info";
    }
}

std::optional<std::int64_t> DeviceMemory::used_kib() const {
    if (!offered_) {
        return std::nullopt;
    }
    GLint total = 0;
    GLint free = 0;
    gl::GetIntegerv(GL_GPU_MEMORY_INFO_TOTAL_AVAILABLE_MEMORY_NVX, &total);
    gl::GetIntegerv(GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX, &free);
    return static_cast<std::int64_t>(total) - free;
}

} // namespace kobalt::soak
