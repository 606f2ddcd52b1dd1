// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>

#include "../gl_more.h"

namespace kobalt::fuzz {

struct Format {
    GLenum internal;
    GLenum format; ///< of pixels in memory
    GLenum type;
};

inline constexpr std::array kFormats{
    Format{GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE},
    Format{GL_RGBA8, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV},
    Format{GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE},
    Format{GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE},
    Format{GL_R8, GL_RED, GL_UNSIGNED_BYTE},
    Format{GL_RG16, GL_RG, GL_UNSIGNED_SHORT},
    Format{GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5},
    Format{GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV},
    Format{GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT},
    Format{GL_RGBA32F, GL_RGBA, GL_FLOAT},
    Format{GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV},
    Format{GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT},
    Format{GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE},
    Format{GL_RGBA16I, GL_RGBA_INTEGER, GL_SHORT},
    Format{GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT},
    Format{GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT},
    Format{GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8},
    Format{GL_DEPTH32F_STENCIL8, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV},
    Format{GL_COMPRESSED_RGBA_BPTC_UNORM, GL_RGBA, GL_UNSIGNED_BYTE},
};

inline constexpr std::array kTextureTargets{GLenum{GL_TEXTURE_2D},
                                            GLenum{GL_TEXTURE_2D},
                                            GLenum{GL_TEXTURE_2D},
                                            GLenum{GL_TEXTURE_2D_ARRAY},
                                            GLenum{GL_TEXTURE_3D},
                                            GLenum{GL_TEXTURE_CUBE_MAP},
                                            GLenum{GL_TEXTURE_1D},
                                            GLenum{GL_TEXTURE_RECTANGLE},
                                            GLenum{GL_TEXTURE_CUBE_MAP_ARRAY},
                                            GLenum{GL_TEXTURE_2D_MULTISAMPLE}};

} // namespace kobalt::fuzz
