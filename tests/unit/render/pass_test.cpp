// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include "color_frag.h"
#include "fullscreen_vert.h"
#include "sample_id_frag.h"
#include "texture_frag.h"
#include "two_targets_frag.h"

// Tests clears, passes and attachments.

namespace kobalt::render::test {
namespace {

class Passes : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        vertex = gpu().stage(Stage::vertex, fullscreen_vert);
        fragment = gpu().stage(Stage::fragment, color_frag);
        (void)spent();
    }
    void TearDown() override {
        end(); // bound objects live as long as the recorder
        vertex.reset();
        fragment.reset();
        Scene::TearDown();
    }
    Ref<ShaderStage> vertex, fragment;
};
KOBALT_SCENES(Passes);

TEST_P(Passes, ClearAloneIsOnePass) {
    Target target = gpu().color();
    begin(framebuffer({&target}));
    recorder().clear_color(0, rgba(1, 0, 0), area(16, 16));
    EXPECT_EQ(spent(), (Cost{.passes = 1, .barriers = 1}));
    expect_all(target, red);
}

TEST_P(Passes, LastFullClearWins) {
    Target target = gpu().color();
    begin(framebuffer({&target}));
    recorder().clear_color(0, rgba(1, 0, 0), area(16, 16));
    recorder().clear_color(0, rgba(0, 1, 0), area(16, 16));
    EXPECT_EQ(spent(), (Cost{.passes = 1, .barriers = 1}));
    expect_all(target, green);
}

TEST_P(Passes, PartialClearKeepsTheRest) {
    Target target = gpu().color();
    begin(framebuffer({&target}));
    recorder().clear_color(0, rgba(1, 0, 0), area(16, 16));
    recorder().clear_color(0, rgba(0, 1, 0), area(8, 100, 8, -3));
    recorder().clear_color(0, rgba(0, 0, 1), area(4, 4, 20, 20)); // outside
    EXPECT_EQ(spent(), (Cost{.passes = 1, .barriers = 1}));
    const auto texels = pixels(target);
    EXPECT_EQ(texels[0], red);
    EXPECT_EQ(texels[7], red);
    EXPECT_EQ(texels[8], green);
    EXPECT_EQ(texels[255], green);
}

TEST_P(Passes, ClearBetweenDrawsStaysInThePass) {
    Target target = gpu().color();
    begin(framebuffer({&target}));
    bind(vertex.get(), fragment.get());
    push({{1, 0, 0, 1}, 0});
    draw(3);
    recorder().clear_color(0, rgba(0, 1, 0), area(16, 16));
    EXPECT_EQ(spent().passes, 1u);
    expect_all(target, green);
}

TEST_P(Passes, PendingClearComesBeforeAUseOutsideThePass) {
    Target target = gpu().color();
    Ref<Buffer> copy = gpu().buffer(16 * 16 * 4, 0, vulkan::MemoryKind::readback);
    begin(framebuffer({&target}));
    recorder().clear_color(0, rgba(0, 0, 1), area(16, 16));
    // As a state tracker does for commands that it records itself.
    recorder().add_access(*target.image, VK_PIPELINE_STAGE_2_COPY_BIT,
                          VK_ACCESS_2_TRANSFER_READ_BIT, false);
    const VkCommandBuffer commands = recorder().commands(true);
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {16, 16, 1};
    gpu().device().vk().CmdCopyImageToBuffer(commands, target.image->handle(),
                                             VK_IMAGE_LAYOUT_GENERAL, copy->handle(), 1, &region);
    finish();
    uint32_t first = 0;
    std::memcpy(&first, copy->mapped(), 4);
    EXPECT_EQ(first, blue);
}

TEST_P(Passes, FullscreenDraw) {
    Target target = gpu().color();
    begin(framebuffer({&target}));
    recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
    bind(vertex.get(), fragment.get());
    push({{1, 1, 0, 1}, 0});
    draw(3);
    const Cost whole{.draws = 1, .passes = 1, .barriers = 1, .compiles = 1, .draw_compiles = 1};
    const Cost linked{.draws = 1, .passes = 1, .barriers = 1, .fast_links = 1};
    EXPECT_EQ(spent(), libraries() ? linked : whole);
    expect_all(target, yellow);
}

TEST_P(Passes, SecondPassSamplesTheFirst) {
    Target first = gpu().color(), second = gpu().color();
    Ref<ShaderStage> sample = gpu().stage(Stage::fragment, texture_frag,
                                          {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 3}});
    Ref<Sampler> sampler = gpu().nearest();
    recorder().set_texture(Stage::fragment, 3, first.view.get(), nullptr);
    recorder().set_sampler(Stage::fragment, 3, sampler.get());
    (void)spent();
    for (int frame = 0; frame < 3; ++frame) {
        begin(framebuffer({&first}));
        bind(vertex.get(), fragment.get());
        push({{frame == 1 ? 1.f : 0.f, 1, 0, 1}, 0});
        draw(3);
        begin(framebuffer({&second}));
        bind(vertex.get(), sample.get());
        draw(3);
        const Cost cost = spent();
        EXPECT_EQ(cost.passes, 2u);
        EXPECT_EQ(cost.barriers, 2u);
        EXPECT_EQ(cost.draw_compiles, libraries() || frame ? 0u : 2u);
        EXPECT_EQ(cost.descriptor_writes, sets_outlive_batches() && frame ? 0u : 1u);
        expect_all(second, frame == 1 ? yellow : green);
    }
}

TEST_P(Passes, RenderingToWhatWasSampledWaitsForTheReads) {
    Target first = gpu().color(), second = gpu().color();
    Ref<ShaderStage> sample = gpu().stage(Stage::fragment, texture_frag,
                                          {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0}});
    begin(framebuffer({&first}));
    recorder().clear_color(0, rgba(1, 0, 0), area(16, 16));
    Target* targets[] = {&first, &second};
    for (int i = 0; i < 5; ++i) {
        begin(framebuffer({targets[(i + 1) % 2]}));
        recorder().set_texture(Stage::fragment, 0, targets[i % 2]->view.get(), nullptr);
        bind(vertex.get(), sample.get());
        draw(3);
    }
    expect_all(second, red);
}

TEST_P(Passes, TextureBarrierMakesRenderingVisible) {
    Target target = gpu().color();
    Ref<ShaderStage> sample = gpu().stage(Stage::fragment, texture_frag,
                                          {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0}});
    begin(framebuffer({&target}));
    bind(vertex.get(), fragment.get());
    push({{0, 1, 0, 1}, 0});
    draw(3);
    EXPECT_TRUE(recorder().in_pass());
    recorder().texture_barrier();
    EXPECT_FALSE(recorder().in_pass());
    const auto texels = pixels(target);
    EXPECT_EQ(texels[17], green);
}

TEST_P(Passes, TwoTargets) {
    KOBALT_NEEDS(independent_blend);
    Target first = gpu().color(), second = gpu().color();
    Ref<ShaderStage> two = gpu().stage(Stage::fragment, two_targets_frag);
    begin(framebuffer({&first, &second}));
    recorder().clear_color(1, rgba(0, 0, 0, 0), area(16, 16));
    blend.attachments[1].write_mask = VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
    bind(vertex.get(), two.get());
    push({{1, 1, 0, 0}, 0});
    draw(3);
    const Cost cost = spent();
    EXPECT_EQ(cost.passes, 1u);
    EXPECT_EQ(cost.barriers, 1u);
    expect_all(first, 0x0000ffffu);
    expect_all(second, blue);
}

TEST_P(Passes, AbsentAttachment) {
    Target second = gpu().color();
    Ref<ShaderStage> two = gpu().stage(Stage::fragment, two_targets_frag);
    begin(framebuffer({nullptr, &second}));
    bind(vertex.get(), two.get());
    push({{0, 1, 1, 0}, 0});
    draw(3);
    expect_all(second, red);
}

TEST_P(Passes, DepthTest) {
    Target target = gpu().color();
    Target depth =
        gpu().target(16, 16, VK_FORMAT_D32_SFLOAT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    raster.depth_negative_one_to_one = false;
    begin(framebuffer({&target}, &depth));
    recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
    recorder().clear_depth_stencil(VK_IMAGE_ASPECT_DEPTH_BIT, 0.5f, 0, area(16, 16));
    depth_stencil.depth_test = depth_stencil.depth_write = true;
    depth_stencil.depth_compare = VK_COMPARE_OP_LESS;
    bind(vertex.get(), fragment.get());
    push({{1, 0, 0, 1}, 0.75f});
    draw(3); // hidden
    push({{0, 1, 0, 1}, 0.25f});
    draw(3);
    push({{0, 0, 1, 1}, 0.375f});
    draw(3); // hidden by the second
    const Cost cost = spent();
    EXPECT_EQ(cost.draws, 3u);
    EXPECT_EQ(cost.passes, 1u);
    expect_all(target, green);
    EXPECT_EQ(std::bit_cast<float>(pixels(depth, VK_IMAGE_ASPECT_DEPTH_BIT)[100]), 0.25f);
}

TEST_P(Passes, NegativeOneToOneDepth) {
    KOBALT_NEEDS(depth_clip_control);
    Target depth =
        gpu().target(16, 16, VK_FORMAT_D32_SFLOAT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    begin(framebuffer({}, &depth));
    recorder().clear_depth_stencil(VK_IMAGE_ASPECT_DEPTH_BIT, 1, 0, area(16, 16));
    depth_stencil.depth_test = depth_stencil.depth_write = true;
    bind(vertex.get(), nullptr);
    push({{}, -0.5f});
    draw(3);
    EXPECT_EQ(spent().draw_compiles, libraries() ? 0u : 1u);
    EXPECT_EQ(std::bit_cast<float>(pixels(depth, VK_IMAGE_ASPECT_DEPTH_BIT)[100]), 0.25f);
}

TEST_P(Passes, Stencil) {
    const auto features =
        gpu().device().format_properties(VK_FORMAT_D24_UNORM_S8_UINT).optimalTilingFeatures;
    const VkFormat format = features & VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT
                                ? VK_FORMAT_D24_UNORM_S8_UINT
                                : VK_FORMAT_D32_SFLOAT_S8_UINT;
    Target target = gpu().color();
    Target stencil = gpu().target(16, 16, format, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    begin(framebuffer({&target}, &stencil));
    recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
    recorder().clear_depth_stencil(VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 1, 0,
                                   area(16, 16));
    recorder().clear_depth_stencil(VK_IMAGE_ASPECT_STENCIL_BIT, 1, 3, area(8, 16));
    // Draws green where the stencil is 3, and increments it to 4.
    depth_stencil.stencil_test = true;
    depth_stencil.front = {VK_STENCIL_OP_KEEP,
                           VK_STENCIL_OP_INCREMENT_AND_CLAMP,
                           VK_STENCIL_OP_KEEP,
                           VK_COMPARE_OP_EQUAL,
                           0xff,
                           0xff,
                           0};
    depth_stencil.back = depth_stencil.front;
    recorder().set_stencil_reference(3, 3);
    bind(vertex.get(), fragment.get());
    push({{0, 1, 0, 1}, 0});
    draw(3);
    EXPECT_EQ(spent().passes, 1u);
    const auto texels = pixels(target);
    EXPECT_EQ(texels[0], green);
    EXPECT_EQ(texels[8], black);
    const auto stencils = pixels(stencil, VK_IMAGE_ASPECT_STENCIL_BIT);
    EXPECT_EQ(stencils[0], 4u);
    EXPECT_EQ(stencils[8], 0u);
}

TEST_P(Passes, Blend) {
    Target target = gpu().color();
    begin(framebuffer({&target}));
    recorder().clear_color(0, rgba(1, 0, 0, 1), area(16, 16));
    blend.attachments[0].enable = true;
    blend.attachments[0].equation = {VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD,
                                     VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD};
    bind(vertex.get(), fragment.get());
    push({{0, 1, 0, 0}, 0});
    draw(3);
    BlendState constant = blend;
    constant.attachments[0].equation.srcColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_COLOR;
    const float factors[4] = {0, 0, 1, 0};
    recorder().set_blend_constants(factors);
    recorder().set_blend(&constant);
    push({{1, 1, 1, 0}, 0});
    draw(3);
    expect_all(target, white);
    recorder().set_blend(&blend);
}

TEST_P(Passes, IntegerTargetNeverBlends) {
    Target target = gpu().target(16, 16, VK_FORMAT_R32_UINT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    begin(framebuffer({&target}));
    VkClearColorValue value{};
    value.uint32[0] = 77;
    recorder().clear_color(0, value, area(16, 16));
    blend.attachments[0].enable = true; // GL ignores it on integer formats (OpenGL 3.3, 4.1.7)
    blend.attachments[0].write_mask = 0;
    bind(vertex.get(), nullptr);
    draw(3);
    expect_all(target, 77);
}

TEST_P(Passes, MultisampleResolve) {
    Target multi = gpu().color(16, 4), single = gpu().color();
    begin(framebuffer({&multi}));
    recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
    recorder().set_sample_mask(0x3); // two of four samples
    bind(vertex.get(), fragment.get());
    push({{1, 1, 1, 1}, 0});
    draw(3);
    VkImageResolve region{};
    region.srcSubresource = region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.extent = {16, 16, 1};
    recorder().resolve_image(*multi.image, *single.image, {&region, 1});
    const Cost cost = spent();
    EXPECT_EQ(cost.passes, 1u);
    EXPECT_EQ(cost.barriers, 2u);
    EXPECT_EQ(cost.draw_compiles, libraries() ? 0u : 1u);
    const uint32_t texel = pixels(single)[33];
    EXPECT_NEAR(texel & 0xff, 0x80, 1);
    recorder().set_sample_mask(~0u);
}

TEST_P(Passes, SampleShading) {
    KOBALT_NEEDS(sample_rate_shading);
    Target multi = gpu().color(16, 4), single = gpu().color();
    StageSource source;
    source.stage = Stage::fragment;
    source.words.assign(std::begin(sample_id_frag), std::end(sample_id_frag));
    source.sample_shading = true;
    source.name = "sample id";
    auto stage = ShaderStage::create(gpu().engine().pipelines(), std::move(source));
    ASSERT_TRUE(stage) << stage.error().to_string();
    begin(framebuffer({&multi}));
    bind(vertex.get(), stage->get());
    draw(3);
    VkImageResolve region{};
    region.srcSubresource = region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.extent = {16, 16, 1};
    recorder().resolve_image(*multi.image, *single.image, {&region, 1});
    if (gpu().paths().dynamic_state3 && libraries()) {
        EXPECT_EQ(spent().draw_compiles, 0u);
    }
    const uint32_t texel = pixels(single)[33];
    EXPECT_NEAR(texel & 0xff, 0x40, 1);
    EXPECT_NEAR((texel >> 8) & 0xff, 0x40, 1);
    bind(vertex.get(), nullptr);
}

TEST_P(Passes, ScissorAndCull) {
    Target target = gpu().color();
    begin(framebuffer({&target}));
    recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
    bind(vertex.get(), fragment.get());
    RasterizerState scissored = raster, culled = raster;
    scissored.scissor = true;
    culled.cull_mode = VK_CULL_MODE_FRONT_AND_BACK;
    const VkRect2D rect = area(4, 16);
    recorder().set_scissors(0, {&rect, 1});
    recorder().set_rasterizer(&scissored);
    push({{1, 0, 0, 1}, 0});
    draw(3);
    recorder().set_rasterizer(&culled);
    push({{0, 1, 0, 1}, 0});
    draw(3);
    const Cost cost = spent();
    EXPECT_EQ(cost.draw_compiles, libraries() ? 0u : 1u);
    const auto texels = pixels(target);
    EXPECT_EQ(texels[3], red);
    EXPECT_EQ(texels[4], black);
    recorder().set_rasterizer(&raster);
}

} // namespace
} // namespace kobalt::render::test
