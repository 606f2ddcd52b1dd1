// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include "color_frag.h"
#include "fullscreen_vert.h"
#include "render/sync/run_ahead.h"
#include "uniform_frag.h"
#include "vulkan/device/queue.h"

// Tests that a program that never waits has a bounded number of batches and bytes in flight.

namespace kobalt::render::test {
namespace {

class RunsAhead : public Scene {
protected:
    uint64_t batches() { return gpu().engine().counters().batches; }
    RunAheadLimits limits() {
        return run_ahead_limits(gpu().device().properties().core.deviceType);
    }
    Ref<Buffer> storage(VkDeviceSize bytes) {
        return gpu().buffer(bytes,
                            VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    }
};
KOBALT_SCENES(RunsAhead);

TEST_P(RunsAhead, BatchesInFlightAreBounded) {
    Ref<Buffer> buffer = storage(1 << 20);
    std::vector<Ref<BatchToken>> tokens;
    for (size_t i = 0; i < 4 * limits().batches; ++i) {
        for (uint32_t again = 0; again < 8; ++again)
            recorder().fill_buffer(*buffer, 0, 1 << 20, again);
        tokens.push_back(recorder().flush());
        if (tokens.size() > limits().batches) {
            EXPECT_TRUE(tokens[tokens.size() - 1 - limits().batches]->completed()) << i;
        }
    }
}

TEST_P(RunsAhead, BytesInFlightAreBounded) {
    Ref<Buffer> target = storage(1 << 20);
    const VkBufferCopy all{0, 0, 1 << 20};
    std::vector<Ref<BatchToken>> tokens;
    const uint64_t before = batches();
    // The app releases staging memory and never flushes: the recorder submits by itself.
    const size_t rounds = 2 * (limits().bytes >> 20);
    for (size_t i = 0; i < rounds; ++i) {
        recorder().copy_buffer(*storage(1 << 20), *target, {&all, 1});
        tokens.push_back(recorder().current_token());
    }
    EXPECT_GE(batches() - before, rounds / ((limits().bytes_in_batch >> 20) + 1));
    // Twice the limit was used, so the recorder must have waited for the first batches.
    EXPECT_TRUE(tokens[rounds / 4]->completed());
    // Reusing the same buffers adds no bytes, so it causes no submission.
    finish();
    Ref<Buffer> source = storage(1 << 20);
    recorder().copy_buffer(*source, *target, {&all, 1});
    finish();
    const uint64_t settled = batches();
    for (size_t i = 0; i < 100; ++i)
        recorder().copy_buffer(*source, *target, {&all, 1});
    EXPECT_EQ(batches(), settled);
}

TEST_P(RunsAhead, BytesThatDrawsReplaceAreBounded) {
    // Nothing changes between the draws but a buffer.
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, fullscreen_vert),
                     fragment = gpu().stage(Stage::fragment, uniform_frag,
                                            {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0}});
    Target target = gpu().color();
    begin(framebuffer({&target}));
    bind(vertex.get(), fragment.get());
    const uint64_t before = batches();
    const VkDeviceSize rounds = 3 * (limits().bytes_in_batch >> 20);
    for (VkDeviceSize i = 0; i < rounds; ++i) {
        const Ref<Buffer> own = gpu().buffer(1 << 20, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        recorder().set_uniform_buffer(Stage::fragment, 0, {own.get(), 0, 16});
        draw(3);
    }
    EXPECT_GE(batches() - before, 2u);
    recorder().set_uniform_buffer(Stage::fragment, 0, {});
    bind(nullptr, nullptr);
}

TEST_P(RunsAhead, CommandsInABatchAreBounded) {
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, fullscreen_vert),
                     fragment = gpu().stage(Stage::fragment, color_frag);
    Target target = gpu().color();
    begin(framebuffer({&target}));
    bind(vertex.get(), fragment.get());
    push({{0, 1, 0, 1}, 0});
    const uint64_t before = batches();
    const uint64_t more = limits().commands_in_batch + 100;
    for (uint64_t i = 0; i < more; ++i)
        draw(i % 1000 == 0 ? 3 : 1); // most draws cover nothing
    EXPECT_EQ(batches() - before, 1u);
    expect_all(target, green);
    // Clears that become passes' load operations.
    const Target other = gpu().color();
    const uint64_t cleared = batches();
    for (uint64_t i = 0; i < more; ++i) {
        begin(framebuffer({i % 2 ? &other : &target}));
        recorder().clear_color(0, rgba(0, 1, 0), area(16, 16));
    }
    EXPECT_EQ(batches() - cleared, 1u);
    begin(framebuffer({&target}));
    // Programs that are used once: the memory that they hold counts as well.
    const uint64_t few = batches();
    for (int i = 0; i < 100; ++i) {
        Ref<ShaderStage> own = gpu().own_stage(Stage::fragment, color_frag);
        bind(vertex.get(), own.get());
        draw(3);
        bind(vertex.get(), fragment.get());
    }
    EXPECT_GE(batches() - few, 2u);
    Ref<Buffer> buffer = storage(64);
    const uint64_t drawn = batches();
    for (uint64_t i = 0; i < more; ++i)
        recorder().fill_buffer(*buffer, 0, 4, 0);
    EXPECT_EQ(batches() - drawn, 1u);
    end();
}

TEST_P(RunsAhead, OneObjectInTwoContextsIsKeptOnceABatch) {
    // Two recorders that take turns with one view: each batch holds one reference, not one per
    // draw.
    Target target = gpu().color();
    Recorder other(gpu().engine());
    const Ref<BatchToken> mine = recorder().current_token(), theirs = other.current_token();
    for (int i = 0; i < 1000; ++i) {
        recorder().retain(*target.view);
        other.retain(*target.view);
    }
    EXPECT_EQ(target.view->references(), 3u);
    finish();
    (void)other.flush();
}

} // namespace
} // namespace kobalt::render::test
