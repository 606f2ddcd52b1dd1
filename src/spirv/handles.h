// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "nir.h"

namespace kobalt::spirv {

/// Part of prepare(): texture instructions with a handle get its lower half, as 32 bits.
void lower_handles(nir_shader* nir);

} // namespace kobalt::spirv
