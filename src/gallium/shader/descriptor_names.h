// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>

#include "render/shaders/stage_names.h"

struct nir_shader;

namespace kobalt::gallium {

struct Context;

/// The app's names of the resources that a prepared shader reads, for KOBALT_DEBUG=descriptors.
std::shared_ptr<const render::StageNames> descriptor_names(const nir_shader* nir);

/// Tells the recorder whose shaders the next draw runs, or, where `compute`, the next dispatch.
void name_bound_stages(Context& context, bool compute);

} // namespace kobalt::gallium
