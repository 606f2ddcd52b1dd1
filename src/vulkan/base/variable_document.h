// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>

namespace kobalt::vulkan {

/// The table of all variables as Markdown, as it stands in docs/debugging.md.
std::string variable_document();

} // namespace kobalt::vulkan
