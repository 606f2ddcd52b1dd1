// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/base/variable_access.h"

#include <cstdlib>
#include <functional>
#include <mutex>
#include <set>

#include <sys/auxv.h>
#include <unistd.h>

#include "vulkan/base/environment.h"
#include "vulkan/base/variable_values.h"

namespace kobalt::vulkan::environment {

namespace {

/// The text of a variable of the table. Empty where it isn't set.
std::string raw(const VariableEntry& entry) {
    const std::string name(entry.name);
    const char* const value = entry.counts_in_secure_execution ? std::getenv(name.c_str())
                                                               : environment_variable(name.c_str());
    return value ? value : "";
}

/// Whether the process has not reported this variable yet.
bool is_first_report(std::string_view name) {
    static std::mutex mutex;
    static std::set<std::string, std::less<>> reported;
    const std::lock_guard lock(mutex);
    return reported.emplace(name).second;
}

} // namespace

std::optional<bool> flag(Variable variable) {
    return parse_flag(raw(entry_of(variable)));
}

std::optional<uint64_t> number(Variable variable) {
    const VariableEntry& entry = entry_of(variable);
    return parse_number(raw(entry), entry.most);
}

std::optional<std::string_view> choice(Variable variable) {
    const VariableEntry& entry = entry_of(variable);
    return parse_choice(entry, raw(entry));
}

std::optional<std::string> text(Variable variable) {
    const VariableEntry& entry = entry_of(variable);
    std::string value = raw(entry);
    if (value.empty() || (entry.type == VariableType::folder && !is_folder(value)))
        return std::nullopt;
    return value;
}

std::vector<std::string> words(Variable variable) {
    const VariableEntry& entry = entry_of(variable);
    std::vector<std::string> list = split_list(raw(entry));
    if (entry.type == VariableType::words)
        std::erase_if(list, [&](const std::string& word) { return !parse_choice(entry, word); });
    return list;
}

void report_mistakes(const Log& log) {
    if (getauxval(AT_SECURE) != 0)
        return;
    const auto report = [&](std::string_view name, const std::string& complaint) {
        if (!complaint.empty() && is_first_report(name))
            log.warning(complaint);
    };
    for (const VariableEntry& entry : variable_table())
        report(entry.name, complaint_about(entry, raw(entry)));
    for (char** line = environ; line && *line; ++line) {
        const std::string_view text = *line;
        const std::string_view name = text.substr(0, text.find('='));
        report(name, complaint_about_name(name));
    }
}

} // namespace kobalt::vulkan::environment
