// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "spirv/translated.h"

namespace kobalt::spirv {

/// A format of GLSL's layout qualifiers (OpenGL 4.6, table 8.33).
struct ImageFormat {
    pipe_format pipe;
    spv::ImageFormat spirv;
    bool extended; ///< needs StorageImageExtendedFormats
};

/// The format that an image instruction names. Null: it names none, which GLSL allows for images
/// that are only written.
const ImageFormat* format_of(const nir_intrinsic_instr* intr);
/// The kind of a format's texels in SPIR-V.
Kind kind_of_format(spv::ImageFormat format);

} // namespace kobalt::spirv
