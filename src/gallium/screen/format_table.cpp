// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/screen/format_table.h"

#include <array>

namespace kobalt::gallium {

namespace {

using Table = std::array<FormatEntry, PIPE_FORMAT_COUNT>;

// Gallium names array formats from the first byte on, and packed ones from the least significant
// bit; Vulkan names packed ones from the most significant bit.
#define DIRECT(pipe, vk)                                                                           \
    table[PIPE_FORMAT_##pipe] = {VK_FORMAT_##vk, VK_FORMAT_UNDEFINED, Channels::direct}
#define STORED(pipe, vk, how)                                                                      \
    table[PIPE_FORMAT_##pipe] = {VK_FORMAT_##vk, VK_FORMAT_UNDEFINED, Channels::how}
#define OR_ELSE(pipe, vk, other, how)                                                              \
    table[PIPE_FORMAT_##pipe] = {VK_FORMAT_##vk, VK_FORMAT_##other, Channels::how}

#define ARRAY(bits, kind)                                                                          \
    DIRECT(R##bits##_##kind, R##bits##_##kind);                                                    \
    DIRECT(R##bits##G##bits##_##kind, R##bits##G##bits##_##kind);                                  \
    DIRECT(R##bits##G##bits##B##bits##A##bits##_##kind, R##bits##G##bits##B##bits##A##bits##_##kind)

#define LEGACY(bits, pipe_kind, kind)                                                              \
    STORED(A##bits##_##pipe_kind, R##bits##_##kind, alpha);                                        \
    STORED(L##bits##_##pipe_kind, R##bits##_##kind, luminance);                                    \
    STORED(I##bits##_##pipe_kind, R##bits##_##kind, intensity);                                    \
    STORED(L##bits##A##bits##_##pipe_kind, R##bits##G##bits##_##kind, luminance_alpha)

void add_color(Table& table) {
    ARRAY(8, UNORM);
    ARRAY(8, SNORM);
    ARRAY(8, UINT);
    ARRAY(8, SINT);
    ARRAY(8, SRGB);
    ARRAY(16, UNORM);
    ARRAY(16, SNORM);
    ARRAY(16, UINT);
    ARRAY(16, SINT);
    DIRECT(R16_FLOAT, R16_SFLOAT);
    DIRECT(R16G16_FLOAT, R16G16_SFLOAT);
    DIRECT(R16G16B16A16_FLOAT, R16G16B16A16_SFLOAT);
    ARRAY(32, UINT);
    ARRAY(32, SINT);
    DIRECT(R32_FLOAT, R32_SFLOAT);
    DIRECT(R32G32_FLOAT, R32G32_SFLOAT);
    DIRECT(R32G32B32A32_FLOAT, R32G32B32A32_SFLOAT);
    // For texel buffers only: is_format_supported rejects them for textures.
    DIRECT(R32G32B32_FLOAT, R32G32B32_SFLOAT);
    DIRECT(R32G32B32_UINT, R32G32B32_UINT);
    DIRECT(R32G32B32_SINT, R32G32B32_SINT);

    DIRECT(B8G8R8A8_UNORM, B8G8R8A8_UNORM);
    DIRECT(B8G8R8A8_SNORM, B8G8R8A8_SNORM);
    DIRECT(B8G8R8A8_UINT, B8G8R8A8_UINT);
    DIRECT(B8G8R8A8_SINT, B8G8R8A8_SINT);
    DIRECT(B8G8R8A8_SRGB, B8G8R8A8_SRGB);
    STORED(R8G8B8X8_UNORM, R8G8B8A8_UNORM, no_alpha);
    STORED(R8G8B8X8_SNORM, R8G8B8A8_SNORM, no_alpha);
    STORED(R8G8B8X8_UINT, R8G8B8A8_UINT, no_alpha);
    STORED(R8G8B8X8_SINT, R8G8B8A8_SINT, no_alpha);
    STORED(R8G8B8X8_SRGB, R8G8B8A8_SRGB, no_alpha);
    STORED(B8G8R8X8_UNORM, B8G8R8A8_UNORM, no_alpha);
    STORED(B8G8R8X8_SNORM, B8G8R8A8_SNORM, no_alpha);
    STORED(B8G8R8X8_UINT, B8G8R8A8_UINT, no_alpha);
    STORED(B8G8R8X8_SINT, B8G8R8A8_SINT, no_alpha);
    STORED(B8G8R8X8_SRGB, B8G8R8A8_SRGB, no_alpha);
    STORED(R16G16B16X16_UNORM, R16G16B16A16_UNORM, no_alpha);
    STORED(R16G16B16X16_SNORM, R16G16B16A16_SNORM, no_alpha);
    STORED(R16G16B16X16_UINT, R16G16B16A16_UINT, no_alpha);
    STORED(R16G16B16X16_SINT, R16G16B16A16_SINT, no_alpha);
    STORED(R16G16B16X16_FLOAT, R16G16B16A16_SFLOAT, no_alpha);
    STORED(R32G32B32X32_UINT, R32G32B32A32_UINT, no_alpha);
    STORED(R32G32B32X32_SINT, R32G32B32A32_SINT, no_alpha);
    STORED(R32G32B32X32_FLOAT, R32G32B32A32_SFLOAT, no_alpha);
}

/// Texels of one word, whose channels differ in size or are fewer than 8 bits wide.
void add_packed(Table& table) {
    DIRECT(B5G6R5_UNORM, R5G6B5_UNORM_PACK16);
    DIRECT(R5G6B5_UNORM, B5G6R5_UNORM_PACK16);
    DIRECT(B5G5R5A1_UNORM, A1R5G5B5_UNORM_PACK16);
    STORED(B5G5R5X1_UNORM, A1R5G5B5_UNORM_PACK16, no_alpha);
    DIRECT(A1B5G5R5_UNORM, R5G5B5A1_UNORM_PACK16);
    STORED(X1B5G5R5_UNORM, R5G5B5A1_UNORM_PACK16, no_alpha);
    DIRECT(A1R5G5B5_UNORM, B5G5R5A1_UNORM_PACK16);
    DIRECT(B4G4R4A4_UNORM, A4R4G4B4_UNORM_PACK16);
    STORED(B4G4R4X4_UNORM, A4R4G4B4_UNORM_PACK16, no_alpha);
    DIRECT(R4G4B4A4_UNORM, A4B4G4R4_UNORM_PACK16);
    STORED(R4G4B4X4_UNORM, A4B4G4R4_UNORM_PACK16, no_alpha);
    DIRECT(A4B4G4R4_UNORM, R4G4B4A4_UNORM_PACK16);
    DIRECT(A4R4G4B4_UNORM, B4G4R4A4_UNORM_PACK16);

    DIRECT(R10G10B10A2_UNORM, A2B10G10R10_UNORM_PACK32);
    DIRECT(R10G10B10A2_UINT, A2B10G10R10_UINT_PACK32);
    STORED(R10G10B10X2_UNORM, A2B10G10R10_UNORM_PACK32, no_alpha);
    DIRECT(B10G10R10A2_UNORM, A2R10G10B10_UNORM_PACK32);
    DIRECT(B10G10R10A2_UINT, A2R10G10B10_UINT_PACK32);
    STORED(B10G10R10X2_UNORM, A2R10G10B10_UNORM_PACK32, no_alpha);
    DIRECT(R11G11B10_FLOAT, B10G11R11_UFLOAT_PACK32);
    // Half floats represent all values of this format. Vulkan's own has one sample only, GL wants
    // multisampling too.
    OR_ELSE(R9G9B9E5_FLOAT, E5B9G9R9_UFLOAT_PACK32, R16G16B16A16_SFLOAT, no_alpha);
}

void add_legacy(Table& table) {
    LEGACY(8, UNORM, UNORM);
    LEGACY(8, SNORM, SNORM);
    LEGACY(8, UINT, UINT);
    LEGACY(8, SINT, SINT);
    LEGACY(16, UNORM, UNORM);
    LEGACY(16, SNORM, SNORM);
    LEGACY(16, UINT, UINT);
    LEGACY(16, SINT, SINT);
    LEGACY(16, FLOAT, SFLOAT);
    LEGACY(32, UINT, UINT);
    LEGACY(32, SINT, SINT);
    LEGACY(32, FLOAT, SFLOAT);
    table[PIPE_FORMAT_A8_UNORM].exact = VK_FORMAT_A8_UNORM_KHR;
    STORED(L8_SRGB, R8_SRGB, luminance);
    // L8A8_SRGB is left out: Vulkan would decode its second channel, GL's alpha, as well. The state
    // tracker uses a format of four channels instead.
}

void add_depth_stencil(Table& table) {
    DIRECT(Z16_UNORM, D16_UNORM);
    OR_ELSE(Z24X8_UNORM, X8_D24_UNORM_PACK32, D32_SFLOAT, direct);
    OR_ELSE(Z24_UNORM_S8_UINT, D24_UNORM_S8_UINT, D32_SFLOAT_S8_UINT, direct);
    OR_ELSE(X24S8_UINT, D24_UNORM_S8_UINT, D32_SFLOAT_S8_UINT, stencil);
    DIRECT(Z32_FLOAT, D32_SFLOAT);
    DIRECT(Z32_FLOAT_S8X24_UINT, D32_SFLOAT_S8_UINT);
    STORED(X32_S8X24_UINT, D32_SFLOAT_S8_UINT, stencil);
    STORED(S8_UINT, S8_UINT, stencil);
}

#define ASTC(size)                                                                                 \
    DIRECT(ASTC_##size, ASTC_##size##_UNORM_BLOCK);                                                \
    DIRECT(ASTC_##size##_SRGB, ASTC_##size##_SRGB_BLOCK)

void add_compressed(Table& table) {
    DIRECT(DXT1_RGB, BC1_RGB_UNORM_BLOCK);
    DIRECT(DXT1_RGBA, BC1_RGBA_UNORM_BLOCK);
    DIRECT(DXT3_RGBA, BC2_UNORM_BLOCK);
    DIRECT(DXT5_RGBA, BC3_UNORM_BLOCK);
    DIRECT(DXT1_SRGB, BC1_RGB_SRGB_BLOCK);
    DIRECT(DXT1_SRGBA, BC1_RGBA_SRGB_BLOCK);
    DIRECT(DXT3_SRGBA, BC2_SRGB_BLOCK);
    DIRECT(DXT5_SRGBA, BC3_SRGB_BLOCK);
    DIRECT(RGTC1_UNORM, BC4_UNORM_BLOCK);
    DIRECT(RGTC1_SNORM, BC4_SNORM_BLOCK);
    DIRECT(RGTC2_UNORM, BC5_UNORM_BLOCK);
    DIRECT(RGTC2_SNORM, BC5_SNORM_BLOCK);
    STORED(LATC1_UNORM, BC4_UNORM_BLOCK, luminance);
    STORED(LATC1_SNORM, BC4_SNORM_BLOCK, luminance);
    STORED(LATC2_UNORM, BC5_UNORM_BLOCK, luminance_alpha);
    STORED(LATC2_SNORM, BC5_SNORM_BLOCK, luminance_alpha);
    DIRECT(BPTC_RGBA_UNORM, BC7_UNORM_BLOCK);
    DIRECT(BPTC_SRGBA, BC7_SRGB_BLOCK);
    DIRECT(BPTC_RGB_FLOAT, BC6H_SFLOAT_BLOCK);
    DIRECT(BPTC_RGB_UFLOAT, BC6H_UFLOAT_BLOCK);
    DIRECT(ETC1_RGB8, ETC2_R8G8B8_UNORM_BLOCK);
    DIRECT(ETC2_RGB8, ETC2_R8G8B8_UNORM_BLOCK);
    DIRECT(ETC2_SRGB8, ETC2_R8G8B8_SRGB_BLOCK);
    DIRECT(ETC2_RGB8A1, ETC2_R8G8B8A1_UNORM_BLOCK);
    DIRECT(ETC2_SRGB8A1, ETC2_R8G8B8A1_SRGB_BLOCK);
    DIRECT(ETC2_RGBA8, ETC2_R8G8B8A8_UNORM_BLOCK);
    DIRECT(ETC2_SRGBA8, ETC2_R8G8B8A8_SRGB_BLOCK);
    DIRECT(ETC2_R11_UNORM, EAC_R11_UNORM_BLOCK);
    DIRECT(ETC2_R11_SNORM, EAC_R11_SNORM_BLOCK);
    DIRECT(ETC2_RG11_UNORM, EAC_R11G11_UNORM_BLOCK);
    DIRECT(ETC2_RG11_SNORM, EAC_R11G11_SNORM_BLOCK);
    ASTC(4x4);
    ASTC(5x4);
    ASTC(5x5);
    ASTC(6x5);
    ASTC(6x6);
    ASTC(8x5);
    ASTC(8x6);
    ASTC(8x8);
    ASTC(10x5);
    ASTC(10x6);
    ASTC(10x8);
    ASTC(10x10);
    ASTC(12x10);
    ASTC(12x12);
}

Table make_table() {
    Table table{};
    add_color(table);
    add_packed(table);
    add_legacy(table);
    add_depth_stencil(table);
    add_compressed(table);
    return table;
}

using VertexTable = std::array<VkFormat, PIPE_FORMAT_COUNT>;

#define FETCH(pipe, vk) table[PIPE_FORMAT_##pipe] = VK_FORMAT_##vk
#define FETCH_ARRAY(bits, kind, vk_kind)                                                           \
    FETCH(R##bits##_##kind, R##bits##_##vk_kind);                                                  \
    FETCH(R##bits##G##bits##_##kind, R##bits##G##bits##_##vk_kind);                                \
    FETCH(R##bits##G##bits##B##bits##_##kind, R##bits##G##bits##B##bits##_##vk_kind);              \
    FETCH(R##bits##G##bits##B##bits##A##bits##_##kind,                                             \
          R##bits##G##bits##B##bits##A##bits##_##vk_kind)

VertexTable make_vertex_table() {
    VertexTable table{};
    FETCH_ARRAY(8, UNORM, UNORM);
    FETCH_ARRAY(8, SNORM, SNORM);
    FETCH_ARRAY(8, USCALED, USCALED);
    FETCH_ARRAY(8, SSCALED, SSCALED);
    FETCH_ARRAY(8, UINT, UINT);
    FETCH_ARRAY(8, SINT, SINT);
    FETCH_ARRAY(16, UNORM, UNORM);
    FETCH_ARRAY(16, SNORM, SNORM);
    FETCH_ARRAY(16, USCALED, USCALED);
    FETCH_ARRAY(16, SSCALED, SSCALED);
    FETCH_ARRAY(16, UINT, UINT);
    FETCH_ARRAY(16, SINT, SINT);
    FETCH_ARRAY(16, FLOAT, SFLOAT);
    FETCH_ARRAY(32, UINT, UINT);
    FETCH_ARRAY(32, SINT, SINT);
    FETCH_ARRAY(32, FLOAT, SFLOAT);
    FETCH(B8G8R8A8_UNORM, B8G8R8A8_UNORM);
    FETCH(R10G10B10A2_UNORM, A2B10G10R10_UNORM_PACK32);
    FETCH(R10G10B10A2_SNORM, A2B10G10R10_SNORM_PACK32);
    FETCH(R10G10B10A2_USCALED, A2B10G10R10_USCALED_PACK32);
    FETCH(R10G10B10A2_SSCALED, A2B10G10R10_SSCALED_PACK32);
    FETCH(R10G10B10A2_UINT, A2B10G10R10_UINT_PACK32);
    FETCH(R10G10B10A2_SINT, A2B10G10R10_SINT_PACK32);
    FETCH(B10G10R10A2_UNORM, A2R10G10B10_UNORM_PACK32);
    FETCH(B10G10R10A2_SNORM, A2R10G10B10_SNORM_PACK32);
    FETCH(B10G10R10A2_USCALED, A2R10G10B10_USCALED_PACK32);
    FETCH(B10G10R10A2_SSCALED, A2R10G10B10_SSCALED_PACK32);
    FETCH(B10G10R10A2_UINT, A2R10G10B10_UINT_PACK32);
    FETCH(B10G10R10A2_SINT, A2R10G10B10_SINT_PACK32);
    FETCH(R11G11B10_FLOAT, B10G11R11_UFLOAT_PACK32);
    return table;
}

} // namespace

const FormatEntry& format_entry(pipe_format format) {
    static const Table table = make_table();
    return table[static_cast<unsigned>(format) < PIPE_FORMAT_COUNT ? format : PIPE_FORMAT_NONE];
}

VkFormat vertex_format_entry(pipe_format format) {
    static const VertexTable table = make_vertex_table();
    return table[static_cast<unsigned>(format) < PIPE_FORMAT_COUNT ? format : PIPE_FORMAT_NONE];
}

} // namespace kobalt::gallium
