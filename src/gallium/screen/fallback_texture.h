// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/screen/mesa.h"

namespace kobalt::gallium {

/// Mesa sets this flag on the texture that replaces incomplete ones (src/mesa/overlay.py).
inline constexpr unsigned fallback_texture_flag = PIPE_RESOURCE_FLAG_FRONTEND_PRIV;

} // namespace kobalt::gallium
