// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>

#include "nir.h" // before the headers that only name its types

#include "spirv/translate.h"

namespace kobalt::corpus {

/// Where a module's own declarations and what the translator says of it differ: sets and bindings,
/// kinds, lengths of arrays, shapes of images, sizes of blocks, what may be written, transform
/// feedback's strides, clip and cull distances, Locations of fragment outputs. Empty: nowhere.
/// The module must be valid. Read from the words alone, as Vulkan and tools like it read them.
std::string disagreement(const spirv::Translation& translation, const spirv::Target& target);

} // namespace kobalt::corpus
