// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/base/variable_values.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <vector>

#include <sys/stat.h>

#include "vulkan/base/environment.h"
#include "vulkan/base/faults.h"

namespace kobalt::vulkan {
namespace {

/// The value for a message of one line.
std::string shown(std::string_view value) {
    constexpr size_t most = 100;
    std::string text(value.substr(0, most));
    std::replace_if(
        text.begin(), text.end(),
        [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
    return value.size() > most ? text + "..." : text;
}

std::string without_backquotes(std::string_view text) {
    std::string plain(text);
    std::erase(plain, '`');
    return plain;
}

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

bool is_taken(const VariableEntry& entry, const std::string& value) {
    switch (entry.type) {
    case VariableType::flag:
        return parse_flag(value).has_value();
    case VariableType::choice:
        return parse_choice(entry, value).has_value();
    case VariableType::number:
        return parse_number(value, entry.most).has_value();
    case VariableType::folder:
        return is_folder(value);
    case VariableType::fault:
        return parse_fault(value).has_value();
    case VariableType::words:
    case VariableType::text:
    case VariableType::names:
    case VariableType::file:
    case VariableType::new_folder:
        return true;
    }
    return true;
}

/// The list's words, with commas and `last` before the last one.
std::string joined(std::span<const std::string_view> words, std::string_view last) {
    std::string text;
    for (size_t i = 0; i < words.size(); ++i)
        text.append(i == 0 ? "" : i + 1 == words.size() ? last : ", ").append(words[i]);
    return text;
}

/// How many letters have to be added, removed or replaced to make one of the other (Levenshtein).
size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 0; i < a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < b.size(); ++j) {
            const size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

} // namespace

std::optional<bool> parse_flag(std::string_view text) {
    if (text == "1" || text == "on" || text == "yes" || text == "true")
        return true;
    if (text == "0" || text == "off" || text == "no" || text == "false")
        return false;
    return std::nullopt;
}

std::optional<uint64_t> parse_number(std::string_view text, uint64_t most) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || number > most)
        return std::nullopt;
    return number;
}

std::optional<std::string_view> parse_choice(const VariableEntry& entry, std::string_view text) {
    const auto found = std::ranges::find(entry.words, text);
    return found == entry.words.end() ? std::nullopt : std::optional(*found);
}

bool is_folder(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::string taken_values(const VariableEntry& entry) {
    switch (entry.type) {
    case VariableType::text:
        return "text";
    case VariableType::flag:
        return "0 or 1";
    case VariableType::choice:
        return joined(entry.words, " or ");
    case VariableType::words:
        return "words with commas: " + joined(entry.words, " and ");
    case VariableType::names:
        return "names with commas";
    case VariableType::number:
        return "a number from 0 to " + std::to_string(entry.most) + ", in " +
               std::string(entry.unit);
    case VariableType::file:
        return "a file";
    case VariableType::new_folder:
        return "a folder";
    case VariableType::folder:
        return "a folder that exists";
    case VariableType::fault:
        return std::string(fault_forms);
    }
    return {};
}

std::string complaint_about(const VariableEntry& entry, const std::string& value) {
    const std::string given = std::string(entry.name) + "=" + shown(value);
    if (value.empty())
        return {};
    if (!is_taken(entry, value))
        return given + " is ignored: it takes " + taken_values(entry) +
               "; without it: " + without_backquotes(entry.fallback);
    if (entry.type == VariableType::fault && !faults_can_be_requested())
        return given + " is ignored: only Kobalt's own test programs inject faults";
    std::string unknown;
    if (entry.type == VariableType::words)
        for (const std::string& word : split_list(value))
            if (!is_one_of(entry.words, word))
                unknown.append(unknown.empty() ? "" : ", ").append(shown(word));
    if (unknown.empty())
        return {};
    return given + ": " + unknown + " is ignored; it takes " + taken_values(entry);
}

std::string complaint_about_name(std::string_view name) {
    constexpr std::string_view ours = "KOBALT_", of_the_tests = "KOBALT_TEST_";
    if (!name.starts_with(ours) || name.starts_with(of_the_tests) ||
        is_one_of(variables_of_the_tools(), name))
        return {};
    std::string_view nearest;
    size_t least = 4; // letters that may differ, and one
    for (const VariableEntry& entry : variable_table()) {
        if (entry.name == name)
            return {};
        if (const size_t distance = edit_distance(name, entry.name); distance < least) {
            least = distance;
            nearest = entry.name;
        }
    }
    return shown(name) + " is no variable of Kobalt's: " +
           (nearest.empty() ? "docs/debugging.md lists them"
                            : "did you mean " + std::string(nearest) + "?");
}

} // namespace kobalt::vulkan
