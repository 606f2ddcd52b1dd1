// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "spirv/image_format.h"

namespace kobalt::spirv {

namespace {

constexpr ImageFormat formats[] = {
    {PIPE_FORMAT_R32G32B32A32_FLOAT, spv::ImageFormat::Rgba32f, false},
    {PIPE_FORMAT_R16G16B16A16_FLOAT, spv::ImageFormat::Rgba16f, false},
    {PIPE_FORMAT_R32G32_FLOAT, spv::ImageFormat::Rg32f, true},
    {PIPE_FORMAT_R16G16_FLOAT, spv::ImageFormat::Rg16f, true},
    {PIPE_FORMAT_R11G11B10_FLOAT, spv::ImageFormat::R11fG11fB10f, true},
    {PIPE_FORMAT_R32_FLOAT, spv::ImageFormat::R32f, false},
    {PIPE_FORMAT_R16_FLOAT, spv::ImageFormat::R16f, true},
    {PIPE_FORMAT_R16G16B16A16_UNORM, spv::ImageFormat::Rgba16, true},
    {PIPE_FORMAT_R10G10B10A2_UNORM, spv::ImageFormat::Rgb10A2, true},
    {PIPE_FORMAT_R8G8B8A8_UNORM, spv::ImageFormat::Rgba8, false},
    {PIPE_FORMAT_R16G16_UNORM, spv::ImageFormat::Rg16, true},
    {PIPE_FORMAT_R8G8_UNORM, spv::ImageFormat::Rg8, true},
    {PIPE_FORMAT_R16_UNORM, spv::ImageFormat::R16, true},
    {PIPE_FORMAT_R8_UNORM, spv::ImageFormat::R8, true},
    {PIPE_FORMAT_R16G16B16A16_SNORM, spv::ImageFormat::Rgba16Snorm, true},
    {PIPE_FORMAT_R8G8B8A8_SNORM, spv::ImageFormat::Rgba8Snorm, false},
    {PIPE_FORMAT_R16G16_SNORM, spv::ImageFormat::Rg16Snorm, true},
    {PIPE_FORMAT_R8G8_SNORM, spv::ImageFormat::Rg8Snorm, true},
    {PIPE_FORMAT_R16_SNORM, spv::ImageFormat::R16Snorm, true},
    {PIPE_FORMAT_R8_SNORM, spv::ImageFormat::R8Snorm, true},
    {PIPE_FORMAT_R32G32B32A32_SINT, spv::ImageFormat::Rgba32i, false},
    {PIPE_FORMAT_R16G16B16A16_SINT, spv::ImageFormat::Rgba16i, false},
    {PIPE_FORMAT_R8G8B8A8_SINT, spv::ImageFormat::Rgba8i, false},
    {PIPE_FORMAT_R32G32_SINT, spv::ImageFormat::Rg32i, true},
    {PIPE_FORMAT_R16G16_SINT, spv::ImageFormat::Rg16i, true},
    {PIPE_FORMAT_R8G8_SINT, spv::ImageFormat::Rg8i, true},
    {PIPE_FORMAT_R32_SINT, spv::ImageFormat::R32i, false},
    {PIPE_FORMAT_R16_SINT, spv::ImageFormat::R16i, true},
    {PIPE_FORMAT_R8_SINT, spv::ImageFormat::R8i, true},
    {PIPE_FORMAT_R32G32B32A32_UINT, spv::ImageFormat::Rgba32ui, false},
    {PIPE_FORMAT_R16G16B16A16_UINT, spv::ImageFormat::Rgba16ui, false},
    {PIPE_FORMAT_R10G10B10A2_UINT, spv::ImageFormat::Rgb10a2ui, true},
    {PIPE_FORMAT_R8G8B8A8_UINT, spv::ImageFormat::Rgba8ui, false},
    {PIPE_FORMAT_R32G32_UINT, spv::ImageFormat::Rg32ui, true},
    {PIPE_FORMAT_R16G16_UINT, spv::ImageFormat::Rg16ui, true},
    {PIPE_FORMAT_R8G8_UINT, spv::ImageFormat::Rg8ui, true},
    {PIPE_FORMAT_R32_UINT, spv::ImageFormat::R32ui, false},
    {PIPE_FORMAT_R16_UINT, spv::ImageFormat::R16ui, true},
    {PIPE_FORMAT_R8_UINT, spv::ImageFormat::R8ui, true},
};

} // namespace

const ImageFormat* format_of(const nir_intrinsic_instr* intr) {
    const pipe_format wanted = nir_intrinsic_format(intr);
    for (const ImageFormat& format : formats)
        if (format.pipe == wanted)
            return &format;
    return nullptr;
}

Kind kind_of_format(spv::ImageFormat format) {
    using enum spv::ImageFormat;
    switch (format) {
    case Rgba32i:
    case Rgba16i:
    case Rgba8i:
    case Rg32i:
    case Rg16i:
    case Rg8i:
    case R32i:
    case R16i:
    case R8i:
        return Kind::sint;
    case Rgba32ui:
    case Rgba16ui:
    case Rgb10a2ui:
    case Rgba8ui:
    case Rg32ui:
    case Rg16ui:
    case Rg8ui:
    case R32ui:
    case R16ui:
    case R8ui:
        return Kind::uint;
    default:
        return Kind::floating;
    }
}

} // namespace kobalt::spirv
