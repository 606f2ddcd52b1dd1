// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "../driver/target.h"

namespace kobalt::fuzz {

/// Program binaries with bits, chunks, lengths and checksums changed. Each is loaded: one that is
/// as the driver gave it links and draws, and all others are refused without an error. Drivers that
/// guard them by Mesa's checksum alone load some of the others, or crash.
TargetKind binaries_kind();

} // namespace kobalt::fuzz
