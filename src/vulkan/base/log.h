// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <functional>
#include <memory>
#include <string_view>

namespace kobalt::vulkan {

enum class LogLevel { debug, info, warning, error };

/// Where messages go. Copies share one sink, so that an instance and all that it made log to the
/// same place; there is no process-wide logger. Thread-safe.
class Log {
public:
    using Sink = std::function<void(LogLevel, std::string_view message)>;

    /// Logs to stderr, one line a message; debug messages are dropped.
    Log();
    explicit Log(Sink sink);

    /// Replaces the sink for every copy of this log. An empty sink restores stderr.
    void set_sink(Sink sink) const;

    void message(LogLevel level, std::string_view text) const;
    void debug(std::string_view text) const { message(LogLevel::debug, text); }
    void info(std::string_view text) const { message(LogLevel::info, text); }
    void warning(std::string_view text) const { message(LogLevel::warning, text); }
    void error(std::string_view text) const { message(LogLevel::error, text); }

private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

} // namespace kobalt::vulkan
