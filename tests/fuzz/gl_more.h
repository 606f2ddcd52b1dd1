// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "demo/offscreen/gl_api.h"

// The GL functions that the fuzzers alone call, in alphabetical order. They have a list of their
// own, so that one more of them doesn't have every GL test compiled anew.
#define KOBALT_FUZZ_FUNCTIONS(X)                                                                   \
    X(ClearTexSubImage)                                                                            \
    X(DeleteProgramPipelines)                                                                      \
    X(DeleteTransformFeedbacks)                                                                    \
    X(GetTextureSubImage)                                                                          \
    X(InvalidateTexImage)                                                                          \
    X(MultiDrawElements)                                                                           \
    X(TexStorage1D)                                                                                \
    X(TexStorage2DMultisample)                                                                     \
    X(TexSubImage1D)                                                                               \
    X(ValidateProgram)

namespace gl {

/// Resolves the functions above, behind load().
void load_more(ProcLoader loader);

#define KOBALT_FUZZ_DECLARE(name) inline decltype(&::gl##name) name = nullptr;
KOBALT_FUZZ_FUNCTIONS(KOBALT_FUZZ_DECLARE)
#undef KOBALT_FUZZ_DECLARE

} // namespace gl
