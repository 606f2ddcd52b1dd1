// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/base/variable_document.h"

#include "vulkan/base/variable_values.h"

namespace kobalt::vulkan {
namespace {

/// The cell on what the variable takes. The meaning tells of the words and faults.
std::string value_cell(const VariableEntry& entry) {
    switch (entry.type) {
    case VariableType::flag:
        return "`0` or `1`";
    case VariableType::choice: {
        std::string text;
        for (const std::string_view word : entry.words)
            text.append(text.empty() ? "`" : ", `").append(word).append("`");
        return text;
    }
    case VariableType::words:
        return "words with commas";
    case VariableType::number:
        return "a number, in " + std::string(entry.unit);
    case VariableType::fault:
        return "a fault";
    default:
        return taken_values(entry);
    }
}

} // namespace

std::string variable_document() {
    std::string text = "| variable | value | without it | meaning |\n|---|---|---|---|\n";
    std::string counting;
    for (const VariableEntry& entry : variable_table()) {
        text.append("| `").append(entry.name).append("` | ").append(value_cell(entry));
        text.append(" | ").append(entry.fallback).append(" | ").append(entry.meaning);
        text.append(" |\n");
        if (entry.counts_in_secure_execution)
            counting.append(counting.empty() ? "`" : ", `").append(entry.name).append("`");
    }
    text += "\nIn a program with more privileges than its caller (setuid, file capabilities) ";
    return text + (counting.empty() ? "none of them counts" : "only these count: " + counting) +
           ".\n";
}

} // namespace kobalt::vulkan
