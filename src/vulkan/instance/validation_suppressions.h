// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>
#include <string_view>

namespace kobalt::vulkan {

/// A validation message that is proven wrong: dropped by its id and its words, with the proof
/// beside it. An id alone would drop whatever else the layer comes to say under it.
struct Suppression {
    std::string_view message_id; ///< pMessageIdName, "VUID-..."
    std::string_view contains;   ///< text the message must have as well; never empty
    std::string_view proof;
};

std::span<const Suppression> validation_suppressions();

} // namespace kobalt::vulkan
