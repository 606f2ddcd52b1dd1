// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "../driver/target.h"

namespace kobalt::fuzz {

/// Uploads, copies, clears, blits and reads of buffers and textures beside a model of their bytes
/// on the CPU. What is read has to be the model's, byte for byte, and GL raises no error.
TargetKind transfers_kind();

} // namespace kobalt::fuzz
