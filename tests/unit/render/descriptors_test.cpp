// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include "render/layouts/layout_cache.h"

#include "color_frag.h"
#include "double_comp.h"
#include "fullscreen_vert.h"
#include "nine_uniforms_frag.h"
#include "texture_frag.h"
#include "uniform_frag.h"
#include "uniform_vert.h"

// Tests how sets reach the GPU: which are pushed, and that each keeps its contents until it is
// changed.

namespace kobalt::render::test {
namespace {

class Descriptors : public Scene {
protected:
    static constexpr VkDeviceSize step = 256; // bytes between two colours in `colors`

    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        std::vector<float> data(4 * step / sizeof(float));
        for (size_t i = 0; i < 4; ++i) {
            data[i * step / sizeof(float) + i % 3] = 1; // red, green, blue, black
            if (i == 3)
                data[i * step / sizeof(float)] = 0;
            data[i * step / sizeof(float) + 3] = i < 3;
        }
        colors = gpu().buffer(data, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        plain_vertex = gpu().stage(Stage::vertex, fullscreen_vert);
        tinted_vertex = gpu().stage(Stage::vertex, uniform_vert, uniforms(1));
        plain_fragment = gpu().stage(Stage::fragment, color_frag);
        small_fragment = gpu().stage(Stage::fragment, uniform_frag, uniforms(1));
        large_fragment = gpu().stage(Stage::fragment, nine_uniforms_frag, uniforms(9));
        target = gpu().color();
        begin(framebuffer({&target}));
        for (uint32_t slot = 0; slot < 9; ++slot)
            color(Stage::fragment, slot, 3);
        color(Stage::vertex, 0, 3);
        push({{0, 0, 0, 1}, 0});
    }
    void TearDown() override {
        end();
        plain_vertex = tinted_vertex = plain_fragment = small_fragment = large_fragment = {};
        colors.reset();
        target = {};
        Scene::TearDown();
    }
    static std::vector<StageBinding> uniforms(uint32_t count) {
        std::vector<StageBinding> list;
        for (uint32_t i = 0; i < count; ++i)
            list.push_back({i, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, i});
        return list;
    }
    /// Colour 0, 1, 2 or 3: red, green, blue, nothing.
    void color(Stage stage, uint32_t slot, uint32_t index) {
        recorder().set_uniform_buffer(stage, slot, {colors.get(), index * step, 16});
    }
    void expect_rgb(uint32_t expected) {
        EXPECT_EQ(pixels(target)[37] & 0xffffff, expected & 0xffffff);
    }

    Ref<Buffer> colors;
    Ref<ShaderStage> plain_vertex, tinted_vertex, plain_fragment, small_fragment, large_fragment;
    Target target;
};
KOBALT_SCENES(Descriptors);

TEST_P(Descriptors, OnlySmallFragmentAndComputeSetsArePushed) {
    const bool pushes =
        !gpu().paths().descriptor_buffer && gpu().has(vulkan::Capability::push_descriptors);
    EXPECT_EQ(gpu().paths().max_pushed > 0, pushes);
    EXPECT_EQ(small_fragment->set_layout()->pushed(), pushes);
    EXPECT_FALSE(large_fragment->set_layout()->pushed());
    EXPECT_FALSE(tinted_vertex->set_layout()->pushed()) << "a layout may have one pushed set";
    Ref<ShaderStage> compute = gpu().stage(
        Stage::compute, double_comp,
        {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0}, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}});
    EXPECT_EQ(compute->set_layout()->pushed(), pushes);
}

TEST_P(Descriptors, EveryPairOfStages) {
    ShaderStage* const vertices[] = {plain_vertex.get(), tinted_vertex.get()};
    ShaderStage* const fragments[] = {plain_fragment.get(), small_fragment.get(),
                                      large_fragment.get()};
    // Two rounds, so that each pair follows several others.
    for (int round = 0; round < 2; ++round)
        for (uint32_t v = 0; v < 2; ++v)
            for (uint32_t f = 0; f < 3; ++f) {
                recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
                bind(vertices[v], fragments[f]);
                color(Stage::vertex, 0, 0);
                color(Stage::fragment, f == 2 ? 8 : 0, 1);
                push({{0, 0, 1, 1}, 0});
                draw(3);
                color(Stage::fragment, f == 2 ? 8 : 0, 3);
                const uint32_t from_vertex = f == 2 ? 0 : v == 0 ? blue : red;
                expect_rgb(from_vertex | (f == 0 ? 0 : green));
            }
}

TEST_P(Descriptors, PushedSetsOfSeveralLayouts) {
    // Pushes in one command buffer, one after the other: a uniform buffer, an image, both after two
    // kinds of vertex sets. (The validation layer crashes where nothing separates the pushes.)
    Ref<ShaderStage> textured = gpu().stage(Stage::fragment, texture_frag,
                                            {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0}});
    Target image = gpu().color();
    Ref<Sampler> sampler = gpu().nearest();
    const VkImageSubresourceRange whole{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    recorder().clear_image(*image.image, rgba(0, 0, 1), {&whole, 1});
    recorder().set_texture(Stage::fragment, 0, image.view.get(), nullptr);
    recorder().set_sampler(Stage::fragment, 0, sampler.get());
    color(Stage::vertex, 0, 0);
    color(Stage::fragment, 0, 1);
    push({{0, 0, 0, 1}, 0});
    const VkViewport columns[] = {
        {0, 0, 4, 16, 0, 1}, {4, 0, 4, 16, 0, 1}, {8, 0, 4, 16, 0, 1}, {12, 0, 4, 16, 0, 1}};
    uint32_t column = 0;
    for (ShaderStage* vertex : {plain_vertex.get(), tinted_vertex.get()})
        for (ShaderStage* fragment : {small_fragment.get(), textured.get()}) {
            recorder().set_viewports(0, {&columns[column++], 1});
            bind(vertex, fragment);
            draw(3);
        }
    const auto texels = pixels(target);
    const uint32_t expected[] = {green, blue, red | green, blue};
    for (uint32_t i = 0; i < 4; ++i)
        EXPECT_EQ(texels[i * 4 + 1] & 0xffffff, expected[i] & 0xffffff) << i;
    end();
}

TEST_P(Descriptors, AnotherVertexLayoutLeavesTheFragmentSet) {
    // The two pipeline layouts differ in set 1, so set 2 becomes invalid when the layout changes:
    // it has to be bound or pushed again although the fragment stage did not change.
    color(Stage::fragment, 0, 1);
    color(Stage::vertex, 0, 0);
    bind(plain_vertex.get(), small_fragment.get());
    push({{0, 0, 1, 1}, 0});
    draw(3);
    (void)spent();
    recorder().bind_stage(Stage::vertex, tinted_vertex.get());
    recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
    draw(3);
    expect_rgb(red | green);

    bind(plain_vertex.get(), small_fragment.get());
    draw(3);
    recorder().bind_stage(Stage::vertex, tinted_vertex.get());
    draw(3);
    recorder().bind_stage(Stage::vertex, plain_vertex.get());
    draw(3);
    EXPECT_EQ(spent().descriptor_writes, sets_outlive_batches() ? 0u : 2u)
        << "a set that did not change was written again";
    expect_rgb(blue | green);
}

TEST_P(Descriptors, OnlyWhatChangedIsEncoded) {
    bind(plain_vertex.get(), large_fragment.get());
    draw(3);
    EXPECT_EQ(spent().descriptors, 9u);
    draw(3); // a new batch: the set is copied at most
    EXPECT_EQ(spent().descriptors, 0u);
    draw(3);
    // Ranges that no draw had before; a set written earlier only needs its offset set.
    for (uint32_t i = 1; i <= 10; ++i) {
        recorder().set_uniform_buffer(Stage::fragment, 4, {colors.get(), 0, 16 * (i + 1)});
        draw(3);
    }
    const Cost cost = spent();
    EXPECT_EQ(cost.descriptors, 10u);
    EXPECT_EQ(cost.descriptor_writes, sets_outlive_batches() ? 10u : 11u);
    expect_rgb(red);
}

TEST_P(Descriptors, ContentsThatComeBackCostAnOffset) {
    bind(plain_vertex.get(), large_fragment.get());
    draw(3);
    (void)spent();
    constexpr uint32_t expected[] = {red, green, blue, 0};
    for (uint32_t x = 0; x < 16; ++x) {
        const VkViewport column{static_cast<float>(x), 0, 1, 16, 0, 1};
        recorder().set_viewports(0, {&column, 1});
        color(Stage::fragment, 4, x % 4);
        draw(3);
    }
    const Cost cost = spent();
    EXPECT_EQ(cost.draws, 16u);
    EXPECT_EQ(cost.passes, 1u);
    // The first set that a batch has to place isn't kept for reuse, since most sets never change.
    EXPECT_EQ(cost.descriptors, sets_outlive_batches() ? 4u : 5u);
    EXPECT_EQ(cost.descriptor_writes, cost.descriptors);
    const auto texels = pixels(target);
    for (uint32_t x = 0; x < 16; ++x)
        EXPECT_EQ(texels[x] & 0xffffff, expected[x % 4] & 0xffffff) << x;
    // Two slots that change in turns: a later draw writes the descriptor that an earlier one didn't
    // write.
    for (uint32_t i = 0; i < 8; ++i) {
        color(Stage::fragment, 4, i % 4);
        color(Stage::fragment, 7, i / 2 % 4);
        draw(3);
    }
    color(Stage::fragment, 4, 0);
    color(Stage::fragment, 7, 2);
    recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
    const VkViewport all{0, 0, 16, 16, 0, 1};
    recorder().set_viewports(0, {&all, 1});
    draw(3);
    expect_rgb(red | blue);
}

TEST_P(Descriptors, AShaderThatComesBackHasItsSet) {
    color(Stage::fragment, 0, 1);
    color(Stage::vertex, 0, 0);
    const auto draw_both = [&] {
        for (ShaderStage* fragment : {small_fragment.get(), large_fragment.get()}) {
            bind(tinted_vertex.get(), fragment);
            draw(3);
        }
    };
    draw_both();
    (void)spent(); // another batch
    draw_both();
    const Cost first = spent();
    EXPECT_EQ(first.descriptors, 0u);
    EXPECT_EQ(first.descriptor_writes, sets_outlive_batches() ? 0u : 3u);
    draw_both();
    draw_both();
    const Cost again = spent();
    EXPECT_EQ(again.descriptors, 0u);
    EXPECT_EQ(again.descriptor_writes, sets_outlive_batches() ? 0u : 3u);
    // Bindings that changed while the program was unbound are updated: one descriptor in each of
    // the two sets.
    draw_both();
    color(Stage::fragment, 0, 2);
    draw_both();
    const Cost changed = spent();
    EXPECT_EQ(changed.descriptors, 2u);
    bind(tinted_vertex.get(), small_fragment.get());
    push({{0, 0, 0, 0}, 0});
    draw(3);
    expect_rgb(red | blue);
}

TEST_P(Descriptors, SlotsThatTheShaderLacksCostNothing) {
    bind(plain_vertex.get(), small_fragment.get());
    color(Stage::fragment, 0, 1);
    draw(3);
    color(Stage::fragment, 5, 2);
    recorder().set_sampler(Stage::fragment, 3, nullptr);
    draw(3);
    const Cost cost = spent();
    EXPECT_EQ(cost.descriptor_writes, 1u);
    EXPECT_EQ(cost.descriptors, 1u);
    expect_rgb(green);
    // Buffers bound meanwhile are visible to the shader that uses their slots.
    for (uint32_t slot = 0; slot < 9; ++slot)
        color(Stage::fragment, slot, slot == 5 ? 2 : 3);
    bind(plain_vertex.get(), large_fragment.get());
    draw(3);
    expect_rgb(blue);
}

TEST_P(Descriptors, ComputeLeavesTheFragmentSet) {
    Ref<ShaderStage> compute = gpu().stage(
        Stage::compute, double_comp,
        {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0}, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}});
    Ref<Buffer> first =
        gpu().buffer(std::vector<uint32_t>(64, 5), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    Ref<Buffer> second =
        gpu().buffer(std::vector<uint32_t>(64, 0), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    recorder().bind_stage(Stage::compute, compute.get());
    recorder().set_storage_buffer(Stage::compute, 0, {first.get(), 0, 256});
    recorder().set_storage_buffer(Stage::compute, 1, {second.get(), 0, 256});
    color(Stage::fragment, 0, 1);
    bind(plain_vertex.get(), small_fragment.get());
    push({{0, 0, 1, 1}, 0});
    draw(3);
    const uint32_t add[4] = {1, 0, 0, 0};
    recorder().set_push_constants(0, bytes_of(add));
    recorder().dispatch(1, 1, 1);
    push({{0, 0, 1, 1}, 0});
    recorder().bind_stage(Stage::vertex, tinted_vertex.get()); // another layout: pushed once more
    color(Stage::vertex, 0, 0);
    draw(3);
    expect_rgb(red | green);
    EXPECT_EQ(read_words(*second, 64), std::vector<uint32_t>(64, 11));
    recorder().bind_stage(Stage::compute, nullptr);
}

TEST_P(Descriptors, ChangedBetweenDrawsOfOnePass) {
    // The first draw keeps its descriptors, whatever the second draw's set contains.
    bind(plain_vertex.get(), small_fragment.get());
    const VkViewport left{0, 0, 8, 16, 0, 1}, right{8, 0, 8, 16, 0, 1};
    color(Stage::fragment, 0, 0);
    recorder().set_viewports(0, {&left, 1});
    draw(3);
    color(Stage::fragment, 0, 1);
    recorder().set_viewports(0, {&right, 1});
    draw(3);
    EXPECT_EQ(spent().passes, 1u);
    const auto texels = pixels(target);
    EXPECT_EQ(texels[0] & 0xffffff, red & 0xffffff);
    EXPECT_EQ(texels[15] & 0xffffff, green & 0xffffff);
}

} // namespace
} // namespace kobalt::render::test
