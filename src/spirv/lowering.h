// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "spirv/translate.h"

/// What prepare() makes of operations that the device lacks.
namespace kobalt::spirv {

/// Atomic operations that have no instruction become loops around a compare-and-swap: those on
/// floats that the device lacks, and increments and decrements of texels that wrap around.
void lower_atomics(nir_shader* nir, const Target& target);

/// Where shared memory can be declared in one way only and has 64-bit atomic operations, all of it
/// becomes 64-bit elements.
void lower_shared_memory(nir_shader* nir, const Target& target);

/// Masks of invocations become four words, and where the stage has no subgroups each invocation is
/// one alone: GL_ARB_shader_ballot and GL_ARB_shader_group_vote know no stage without them.
void lower_subgroups(nir_shader* nir, const Target& target);

} // namespace kobalt::spirv
