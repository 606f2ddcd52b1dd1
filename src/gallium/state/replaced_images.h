// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/view.h"

namespace kobalt::gallium {

/// Recreates the view if its texture's image was replaced, and rebinds it wherever it is bound.
void refresh_sampler_view(Context& context, SamplerView& view);

} // namespace kobalt::gallium
