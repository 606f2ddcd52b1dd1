// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "checks.h"

// GL/glx.h would declare the GL 1.x functions again; gl_api.h has included GL/gl.h before.
#include <GL/glx.h>
#include <GL/glxext.h>

namespace kobalt::windowtest {

template <typename Function>
Function glx_proc(const char* name) {
    return reinterpret_cast<Function>(glXGetProcAddressARB(reinterpret_cast<const GLubyte*>(name)));
}

/// A GL 3.3 core context; null where there is none.
GLXContext create_glx_context(Display* display, GLXFBConfig config);

} // namespace kobalt::windowtest
