// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>

namespace kobalt::gltest {

/// A function of GL by its name, as whatever it is stored as.
struct Loaded {
    __eglMustCastToProperFunctionPointerType function;
    template <typename Function>
    operator Function() const {
        return reinterpret_cast<Function>(function);
    }
};

inline Loaded load(const char* name) {
    return {eglGetProcAddress(name)};
}

} // namespace kobalt::gltest
