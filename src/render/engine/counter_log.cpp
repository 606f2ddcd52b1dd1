// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/engine/counter_log.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "render/engine/counter_names.h"
#include "vulkan/base/private_file.h"
#include "vulkan/base/variable_access.h"
#include "vulkan/device/device.h"

namespace kobalt::render {
namespace {

/// The open logs of this process. Never destroyed: the end of the process reads it, when other
/// objects of static life may be gone.
struct OpenLogs {
    const pid_t process = getpid();
    std::mutex mutex;
    std::vector<CounterLog*> logs;
};
OpenLogs& open_logs() {
    static auto* const logs = new OpenLogs;
    return *logs;
}

/// Frames of all engines: a program may have a screen for each display.
std::atomic<uint64_t> process_frames{0};

/// Appends whole lines: each is one write at the end of the file, whoever else writes there.
bool append(int file, const std::string& text) {
    return write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// Writes the column names, if the file is empty: the first process does.
bool write_head(int file) {
    struct stat info {};
    if (flock(file, LOCK_EX) != 0 || fstat(file, &info) != 0)
        return false;
    std::string head = "process,seconds,frame";
    for (const char* name : counter_names())
        head.append(",").append(name);
    const bool good = info.st_size != 0 || append(file, head + "\n");
    flock(file, LOCK_UN);
    return good;
}

} // namespace

std::unique_ptr<CounterLog> CounterLog::create(Engine& engine) {
    const auto path = vulkan::environment::text(vulkan::Variable::csv);
    if (!path)
        return nullptr;
    vulkan::FileDescriptor file = vulkan::open_private_file(*path, vulkan::Contents::kept);
    if (!file || !write_head(file.get())) {
        const bool link = errno == ELOOP;
        engine.device().log().warning(
            "no counters can be written to " + *path + " (" +
            (link ? "symbolic links are not followed" : std::strerror(errno)) +
            "): name another file (KOBALT_CSV)");
        return nullptr;
    }
    return std::unique_ptr<CounterLog>(new CounterLog(engine, std::move(file)));
}

CounterLog::CounterLog(Engine& engine, vulkan::FileDescriptor file)
    : engine_(engine), file_(std::move(file)), values_(counter_names().size()) {
    OpenLogs& open = open_logs();
    const std::lock_guard lock(open.mutex);
    open.logs.push_back(this);
    // Many programs end without destroying their contexts.
    [[maybe_unused]] static const int registered = std::atexit(end_all);
}

CounterLog::~CounterLog() {
    OpenLogs& open = open_logs();
    {
        const std::lock_guard lock(open.mutex);
        if (std::erase(open.logs, this) != 0) // else end_all() wrote it
            write(Line::last);
    }
}

void CounterLog::end_all() {
    OpenLogs& open = open_logs();
    if (getpid() != open.process)
        return; // a child of fork() has drawn nothing, and a mutex may have been held
    const std::lock_guard lock(open.mutex);
    for (CounterLog* log : open.logs)
        log->write(Line::last);
    open.logs.clear();
}

void CounterLog::frame() {
    write(Line::frame);
}

void CounterLog::submission() {
    {
        const std::lock_guard lock(mutex_);
        if (Clock::now() - last_ < std::chrono::seconds(1))
            return;
    }
    write(Line::time);
}

void CounterLog::write(Line kind) {
    const std::lock_guard lock(mutex_);
    last_ = Clock::now();
    char number[48];
    std::snprintf(number, sizeof(number), "%d,%.6f,", static_cast<int>(getpid()),
                  std::chrono::duration<double>(last_ - start_).count());
    std::string line = number;
    if (kind == Line::frame)
        line += std::to_string(process_frames.fetch_add(1, std::memory_order_relaxed) + 1);
    bool news = kind == Line::frame;
    for (size_t i = 0; i < values_.size(); ++i) {
        const uint64_t value = counter_value(engine_, i), before = values_[i];
        values_[i] = value;
        news |= value != before;
        line.append(",").append(std::to_string(value - before));
    }
    if (news)
        (void)append(file_.get(), line + "\n");
}

} // namespace kobalt::render
