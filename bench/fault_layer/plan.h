// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kobalt::fault {

/// Memory that the program under test shares with the layer: a file of its own, that
/// KOBALT_FAULT_STATE names. The program makes it, with zeroes, and writes `armed`.
struct State {
    static constexpr size_t most_commands = 400;
    std::atomic<uint32_t> armed;  ///< calls count, and may fail, only while it is not 0
    std::atomic<uint32_t> struck; ///< calls that have failed
    std::array<std::atomic<uint32_t>, most_commands> calls; ///< by the command's index (commands.h)

    /// Maps the file, for as long as the process lives. Null: there is none.
    static State* map();
};

/// Which calls fail: KOBALT_FAULT_CALL=COMMAND:N:RESULT[:COUNT], for example
/// vkCreateImage:2:OUT_OF_HOST_MEMORY. The Nth call of the command that is counted returns
/// VK_ERROR_RESULT, and the COUNT - 1 behind it do. Without the variable calls are counted alone.
struct Plan {
    std::string_view command;
    uint32_t first = 0, count = 1;
    int32_t result = 0; ///< VkResult

    /// Reads KOBALT_FAULT_CALL. A text that can't be read ends the process: a test that breaks
    /// nothing would pass.
    static Plan from_environment();
};

} // namespace kobalt::fault
