// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Tests textures and images by handle: what the modules declare of the bindless set, and that it is
// valid.

#include <algorithm>

#include "instructions.h"
#include "translator_fixture.h"

namespace kobalt::corpus {
namespace {

class Handles : public TranslatorTest {
protected:
    Handles() {
        target_.bindless = true;
        target_.descriptor_set = 2;
    }

    /// The valid module of a fragment shader; empty after a failure.
    std::vector<uint32_t> module_of(const std::string& text) {
        nir_shader* nir = fragment("#extension GL_ARB_bindless_texture : require\n" + text, 400);
        if (!nir) {
            ADD_FAILURE() << "no shader";
            return {};
        }
        const auto result = spirv::translate(nir, target_);
        if (!result) {
            ADD_FAILURE() << result.error().what;
            return {};
        }
        EXPECT_TRUE(result->reads_handles);
        EXPECT_EQ(validation(result->words), "");
        return result->words;
    }
    static bool has(const std::vector<uint32_t>& words, spv::Capability capability) {
        bool found = false;
        for_each_instruction(words, [&](spv::Op op, std::span<const uint32_t> operands) {
            found = found ||
                    (op == spv::Op::OpCapability && spv::Capability(operands[0]) == capability);
        });
        return found;
    }
};

TEST_F(Handles, OfAUniformAreUniform) {
    for (const char* text :
         {"layout(bindless_sampler) uniform sampler2D t; in vec2 at; out vec4 color;\n"
          "void main() { color = texture(t, at); }\n",
          "uniform uvec2 t; in vec2 at; out vec4 color;\n"
          "void main() { color = texture(sampler2D(t), at); }\n",
          "layout(std140) uniform Block { sampler2D t; }; in vec2 at; out vec4 color;\n"
          "void main() { color = texture(t, at); }\n"}) {
        SCOPED_TRACE(text);
        const std::vector<uint32_t> words = module_of(text);
        EXPECT_TRUE(has(words, spv::Capability::RuntimeDescriptorArray));
        EXPECT_TRUE(has(words, spv::Capability::SampledImageArrayDynamicIndexing));
        EXPECT_FALSE(has(words, spv::Capability::ShaderNonUniform));
        EXPECT_FALSE(has(words, spv::Capability::Int64)) << "the lower half is enough";
        EXPECT_EQ(decorations(words, spv::Decoration::DescriptorSet, 0), 1u);
        EXPECT_EQ(decorations(words, spv::Decoration::NonUniform), 0u);
    }
}

TEST_F(Handles, OfInvocationsAreNot) {
    const std::vector<uint32_t> words =
        module_of("flat in uvec2 t; in vec2 at; out vec4 color;\n"
                  "void main() { color = texture(sampler2D(t), at); }\n");
    EXPECT_TRUE(has(words, spv::Capability::ShaderNonUniform));
    EXPECT_TRUE(has(words, spv::Capability::SampledImageArrayNonUniformIndexing));
    EXPECT_FALSE(has(words, spv::Capability::Int64));
    // The pointer and the value loaded from it are decorated.
    EXPECT_EQ(decorations(words, spv::Decoration::NonUniform), 2u);

    // The image taken from the sampled image is decorated as well.
    EXPECT_EQ(decorations(module_of("flat in uvec2 t; in vec2 at; out vec4 color;\n"
                                    "void main() { color = texelFetch(sampler2D(t), ivec2(at), 0) "
                                    "+ float(textureSize(sampler2D(t), 0).x); }\n"),
                          spv::Decoration::NonUniform),
              6u);
}

TEST_F(Handles, OfASelectionNeedNoWideIntegers) {
    const std::vector<uint32_t> words =
        module_of("uniform uvec2 a, b; in vec2 at; out vec4 color;\n"
                  "void main() { color = texture(sampler2D(at.x > 0.5 ? a : b), at); }\n");
    EXPECT_FALSE(has(words, spv::Capability::Int64));
    EXPECT_TRUE(has(words, spv::Capability::ShaderNonUniform));
}

TEST_F(Handles, OfEveryTypeShareTheBindings) {
    const std::vector<uint32_t> words =
        module_of("uniform uvec2 h[8]; in vec4 at; out vec4 color; void main() {\n"
                  " color = texture(sampler2D(h[0]), at.xy) + texture(sampler3D(h[1]), at.xyz)\n"
                  "  + texture(samplerCube(h[2]), at.xyz) + texture(sampler2DArray(h[3]), at.xyz)\n"
                  "  + vec4(texture(isampler2D(h[4]), at.xy))\n"
                  "  + vec4(texture(sampler2DShadow(h[5]), at.xyz))\n"
                  "  + texelFetch(samplerBuffer(h[6]), int(at.x))\n"
                  "  + vec4(texelFetch(usamplerBuffer(h[7]), int(at.x))); }\n");
    EXPECT_TRUE(has(words, spv::Capability::UniformTexelBufferArrayDynamicIndexing));
    EXPECT_EQ(decorations(words, spv::Decoration::DescriptorSet, 0), 8u)
        << "one variable for each type";
    EXPECT_EQ(decorations(words, spv::Decoration::Binding, 1), 2u);
}

// GLSL 4.60, 4.10: a volatile variable may be written by another source at any moment, so each read
// goes to memory that others write.
TEST_F(Handles, OfVolatileImages) {
    const std::vector<uint32_t> words = module_of(
        "#extension GL_ARB_shader_image_load_store : require\n"
        "layout(bindless_image, r32ui) volatile uniform uimage2D here;\n"
        "layout(bindless_image, rgba8) uniform image2D plain; in vec3 at; out vec4 color;\n"
        "void main() { color = vec4(imageLoad(here, ivec2(at.xy))) + imageLoad(plain, "
        "ivec2(at.xy)); }\n");
    EXPECT_EQ(decorations(words, spv::Decoration::Volatile), 1u);
    EXPECT_EQ(decorations(words, spv::Decoration::Coherent), 1u);
}

TEST_F(Handles, OfImages) {
    const std::vector<uint32_t> words = module_of(
        "#extension GL_ARB_shader_image_load_store : require\n"
        "#extension GL_ARB_shader_image_size : require\n"
        "layout(bindless_image, rgba8) uniform image2D plain;\n"
        "layout(bindless_image, r32ui) coherent uniform uimage3D counted;\n"
        "layout(bindless_image, rgba32f) uniform imageBuffer texels; in vec3 at; out vec4 color;\n"
        "void main() {\n"
        " imageStore(plain, ivec2(at.xy), imageLoad(plain, ivec2(at.yx)));\n"
        " imageAtomicAdd(counted, ivec3(at), 1u);\n"
        " color = imageLoad(texels, int(at.x)) + vec4(imageSize(plain), 0, 1); }\n");
    EXPECT_TRUE(has(words, spv::Capability::StorageImageArrayDynamicIndexing));
    EXPECT_TRUE(has(words, spv::Capability::StorageTexelBufferArrayDynamicIndexing));
    EXPECT_FALSE(has(words, spv::Capability::ShaderNonUniform));
    EXPECT_FALSE(has(words, spv::Capability::Int64)) << "the lower half is enough";
    EXPECT_GE(decorations(words, spv::Decoration::Binding, 2), 2u);
    EXPECT_EQ(decorations(words, spv::Decoration::Binding, 3), 1u);
    EXPECT_EQ(decorations(words, spv::Decoration::Coherent), 1u);
    auto count = instructions(words);
    EXPECT_EQ(count[spv::Op::OpImageWrite], 1u);
    EXPECT_EQ(count[spv::Op::OpImageRead], 2u);
    EXPECT_EQ(count[spv::Op::OpImageTexelPointer], 1u);
}

TEST_F(Handles, OfImagesThatDifferAmongInvocations) {
    const std::vector<uint32_t> words =
        module_of("#extension GL_ARB_shader_image_load_store : require\n"
                  "layout(bindless_image, r32ui) uniform uimage2D all[8]; flat in int which;\n"
                  "out vec4 color;\n"
                  "void main() { color = vec4(imageAtomicAdd(all[which], ivec2(0), 1u)); }\n");
    EXPECT_TRUE(has(words, spv::Capability::StorageImageArrayNonUniformIndexing));
    // The pointer to the descriptor and the pointer to the texel are decorated.
    EXPECT_EQ(decorations(words, spv::Decoration::NonUniform), 2u);
}

TEST_F(Handles, StandBesideBoundTextures) {
    const std::vector<uint32_t> words =
        module_of("uniform sampler2D bound; uniform uvec2 t; in vec2 at; out vec4 color;\n"
                  "void main() { color = texture(bound, at) + texture(sampler2D(t), at); }\n");
    EXPECT_EQ(instructions(words)[spv::Op::OpImageSampleImplicitLod], 2u);
}

TEST_F(Handles, AreRefusedWithoutTheDevice) {
    target_.bindless = false;
    target_.int64 = true; // otherwise handles fail before anything reads through them
    nir_shader* nir = fragment("#extension GL_ARB_bindless_texture : require\n"
                               "uniform uvec2 t; in vec2 at; out vec4 color;\n"
                               "void main() { color = texture(sampler2D(t), at); }\n",
                               400);
    ASSERT_TRUE(nir);
    const auto result = spirv::translate(nir, target_);
    ASSERT_FALSE(result.has_value());
    EXPECT_NE(result.error().what.find("handle"), std::string::npos);
}

} // namespace
} // namespace kobalt::corpus
