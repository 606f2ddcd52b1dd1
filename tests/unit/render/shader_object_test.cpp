// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "color_frag.h"
#include "fullscreen_vert.h"
#include "many_kinds_frag.h"
#include "nine_uniforms_frag.h"
#include "point_vert.h"
#include "quad_geom.h"
#include "render/compiler_service.h"
#include "render/pipeline_store.h"
#include "render/shader_objects.h"
#include "square_tesc.h"
#include "square_tese.h"
#include "tint_geom.h"

// Tests that stages of several links draw as shader objects, so that nothing is compiled in their
// draws.

namespace kobalt::render::test {
namespace {

using namespace std::chrono_literals;

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

class Objects : public Scene {
protected:
    void SetUp() override {
        setenv("KOBALT_OPTIMIZED_LINKS", optimizes() ? "1" : "0", 1);
        setenv("KOBALT_SHADER_OBJECTS", for_all() ? "all" : "1", 1);
        Scene::SetUp();
        unsetenv("KOBALT_OPTIMIZED_LINKS");
        unsetenv("KOBALT_SHADER_OBJECTS");
        if (IsSkipped())
            return;
        KOBALT_NEEDS(geometry_shader);
        target = gpu().color();
        tint = gpu().buffer(std::vector<float>{1, 0, 0, 0}, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        extent = gpu().buffer(std::vector<float>{0, 0, 0, 0}, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        vertex = gpu().separable(Stage::vertex, point_vert);
        plain = gpu().separable(Stage::vertex, fullscreen_vert);
        fragment = gpu().separable(Stage::fragment, color_frag);
        begin(framebuffer({&target}));
        recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
        push({{0, 1, 0, 1}, 0});
    }
    void TearDown() override {
        if (target.image)
            end();
        for (Ref<ShaderStage>* stage :
             {&vertex, &plain, &fragment, &geometry, &passing, &control, &evaluation})
            stage->reset();
        tint.reset();
        extent.reset();
        target = {};
        Scene::TearDown();
    }
    virtual bool optimizes() const { return false; }
    virtual bool for_all() const { return false; }
    bool objects() { return gpu().paths().objects != ObjectUse::none; }
    uint64_t stages_compiled() { return gpu().engine().counters().stage_compiles; }
    /// Waits for stages compiled in the background.
    void wait_for_compiled(uint64_t count) {
        for (int i = 0; i < 1000 && stages_compiled() < count; ++i)
            std::this_thread::sleep_for(10ms);
        EXPECT_EQ(stages_compiled(), count);
    }

    void make_geometry() {
        geometry = gpu().separable(Stage::geometry, quad_geom,
                                   {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}});
        recorder().set_uniform_buffer(Stage::geometry, 1, {extent.get(), 0, 16});
    }
    void link_with_geometry() {
        std::array<ShaderStage*, graphics_stage_count> program{};
        program[static_cast<size_t>(Stage::vertex)] = vertex.get();
        program[static_cast<size_t>(Stage::geometry)] = geometry.get();
        (void)link_stages(gpu().engine(), program);
    }
    void make_all() {
        make_geometry();
        passing = gpu().separable(Stage::geometry, tint_geom,
                                  {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2}});
        recorder().set_uniform_buffer(Stage::geometry, 2, {tint.get(), 0, 16});
        control = gpu().separable(Stage::tess_control, square_tesc);
        evaluation = gpu().separable(Stage::tess_evaluation, square_tese);
    }
    void tessellate(bool now) {
        recorder().bind_stage(Stage::tess_control, now ? control.get() : nullptr);
        recorder().bind_stage(Stage::tess_evaluation, now ? evaluation.get() : nullptr);
    }
    void draw_patch(uint32_t vertices) {
        const DrawCall call{0, vertices, 0, 0};
        recorder().draw({.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, .patch_vertices = vertices},
                        {&call, 1});
    }
    void draw_geometry() {
        bind(vertex.get(), fragment.get(), geometry.get());
        draw(1, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
    }
    void expect_half(uint32_t left, uint32_t right) {
        const auto texels = pixels(target);
        EXPECT_EQ(texels[7], left);
        EXPECT_EQ(texels[8], right);
    }
    Ref<ShaderStage> vertex, plain, fragment, geometry, passing, control, evaluation;
    Ref<Buffer> tint, extent;
    Target target;
};
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

// Configurations with nothing switched off: only the device may lack the features for objects and
// links.
std::vector<Config> full_configs() {
    std::vector<Config> configs = all_configs();
    std::erase_if(configs, [](const Config& config) { return !config.disabled.empty(); });
    return configs;
}

/// Every draw that can use shader objects does (KOBALT_SHADER_OBJECTS=all).
class ObjectsForAll : public Objects {
protected:
    bool for_all() const override { return true; }
    /// Draws `batches` batches of `draws` draws each.
    void draw_runs(uint32_t batches, int draws) {
        bind(plain.get(), fragment.get());
        for (uint32_t i = 0; i < batches; ++i) {
            for (int k = 0; k < draws; ++k)
                draw(3);
            finish();
        }
    }
    bool has_others() { return objects() && libraries(); }
    /// Whether a stage can't be both robust and a shader object.
    bool robust_apart() {
        return gpu().paths().robust_buffers !=
               VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT;
    }
};
INSTANTIATE_TEST_SUITE_P(Configs, ObjectsForAll, testing::ValuesIn(full_configs()), config_name);

// Small sets are smaller in whatever order the driver places descriptors.
TEST_P(ObjectsForAll, SmallSetsAreSmaller) {
    if (!objects())
        GTEST_SKIP() << "the device lacks shader objects";
    const auto made = ShaderObjects::create(gpu().engine());
    ASSERT_TRUE(made);
    const auto set = [&](ObjectSize size) {
        return (*made)->layout(size).sets[descriptor_set_of(Stage::vertex)];
    };
    EXPECT_LT(set(ObjectSize::small)->offsets.size(), set(ObjectSize::full)->offsets.size());
    EXPECT_LT(set(ObjectSize::small)->layout.size(), set(ObjectSize::full)->layout.size());
}

TEST_P(ObjectsForAll, NothingElseIsCompiled) {
    if (!has_others())
        GTEST_SKIP() << "the device lacks shader objects or pipeline libraries";
    EXPECT_EQ(stages_compiled(), 3u) << "one object for each stage";
    make_geometry();
    link_with_geometry();
    (void)spent();
    draw_geometry();
    expect_half(green, black);
    push({{0, 0, 1, 1}, 0});
    bind(plain.get(), fragment.get());
    draw(3);
    expect_all(target, blue);
    const Cost cost = spent();
    EXPECT_EQ(cost.compiles, 0u);
    EXPECT_EQ(cost.fast_links, 0u);
    EXPECT_EQ(cost.draw_compiles, 0u);
}

TEST_P(ObjectsForAll, LongRunsMoveOverToAPipeline) {
    if (!has_others())
        GTEST_SKIP() << "the device lacks shader objects or pipeline libraries";
    constexpr uint32_t judged = ObjectRuns::judged;
    constexpr int long_run = ObjectRuns::long_run;
    (void)spent();
    draw_runs(judged, 1);
    draw_runs(judged - 1, long_run / 2);
    draw_runs(1, 10 * long_run); // one alone is not enough
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(gpu().cost().fast_links, 0u);
    draw_runs(judged, long_run);
    for (int i = 0; i < 1000 && gpu().cost().fast_links == 0; ++i)
        std::this_thread::sleep_for(10ms);
    std::this_thread::sleep_for(50ms);
    push({{0, 0, 1, 1}, 0});
    draw_runs(1, 1);
    const Cost cost = spent();
    EXPECT_EQ(cost.fast_links, 1u);
    EXPECT_EQ(cost.compiles, 2u) << "a library for each stage";
    EXPECT_EQ(cost.draw_compiles, 0u);
    expect_all(target, blue);
}

TEST_P(ObjectsForAll, AStageThatIsNoneBringsTheLibrariesOfOthers) {
    if (!has_others() || !robust_apart())
        GTEST_SKIP() << "the device lacks shader objects, pipeline libraries or robust pipelines";
    Ref<ShaderStage> robust = gpu().separable(Stage::fragment, color_frag, {}, true);
    wait_for_compiled(3 + 4);
    (void)spent();
    bind(plain.get(), robust.get());
    draw(3);
    const Cost cost = spent();
    EXPECT_EQ(cost.fast_links, 1u);
    EXPECT_EQ(cost.draw_compiles, 0u);
    expect_all(target, green);
    bind(nullptr, nullptr);
    end();
}

TEST_P(ObjectsForAll, AProgramWithAStageThatIsNoneHasItsLibraries) {
    if (!has_others() || !robust_apart())
        GTEST_SKIP() << "the device lacks shader objects, pipeline libraries or robust pipelines";
    Ref<ShaderStage> first = gpu().own_stage(Stage::vertex, fullscreen_vert);
    StageSource source = fragment->source();
    source.words[2] = ~0u; // no stage is equal to it
    source.separable = false;
    source.robust = true;
    auto second = ShaderStage::create(gpu().engine(), source);
    ASSERT_TRUE(second);
    std::array<ShaderStage*, graphics_stage_count> program{};
    program[static_cast<size_t>(Stage::vertex)] = first.get();
    program[static_cast<size_t>(Stage::fragment)] = second->get();
    EXPECT_TRUE(link_stages(gpu().engine(), program));
    (void)spent();
    bind(first.get(), second->get());
    draw(3);
    const Cost cost = spent();
    EXPECT_EQ(cost.fast_links, 1u);
    EXPECT_EQ(cost.draw_compiles, 0u);
    expect_all(target, green);
    bind(nullptr, nullptr);
    end();
}

class ReplacedObjects : public Objects {
protected:
    bool optimizes() const override { return true; }
    void draw_in_batches(int count) {
        for (int i = 0; i < count; ++i) {
            draw_geometry();
            finish();
        }
    }
};
INSTANTIATE_TEST_SUITE_P(Configs, ReplacedObjects, testing::ValuesIn(full_configs()), config_name);

TEST_P(ReplacedObjects, DrawsMoveOverToThePipeline) {
    if (!objects() || !libraries())
        GTEST_SKIP() << "the device lacks shader objects or pipeline libraries";
    gpu().engine().pipelines().limit_optimized({.batches = 3});
    make_geometry();
    for (const Ref<ShaderStage>& stage : {vertex, plain, fragment, geometry})
        (void)stage->object(ObjectSize::small); // compiled now, before draws are counted
    (void)spent();
    draw_in_batches(2);
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(gpu().cost().fast_links, 0u) << "two batches don't earn it";
    draw_in_batches(1);
    for (int i = 0; i < 1000 && gpu().cost().fast_links == 0; ++i)
        std::this_thread::sleep_for(10ms);
    std::this_thread::sleep_for(50ms);
    push({{0, 0, 1, 1}, 0});
    draw_in_batches(1);
    const Cost cost = spent();
    EXPECT_EQ(cost.fast_links, 1u);
    EXPECT_EQ(cost.compiles, 1u) << "the stages together";
    EXPECT_EQ(cost.draw_compiles, 0u);
    expect_half(blue, black);
    // The library works with any other stages.
    Ref<ShaderStage> other = gpu().separable(Stage::fragment, color_frag);
    (void)spent();
    bind(vertex.get(), other.get(), geometry.get());
    draw(1, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
    const Cost with_other = spent();
    EXPECT_EQ(with_other.draw_compiles, 0u);
    EXPECT_EQ(with_other.fast_links, 1u);
    expect_half(blue, black);
    bind(nullptr, nullptr);
}

TEST_P(ReplacedObjects, StagesMayGoWhileTheirPipelineIsBuilt) {
    gpu().engine().pipelines().limit_optimized({.batches = 1});
    for (int round = 0; round < 10; ++round) {
        make_geometry();
        draw_geometry();
        finish();
        bind(nullptr, nullptr);
        geometry.reset();
    }
    expect_half(green, black);
}

} // namespace
} // namespace kobalt::render::test
