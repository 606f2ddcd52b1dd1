// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "../driver/target.h"

namespace kobalt::fuzz {

/// Programs of the shaders that `calls` draws with, with tokens deleted, repeated, exchanged and
/// replaced. They are compiled and linked, and not drawn with: a loop may have lost its end. Judged
/// are crashes, time and memory; most of them don't compile.
TargetKind glsl_kind();

} // namespace kobalt::fuzz
