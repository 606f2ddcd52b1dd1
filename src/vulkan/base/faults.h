// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Only a test program defines this function (tests/support/fault_request.cpp), and exports it:
/// it returns the text of KOBALT_FAULT, or null. In every other process the symbol is null, so that
/// no environment variable injects faults into a user's program.
extern "C" [[gnu::weak]] const char* kobalt_fault_request();

namespace kobalt::vulkan {

/// A fault that a test asks for. Counts are from 1, but for `lost`; 0 is never.
struct FaultRequest {
    int64_t allocation = 0;      ///< oom:N, the Nth allocation of 1 MiB or more
    std::optional<int64_t> lost; ///< lost:N, the submission after N others
    int64_t translation = 0;     ///< translate:N, the Nth translation of a shader
    int64_t refusal = 0;         ///< refuse:TEXT:N, the Nth object whose name has the text
    std::string refused_text;
    bool opaque_exports = false; ///< opaque-exports: descriptors for dma-bufs
};

/// The forms of a fault, for messages.
inline constexpr std::string_view fault_forms =
    "oom:N, lost:N, translate:N, refuse:TEXT:N or opaque-exports";

/// The fault that a text asks for.
std::optional<FaultRequest> parse_fault(std::string_view text);
/// Whether this process is a test program that can ask for faults.
bool faults_can_be_requested();
/// What the test program asks for at this moment; nothing in other programs.
FaultRequest requested_fault();

} // namespace kobalt::vulkan
