// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include "capture_vert.h"
#include "color_frag.h"
#include "fullscreen_vert.h"
#include "replay_vert.h"

// Tests transform feedback and queries: both have to outlive the passes they are used in.

namespace kobalt::render::test {
namespace {

class StreamOutput : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        KOBALT_NEEDS(transform_feedback);
        vertex = gpu().stage(Stage::vertex, capture_vert, {}, 1);
        fragment = gpu().stage(Stage::fragment, color_frag);
        target = gpu().color();
        output = new_output(16 * 16);
        begin(framebuffer({&target}));
        bind(vertex.get(), fragment.get());
        const float color[4] = {0, 1, 0, 1};
        recorder().set_push_constants(0, bytes_of(color));
    }
    void TearDown() override {
        end(); // bound objects live as long as the recorder
        vertex.reset();
        fragment.reset();
        output.reset();
        target = {};
        Scene::TearDown();
    }
    Ref<StreamOutputTarget> new_output(VkDeviceSize bytes, VkDeviceSize offset = 0) {
        auto made = make_ref<StreamOutputTarget>();
        made->buffer = gpu().buffer(bytes, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
                                               VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
        made->offset = offset;
        made->size = bytes - offset;
        made->counter = gpu().buffer(4, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                                            VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
        made->stride = 16;
        return made;
    }
    void capture_into(StreamOutputTarget* to, uint32_t append_mask) {
        StreamOutputTarget* const targets[] = {to};
        recorder().set_stream_output_targets(std::span(targets, to ? 1 : 0), append_mask);
    }
    std::vector<float> captured(StreamOutputTarget& from, size_t vertices) {
        const auto words = read_words(*from.buffer, vertices * 4, from.offset);
        std::vector<float> values;
        for (const uint32_t word : words)
            values.push_back(std::bit_cast<float>(word));
        return values;
    }
    Ref<ShaderStage> vertex, fragment;
    Ref<StreamOutputTarget> output;
    Target target;
};
KOBALT_SCENES(StreamOutput);

TEST_P(StreamOutput, CapturesVertices) {
    (void)spent();
    begin(framebuffer({&target}));
    capture_into(output.get(), 0);
    draw(3);
    const Cost cost = spent();
    EXPECT_EQ(cost.passes, 1u);
    EXPECT_EQ(cost.draw_compiles, libraries() ? 0u : 1u);
    EXPECT_EQ(captured(*output, 3), (std::vector<float>{0, 1, 0, 1, 1, 1, 0, 1, 2, 1, 0, 1}));
    capture_into(nullptr, 0);
}

TEST_P(StreamOutput, TwoDrawsInOnePassAppend) {
    capture_into(output.get(), 0);
    (void)spent();
    draw(3);
    draw(6);
    EXPECT_EQ(spent().passes, 1u);
    const auto values = captured(*output, 9);
    EXPECT_EQ(values[0], 0);
    EXPECT_EQ(values[12], 0);
    EXPECT_EQ(values[16], 1);
    EXPECT_EQ(values[32], 5);
    capture_into(nullptr, 0);
}

TEST_P(StreamOutput, AppendsAcrossPassesAndBatches) {
    output = new_output(16 * 16, 32);
    capture_into(output.get(), 0);
    draw(3);
    recorder().leave_pass(); // e.g. a texture upload between two draws
    draw(3);
    (void)recorder().flush();
    draw(3);
    const auto values = captured(*output, 9);
    for (size_t i = 0; i < 9; ++i)
        EXPECT_EQ(values[i * 4], static_cast<float>(i % 3)) << i;
    capture_into(nullptr, 0);
}

TEST_P(StreamOutput, AHazardBetweenTwoCapturedDraws) {
    // The second draw's indices were written before the pass, so the pass has to end for their
    // barrier. The capture continues after it and reads the counter that the first capture wrote
    // when it ended.
    Ref<Buffer> indices =
        gpu().buffer(64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    recorder().fill_buffer(*indices, 0, 64, 0);
    recorder().set_index_buffer(indices.get(), 0, VK_INDEX_TYPE_UINT32);
    capture_into(output.get(), 0);
    draw(3);
    const DrawCall call{.first = 0, .count = 3};
    recorder().draw({.indexed = true}, {&call, 1});
    capture_into(nullptr, 0);
    const auto values = captured(*output, 6);
    for (size_t i = 0; i < 6; ++i)
        EXPECT_EQ(values[i * 4], i < 3 ? static_cast<float>(i) : 0.f) << i;
    recorder().set_index_buffer(nullptr, 0, VK_INDEX_TYPE_UINT32);
}

TEST_P(StreamOutput, PauseAndResume) {
    capture_into(output.get(), 0);
    draw(3);
    capture_into(nullptr, 0);
    draw(6); // not captured
    capture_into(output.get(), 1);
    draw(3);
    capture_into(nullptr, 0);
    const auto values = captured(*output, 6);
    for (size_t i = 0; i < 6; ++i)
        EXPECT_EQ(values[i * 4], static_cast<float>(i % 3)) << i;
    EXPECT_EQ(read_words(*output->counter, 1)[0], 6u * 16);
}

TEST_P(StreamOutput, BeginningAgainOverwrites) {
    capture_into(output.get(), 0);
    draw(6);
    capture_into(output.get(), 0);
    draw(3);
    capture_into(nullptr, 0);
    EXPECT_EQ(read_words(*output->counter, 1)[0], 3u * 16);
    EXPECT_EQ(captured(*output, 6)[12], 3);
}

TEST_P(StreamOutput, DrawsWhatItCaptured) {
    Ref<ShaderStage> replay = gpu().stage(Stage::vertex, replay_vert);
    VertexLayout layout;
    layout.id = 1;
    layout.bindings = {{VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, nullptr, 0, 16,
                        VK_VERTEX_INPUT_RATE_VERTEX, 1}};
    layout.attributes = {{VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, nullptr, 0, 0,
                          VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
    RasterizerState discard = raster;
    discard.rasterizer_discard = true;
    recorder().set_rasterizer(&discard);
    recorder().clear_color(0, rgba(1, 0, 0), area(16, 16));
    const float color[4] = {0, 0, 1, 1};
    recorder().set_push_constants(0, bytes_of(color));
    capture_into(output.get(), 0);
    draw(3);
    // The target is still bound, as GL allows while another program draws.
    recorder().set_rasterizer(&raster);
    recorder().set_vertex_layout(&layout);
    recorder().set_vertex_buffer(0, output->buffer.get(), 0);
    bind(replay.get(), fragment.get());
    capture_into(nullptr, 0);
    recorder().draw_stream_output({}, *output);
    expect_all(target, blue);
    recorder().set_vertex_layout(nullptr);
}

TEST_P(StreamOutput, NothingCapturedDrawsNothing) {
    recorder().clear_color(0, rgba(1, 0, 0), area(16, 16));
    recorder().draw_stream_output({}, *output);
    expect_all(target, red);
}

TEST_P(StreamOutput, MissingTargetIsSkipped) {
    StreamOutputTarget* const targets[] = {nullptr};
    recorder().set_stream_output_targets(targets, 0);
    draw(3);
    recorder().set_stream_output_targets({}, 0);
    EXPECT_EQ(pixels(target)[0] & 0xffffff00, green);
}

class Queries : public Scene {
protected:
    /// An occlusion query split into pieces, one per pass.
    class Occlusion : public PassQuery {
    public:
        Occlusion(Gpu& gpu) : gpu_(gpu) {
            auto made =
                vulkan::QueryPool::create(gpu.device(), VK_QUERY_TYPE_OCCLUSION, 16, 0, "test");
            if (made)
                pool_ = std::move(*made);
        }
        void pass_begin(VkCommandBuffer commands, Counted /*counted*/) override {
            gpu_.device().vk().CmdBeginQuery(commands, pool_.handle(), used_, flags());
        }
        void pass_end(VkCommandBuffer commands) override {
            gpu_.device().vk().CmdEndQuery(commands, pool_.handle(), used_++);
        }
        uint32_t pieces() const { return used_; }
        uint64_t total() {
            std::vector<uint64_t> values(used_);
            const auto read = pool_.read(gpu_.device(), 0, used_, values);
            EXPECT_TRUE(read && *read);
            uint64_t sum = 0;
            for (const uint64_t value : values)
                sum += value;
            return sum;
        }

    private:
        VkQueryControlFlags flags() {
            return gpu_.has(vulkan::Capability::occlusion_query_precise)
                       ? VK_QUERY_CONTROL_PRECISE_BIT
                       : 0;
        }
        Gpu& gpu_;
        vulkan::QueryPool pool_;
        uint32_t used_ = 0;
    };
};
KOBALT_SCENES(Queries);

TEST_P(Queries, OcclusionAcrossPasses) {
    KOBALT_NEEDS(occlusion_query_precise);
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, fullscreen_vert),
                     fragment = gpu().stage(Stage::fragment, color_frag);
    Target target = gpu().color();
    Occlusion query(gpu());
    begin(framebuffer({&target}));
    bind(vertex.get(), fragment.get());
    draw(3); // before the query, in the same pass
    recorder().add_pass_query(&query);
    draw(3);
    recorder().leave_pass();
    draw(3);
    (void)recorder().flush();
    draw(3);
    recorder().remove_pass_query(&query);
    draw(3); // after it
    EXPECT_EQ(spent().passes, 3u);
    EXPECT_EQ(query.pieces(), 3u);
    EXPECT_EQ(query.total(), 3u * 256);
}

TEST_P(Queries, ClearsDoNotCount) {
    Target target = gpu().color();
    Occlusion query(gpu());
    begin(framebuffer({&target}));
    recorder().add_pass_query(&query);
    recorder().clear_color(0, rgba(1, 0, 0), area(16, 16));
    recorder().leave_pass();
    recorder().clear_color(0, rgba(0, 1, 0), area(8, 8));
    recorder().leave_pass();
    recorder().remove_pass_query(&query);
    finish();
    EXPECT_EQ(query.total(), 0u);
}

TEST_P(Queries, WithoutAnyPass) {
    Occlusion query(gpu());
    recorder().add_pass_query(&query);
    recorder().remove_pass_query(&query);
    finish();
    EXPECT_EQ(query.pieces(), 0u);
}

} // namespace
} // namespace kobalt::render::test
