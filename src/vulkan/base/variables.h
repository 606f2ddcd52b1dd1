// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace kobalt::vulkan {

/// The environment variables that the driver reads for its user, in the order of the table.
enum class Variable : uint8_t {
    device,
    dri_prime,
    disable,
    windows,
    validation,
    debug,
    cache_dir,
    cache_max_mb,
    shared_cache_dir,
    spirv_dump,
    spirv_dump_nir,
    stats,
    csv,
    pushed_blocks,
    init_stream,
    attachment_layouts,
    optimized_links,
    attached_samples,
    shader_objects,
    checked_links,
    vulkan_loader,
    fault,
};

/// What a variable's value may be.
enum class VariableType : uint8_t {
    text,       ///< anything; what uses it reports what it can't use
    flag,       ///< 0 or 1
    choice,     ///< one of the entry's words
    words,      ///< some of the entry's words, with commas
    names,      ///< any words, with commas; what uses them reports unknown ones
    number,     ///< a whole number, at most the entry's
    file,       ///< a file; what opens it reports a failure
    new_folder, ///< a folder, which is made where it is missing
    folder,     ///< a folder that exists
    fault,      ///< what faults.h takes
};

/// An entry of the table of all variables. docs/debugging.md and the warnings about values come
/// from it. Its texts are Markdown.
struct VariableEntry {
    Variable variable;
    std::string_view name;
    VariableType type;
    std::string_view fallback; ///< what counts where the variable isn't set
    std::string_view meaning;
    std::span<const std::string_view> words = {}; ///< choice and words
    uint64_t most = 0;                            ///< number
    std::string_view unit = {};                   ///< number
    /// Whether it also counts in a program with more privileges than its caller.
    bool counts_in_secure_execution = false;
};

/// All entries, in the order of Variable.
std::span<const VariableEntry> variable_table();
const VariableEntry& entry_of(Variable variable);

/// Variables that begin with KOBALT_ and are read by the launcher, the tests and the benchmarks.
/// The tests have more, which begin with KOBALT_TEST_.
std::span<const std::string_view> variables_of_the_tools();

} // namespace kobalt::vulkan
