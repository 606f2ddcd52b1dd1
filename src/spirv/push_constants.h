// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <cstdint>

namespace kobalt::spirv {

/// The one push-constant block of every graphics stage. It is the same for all shaders, so that
/// pipeline layouts stay compatible when one stage changes. Every device has 128 bytes.
struct DrawParameters {
    uint32_t draw_is_indexed; ///< 0, or ~0 for an indexed draw (gl_BaseVertex is 0 if not)
    uint32_t draw_id;         ///< gl_DrawID of the first draw in a multi-draw
    uint32_t
        depth_negative_one_to_one; ///< not 0: clip-space z is GL's -w..w (no depth clip control)
    uint32_t vertices_per_patch;   ///< gl_PatchVerticesIn of the evaluation shader
    float default_tess_level_inner[2]; ///< used when no tessellation control shader is bound
    float default_tess_level_outer[4];
    float viewport_scale[2]; ///< half the viewport's size, pixels
    float line_width;        ///< pixels
    float point_size;        ///< pixels; 0: the shader's own size; negative: the shader's own size,
                             ///< rounded to whole pixels
    uint32_t line_stipple;   ///< pattern in the low 16 bits, factor in the high 16 bits
    uint32_t clip_distance_enable; ///< bit n: GL_CLIP_DISTANCEn is enabled
    float point_coord_flip;      ///< 1: gl_PointCoord.t runs from the lower edge; 0: from the upper
    uint32_t sprite_coordinates; ///< bit n: gl_TexCoord[n] runs over the point sprite
    uint32_t opaque_attachments; ///< bit n: colour attachment n has no alpha, so its alpha is
                                 ///< fetched as 1
    uint32_t ignored_sample_mask; ///< ~0 without multisampling: gl_SampleMask removes no sample
    uint32_t
        primitive_shift; ///< 1: two triangles in turn, halves of a quad, share one gl_PrimitiveID
    uint32_t reserved[3];
    /// Swizzles of comparison results for the old shadow functions, which return a vector: a byte
    /// for each sampler slot, 2 bits a channel (ShadowChannel). For the fragment and the vertex
    /// stage.
    uint32_t shadow_swizzles[2][4];
};

/// The value of a channel of an old shadow function's result.
enum ShadowChannel : uint32_t { shadow_zero = 0, shadow_one = 1, shadow_compared = 2 };
inline constexpr uint32_t shadow_swizzle_slots = 16; ///< later slots are swizzled as luminance

/// A mask of the 32-bit words of some parameters. Shaders report the words that they read as such a
/// mask.
constexpr uint32_t parameter_words(size_t offset, size_t bytes) {
    return ~0u >> (32 - bytes / 4) << offset / 4;
}
inline constexpr uint32_t all_parameters = parameter_words(0, sizeof(DrawParameters));
inline constexpr uint32_t draw_is_indexed_word =
    parameter_words(offsetof(DrawParameters, draw_is_indexed), 4);
inline constexpr uint32_t draw_id_word = parameter_words(offsetof(DrawParameters, draw_id), 4);
/// The words that depend on the viewport, and on the rasteriser's state.
inline constexpr uint32_t viewport_words = parameter_words(offsetof(DrawParameters, viewport_scale),
                                                           sizeof DrawParameters::viewport_scale);
inline constexpr uint32_t rasterizer_words =
    parameter_words(offsetof(DrawParameters, depth_negative_one_to_one), 4) |
    parameter_words(offsetof(DrawParameters, line_width), 4) |
    parameter_words(offsetof(DrawParameters, point_size), 4) |
    parameter_words(offsetof(DrawParameters, line_stipple), 4) |
    parameter_words(offsetof(DrawParameters, clip_distance_enable), 4) |
    parameter_words(offsetof(DrawParameters, point_coord_flip), 4) |
    parameter_words(offsetof(DrawParameters, ignored_sample_mask), 4);

static_assert(offsetof(DrawParameters, draw_is_indexed) == 0);
static_assert(offsetof(DrawParameters, draw_id) == 4);
static_assert(offsetof(DrawParameters, depth_negative_one_to_one) == 8);
static_assert(offsetof(DrawParameters, vertices_per_patch) == 12);
static_assert(offsetof(DrawParameters, default_tess_level_inner) == 16);
static_assert(offsetof(DrawParameters, default_tess_level_outer) == 24);
static_assert(offsetof(DrawParameters, viewport_scale) == 40);
static_assert(offsetof(DrawParameters, line_width) == 48);
static_assert(offsetof(DrawParameters, point_size) == 52);
static_assert(offsetof(DrawParameters, line_stipple) == 56);
static_assert(offsetof(DrawParameters, clip_distance_enable) == 60);
static_assert(offsetof(DrawParameters, point_coord_flip) == 64);
static_assert(offsetof(DrawParameters, sprite_coordinates) == 68);
static_assert(offsetof(DrawParameters, opaque_attachments) == 72);
static_assert(offsetof(DrawParameters, primitive_shift) == 80);
static_assert(offsetof(DrawParameters, shadow_swizzles) == 96);
static_assert(sizeof(DrawParameters) == 128);

} // namespace kobalt::spirv
