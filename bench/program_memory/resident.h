// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

namespace kobalt::memory {

/// What the process holds, in KiB.
struct Resident {
    double all = 0;       ///< pages in memory (RSS)
    double anonymous = 0; ///< those of no file and no device
    double heap = 0;      ///< what malloc has handed out

    Resident operator-(const Resident& other) const {
        return {all - other.all, anonymous - other.anonymous, heap - other.heap};
    }
};

Resident resident();
/// The same once malloc has given back what it kept for later.
Resident resident_trimmed();

} // namespace kobalt::memory
