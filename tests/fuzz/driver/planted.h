// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "target.h"

namespace kobalt::fuzz {

/// Targets with a fault of each kind in every fourth seed: the test of the supervisor runs them.
std::span<const TargetKind> planted_kinds();

} // namespace kobalt::fuzz
