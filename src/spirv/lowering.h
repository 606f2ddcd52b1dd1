// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "spirv/translate.h"

/// Lowering of operations that the device lacks, called by prepare().
namespace kobalt::spirv {

/// Replaces atomic operations without an instruction by loops around a compare-and-swap: float
/// operations that the device lacks, and increments and decrements of texels that wrap around.
void lower_atomics(nir_shader* nir, const Target& target);

/// Makes all of shared memory 64-bit elements where it has 64-bit atomic operations and the device
/// lets it be declared with one type only.
void lower_shared_memory(nir_shader* nir, const Target& target);

/// Makes masks of invocations four words. Where the stage has no subgroups, each invocation becomes
/// a subgroup of its own, since GL_ARB_shader_ballot and GL_ARB_shader_group_vote require subgroups
/// in every stage.
void lower_subgroups(nir_shader* nir, const Target& target);

} // namespace kobalt::spirv
