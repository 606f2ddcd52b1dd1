// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "runner.h"

namespace kobalt::compute {

/// How a kernel is measured.
struct Method {
    double seconds = 0;   ///< of a batch, or a little more
    unsigned batches = 1; ///< through each API
    bool checked = true;  ///< results are compared with the CPU's
};

/// A kernel's rates, in its kind's unit: medians of the batches.
struct Rates {
    double gl = 0, vulkan = 0;
    double ratio = 0; ///< the median of OpenGL's over Vulkan's in neighbouring batches
};

/// Why a kernel has no rates.
struct Trouble {
    bool skipped = false; ///< an API or the device doesn't offer what it needs: no failure
    std::string reason;
};

/// Runs a kernel in batches through both APIs in turn. Each batch is submitted and waited for.
std::expected<Rates, Trouble> measure(const Kind& kind, const Method& method, Runner& gl,
                                      Runner& vulkan, const Sizes& sizes);

} // namespace kobalt::compute
