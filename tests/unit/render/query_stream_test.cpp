// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include "color_frag.h"
#include "fullscreen_vert.h"
#include "render/queries/query_stream.h"

// Tests the engine's queries: any number at once, over any number of passes and batches.

namespace kobalt::render::test {
namespace {

constexpr QuerySource occlusion{.type = VK_QUERY_TYPE_OCCLUSION, .precise = true};
constexpr uint64_t all_samples = 16 * 16; ///< of the target

QuerySource statistics(VkQueryPipelineStatisticFlags wanted) {
    return {.type = VK_QUERY_TYPE_PIPELINE_STATISTICS, .statistics = wanted};
}

class SummedQueries : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        streams = std::make_unique<QueryStreams>(recorder());
        vertex = gpu().stage(Stage::vertex, fullscreen_vert);
        fragment = gpu().stage(Stage::fragment, color_frag);
        target = gpu().color();
        begin(framebuffer({&target}));
        bind(vertex.get(), fragment.get());
        push({{0, 1, 0, 1}, 0});
        (void)spent();
    }
    void TearDown() override {
        end();
        streams.reset(); // their pools go back to the engine
        target = {};
        vertex.reset();
        fragment.reset();
        Scene::TearDown();
    }
    /// Covers the target.
    void draw_all() { draw(3); }
    /// A draw that no sample passes.
    void draw_nothing() { draw(1); }
    uint64_t batches() { return gpu().engine().counters().batches; }
    QuerySums sums(SummedQuery& query) {
        const std::optional<QuerySums> found = query.sums(&recorder(), true);
        EXPECT_TRUE(found);
        return found.value_or(QuerySums{});
    }

    std::unique_ptr<QueryStreams> streams;
    Ref<ShaderStage> vertex, fragment;
    Target target;
};
KOBALT_SCENES(SummedQueries);

TEST_P(SummedQueries, PassesAndBatchesAddUp) {
    KOBALT_NEEDS(occlusion_query_precise);
    SummedQuery query;
    draw_all(); // before the query, in the same pass
    streams->begin(query, occlusion);
    EXPECT_TRUE(query.counting());
    draw_all();
    recorder().leave_pass();
    draw_all();
    const uint64_t before = batches();
    (void)recorder().flush();
    EXPECT_EQ(batches(), before + 1);
    draw_all();
    streams->end(query);
    EXPECT_FALSE(query.counting());
    draw_all(); // after it
    EXPECT_EQ(query.pending(), 3u);
    EXPECT_EQ(spent().passes, 3u);
    // The GPU has passed the query, so the result needs neither a submission nor a wait.
    const std::optional<QuerySums> found = query.sums(nullptr, false);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->samples, 3 * all_samples);
    EXPECT_EQ(query.pending(), 0u);
    EXPECT_EQ(sums(query).samples, 3 * all_samples) << "asked twice";
}

TEST_P(SummedQueries, BatchesWithoutAPassAddNothing) {
    SummedQuery query;
    streams->begin(query, occlusion);
    (void)recorder().flush();
    streams->end(query);
    EXPECT_EQ(query.pending(), 0u);
    const std::optional<QuerySums> found = query.sums(nullptr, false);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->samples, 0u);
    EXPECT_EQ(query.known_to_count(), false);
}

TEST_P(SummedQueries, TheyShareIntervals) {
    KOBALT_NEEDS(occlusion_query_precise);
    SummedQuery first, second;
    streams->begin(first, occlusion);
    draw_all();
    streams->begin(second, occlusion);
    draw_nothing();
    draw_all();
    streams->end(first);
    draw_all();
    draw_all();
    streams->end(second);
    EXPECT_EQ(first.pending(), 2u);
    EXPECT_EQ(second.pending(), 2u);
    EXPECT_EQ(spent().passes, 1u);
    EXPECT_EQ(sums(first).samples, 2 * all_samples);
    EXPECT_EQ(sums(second).samples, 3 * all_samples);
}

TEST_P(SummedQueries, BeginningAnewForgets) {
    KOBALT_NEEDS(occlusion_query_precise);
    SummedQuery query;
    streams->begin(query, occlusion);
    draw_all();
    draw_all();
    streams->begin(query, occlusion); // the first was never ended
    draw_all();
    streams->end(query);
    EXPECT_EQ(sums(query).samples, all_samples);
    streams->begin(query, occlusion);
    streams->end(query);
    EXPECT_EQ(sums(query).samples, 0u);
    // A device without such queries: nothing counts, and the query still ends.
    streams->begin(query, {});
    EXPECT_FALSE(query.counting());
    draw_all();
    streams->end(query);
    EXPECT_EQ(sums(query).samples, 0u);
}

TEST_P(SummedQueries, FullPoolsMoveOnInsideThePass) {
    KOBALT_NEEDS(occlusion_query_precise);
    // More than two pools hold. The second round uses recycled pools. They must be reset, but not
    // by a command, which would end the pass or be an error inside it.
    constexpr size_t count = 2 * QueryBlock::size + 10;
    for (int round = 0; round < 2; ++round) {
        std::vector<SummedQuery> queries(count);
        draw_all(); // opens the pass
        for (size_t i = 0; i < count; ++i) {
            streams->begin(queries[i], occlusion);
            if (i % 3)
                draw_all();
            else
                draw_nothing();
            streams->end(queries[i]);
        }
        EXPECT_TRUE(recorder().in_pass());
        EXPECT_EQ(spent().passes, 1u);
        for (size_t i = 0; i < count; ++i)
            EXPECT_EQ(sums(queries[i]).samples, i % 3 ? all_samples : 0) << "query " << i;
        queries.clear();
        gpu().engine().batches().collect(); // the batch held the last reference to the pools
    }
}

TEST_P(SummedQueries, PoolsAreResetWhenHandedOut) {
    QueryPools& pools = gpu().engine().query_pools();
    Ref<QueryBlock> block = pools.take(VK_QUERY_TYPE_OCCLUSION);
    ASSERT_TRUE(block);
    const VkQueryPool pool = block->pool().handle();
    for (uint32_t i = 0; i < QueryBlock::size; ++i) {
        EXPECT_FALSE(block->full());
        EXPECT_EQ(block->next(), i);
    }
    EXPECT_TRUE(block->full());
    const auto& vk = gpu().device().vk();
    draw_all(); // opens the pass
    vk.CmdBeginQuery(recorder().commands(false), pool, 7, 0);
    draw_all();
    vk.CmdEndQuery(recorder().commands(false), pool, 7);
    recorder().retain(*block);
    finish();
    uint64_t value = 0;
    EXPECT_TRUE(block->read(7, {&value, 1}).value());
    EXPECT_GT(value, 0u);
    EXPECT_FALSE(block->read(8, {&value, 1}).value());
    block.reset();
    gpu().engine().batches().collect();
    block = pools.take(VK_QUERY_TYPE_OCCLUSION);
    ASSERT_TRUE(block);
    ASSERT_EQ(block->pool().handle(), pool) << "it did not come back";
    EXPECT_FALSE(block->full());
    EXPECT_FALSE(block->read(7, {&value, 1}).value()) << "the value of its last user";
    // Take another pool of the kind while the first is in use.
    const Ref<QueryBlock> second = pools.take(VK_QUERY_TYPE_OCCLUSION);
    ASSERT_TRUE(second);
    EXPECT_NE(second->pool().handle(), pool);
}

TEST_P(SummedQueries, ResultsComeWithoutWaitingWhereTheyCan) {
    SummedQuery query;
    streams->begin(query, occlusion);
    draw_all();
    streams->end(query);
    const uint64_t before = batches();
    // Ask as another thread does, which may neither submit nor wait.
    EXPECT_FALSE(query.sums(nullptr, false));
    EXPECT_FALSE(query.known_to_count().has_value());
    EXPECT_EQ(batches(), before);
    // Ask as the recorder's own thread: the batch is submitted, so that the result becomes
    // available.
    (void)query.sums(&recorder(), false);
    EXPECT_EQ(batches(), before + 1);
    EXPECT_GT(sums(query).samples, 0u);
    EXPECT_EQ(query.known_to_count(), true);
    EXPECT_EQ(batches(), before + 1);
}

TEST_P(SummedQueries, ManyPassesDoNotPileUp) {
    KOBALT_NEEDS(occlusion_query_precise);
    SummedQuery query;
    streams->begin(query, occlusion);
    constexpr unsigned passes = 600;
    for (unsigned i = 0; i < passes; ++i) {
        draw_all();
        recorder().leave_pass();
        if (i % 100 == 99)
            finish();
    }
    streams->end(query);
    EXPECT_LT(query.pending(), passes / 2);
    EXPECT_EQ(sums(query).samples, passes * all_samples);
}

TEST_P(SummedQueries, WhatIsDrawnAsideDoesNotCount) {
    KOBALT_NEEDS(occlusion_query_precise);
    KOBALT_NEEDS(pipeline_statistics_query);
    SummedQuery samples, primitives;
    streams->begin(samples, occlusion);
    streams->begin(primitives,
                   statistics(VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT));
    draw_all();
    streams->set_enabled(false);
    draw_all();
    streams->set_enabled(true);
    EXPECT_FALSE(streams->count_samples_only(true));
    draw_all();
    // A samples-only query inside another query.
    EXPECT_TRUE(streams->count_samples_only(true));
    draw_all();
    EXPECT_TRUE(streams->count_samples_only(false));
    draw_all();
    streams->end(samples);
    streams->end(primitives);
    EXPECT_EQ(spent().passes, 1u);
    EXPECT_EQ(sums(samples).samples, 4 * all_samples);
    EXPECT_EQ(sums(primitives).statistics[1], 2u);
}

TEST_P(SummedQueries, EachStatisticGoesToItsOwnSum) {
    KOBALT_NEEDS(pipeline_statistics_query);
    SummedQuery vertices, primitives;
    streams->begin(vertices, statistics(VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT));
    draw_all();
    // From here one pool counts both.
    streams->begin(primitives,
                   statistics(VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT));
    draw_all();
    streams->end(vertices);
    (void)recorder().flush();
    draw_all();
    draw_all();
    streams->end(primitives);
    EXPECT_EQ(sums(vertices).statistics[0], 6u);
    EXPECT_EQ(sums(primitives).statistics[1], 3u);
    EXPECT_EQ(sums(primitives).samples, 0u);
}

TEST_P(SummedQueries, TheDeviceAddsUpForAConditionAsWell) {
    KOBALT_NEEDS(conditional_rendering);
    for (const bool seen : {false, true}) {
        SummedQuery query;
        streams->begin(query, occlusion);
        draw_nothing();
        (void)recorder().flush();
        draw_nothing();
        recorder().leave_pass();
        if (seen)
            draw_all();
        else
            draw_nothing();
        streams->end(query);
        Buffer* predicate = query.predicate(recorder());
        ASSERT_TRUE(predicate);
        EXPECT_EQ(query.predicate(recorder()), predicate);
        recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
        recorder().set_condition(predicate, false);
        draw_all();
        recorder().set_condition(nullptr, false);
        expect_all(target, seen ? green : black);
        EXPECT_EQ(query.known_to_count(), seen);
    }
}

TEST_P(SummedQueries, TheDeviceCopiesWhatIsStillToBeAddedUp) {
    KOBALT_NEEDS(occlusion_query_precise);
    SummedQuery query;
    streams->begin(query, occlusion);
    draw_all();
    recorder().leave_pass();
    draw_nothing();
    recorder().leave_pass();
    draw_all();
    streams->end(query);
    const auto [slots, added] = query.unread();
    ASSERT_EQ(slots.size(), 3u);
    EXPECT_EQ(added.samples, 0u);
    std::vector<QueryWord> words;
    for (const QuerySlot& slot : slots)
        words.push_back({slot.block->pool().handle(), slot.index});
    const Ref<Buffer> copy = gpu().buffer(3 * sizeof(uint64_t), VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                          vulkan::MemoryKind::readback);
    const uint64_t before = batches();
    ASSERT_TRUE(recorder().copy_query_values(words, *copy));
    EXPECT_EQ(batches(), before) << "nothing had to be submitted";
    ASSERT_TRUE(recorder().flush()->wait(UINT64_MAX));
    copy->storage().invalidate(0, 3 * sizeof(uint64_t));
    std::array<uint64_t, 3> values{};
    std::memcpy(values.data(), copy->mapped(), sizeof(values));
    EXPECT_EQ(values, (std::array<uint64_t, 3>{all_samples, 0, all_samples}));
}

} // namespace
} // namespace kobalt::render::test
