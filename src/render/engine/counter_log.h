// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "vulkan/base/file_descriptor.h"

namespace kobalt::render {

class Engine;

/// KOBALT_CSV=FILE: a line for each frame that the process presents, or for each second where it
/// presents none, with the increase of every counter since the line before. The last line comes
/// when the process ends, so the lines add up to the whole. Several processes may share the file.
/// Thread-safe.
class CounterLog {
public:
    /// Null where it was not asked for, or the file can't be opened, which is logged.
    static std::unique_ptr<CounterLog> create(Engine& engine);
    ~CounterLog();
    CounterLog(const CounterLog&) = delete;
    CounterLog& operator=(const CounterLog&) = delete;

    /// A frame was presented.
    void frame();
    /// Work was submitted: writes a line if none was written for a second.
    void submission();

private:
    using Clock = std::chrono::steady_clock;
    CounterLog(Engine& engine, vulkan::FileDescriptor file);
    enum class Line : uint8_t { frame, time, last };
    void write(Line kind);
    static void end_all();

    Engine& engine_;
    const vulkan::FileDescriptor file_;
    std::mutex mutex_; ///< guards all below
    const Clock::time_point start_ = Clock::now();
    Clock::time_point last_ = start_;
    std::vector<uint64_t> values_; ///< at the last line
};

} // namespace kobalt::render
