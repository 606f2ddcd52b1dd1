// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vulkan/base/log.h"
#include "vulkan/base/variables.h"

/// The values of Kobalt's own environment variables, by their types. A variable that isn't set, is
/// empty, or has a value that its type doesn't take has no value: the caller's default counts.
namespace kobalt::vulkan::environment {

/// Of a flag.
std::optional<bool> flag(Variable variable);
/// Of a number.
std::optional<uint64_t> number(Variable variable);
/// Of a choice: one of the entry's words.
std::optional<std::string_view> choice(Variable variable);
/// Of a text, a file, a folder or a fault.
std::optional<std::string> text(Variable variable);
/// Of a list: without the words that the entry doesn't have.
std::vector<std::string> words(Variable variable);

/// Logs a warning for each value that is ignored, and for each KOBALT_ variable that nothing reads:
/// once for each variable in a process. Silent in a program with more privileges than its caller.
void report_mistakes(const Log& log);

} // namespace kobalt::vulkan::environment
