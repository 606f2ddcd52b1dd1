// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/view.h"

namespace kobalt::gallium {

/// Has the view show the image that its texture has now, wherever it is bound.
void refresh_sampler_view(Context& context, SamplerView& view);

} // namespace kobalt::gallium
