// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "model.h"

namespace kobalt::fuzz::transfers {

/// Binds a framebuffer with one layer of a level as its only attachment. Formats without an
/// attachment can't be in one.
void bind_layer(const State& state, GLenum binding, const Texture& texture, std::size_t level,
                int layer);

} // namespace kobalt::fuzz::transfers
