// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <functional>
#include <vector>

namespace kobalt::transfer {

/// Something small that a program does often: what it is called, and one time of it.
struct Small {
    const char* name;
    std::function<void()> once;
};

/// One pixel up and down, with and without a draw before, and a texture's other levels. The objects
/// live as long as the context.
std::vector<Small> small_cases();

} // namespace kobalt::transfer
