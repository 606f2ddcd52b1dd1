// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vulkan/base/variables.h"

namespace kobalt::vulkan {

/// 1, on, yes and true; 0, off, no and false.
std::optional<bool> parse_flag(std::string_view text);
/// A whole decimal number of at most `most`.
std::optional<uint64_t> parse_number(std::string_view text, uint64_t most);
/// The one of the entry's words that `text` is; it lives as long as the table.
std::optional<std::string_view> parse_choice(const VariableEntry& entry, std::string_view text);
bool is_folder(const std::string& path);

/// What the variable takes, for messages and the document ("0 or 1").
std::string taken_values(const VariableEntry& entry);
/// Why the variable's value is not used, or used in part: one line. Empty for a good one, and for
/// an empty one, which is like none.
std::string complaint_about(const VariableEntry& entry, const std::string& value);
/// A line about a variable whose name begins with KOBALT_, and which neither the driver nor a tool
/// reads. Empty for a known name.
std::string complaint_about_name(std::string_view name);

} // namespace kobalt::vulkan
