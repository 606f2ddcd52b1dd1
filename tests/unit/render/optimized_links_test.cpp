// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "color_frag.h"
#include "fullscreen_vert.h"
#include "render/pipelines/pipeline_store.h"
#include "vulkan/capabilities/driver_behind.h"

// Tests links that are optimised in the background, replaced and evicted, and links that would
// compile.

namespace kobalt::render::test {
namespace {

using namespace std::chrono_literals;

class Links : public testing::Test {
protected:
    void SetUp() override {
        links.set_limits({.bytes = 100, .batches = 2, .idle_batches = 10});
        for (LinkUse* link : {&a, &b, &c})
            link->bytes = 40;
    }
    /// Draws with `link` in `batch` until it has earned an optimised link; returns whether it is
    /// admitted.
    bool admit(LinkUse& link, uint64_t batch) {
        (void)links.note(link, batch - 1);
        EXPECT_TRUE(links.note(link, batch));
        const bool admitted = links.admit(link, evicted);
        if (admitted)
            links.ready(link);
        return admitted;
    }
    OptimizedLinks links;
    LinkUse a, b, c;
    std::vector<LinkUse*> evicted;
};

TEST_F(Links, BatchesEarnAnOptimisedPipelineAndDrawsDoNot) {
    for (int i = 0; i < 100; ++i)
        EXPECT_FALSE(links.note(a, 7));
    EXPECT_TRUE(links.note(a, 8));
    EXPECT_FALSE(links.note(a, 9)) << "a second time";
    LinkUse never;
    for (uint64_t batch = 1; batch < 10; ++batch)
        EXPECT_FALSE(links.note(never, batch)) << "it has nothing to optimise";
}

TEST_F(Links, SoDoHundredsOfBinds) {
    links.set_limits({.bytes = 100, .batches = 2, .binds = 50, .idle_batches = 10});
    for (int i = 1; i < 50; ++i)
        EXPECT_FALSE(links.note(a, 7)) << i;
    EXPECT_TRUE(links.note(a, 7));
    EXPECT_TRUE(links.admit(a, evicted));
    EXPECT_FALSE(links.note(a, 7)) << "a second time";
    links.remove(a);
    for (int i = 1; i < 50; ++i)
        EXPECT_FALSE(links.note(a, 7)) << "it has to earn it anew";
    EXPECT_TRUE(links.note(a, 7));
}

TEST_F(Links, WhatWasDrawnWithLatelyStays) {
    EXPECT_TRUE(admit(a, 2));
    EXPECT_TRUE(admit(b, 4));
    EXPECT_EQ(links.bytes(), 80u);
    EXPECT_FALSE(admit(c, 12));
    EXPECT_TRUE(evicted.empty());
    EXPECT_EQ(links.bytes(), 80u);
    EXPECT_FALSE(links.note(c, 13)) << "it has to earn it anew";
    EXPECT_TRUE(links.note(c, 14));
}

TEST_F(Links, TheOneUnusedForTheLongestGoes) {
    EXPECT_TRUE(admit(a, 2));
    EXPECT_TRUE(admit(b, 4));
    (void)links.note(a, 5);
    EXPECT_TRUE(admit(c, 30));
    EXPECT_EQ(evicted, std::vector{&b});
    EXPECT_EQ(links.bytes(), 80u);
    // An evicted link may earn another one later.
    EXPECT_TRUE(admit(b, 50));
    EXPECT_EQ(evicted, std::vector{&a});
}

TEST_F(Links, WhatIsStillInTheMakingStays) {
    EXPECT_TRUE(admit(a, 2));
    (void)links.note(b, 3);
    EXPECT_TRUE(links.note(b, 4));
    EXPECT_TRUE(links.admit(b, evicted)); // not ready
    EXPECT_FALSE(links.admit(b, evicted)) << "twice";
    c.bytes = 90;
    EXPECT_FALSE(admit(c, 50));
    EXPECT_TRUE(evicted.empty());
    links.remove(b);
    EXPECT_EQ(links.bytes(), 40u);
    links.remove(b);
    EXPECT_EQ(links.bytes(), 40u);
    EXPECT_TRUE(admit(c, 60));
    EXPECT_EQ(evicted, std::vector{&a});
    EXPECT_EQ(links.bytes(), 90u);
}

/// An engine that optimises, whatever the device.
class Optimizing : public Scene {
protected:
    void SetUp() override {
        setenv("KOBALT_OPTIMIZED_LINKS", "1", 1);
        Scene::SetUp();
        unsetenv("KOBALT_OPTIMIZED_LINKS");
        if (IsSkipped())
            return;
        if (!libraries())
            GTEST_SKIP() << "pipeline libraries are off";
        image = gpu().color();
        begin(framebuffer({&image}));
        push({{0, 1, 0, 1}, 0});
    }
    void TearDown() override {
        end();
        image = {};
        Scene::TearDown();
    }
    Ref<ShaderStage> own(Stage stage, std::span<const uint32_t> words) {
        return gpu().own_stage(stage, words);
    }
    Counters& counters() { return gpu().engine().counters(); }
    void draw_in_batches(int count) {
        for (int i = 0; i < count; ++i) {
            draw(3);
            finish();
        }
    }
    static void wait_for(const std::atomic<uint64_t>& counter, uint64_t value) {
        for (int i = 0; i < 1000 && counter < value; ++i)
            std::this_thread::sleep_for(10ms);
        EXPECT_EQ(counter, value);
    }
    Target image;
};
KOBALT_SCENES(Optimizing);

TEST_P(Optimizing, ALinkDrawnWithOftenIsReplaced) {
    gpu().engine().pipelines().limit_optimized({.batches = 3});
    Ref<ShaderStage> vertex = own(Stage::vertex, fullscreen_vert),
                     fragment = own(Stage::fragment, color_frag);
    bind(vertex.get(), fragment.get());
    for (int i = 0; i < 20; ++i)
        draw(3);
    draw_in_batches(2);
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(counters().optimized_links, 0u) << "two batches don't earn it";
    draw_in_batches(1);
    wait_for(counters().optimized_links, 1);
    EXPECT_EQ(counters().replaced_links, 0u) << "a recorder may still bind it";
    // The first batch that uses the optimised link releases the fast one, which nothing else uses.
    draw_in_batches(2);
    gpu().engine().batches().collect();
    wait_for(counters().replaced_links, 1);
    draw_in_batches(20);
    EXPECT_EQ(counters().optimized_links, 1u);
    EXPECT_EQ(counters().fast_links, 1u);
    EXPECT_EQ(counters().evicted_links, 0u);
    expect_all(image, green);
}

TEST_P(Optimizing, AnIdleOneIsEvictedAndLinkedAgain) {
    const uint64_t one = optimized_bytes(sizeof fullscreen_vert + sizeof color_frag);
    gpu().engine().pipelines().limit_optimized(
        {.bytes = one + one / 2, .batches = 1, .idle_batches = 4});
    Ref<ShaderStage> vertex = own(Stage::vertex, fullscreen_vert),
                     first = own(Stage::fragment, color_frag),
                     second = own(Stage::fragment, color_frag);
    bind(vertex.get(), first.get());
    draw_in_batches(1);
    wait_for(counters().optimized_links, 1);
    draw_in_batches(1);
    bind(vertex.get(), second.get());
    draw_in_batches(2);
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(counters().optimized_links, 1u) << "the first was drawn with a moment ago";
    draw_in_batches(10);
    wait_for(counters().optimized_links, 2);
    draw_in_batches(2);
    gpu().engine().batches().collect();
    wait_for(counters().evicted_links, 1);
    wait_for(counters().replaced_links, 2);
    EXPECT_EQ(counters().fast_links, 2u);
    push({{1, 0, 0, 1}, 0});
    bind(vertex.get(), first.get());
    draw_in_batches(1);
    EXPECT_EQ(counters().fast_links, 3u);
    EXPECT_EQ(gpu().cost().draw_compiles, 0u);
    expect_all(image, red);
}

TEST_P(Optimizing, ShadersMayGoWhileTheirPipelineWaits) {
    gpu().engine().pipelines().limit_optimized({.batches = 1});
    Ref<ShaderStage> vertex = own(Stage::vertex, fullscreen_vert);
    for (int i = 0; i < 20; ++i) {
        Ref<ShaderStage> brief = own(Stage::fragment, color_frag);
        bind(vertex.get(), brief.get());
        draw_in_batches(1);
        bind(vertex.get(), nullptr);
        gpu().engine().batches().collect();
    }
    bind(nullptr, nullptr);
}

/// An engine whose fast links ask to fail where they would compile, whatever the device.
class CheckedLinks : public Scene {
protected:
    void SetUp() override {
        setenv("KOBALT_CHECKED_LINKS", "1", 1);
        Scene::SetUp();
        unsetenv("KOBALT_CHECKED_LINKS");
        if (!IsSkipped() && !gpu().paths().checked_links)
            GTEST_SKIP() << "no pipeline libraries, or no pipelineCreationCacheControl";
    }
};
KOBALT_SCENES(CheckedLinks);

TEST_P(CheckedLinks, ARefusedLinkIsMadeAndCounted) {
    Target image = gpu().color();
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, fullscreen_vert),
                     fragment = gpu().stage(Stage::fragment, color_frag);
    begin(framebuffer({&image}));
    push({{0, 1, 0, 1}, 0});
    bind(vertex.get(), fragment.get());
    (void)spent();
    draw(3);
    draw(3);
    const Cost cost = spent();
    EXPECT_EQ(cost.fast_links, 1u);
    const bool refuses =
        vulkan::driver_behind(gpu().device().properties()) == VK_DRIVER_ID_MESA_LLVMPIPE;
    EXPECT_EQ(cost.draw_compiles, refuses ? 1u : 0u);
    EXPECT_EQ(cost.compiles, cost.draw_compiles);
    expect_all(image, green);
    end();
}

} // namespace
} // namespace kobalt::render::test
