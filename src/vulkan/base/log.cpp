// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/base/log.h"

#include <cstdio>
#include <mutex>

namespace kobalt::vulkan {

struct Log::Shared {
    std::mutex sink_mutex;
    Sink sink;
};

Log::Log() : shared_(std::make_shared<Shared>()) {}

Log::Log(Sink sink) : Log() {
    shared_->sink = std::move(sink);
}

void Log::set_sink(Sink sink) const {
    const std::lock_guard lock(shared_->sink_mutex);
    shared_->sink = std::move(sink);
}

void Log::message(LogLevel level, std::string_view text) const {
    const std::lock_guard lock(shared_->sink_mutex);
    if (shared_->sink) {
        shared_->sink(level, text);
        return;
    }
    if (level == LogLevel::debug)
        return;
    const char* word = level == LogLevel::error     ? "error: "
                       : level == LogLevel::warning ? "warning: "
                                                    : "";
    std::fprintf(stderr, "kobalt: %s%.*s\n", word, static_cast<int>(text.size()), text.data());
}

} // namespace kobalt::vulkan
