// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "../driver/target.h"

namespace kobalt::fuzz {

/// GL calls of three threads, each with a context of its own in one share group: what one deletes,
/// another one may have bound. Half of the inputs make their calls in turns, in an order that the
/// seed decides, so that such an input always makes the same calls; in the others the threads run
/// freely, and don't redefine what others may use (World::may_redefine). Judged are crashes, hangs,
/// and what the driver and the validation layer say; GL errors are not.
TargetKind calls_kind();

} // namespace kobalt::fuzz
