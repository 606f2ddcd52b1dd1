// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "demo/offscreen/gl_api.h"

namespace gl {

void load(ProcLoader loader) {
#define KOBALT_GL_LOAD(name) name = reinterpret_cast<decltype(name)>(loader("gl" #name));
    KOBALT_GL_FUNCTIONS(KOBALT_GL_LOAD)
#undef KOBALT_GL_LOAD
}

} // namespace gl
