// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Tests that disagreement(), which compares modules with the translator's report, finds each
// difference.

#include <algorithm>
#include <utility>

#include "reflection.h"
#include "translator_fixture.h"

namespace kobalt::corpus {
namespace {

class Reflection : public TranslatorTest {
protected:
    /// A shader with a descriptor of each kind; its report agrees with the module.
    spirv::Translation each_kind() {
        spirv::Translation all = translated(R"(
            layout(std140, binding = 0) uniform Block { vec4 uniforms[4]; };
            layout(std430, binding = 0) buffer Storage { vec4 stored[]; };
            layout(rgba8, binding = 0) writeonly uniform image2DArray image;
            layout(r32ui, binding = 1) uniform uimageBuffer texels;
            uniform sampler2DShadow shadow;
            uniform isamplerCube cube;
            uniform usampler2DMS samples;
            uniform samplerBuffer buffer_texels;
            layout(location = 2) out vec4 colour;
            void main() {
                stored[1] = uniforms[2];
                imageStore(image, ivec3(0), vec4(1));
                imageAtomicAdd(texels, 0, 1u);
                colour = vec4(gl_FrontFacing) + vec4(texture(shadow, vec3(0))) + vec4(texture(cube, vec3(1))) +
                         vec4(texelFetch(samples, ivec2(0), 0)) + texelFetch(buffer_texels, 0);
                gl_FragDepth = 0.5;
            })",
                                            430);
        EXPECT_EQ(all.bindings.size(), 8u);
        EXPECT_EQ(disagreement(all, target_), "");
        return all;
    }
    static spirv::Binding& of_kind(spirv::Translation& all, spirv::DescriptorKind kind) {
        return *std::ranges::find(all.bindings, kind, &spirv::Binding::kind);
    }
    void expect_found(const spirv::Translation& all, const std::string& what) {
        EXPECT_NE(disagreement(all, target_).find(what), std::string::npos)
            << '"' << what << "\", found: " << disagreement(all, target_);
    }
};

TEST_F(Reflection, BindingsThatAreNotThereAndUntoldOnes) {
    spirv::Translation all = each_kind();
    all.bindings.push_back({100, spirv::DescriptorKind::uniform_buffer, 3});
    expect_found(all, "binding 100 is told and not there");
    all = each_kind();
    all.bindings.pop_back();
    expect_found(all, "is not told");
    all = each_kind();
    all.bindings[0].pushed = true;
    target_.pushed_set = 5;
    expect_found(all, "is not told");
}

TEST_F(Reflection, KindsOfEachDescriptor) {
    const size_t count = each_kind().bindings.size();
    for (size_t i = 0; i < count; ++i) {
        spirv::Translation all = each_kind();
        all.bindings[i].kind = all.bindings[i].kind == spirv::DescriptorKind::storage_buffer
                                   ? spirv::DescriptorKind::uniform_buffer
                                   : spirv::DescriptorKind::storage_buffer;
        expect_found(all, "is of another kind");
    }
}

TEST_F(Reflection, ShapesOfImages) {
    spirv::Translation all = each_kind();
    of_kind(all, spirv::DescriptorKind::storage_image).image.array = false;
    expect_found(all, "has other layers");
    for (spirv::Binding& binding : (all = each_kind()).bindings)
        if (binding.image.dimension == GLSL_SAMPLER_DIM_MS)
            binding.image.dimension = GLSL_SAMPLER_DIM_2D;
    expect_found(all, "has other samples");
    for (spirv::Binding& binding : (all = each_kind()).bindings)
        if (binding.image.dimension == GLSL_SAMPLER_DIM_CUBE)
            binding.image.dimension = GLSL_SAMPLER_DIM_3D;
    expect_found(all, "has another dimension");
    using spirv::ImageTexels;
    for (const auto& [from, to] : {std::pair(ImageTexels::depth, ImageTexels::floating),
                                   {ImageTexels::sint, ImageTexels::uint},
                                   {ImageTexels::uint, ImageTexels::sint},
                                   {ImageTexels::floating, ImageTexels::uint}}) {
        for (spirv::Binding& binding : (all = each_kind()).bindings)
            if (binding.kind == spirv::DescriptorKind::combined_image_sampler ||
                binding.kind == spirv::DescriptorKind::uniform_texel_buffer)
                binding.image.texels = binding.image.texels == from ? to : binding.image.texels;
        expect_found(all, "has other texels");
    }
}

TEST_F(Reflection, LengthsOfArrays) {
    target_.dynamic_arrays = ~0u;
    spirv::Translation all = translated(R"(
        uniform sampler2D textures[4];
        uniform int which;
        out vec4 colour;
        void main() { colour = texture(textures[which], vec2(0)); })",
                                        430);
    EXPECT_EQ(disagreement(all, target_), "");
    const spirv::Binding last = all.bindings.back();
    all.bindings.pop_back();
    expect_found(all, "has another length");
    all.bindings.push_back(last);
    all.bindings.back().slot++;
    expect_found(all, "has slots that don't follow each other");
}

TEST_F(Reflection, SizesOfBlocks) {
    const spirv::Translation all = each_kind();
    target_.max_uniform_buffer_size /= 2;
    expect_found(all, "is a block of 65536 bytes");
}

TEST_F(Reflection, WhatIsWritten) {
    spirv::Translation all = translated(R"(
        layout(std430, binding = 0) readonly buffer Storage { vec4 stored; };
        out vec4 colour;
        void main() { colour = stored; })",
                                        430);
    EXPECT_EQ(disagreement(all, target_), "");
    all.bindings[0].writes = true;
    expect_found(all, "may be written and must not");
}

TEST_F(Reflection, OutputsOfFragments) {
    spirv::Translation all = each_kind();
    EXPECT_EQ(all.fragment_output_mask, 4u);
    all.fragment_output_mask = 1;
    expect_found(all, "other colours");
    all = each_kind();
    all.writes_depth = false;
    expect_found(all, "other depth");
}

TEST_F(Reflection, Handles) {
    target_.bindless = true;
    target_.descriptor_set = 2;
    spirv::Translation all =
        translated("#extension GL_ARB_bindless_texture : require\n"
                   "layout(bindless_sampler) uniform sampler2D handle; out vec4 colour;\n"
                   "void main() { colour = texture(handle, vec2(0)); }",
                   430);
    EXPECT_EQ(disagreement(all, target_), "");
    all.reads_handles = false;
    expect_found(all, "handles that aren't told");
}

TEST_F(Reflection, DistancesAndCaptures) {
    spirv::Translation all = translated("out vec4 colour; void main() { colour = vec4(1); }", 430);
    all.clip_distance_count = 2;
    expect_found(all, "told are 2 and 0");
    all.clip_distance_count = 0;
    all.xfb_buffer_mask = 1;
    expect_found(all, "other buffers of transform feedback");
}

} // namespace
} // namespace kobalt::corpus
