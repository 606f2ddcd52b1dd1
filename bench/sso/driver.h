// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>
#include <string_view>

#include "demo/offscreen/gl_api.h"

namespace kobalt::sso {

/// The optional features that the current context's driver reports.
class Driver {
public:
    /// Queries the current context.
    static Driver ask();

    bool has(std::string_view extension) const;
    /// True from this version of OpenGL on.
    bool is_at_least(int major, int minor) const;

    bool separable() const;    ///< ARB_separate_shader_objects, core since 4.1
    bool tessellation() const; ///< ARB_tessellation_shader, core since 4.0
    bool bindless() const;     ///< ARB_bindless_texture

    /// "OpenGL 3.3 without GL_ARB_x": why something can't be measured.
    std::string lacks(std::string_view extension) const;

private:
    std::string extensions_; ///< each with a space before and after it
    int version_ = 0;        ///< 33 for 3.3
};

} // namespace kobalt::sso

/// GL functions of the extensions that only this program calls; null where the driver lacks them.
namespace kobalt::sso::ext {

inline PFNGLPATCHPARAMETERIPROC PatchParameteri = nullptr;
inline PFNGLGETTEXTUREHANDLEARBPROC GetTextureHandle = nullptr;
inline PFNGLGETTEXTURESAMPLERHANDLEARBPROC GetTextureSamplerHandle = nullptr;
inline PFNGLMAKETEXTUREHANDLERESIDENTARBPROC MakeTextureHandleResident = nullptr;
inline PFNGLMAKETEXTUREHANDLENONRESIDENTARBPROC MakeTextureHandleNonResident = nullptr;
inline PFNGLUNIFORMHANDLEUI64ARBPROC UniformHandle = nullptr;

} // namespace kobalt::sso::ext
