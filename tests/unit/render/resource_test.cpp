// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include "fullscreen_vert.h"
#include "missing_views_frag.h"
#include "render/commands/batch.h"
#include "render/descriptors/null_views.h"
#include "texel_buffer_frag.h"
#include "texture_frag.h"
#include "unbound_frag.h"
#include "vulkan/resources/image.h"

// Tests textures, texel buffers, missing resources, copies, and resources in use.

namespace kobalt::render::test {
namespace {

class Resources : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        vertex = gpu().stage(Stage::vertex, fullscreen_vert);
        target = gpu().color();
        begin(framebuffer({&target}));
    }
    void TearDown() override {
        end(); // bound objects live as long as the recorder
        vertex.reset();
        target = {};
        Scene::TearDown();
    }
    void upload(const Target& to, uint32_t texel) {
        const VkExtent3D extent = to.image->storage().extent();
        Ref<Buffer> from =
            gpu().buffer(std::vector<uint32_t>(extent.width * extent.height, texel), 0);
        VkBufferImageCopy region{};
        region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        region.imageExtent = extent;
        recorder().copy_buffer_to_image(*from, *to.image, {&region, 1});
    } // the batch keeps `from`
    Ref<ShaderStage> vertex;
    Target target;
};
KOBALT_SCENES(Resources);

// Memory that only the GPU reads needs no host barrier at the end of the batch.
TEST_P(Resources, WhatABatchWritesForTheHost) {
    (void)recorder().flush();
    Ref<Buffer> mapped = gpu().buffer(std::vector<uint32_t>(4), VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    ASSERT_NE(mapped->mapped(), nullptr);
    const Target plain = gpu().color(4);
    ASSERT_EQ(plain.image->storage().usage() & VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT, 0U);
    recorder().add_access(*plain.image, VK_PIPELINE_STAGE_2_CLEAR_BIT,
                          VK_ACCESS_2_TRANSFER_WRITE_BIT, true);
    recorder().add_access(*mapped, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT,
                          false);
    EXPECT_FALSE(recorder().batch().writes_for_host());
    recorder().add_access(*mapped, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                          true);
    EXPECT_TRUE(recorder().batch().writes_for_host());
    (void)recorder().flush();
    EXPECT_FALSE(recorder().batch().writes_for_host());
}

TEST_P(Resources, SampledTexture) {
    Target texture = gpu().color(4);
    Ref<Buffer> from = gpu().buffer(
        std::vector<uint32_t>{red, green, blue, white, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 0);
    Ref<Sampler> sampler = gpu().nearest();
    Ref<ShaderStage> sample = gpu().stage(Stage::fragment, texture_frag,
                                          {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 7}});
    (void)spent();
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {4, 4, 1};
    recorder().copy_buffer_to_image(*from, *texture.image, {&region, 1});
    recorder().set_texture(Stage::fragment, 7, texture.view.get(), nullptr);
    recorder().set_sampler(Stage::fragment, 7, sampler.get());
    bind(vertex.get(), sample.get());
    draw(3);
    const Cost cost = spent();
    EXPECT_EQ(cost.barriers, 2u);
    EXPECT_EQ(cost.passes, 1u);
    EXPECT_EQ(cost.descriptor_writes, 1u);
    const auto texels = pixels(target);
    EXPECT_EQ(texels[0], red);
    EXPECT_EQ(texels[5], green);
    EXPECT_EQ(texels[10], blue);
    EXPECT_EQ(texels[15], white);
    EXPECT_EQ(texels[16], 0u);
    EXPECT_EQ(texels[16 + 3], 3u);
}

TEST_P(Resources, TexelBuffer) {
    Ref<Buffer> buffer = gpu().buffer(std::vector<uint32_t>{red, green, blue, white},
                                      VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
    Ref<BufferView> view = gpu().texels(buffer, VK_FORMAT_R8G8B8A8_UNORM);
    Ref<ShaderStage> fetch = gpu().stage(Stage::fragment, texel_buffer_frag,
                                         {{0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 31}});
    recorder().set_texture(Stage::fragment, 31, nullptr, view.get());
    bind(vertex.get(), fetch.get());
    draw(3);
    const auto texels = pixels(target);
    EXPECT_EQ(texels[0], red);
    EXPECT_EQ(texels[5], green);
    EXPECT_EQ(texels[10], blue);
    EXPECT_EQ(texels[255], white);
}

TEST_P(Resources, UnboundResourcesReadAsBlack) {
    KOBALT_NEEDS(fragment_stores_and_atomics);
    Ref<ShaderStage> reads = gpu().stage(Stage::fragment, unbound_frag,
                                         {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0},
                                          {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0},
                                          {2, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1},
                                          {3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0},
                                          {4, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 0},
                                          {5, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 1}});
    recorder().clear_color(0, rgba(1, 1, 1), area(16, 16));
    bind(vertex.get(), reads.get());
    draw(3);
    expect_all(target, black);
}

// A CPU device compiles machine code for each view, which took half of a program's start time.
TEST_P(Resources, PlaceholdersAreMadeWhenTheyAreNeeded) {
    NullViews& placeholders = gpu().engine().null_views();
    Ref<ShaderStage> reads = gpu().stage(Stage::fragment, texture_frag,
                                         {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0}});
    Target texture = gpu().color(4);
    upload(texture, green);
    recorder().set_texture(Stage::fragment, 0, texture.view.get(), nullptr);
    bind(vertex.get(), reads.get());
    draw(3);
    finish();
    EXPECT_EQ(placeholders.count(), 0u);
    recorder().set_texture(Stage::fragment, 0, nullptr, nullptr);
    draw(3);
    expect_all(target, black);
    EXPECT_EQ(placeholders.count(), 1u);
    draw(3);
    finish();
    EXPECT_EQ(placeholders.count(), 1u);
    EXPECT_TRUE(placeholders.texels(Texels::uint));
    EXPECT_EQ(placeholders.texels(Texels::uint), placeholders.texels(Texels::uint));
    EXPECT_EQ(placeholders.count(), 2u);
}

TEST_P(Resources, MissingTexturesOfEveryShapeReadAsBlack) {
    KOBALT_NEEDS(image_cube_array);
    const auto missing = [](uint32_t slot, VkImageViewType type, Texels texels = Texels::floating,
                            bool multisampled = false) {
        return StageBinding{
            slot, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, slot, {type, texels, multisampled}};
    };
    VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    info.compareEnable = VK_TRUE;
    info.compareOp = VK_COMPARE_OP_LESS;
    auto comparing = vulkan::create_sampler(gpu().device(), info, "test");
    ASSERT_TRUE(comparing);
    const Ref<Sampler> sampler = make_ref<Sampler>(std::move(*comparing));
    Ref<ShaderStage> reads = gpu().stage(
        Stage::fragment, missing_views_frag,
        {missing(0, VK_IMAGE_VIEW_TYPE_1D),
         missing(1, VK_IMAGE_VIEW_TYPE_1D_ARRAY),
         missing(2, VK_IMAGE_VIEW_TYPE_2D_ARRAY),
         missing(3, VK_IMAGE_VIEW_TYPE_3D),
         missing(4, VK_IMAGE_VIEW_TYPE_CUBE),
         missing(5, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY),
         missing(6, VK_IMAGE_VIEW_TYPE_2D, Texels::floating, true),
         missing(7, VK_IMAGE_VIEW_TYPE_2D_ARRAY, Texels::floating, true),
         missing(8, VK_IMAGE_VIEW_TYPE_2D, Texels::uint),
         missing(9, VK_IMAGE_VIEW_TYPE_3D, Texels::sint),
         {10, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 10, {VK_IMAGE_VIEW_TYPE_1D, Texels::uint}},
         missing(11, VK_IMAGE_VIEW_TYPE_2D, Texels::depth)});
    recorder().set_sampler(Stage::fragment, 11, sampler.get());
    bind(vertex.get(), reads.get());
    draw(3);
    expect_all(target, green);
    finish();
    end(); // destroy the recorder before the sampler that it references
}

TEST_P(Resources, RangePastTheBufferReadsZero) {
    KOBALT_NEEDS(fragment_stores_and_atomics);
    Ref<ShaderStage> reads = gpu().stage(Stage::fragment, unbound_frag,
                                         {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0},
                                          {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0},
                                          {2, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1},
                                          {3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0},
                                          {4, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 0},
                                          {5, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 1}});
    Ref<Buffer> small =
        gpu().buffer(std::vector<float>(4, 1.f),
                     VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    recorder().set_uniform_buffer(Stage::fragment, 0,
                                  {small.get(), 256, 16}); // begins past the end
    recorder().set_storage_buffer(Stage::fragment, 0, {small.get(), 16, 16});
    bind(vertex.get(), reads.get());
    draw(3);
    expect_all(target, black);
}

TEST_P(Resources, CopiesBothWays) {
    Target first = gpu().color(), second = gpu().color();
    upload(first, green);
    VkImageCopy region{};
    region.srcSubresource = region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.extent = {8, 16, 1};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    (void)spent();
    recorder().clear_image(*second.image, rgba(1, 0, 0), {&all, 1});
    recorder().copy_image(*first.image, *second.image, {&region, 1});
    VkImageBlit blit{};
    blit.srcSubresource = blit.dstSubresource = region.srcSubresource;
    blit.srcOffsets[1] = {16, 16, 1};
    blit.dstOffsets[0] = {16, 0, 0};
    blit.dstOffsets[1] = {0, 16, 1}; // mirrored
    recorder().blit_image(*second.image, *target.image, {&blit, 1}, VK_FILTER_NEAREST);
    EXPECT_EQ(spent().passes, 0u);
    auto texels = pixels(second);
    EXPECT_EQ(texels[7], green);
    EXPECT_EQ(texels[8], red);
    texels = pixels(target);
    EXPECT_EQ(texels[7], red);
    EXPECT_EQ(texels[8], green);
}

TEST_P(Resources, BufferCopiesAreOrdered) {
    std::vector<uint32_t> numbers(64);
    for (uint32_t i = 0; i < numbers.size(); ++i)
        numbers[i] = i;
    Ref<Buffer> first = gpu().buffer(numbers, 0), second = gpu().buffer(256, 0);
    (void)spent();
    recorder().fill_buffer(*second, 0, 256, 0xabcdef01);
    const VkBufferCopy there{0, 128, 128}, back{128, 0, 64};
    recorder().copy_buffer(*first, *second, {&there, 1}); // after the fill
    recorder().copy_buffer(*second, *first, {&back, 1});  // after that copy
    recorder().fill_buffer(*second, 128, 128, 0);         // after the copy back
    EXPECT_EQ(spent().barriers, 4u); // the last one makes them visible to the main stream
    auto words = read_words(*first, 64);
    EXPECT_EQ(words[0], 0u);
    EXPECT_EQ(words[15], 15u);
    EXPECT_EQ(words[16], 16u);
    words = read_words(*second, 64);
    EXPECT_EQ(words[31], 0xabcdef01u);
    EXPECT_EQ(words[32], 0u);
}

TEST_P(Resources, BusyUntilTheBatchCompletes) {
    Ref<Buffer> from = gpu().buffer(64, 0), to = gpu().buffer(64, 0);
    EXPECT_FALSE(from->busy(false));
    const VkBufferCopy region{0, 0, 64};
    recorder().copy_buffer(*from, *to, {&region, 1});
    EXPECT_TRUE(from->busy(false));
    EXPECT_FALSE(from->busy(true));
    EXPECT_TRUE(to->busy(true));
    EXPECT_TRUE(to->unflushed(true));
    EXPECT_FALSE(to->wait_idle(false, 1000));
    const Ref<BatchToken> token = recorder().flush();
    EXPECT_FALSE(to->unflushed(false));
    EXPECT_TRUE(to->wait_idle(false, UINT64_MAX));
    EXPECT_TRUE(token->completed());
    EXPECT_FALSE(from->busy(false));
}

TEST_P(Resources, KeptAndThenUsedIsBusy) {
    Ref<Buffer> from = gpu().buffer(64, 0), to = gpu().buffer(64, 0);
    recorder().retain(*from);
    EXPECT_FALSE(from->busy(false));
    const VkBufferCopy region{0, 0, 64};
    recorder().copy_buffer(*from, *to, {&region, 1});
    EXPECT_TRUE(from->busy(false));
    finish();
}

TEST_P(Resources, ManyBatchesInFlight) {
    // Everything a batch uses is dropped right after it is flushed.
    Ref<ShaderStage> sample = gpu().stage(Stage::fragment, texture_frag,
                                          {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0}});
    bind(vertex.get(), sample.get());
    const uint32_t colors[] = {red, green, blue, white};
    Ref<BatchToken> last;
    for (int i = 0; i < 200; ++i) {
        Target texture = gpu().color(4);
        Ref<Sampler> sampler = gpu().nearest();
        upload(texture, colors[i % 4]);
        recorder().set_texture(Stage::fragment, 0, texture.view.get(), nullptr);
        recorder().set_sampler(Stage::fragment, 0, sampler.get());
        draw(3);
        last = recorder().flush();
        recorder().set_texture(Stage::fragment, 0, nullptr, nullptr);
        recorder().set_sampler(Stage::fragment, 0, nullptr);
    }
    EXPECT_TRUE(last->wait(UINT64_MAX));
    expect_all(target, white);
    // The command pools of completed batches are used again.
    const size_t pools = gpu().engine().command_pools().created();
    for (int i = 0; i < 20; ++i) {
        draw(3);
        finish();
    }
    EXPECT_LE(gpu().engine().command_pools().created(), pools + 1);
}

TEST_P(Resources, EmptyFlushCostsNoSubmission) {
    finish();
    const uint64_t batches = gpu().engine().counters().batches;
    const Ref<BatchToken> first = recorder().flush(), second = recorder().flush();
    EXPECT_EQ(first.get(), second.get());
    EXPECT_EQ(gpu().engine().counters().batches, batches);
    EXPECT_TRUE(recorder().empty());
    EXPECT_FALSE(recorder().current_token()->completed());
}

TEST_P(Resources, UseWithoutACommandIsSubmitted) {
    finish();
    // The buffer's read is added, without a hazard, for a draw that is then skipped: a wait for
    // the buffer still waits for this batch.
    Ref<Buffer> arguments = gpu().buffer(64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    recorder().add_access(*arguments, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                          VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, false);
    EXPECT_TRUE(arguments->unflushed(false));
    recorder().flush();
    EXPECT_FALSE(arguments->unflushed(false));
    EXPECT_TRUE(arguments->wait_idle(false, 1'000'000'000));
}

} // namespace
} // namespace kobalt::render::test
