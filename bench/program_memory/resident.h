// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

namespace kobalt::memory {

/// The memory of the process, in KiB.
struct Resident {
    double all = 0;       ///< pages in memory (RSS)
    double anonymous = 0; ///< pages of no file and no device
    double heap = 0;      ///< what malloc has handed out

    Resident operator-(const Resident& other) const {
        return {all - other.all, anonymous - other.anonymous, heap - other.heap};
    }
};

Resident resident();
/// The same after malloc has returned its free memory to the system.
Resident resident_trimmed();

} // namespace kobalt::memory
