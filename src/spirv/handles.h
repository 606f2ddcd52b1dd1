// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "nir.h"

namespace kobalt::spirv {

/// Part of prepare(): gives texture instructions the lower 32 bits of their handle.
void lower_handles(nir_shader* nir);

} // namespace kobalt::spirv
