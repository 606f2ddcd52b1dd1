// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Where shader objects draw (KOBALT_SHADER_OBJECTS=all), and when a pipeline replaces them.
#include "shader_object.h"

namespace kobalt::render::test {
namespace {

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
    const auto made = ShaderObjects::create(gpu().engine().core(), gpu().engine().layouts());
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
    auto second = ShaderStage::create(gpu().engine().pipelines(), source);
    ASSERT_TRUE(second);
    std::array<ShaderStage*, graphics_stage_count> program{};
    program[static_cast<size_t>(Stage::vertex)] = first.get();
    program[static_cast<size_t>(Stage::fragment)] = second->get();
    EXPECT_TRUE(gpu().engine().pipelines().compile_program(program));
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
