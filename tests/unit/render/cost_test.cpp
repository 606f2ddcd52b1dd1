// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"
#include "render/engine/counter_names.h"
#include "render/sync/run_ahead.h"

#include <algorithm>
#include <set>

#include "color_frag.h"
#include "fullscreen_vert.h"
#include "texture_frag.h"
#include "uniform_frag.h"
#include "uniform_vert.h"

// Tests the cost of draws: unchanged state costs nothing, and there is no allocation and no
// compilation.

namespace kobalt::render::test {
namespace {

class Costs : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        target = gpu().color();
        vertex =
            gpu().stage(Stage::vertex, uniform_vert, {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0}});
        fragment =
            gpu().stage(Stage::fragment, uniform_frag, {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0}});
        std::vector<float> data(1024);
        data[1] = 1;
        values = gpu().buffer(data, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        begin(framebuffer({&target}));
        recorder().set_uniform_buffer(Stage::vertex, 0, {values.get(), 0, 16});
        recorder().set_uniform_buffer(Stage::fragment, 0, {values.get(), 256, 16});
        bind(vertex.get(), fragment.get());
    }
    void TearDown() override {
        end(); // bound objects live as long as the recorder
        vertex.reset();
        fragment.reset();
        values.reset();
        target = {};
        Scene::TearDown();
    }
    Ref<ShaderStage> vertex, fragment;
    Ref<Buffer> values;
    Target target;
};
KOBALT_SCENES(Costs);

TEST_P(Costs, UnchangedDraws) {
    draw(3);
    const uint64_t before = allocations();
    for (int i = 0; i < 1000; ++i)
        draw(3);
    if (!GetParam().validated) { // the layer allocates through the same operator
        EXPECT_EQ(allocations(), before);
    }
    const Cost cost = spent();
    EXPECT_EQ(cost.draws, 1001u);
    EXPECT_EQ(cost.passes, 1u);
    EXPECT_EQ(cost.barriers, 1u);
    EXPECT_EQ(cost.descriptor_writes, 2u);
    EXPECT_EQ(cost.descriptor_binds, 1u);
    EXPECT_EQ(cost.fast_links + cost.draw_compiles, 1u);
}

TEST_P(Costs, TheOpenBatchCountsOnce) {
    spent();
    const Cost before = gpu().cost();
    draw(3);
    recorder().report_counters();
    EXPECT_EQ((gpu().cost() - before).draws, 1u);
    draw(3);
    recorder().report_counters();
    recorder().report_counters();
    EXPECT_EQ((gpu().cost() - before).draws, 2u);
    finish();
    EXPECT_EQ((gpu().cost() - before).draws, 2u);
    EXPECT_EQ((gpu().cost() - before).passes, 1u);
}

TEST_P(Costs, CountersHaveNamesOfTheirOwn) {
    const auto names = counter_names();
    std::set<std::string> all(names.begin(), names.end());
    EXPECT_EQ(all.size(), names.size());
    const auto value = [&](const char* name) {
        const auto found = std::ranges::find(names, std::string_view(name));
        return counter_value(gpu().engine(), static_cast<size_t>(found - names.begin()));
    };
    const uint64_t draws = value("draws"), offsets = value("descriptor_offsets");
    draw(3);
    finish();
    EXPECT_EQ(value("draws"), draws + 1);
    EXPECT_EQ(value("descriptor_offsets"), offsets + 2) << "a set of each stage";
    recorder().slow_path(SlowPath::busy_map);
    recorder().report_counters();
    EXPECT_GE(value("slow_busy_map"), 1u);
    EXPECT_GE(value("slow_paths"), value("slow_busy_map"));
}

TEST_P(Costs, ADrawThatCompilesSaysWhy) {
    std::vector<std::string> heard;
    recorder().set_slow_path_listener([&heard](const char* text) {
        heard.emplace_back(text);
        return true;
    });
    spent();
    draw(3);
    EXPECT_EQ(heard.size(), spent().draw_compiles != 0 ? 1u : 0u);
    if (!libraries()) {
        ASSERT_EQ(heard.size(), 1u);
        EXPECT_NE(heard[0].find("VK_EXT_graphics_pipeline_library"), std::string::npos) << heard[0];
    }
    recorder().set_slow_path_listener({});
}

TEST_P(Costs, ChangingDrawsAllocateNothing) {
    Ref<ShaderStage> other_vertex = gpu().stage(Stage::vertex, fullscreen_vert),
                     other_fragment = gpu().stage(Stage::fragment, color_frag);
    BlendState masked = blend;
    masked.attachments[0].write_mask = VK_COLOR_COMPONENT_R_BIT;
    RasterizerState culled = raster;
    culled.cull_mode = VK_CULL_MODE_BACK_BIT;
    DepthStencilState tested = depth_stencil;
    tested.depth_test = true;
    const auto round = [&](uint32_t i) {
        recorder().set_uniform_buffer(Stage::fragment, 0, {values.get(), i % 2 ? 256u : 512u, 16});
        recorder().set_blend(i % 2 ? &blend : &masked);
        recorder().set_rasterizer(i % 4 < 2 ? &raster : &culled);
        recorder().set_depth_stencil(i % 8 < 4 ? &depth_stencil : &tested);
        if (i % 3)
            bind(vertex.get(), fragment.get());
        else
            bind(other_vertex.get(), other_fragment.get());
        recorder().set_push_constants(0, bytes_of(i));
        draw(3);
    };
    for (uint32_t i = 0; i < 48; ++i)
        round(i);
    const uint64_t before = allocations();
    for (uint32_t i = 0; i < 1000; ++i)
        round(i);
    // Pooled sets: one new pool per 256 sets is the only allowed allocation.
    if (!GetParam().validated) {
        EXPECT_LE(allocations() - before, gpu().paths().descriptor_buffer ? 0u : 32u);
    }
    EXPECT_EQ(spent().passes, 1u);
    recorder().set_blend(&blend);
    recorder().set_rasterizer(&raster);
    recorder().set_depth_stencil(&depth_stencil);
    bind(nullptr, nullptr);
}

TEST_P(Costs, NewCombinationsLinkWithoutACompiler) {
    if (!libraries())
        GTEST_SKIP() << "pipeline libraries are off";
    Ref<ShaderStage> vertices[] = {gpu().own_stage(Stage::vertex, fullscreen_vert),
                                   gpu().own_stage(Stage::vertex, fullscreen_vert)};
    Ref<ShaderStage> fragments[] = {gpu().own_stage(Stage::fragment, color_frag),
                                    gpu().own_stage(Stage::fragment, color_frag),
                                    gpu().own_stage(Stage::fragment, color_frag)};
    const Cost made = spent();
    EXPECT_EQ(made.compiles, 7u); // these shaders and the fixture's two
    for (int repeat = 0; repeat < 2; ++repeat)
        for (auto& one : vertices)
            for (auto& other : fragments) {
                bind(one.get(), other.get());
                draw(3);
            }
    const Cost cost = spent();
    EXPECT_EQ(cost.compiles, 0u);
    EXPECT_EQ(cost.draw_compiles, 0u);
    EXPECT_EQ(cost.fast_links, 6u);
    EXPECT_EQ(cost.passes, 1u);
    bind(nullptr, nullptr);
}

TEST_P(Costs, EqualStagesAreCompiledOnce) {
    (void)spent();
    Ref<ShaderStage> one = gpu().stage(Stage::vertex, uniform_vert,
                                       {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0}}),
                     own = gpu().own_stage(Stage::fragment, color_frag);
    EXPECT_EQ(one.get(), vertex.get());
    EXPECT_NE(own.get(), fragment.get());
    EXPECT_EQ(spent().compiles, libraries() ? 1u : 0u);
    // Equal stages have equal bindings; and the table of stages holds no reference to them.
    const std::vector<StageBinding> binding{{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0}};
    std::vector<StageBinding> moved = binding;
    moved[0].slot = 1;
    Ref<ShaderStage> first = gpu().stage(Stage::fragment, color_frag, binding);
    EXPECT_NE(first.get(), gpu().stage(Stage::fragment, color_frag, moved).get());
    EXPECT_EQ(first.get(), gpu().stage(Stage::fragment, color_frag, binding).get());
    EXPECT_EQ(first->references(), 1u);
    first.reset();
    (void)spent();
    first = gpu().stage(Stage::fragment, color_frag, binding);
    EXPECT_EQ(spent().compiles, libraries() ? 1u : 0u);
}

TEST_P(Costs, AStageKeepsItsCodeOnceAndNoMore) {
    StageSource source;
    source.stage = Stage::fragment;
    source.words.assign(std::begin(color_frag), std::end(color_frag));
    const size_t size = source.words.size();
    source.words.reserve(4 * size); // spare capacity, as the SPIR-V writer leaves it
    source.fragment_outputs = 1;
    const auto made = ShaderStage::create(gpu().engine().pipelines(), std::move(source));
    ASSERT_TRUE(made) << made.error().to_string();
    EXPECT_EQ((*made)->source().words.capacity(), size);
    // The code is still there for later use.
    EXPECT_TRUE((*made)->module());
}

TEST_P(Costs, StateTogglesLinkNothing) {
    if (!gpu().paths().dynamic_state3)
        GTEST_SKIP() << "the state is not dynamic";
    draw(3);
    (void)spent();
    BlendState blended = blend;
    blended.attachments[0].enable = true;
    blended.attachments[0].equation.srcColorBlendFactor = VK_BLEND_FACTOR_ONE;
    RasterizerState wire = raster;
    wire.depth_clip = false;
    wire.front_face = VK_FRONT_FACE_CLOCKWISE;
    DepthStencilState stencil = depth_stencil;
    stencil.stencil_test = true;
    for (int i = 0; i < 10; ++i) {
        recorder().set_blend(i % 2 ? &blend : &blended);
        recorder().set_rasterizer(i % 2 ? &raster : &wire);
        recorder().set_depth_stencil(i % 2 ? &depth_stencil : &stencil);
        recorder().set_sample_mask(i % 2 ? ~0u : 1u);
        draw(3);
        draw(3, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    }
    const Cost cost = spent();
    EXPECT_EQ(cost.fast_links + cost.compiles, 0u);
    // The batch's first draw writes the sets again where they don't outlive a batch.
    EXPECT_EQ(cost.descriptor_writes, sets_outlive_batches() ? 0u : 2u);
    recorder().set_blend(&blend);
}

TEST_P(Costs, DescriptorRingWrapsMidPass) {
    // Writes more sets than the ring's buffer holds in one batch: the sets written before stay
    // valid. On lavapipe each pooled set is a driver allocation of its own, and a process may have
    // 65,530.
    const uint32_t count = gpu().paths().descriptor_buffer ? 40000 : 3000;
    for (uint32_t i = 0; i < count; ++i) {
        recorder().set_uniform_buffer(Stage::fragment, 0, {values.get(), i % 2 ? 256u : 512u, 16});
        if (i % 64 == 0 || i > count - 10)
            draw(3);
        else
            draw(0); // descriptors are written, nothing is drawn
    }
    // A batch with many draws or much written memory is submitted, which ends the pass; the ring is
    // smaller.
    const auto limits = run_ahead_limits(gpu().device().properties().core.deviceType);
    EXPECT_LE(spent().passes, 3u + count / limits.commands_in_batch);
    EXPECT_EQ(pixels(target)[0] & 0xffffff, green & 0xffffff);
}

TEST_P(Costs, AStageTakesItsOwnPipelinesAlone) {
    Ref<ShaderStage> other_vertex = gpu().own_stage(Stage::vertex, fullscreen_vert);
    std::vector<Ref<ShaderStage>> fragments;
    for (int i = 0; i < 3; ++i)
        fragments.push_back(gpu().own_stage(Stage::fragment, color_frag));
    const auto draw_all = [&] {
        for (ShaderStage* v : {vertex.get(), other_vertex.get()})
            for (const Ref<ShaderStage>& f : fragments) {
                bind(v, f.get());
                draw(3);
            }
    };
    const auto built = [](const Cost& cost) { return cost.fast_links + cost.draw_compiles; };
    draw_all();
    EXPECT_EQ(built(spent()), 6u);
    fragments.erase(fragments.begin() + 1);
    gpu().engine().batches().collect();
    draw_all();
    EXPECT_EQ(built(spent()), 0u) << "the others' pipelines are gone";

    // Each stage of a pair is destroyed, in either order; objects shared with the others stay.
    fragments.push_back(gpu().own_stage(Stage::fragment, color_frag));
    draw_all();
    EXPECT_EQ(built(spent()), 2u);
    fragments.erase(fragments.begin());
    bind(vertex.get(), fragments.front().get());
    other_vertex = gpu().own_stage(Stage::vertex, fullscreen_vert);
    finish();
    gpu().engine().batches().collect();
    draw_all();
    EXPECT_EQ(built(spent()), 2u);
    end();
}

} // namespace
} // namespace kobalt::render::test
