// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>
#include <string_view>

namespace kobalt::vulkan {

/// A validation message to drop, identified by its id and a part of its text, with the proof that
/// it is wrong. Matching by the id alone would also drop future messages with that id.
struct Suppression {
    std::string_view message_id; ///< pMessageIdName, "VUID-..."
    std::string_view contains;   ///< text the message must have as well; never empty
    std::string_view proof;
};

std::span<const Suppression> validation_suppressions();

} // namespace kobalt::vulkan
