// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include "render/bindless/heap.h"
#include "render/commands/batch.h"
#include "render/layouts/layout_cache.h"

#include "color_frag.h"
#include "fullscreen_vert.h"
#include "handle_frag.h"
#include "texel_handle_frag.h"
#include "texture_frag.h"
#include "uniform_vert.h"

// Tests texture handles: what draws read through them, what that costs, and when a slot is free
// again.

namespace kobalt::render::test {
namespace {

TEST(BindlessSlots, AreGivenOnceAndNeverTheFirst) {
    BindlessSlots slots(4);
    EXPECT_EQ(slots.take(), 1u);
    EXPECT_EQ(slots.take(), 2u);
    EXPECT_EQ(slots.take(), 3u);
    EXPECT_EQ(slots.take(), std::nullopt);
    slots.give(2);
    EXPECT_EQ(slots.take(), 2u);
    EXPECT_EQ(slots.take(), std::nullopt);
}

class Bindless : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        KOBALT_NEEDS(bindless);
        vertex = gpu().stage(Stage::vertex, fullscreen_vert);
        by_handle = handle_stage(handle_frag);
        target = gpu().color();
        sampler = gpu().nearest();
        begin(framebuffer({&target}));
    }
    void TearDown() override {
        end();
        vertex = by_handle = {};
        sampler = {};
        target = {};
        Scene::TearDown();
    }

    Ref<ShaderStage> handle_stage(std::span<const uint32_t> words) {
        StageSource source;
        source.stage = Stage::fragment;
        source.words.assign(words.begin(), words.end());
        source.reads_handles = true;
        source.fragment_outputs = 1;
        source.name = "by handle";
        auto made = ShaderStage::create(gpu().engine().pipelines(), std::move(source));
        EXPECT_TRUE(made) << made.error().to_string();
        return *made;
    }
    BindlessHeap& heap() { return *gpu().engine().bindless(); }
    Ref<BindlessHandle> handle(const Target& texture) {
        auto made = heap().create(texture.view, sampler);
        EXPECT_TRUE(made) << made.error().to_string();
        return *made;
    }
    Target filled(const VkClearColorValue& colour) {
        Target texture = gpu().color(4);
        fill(texture, colour);
        return texture;
    }
    void fill(const Target& texture, const VkClearColorValue& colour) {
        const VkImageSubresourceRange whole{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        recorder().clear_image(*texture.image, colour, {&whole, 1});
    }
    void draw_through(const BindlessHandle& read) {
        bind(vertex.get(), by_handle.get());
        push({{static_cast<float>(static_cast<uint32_t>(read.value())), 0, 0, 1}, 0});
        draw(3);
    }
    uint64_t binds() { return gpu().engine().counters().bindless_binds; }

    Ref<ShaderStage> vertex, by_handle;
    Ref<Sampler> sampler;
    Target target;
};
KOBALT_SCENES(Bindless);
// As on devices that bind one descriptor buffer at a time: the rings are in the heap's buffer.
INSTANTIATE_TEST_SUITE_P(
    OneDescriptorBuffer, Bindless,
    testing::Values(Config{"one_buffer", {"several_descriptor_buffers"}, false},
                    Config{"one_buffer_validated", {"several_descriptor_buffers"}, true}),
    config_name);

TEST_P(Bindless, DrawsReadThroughHandles) {
    const Target textures[] = {filled(rgba(1, 0, 0)), filled(rgba(0, 1, 0)), filled(rgba(0, 0, 1))};
    const uint32_t colours[] = {red, green, blue};
    for (size_t i = 0; i < std::size(textures); ++i) {
        const Ref<BindlessHandle> made = handle(textures[i]);
        EXPECT_NE(made->value(), 0u);
        recorder().make_resident(made);
        recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
        draw_through(*made);
        expect_all(target, colours[i]);
    }
}

TEST_P(Bindless, TexelBuffers) {
    Ref<Buffer> buffer = gpu().buffer(std::vector<uint32_t>{green, red, red, red},
                                      VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
    auto made = heap().create(gpu().texels(buffer, VK_FORMAT_R8G8B8A8_UNORM));
    ASSERT_TRUE(made) << made.error().to_string();
    by_handle = handle_stage(texel_handle_frag);
    recorder().make_resident(*made);
    draw_through(**made);
    expect_all(target, green);
    recorder().fill_buffer(*buffer, 0, 16, blue);
    draw_through(**made);
    expect_all(target, blue);
}

// A texture moves to another image: draws through its handle read, and use, that one.
TEST_P(Bindless, HandlesFollowTheirTexture) {
    const Target former = filled(rgba(1, 0, 0)), texture = filled(rgba(0, 1, 0));
    const Ref<BindlessHandle> made = handle(former);
    recorder().make_resident(made);
    draw_through(*made);
    EXPECT_TRUE(former.image->unflushed(false));
    expect_all(target, red);
    heap().move_handles(*former.image, texture.image);
    recorder().rename_residents();
    EXPECT_EQ(made->resource().get(), texture.image.get());
    draw_through(*made);
    EXPECT_TRUE(texture.image->unflushed(false));
    EXPECT_FALSE(former.image->unflushed(false));
    expect_all(target, green);
    fill(texture, rgba(0, 0, 1));
    draw_through(*made);
    expect_all(target, blue);
    recorder().make_nonresident(made->value());
}

TEST_P(Bindless, WhatWasWrittenBetweenDrawsIsSeen) {
    Target texture = filled(rgba(1, 0, 0));
    const Ref<BindlessHandle> made = handle(texture);
    recorder().make_resident(made);
    draw_through(*made);
    fill(texture, rgba(0, 1, 0));
    draw_through(*made);
    expect_all(target, green);
    // The texture is rendered to in the batch that then reads it, and the other way round.
    Ref<ShaderStage> plain = gpu().stage(Stage::fragment, color_frag);
    recorder().set_framebuffer(framebuffer({&texture}));
    recorder().set_viewports(0, std::array{VkViewport{0, 0, 4, 4, 0, 1}});
    recorder().set_scissors(0, std::array{area(4, 4)});
    bind(vertex.get(), plain.get());
    push({{0, 0, 1, 1}, 0});
    draw(3);
    begin(framebuffer({&target}));
    draw_through(*made);
    expect_all(target, blue);
}

// The validation layer doesn't check descriptors chosen by an index, so the test checks the access
// masks.
TEST_P(Bindless, DrawsCountAsReads) {
    constexpr VkPipelineStageFlags2 fragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    constexpr VkAccessFlags2 sampled = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT;
    Target texture = filled(rgba(1, 0, 0));
    const Ref<BindlessHandle> made = handle(texture);
    recorder().make_resident(made);
    draw_through(*made);
    EXPECT_FALSE(recorder().batch().add_read(*texture.image, fragment, sampled))
        << "the draw saw to it";
    fill(texture, rgba(0, 1, 0));
    draw_through(*made);
    EXPECT_FALSE(recorder().batch().add_read(*texture.image, fragment, sampled))
        << "also after a write in between";
    finish();
    EXPECT_FALSE(texture.image->unflushed(false));
    draw_through(*made);
    EXPECT_TRUE(texture.image->unflushed(false)) << "each batch makes it busy";
    const Hazard write = recorder().batch().add_write(*texture.image, VK_PIPELINE_STAGE_2_COPY_BIT,
                                                      VK_ACCESS_2_TRANSFER_WRITE_BIT);
    EXPECT_TRUE(write.source_stages & fragment) << "a write waits for the draw";
}

TEST_P(Bindless, BarriersComeOnlyAfterWrites) {
    Target texture = filled(rgba(1, 0, 0));
    const Ref<BindlessHandle> made = handle(texture);
    recorder().make_resident(made);
    draw_through(*made);
    (void)spent();
    for (int i = 0; i < 10; ++i)
        draw_through(*made);
    const Cost quiet = spent();
    EXPECT_EQ(quiet.passes, 1u);
    EXPECT_EQ(quiet.descriptor_writes, 0u);
    fill(texture, rgba(0, 1, 0));
    draw_through(*made);
    EXPECT_EQ(spent().barriers, quiet.barriers + 2)
        << "the init stream's, before the fill and behind it";
}

TEST_P(Bindless, BoundOnceACommandBuffer) {
    Target one = filled(rgba(1, 0, 0)), two = filled(rgba(0, 1, 0));
    const Ref<BindlessHandle> first = handle(one), second = handle(two);
    recorder().make_resident(first);
    recorder().make_resident(second);
    Ref<ShaderStage> plain = gpu().stage(Stage::fragment, color_frag);
    Ref<ShaderStage> textured = gpu().stage(Stage::fragment, texture_frag,
                                            {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0}});
    recorder().set_texture(Stage::fragment, 0, two.view.get(), nullptr);
    recorder().set_sampler(Stage::fragment, 0, sampler.get());
    const auto ordinary = [&](ShaderStage* fragment) {
        bind(vertex.get(), fragment);
        push({{0, 0, 1, 1}, 0});
        draw(3);
    };
    finish();
    uint64_t before = binds();
    ordinary(plain.get());
    ordinary(textured.get());
    finish();
    EXPECT_EQ(binds(), before) << "no program that reads through handles was there";
    for (int frame = 0; frame < 3; ++frame) {
        before = binds();
        for (int i = 0; i < 8; ++i) {
            draw_through(*first);
            ordinary(textured.get());
            draw_through(*second);
            ordinary(plain.get());
        }
        draw_through(frame % 2 ? *first : *second);
        expect_all(target, frame % 2 ? red : green);
        EXPECT_EQ(binds(), before + 1);
    }
}

TEST_P(Bindless, SetsBesideItFillMoreThanARing) {
    Target one = filled(rgba(1, 0, 0)), two = filled(rgba(0, 1, 0));
    const Ref<BindlessHandle> handles[] = {handle(one), handle(two)};
    std::vector<float> slots(128);
    for (size_t i = 0; i < 2; ++i) {
        recorder().make_resident(handles[i]);
        slots[i * 64] = static_cast<float>(static_cast<uint32_t>(handles[i]->value()));
    }
    const Ref<Buffer> values = gpu().buffer(slots, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    const Ref<ShaderStage> by_block =
        gpu().stage(Stage::vertex, uniform_vert, {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0}});
    bind(by_block.get(), by_handle.get());
    // On lavapipe each pooled set is a driver allocation of its own, and a process may have 65,530.
    const uint32_t count = gpu().paths().descriptor_buffer ? 40'000 : 3'000;
    for (uint32_t i = 0; i < count; ++i) {
        recorder().set_uniform_buffer(Stage::vertex, 0, {values.get(), i % 2 * 256u, 16});
        draw(i % 64 == 0 || i > count - 10 ? 3 : 0);
    }
    expect_all(target, green);
    recorder().set_uniform_buffer(Stage::vertex, 0, {values.get(), 0, 16});
    draw(3);
    expect_all(target, red);
    end();
}

TEST_P(Bindless, ASlotWaitsForTheDrawsThatMayReadIt) {
    Target one = filled(rgba(1, 0, 0)), two = filled(rgba(0, 1, 0));
    Ref<BindlessHandle> made = handle(one);
    const uint64_t value = made->value();
    recorder().make_resident(made);
    made.reset();
    {
        const Ref<BindlessHandle> found = heap().find(value);
        ASSERT_TRUE(found);
        draw_through(*found);
    }
    recorder().make_nonresident(value);
    heap().drop(value);
    EXPECT_FALSE(heap().find(value));
    one = {};
    const Ref<BindlessHandle> early = handle(two);
    EXPECT_NE(early->value(), value) << "the draw before is not even submitted";
    expect_all(target, red); // waits for it
    gpu().engine().batches().collect();
    EXPECT_EQ(handle(two)->value(), value) << "the draw is done";
}

TEST_P(Bindless, AnAnnouncedHandleOutlivesItsDeletion) {
    Target texture = filled(rgba(0, 1, 0));
    Ref<BindlessHandle> made = handle(texture);
    const uint64_t value = made->value();
    made.reset();
    heap().announce(value);
    heap().drop(value);
    EXPECT_FALSE(heap().find(value));
    EXPECT_NE(handle(texture)->value(), value);
    Ref<BindlessHandle> found = heap().find_announced(value);
    ASSERT_TRUE(found);
    recorder().make_resident(found);
    draw_through(*found);
    found.reset();
    expect_all(target, green);
    recorder().make_nonresident(value);
    EXPECT_FALSE(heap().find_announced(value));
}

TEST_P(Bindless, AllSlotsAndNoMore) {
    Target texture = filled(rgba(0, 1, 0));
    const uint32_t count = gpu().engine().layouts().bindless_count(BindlessArray::texel_buffers);
    Ref<Buffer> buffer =
        gpu().buffer(std::vector<uint32_t>{green}, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
    const Ref<BufferView> view = gpu().texels(buffer, VK_FORMAT_R8G8B8A8_UNORM);
    std::vector<uint64_t> values;
    for (uint32_t i = 1; i < count; ++i) {
        auto made = heap().create(view);
        ASSERT_TRUE(made) << i;
        values.push_back((*made)->value());
    }
    EXPECT_FALSE(heap().create(view));
    for (const uint64_t value : values)
        heap().drop(value);
    EXPECT_TRUE(heap().create(view));
}

} // namespace
} // namespace kobalt::render::test
