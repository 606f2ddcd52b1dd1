// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>

#include "nir.h" // before the headers that only name its types

#include "spirv/translate.h"

namespace kobalt::corpus {

/// The first difference between a module's declarations and the translator's report of them: sets
/// and bindings, kinds, lengths of arrays, shapes of images, sizes of blocks, what may be written,
/// transform feedback's strides, clip and cull distances, Locations of fragment outputs. Empty:
/// there is none. The module must be valid. Only the SPIR-V words are read, as by Vulkan and its
/// tools.
std::string disagreement(const spirv::Translation& translation, const spirv::Target& target);

} // namespace kobalt::corpus
