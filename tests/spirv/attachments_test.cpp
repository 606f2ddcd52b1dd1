// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Tests framebuffer fetch and fragment shader interlock.

#include "spirv/push_constants.h"
#include "translator_fixture.h"

namespace kobalt::corpus {
namespace {

class AttachmentsTest : public TranslatorTest {
protected:
    const std::string fetch_ = "#extension GL_EXT_shader_framebuffer_fetch : require\n";
};

TEST_F(AttachmentsTest, ADescriptorForEachThatIsRead) {
    const auto result = translated(
        fetch_ + "uniform sampler2D t; layout(location = 0) inout vec4 a; layout(location = 1) out "
                 "vec4 b; layout(location = 2) inout ivec4 c;\n"
                 "void main() { b = a + texture(t, a.xy); a = vec4(c); c = c + 1; }");
    EXPECT_EQ(result.fetched_attachments, 0b101u);
    EXPECT_EQ(result.fragment_output_mask, 0b111u);
    std::vector<uint32_t> slots;
    for (const spirv::Binding& binding : result.bindings)
        if (binding.kind == spirv::DescriptorKind::input_attachment) {
            slots.push_back(binding.slot);
            EXPECT_EQ(binding.image.dimension, GLSL_SAMPLER_DIM_2D);
            EXPECT_EQ(binding.image.texels,
                      binding.slot == 2 ? spirv::ImageTexels::sint : spirv::ImageTexels::floating);
        }
    EXPECT_EQ(slots, (std::vector<uint32_t>{0, 2}));
    EXPECT_EQ(instructions(result.words)[spv::Op::OpImageRead], 2u);
    for (size_t i = 1; i < result.bindings.size(); ++i)
        EXPECT_NE(result.bindings[i].binding, result.bindings[i - 1].binding);
}

TEST_F(AttachmentsTest, Samples) {
    target_.multisampled_attachments = true;
    const auto result = translated(
        fetch_ + "layout(location = 0) inout vec4 a; void main() { a.rg = a.gr * 2.0; }");
    EXPECT_EQ(result.fetched_attachments, 1u);
    EXPECT_TRUE(result.uses_sample_shading);
    ASSERT_EQ(result.bindings.size(), 1u);
    EXPECT_EQ(result.bindings[0].image.dimension, GLSL_SAMPLER_DIM_MS);
}

TEST_F(AttachmentsTest, Interlock) {
    for (const std::string mode : {"pixel_interlock_ordered", "pixel_interlock_unordered",
                                   "sample_interlock_ordered", "sample_interlock_unordered"}) {
        SCOPED_TRACE(mode);
        const auto result = translated(
            "#extension GL_ARB_fragment_shader_interlock : require\n"
            "layout(" +
                mode +
                ") in; layout(binding = 0, r32ui) coherent uniform uimage2D i; void main() { "
                "beginInvocationInterlockARB(); uvec4 v = imageLoad(i, ivec2(gl_FragCoord.xy)); "
                "imageStore(i, ivec2(gl_FragCoord.xy), v * 3u); endInvocationInterlockARB(); }",
            450);
        auto counts = instructions(result.words);
        EXPECT_EQ(counts[spv::Op::OpBeginInvocationInterlockEXT], 1u);
        EXPECT_EQ(counts[spv::Op::OpEndInvocationInterlockEXT], 1u);
    }
}

// Whether gl_SampleMask is ignored, without multisampling, is dynamic: the shader reads a push
// constant.
TEST_F(AttachmentsTest, SampleMasks) {
    const auto result =
        translated("out vec4 c; void main() { gl_SampleMask[0] = 5; c = vec4(1.0); }", 400);
    EXPECT_TRUE(result.writes_sample_mask);
    EXPECT_EQ(result.push_constant_words,
              1u << offsetof(spirv::DrawParameters, ignored_sample_mask) / 4);
}

} // namespace
} // namespace kobalt::corpus
