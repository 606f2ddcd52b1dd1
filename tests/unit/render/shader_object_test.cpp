// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Tests that stages of several links draw as shader objects, so that nothing is compiled in their
// draws.
#include <atomic>

#include "many_kinds_frag.h"
#include "nine_uniforms_frag.h"
#include "render/shaders/compiler_service.h"
#include "shader_object.h"

namespace kobalt::render::test {
namespace {

TEST(RenumberedBindings, AreThoseOfTheStagesSet) {
    const std::vector<StageBinding> bindings = {{0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 0},
                                                {3, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0},
                                                {4, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1},
                                                {7, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0},
                                                {8, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}};
    const std::vector<uint32_t> to = {5, 3, 1, 8, 0};
    const auto numbers = [](std::span<const uint32_t> words) {
        std::vector<uint32_t> found;
        for (size_t at = 5; at < words.size(); at += words[at] >> 16)
            if ((words[at] & 0xffff) == 71 && words[at + 2] == 33)
                found.push_back(words[at + 3]);
        std::ranges::sort(found);
        return found;
    };
    EXPECT_EQ(numbers(many_kinds_frag), (std::vector<uint32_t>{0, 3, 4, 7, 8}));
    EXPECT_EQ(numbers(renumber_bindings(many_kinds_frag, 2, bindings, to)),
              (std::vector<uint32_t>{0, 1, 3, 5, 8}));
    EXPECT_EQ(numbers(renumber_bindings(many_kinds_frag, 5, bindings, to)),
              (std::vector<uint32_t>{0, 3, 4, 7, 8}))
        << "another set";
}

KOBALT_SCENES(Objects);

TEST_P(Objects, AGeometryShaderOfAnotherProgram) {
    const uint64_t before = stages_compiled();
    EXPECT_EQ(before, libraries() ? 3u : 0u) << "nothing draws that would need objects";
    make_geometry();
    // The new stage's object, and, in the background, objects of the existing stages.
    wait_for_compiled(before + (objects() ? 4 : 0));
    (void)spent();
    draw_geometry();
    const Cost cost = spent();
    expect_half(green, black);
    if (objects()) {
        EXPECT_EQ(cost.compiles, 0u);
        EXPECT_EQ(cost.fast_links, 0u);
    }
    EXPECT_EQ(cost.draw_compiles, objects() ? 0u : 1u);
    EXPECT_EQ(cost.descriptor_writes, 1u);
    // Another fragment shader comes later.
    Ref<ShaderStage> late = gpu().separable(Stage::fragment, color_frag);
    (void)spent();
    bind(vertex.get(), late.get(), geometry.get());
    push({{0, 0, 1, 1}, 0});
    draw(1, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
    EXPECT_EQ(spent().draw_compiles, 0u);
    expect_half(blue, black);
}

/// Blocks a thread of the compiler service until it is released.
class BusyJob final : public CompileJob {
public:
    explicit BusyJob(const std::atomic<bool>& free) : free_(free) {}

private:
    void run() override { free_.wait(false); }
    const std::atomic<bool>& free_;
};

TEST_P(Objects, ADrawMakesItselfWhatTheServiceHasNotComeTo) {
    // With the validation layer on, nothing is compiled in the background.
    const bool later = objects() && !GetParam().validated;
    std::atomic<bool> free{false};
    std::vector<Ref<BusyJob>> busy;
    for (uint32_t i = 0; later && i < CompilerService::default_threads(); ++i) {
        busy.push_back(make_ref<BusyJob>(free));
        gpu().engine().compiler().submit(busy.back(), Urgency::shader);
    }
    EXPECT_TRUE(vertex->prepared()) << "nothing draws that would need its object";
    make_geometry();
    EXPECT_TRUE(geometry->prepared());
    EXPECT_EQ(vertex->prepared(), !later);
    EXPECT_EQ(fragment->prepared(), !later);
    const uint64_t waits = gpu().engine().counters().draw_waits;
    (void)spent();
    draw_geometry();
    const Cost cost = spent();
    expect_half(green, black);
    EXPECT_TRUE(vertex->prepared());
    EXPECT_TRUE(fragment->prepared());
    if (objects()) {
        EXPECT_EQ(cost.compiles, later ? 2u : 0u) << "the vertex and the fragment shader's";
        EXPECT_EQ(cost.draw_compiles, 0u) << "it waited for the service's work, and did it";
        EXPECT_EQ(gpu().engine().counters().draw_waits, waits + (later ? 1 : 0));
    }
    free = true;
    free.notify_all();
    for (const Ref<BusyJob>& job : busy)
        job->finish();
}

TEST_P(Objects, FiveStagesOfFivePrograms) {
    KOBALT_NEEDS(tessellation_shader);
    make_all();
    (void)spent();
    bind(vertex.get(), fragment.get(), passing.get());
    tessellate(true);
    push({{0, 1, 1, 1}, 0});
    draw_patch(4);
    EXPECT_EQ(spent().draw_compiles, objects() ? 0u : 1u);
    expect_all(target, 0xffffffff);
    draw_patch(3);
    (void)spent();
    bind(vertex.get(), fragment.get());
    push({{0, 1, 0, 1}, 0});
    draw_patch(9); // without the geometry shader
    EXPECT_EQ(spent().draw_compiles, objects() ? 0u : 1u);
    expect_all(target, green | 9);
}

TEST_P(Objects, TakeTurnsWithPipelines) {
    KOBALT_NEEDS(tessellation_shader);
    make_all();
    Ref<ShaderStage> ordinary = gpu().own_stage(Stage::fragment, color_frag);
    RasterizerState culling = raster;
    culling.cull_mode = VK_CULL_MODE_FRONT_AND_BACK;
    BlendState adding;
    adding.attachments[0].enable = true;
    adding.attachments[0].equation = {VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD,
                                      VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD};
    const auto clear = [&] { recorder().clear_color(0, rgba(0, 0, 0), area(16, 16)); };
    for (int round = 0; round < 3; ++round) {
        clear();
        bind(plain.get(), ordinary.get());
        tessellate(false);
        push({{1, 0, 0, 1}, 0});
        draw(3);
        push({{0, 1, 0, 1}, 0});
        draw_geometry();
        if (round == 1)
            finish(); // all in one batch, and with a batch between them
        bind(plain.get(), ordinary.get());
        recorder().set_rasterizer(&culling);
        draw(3); // nothing
        recorder().set_rasterizer(&raster);
        recorder().set_blend(&adding);
        push({{0, 0, 1, 1}, 0});
        draw_geometry();
        push({{0, 1, 0, 1}, 0});
        bind(plain.get(), ordinary.get());
        draw(3);
        recorder().set_blend(&blend);
        expect_half(0xffffff00, yellow);
        bind(vertex.get(), fragment.get());
        tessellate(true);
        draw_patch(5);
        tessellate(false);
        bind(plain.get(), ordinary.get());
        recorder().set_rasterizer(&culling);
        draw(3);
        recorder().set_rasterizer(&raster);
        tessellate(true);
        bind(vertex.get(), fragment.get());
        draw_patch(5); // as many vertices as before
        expect_all(target, green | 5);
        tessellate(false);
    }
}

TEST_P(Objects, DescriptorsOfAllKinds) {
    make_geometry();
    const std::vector<StageBinding> bindings = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 5},
        {3, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2, {.texels = Texels::floating}},
        {4, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, {.texels = Texels::floating}},
        {7, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0},
        {8, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 9}};
    Ref<ShaderStage> kinds = gpu().separable(Stage::fragment, many_kinds_frag, bindings);
    Ref<Buffer> texels =
        gpu().buffer(std::vector<float>{1, 0, 0, 0}, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
    Ref<BufferView> view = gpu().texels(texels, VK_FORMAT_R32G32B32A32_SFLOAT);
    Ref<Buffer> factors =
        gpu().buffer(std::vector<float>(128, 1), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    Ref<Sampler> sampler = gpu().nearest();
    Target first = gpu().color(), second = gpu().color();
    const auto fill = [&](const Target& with, VkClearColorValue color) {
        begin(framebuffer({&with}));
        recorder().clear_color(0, color, area(16, 16));
    };
    fill(first, rgba(0, 0, 1));
    fill(second, rgba(0, 1, 0));
    begin(framebuffer({&target}));
    recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
    recorder().set_texture(Stage::fragment, 5, nullptr, view.get(), nullptr);
    recorder().set_texture(Stage::fragment, 2, first.view.get(), nullptr, nullptr);
    recorder().set_texture(Stage::fragment, 1, second.view.get(), nullptr, nullptr);
    recorder().set_sampler(Stage::fragment, 1, sampler.get());
    recorder().set_sampler(Stage::fragment, 2, sampler.get());
    recorder().set_uniform_buffer(Stage::fragment, 0, {factors.get(), 0, 16});
    recorder().set_uniform_buffer(Stage::fragment, 9, {factors.get(), 256, 16});
    push({{0, 0, 0, 0}, 0});
    bind(vertex.get(), kinds.get(), geometry.get());
    draw(1, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
    expect_half(white, black);
    // Changes one of the textures, then uses the same shader in a pipeline.
    recorder().set_texture(Stage::fragment, 1, first.view.get(), nullptr, nullptr);
    draw(1, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
    bind(plain.get(), kinds.get());
    expect_half(0xffff00ff, black);
    recorder().set_texture(Stage::fragment, 2, second.view.get(), nullptr, nullptr);
    draw(3);
    expect_half(white, white);
    bind(vertex.get(), kinds.get(), geometry.get());
    recorder().set_texture(Stage::fragment, 1, second.view.get(), nullptr, nullptr);
    draw(1, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
    expect_half(yellow, white);
    bind(nullptr, nullptr);
    end();
}

// The new stage's sets are larger than the existing stages', which get objects for larger sets as
// well.
TEST_P(Objects, AStageOfManyDescriptorsDrawsWithOthers) {
    make_geometry();
    const uint64_t before = (libraries() ? 3 : 0) + (objects() ? 4 : 0);
    wait_for_compiled(before);
    std::vector<StageBinding> nine;
    for (uint32_t i = 0; i < 9; ++i)
        nine.push_back({i, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, i});
    Ref<ShaderStage> many = gpu().separable(Stage::fragment, nine_uniforms_frag, nine);
    wait_for_compiled(before + (libraries() ? 1 : 0) + (objects() ? 5 : 0));
    EXPECT_TRUE(many->prepared()) << "nobody makes a small object of it";
    Ref<Buffer> third =
        gpu().buffer(std::vector<float>(4, 1.F / 3), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    for (const uint32_t slot : {0u, 4u, 8u})
        recorder().set_uniform_buffer(Stage::fragment, slot, {third.get(), 0, 16});
    (void)spent();
    bind(vertex.get(), many.get(), geometry.get());
    draw(1, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
    EXPECT_EQ(spent().draw_compiles, objects() ? 0u : 1u);
    expect_half(white, black);
    draw_geometry(); // the other stages still draw correctly
    expect_half(green, black);
    Ref<ShaderStage> late = gpu().separable(Stage::vertex, point_vert);
    (void)spent();
    bind(late.get(), many.get(), geometry.get());
    draw(1, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
    EXPECT_EQ(spent().draw_compiles, objects() ? 0u : 1u);
    expect_half(white, black);
    bind(nullptr, nullptr);
    end();
}

TEST_P(Objects, AProgramThatWasLinkedAsAWholeHasItsPipeline) {
    make_geometry();
    link_with_geometry();
    (void)spent();
    draw_geometry();
    EXPECT_EQ(spent().fast_links, libraries() ? 1u : 0u);
    expect_half(green, black);
}

TEST_P(Objects, StagesMayGo) {
    for (int round = 0; round < 6; ++round) {
        make_geometry();
        Ref<ShaderStage> other = gpu().separable(Stage::fragment, color_frag);
        bind(vertex.get(), other.get(), geometry.get());
        draw(1, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
        if (round % 2)
            finish();
        bind(nullptr, nullptr);
        geometry.reset();
    }
    expect_half(green, black);
}

TEST_P(Objects, SteadyDrawsAllocateNothing) {
    make_geometry();
    draw_geometry();
    const auto frame = [&] {
        for (int i = 0; i < 10; ++i) {
            bind(vertex.get(), fragment.get(), geometry.get());
            draw(1, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
            bind(plain.get(), fragment.get());
            draw(3);
        }
    };
    frame();
    const uint64_t before = allocations();
    frame();
    if (!GetParam().validated) { // the layer allocates too
        EXPECT_EQ(allocations(), before);
    }
    finish();
}

} // namespace
} // namespace kobalt::render::test
