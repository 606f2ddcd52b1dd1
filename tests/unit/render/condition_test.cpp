// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include "color_frag.h"
#include "double_comp.h"
#include "fullscreen_vert.h"
#include "texture_frag.h"

// Tests conditional rendering: the device decides, without a submission or a wait.

namespace kobalt::render::test {
namespace {

class Conditions : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        vertex = gpu().stage(Stage::vertex, fullscreen_vert);
        fragment = gpu().stage(Stage::fragment, color_frag);
        discard = raster;
        discard.rasterizer_discard = true;
    }
    void TearDown() override {
        end();
        vertex.reset();
        fragment.reset();
        Scene::TearDown();
    }
    /// A predicate buffer: whether any of `pieces` queries counted samples. Query `counting` does,
    /// unless it is -1. Leaves the target black.
    Ref<Buffer> predicate(const Target& target, int pieces, int counting) {
        auto made =
            vulkan::QueryPool::create(gpu().device(), VK_QUERY_TYPE_OCCLUSION, 8, 0, "test");
        EXPECT_TRUE(made);
        pools.push_back(std::move(*made));
        const VkQueryPool pool = pools.back().handle();
        begin(framebuffer({&target}));
        bind(vertex.get(), fragment.get());
        push({{1, 0, 0, 1}, 0});
        std::vector<QueryWord> words;
        const auto& vk = gpu().device().vk();
        for (int i = 0; i < pieces; ++i) {
            recorder().set_rasterizer(&discard);
            draw(3); // opens the pass
            vk.CmdBeginQuery(recorder().commands(false), pool, static_cast<uint32_t>(i), 0);
            if (i == counting) {
                recorder().set_rasterizer(&raster);
                draw(3);
            }
            vk.CmdEndQuery(recorder().commands(false), pool, static_cast<uint32_t>(i));
            words.push_back({pool, static_cast<uint32_t>(i)});
            // Queries of earlier command buffers count too.
            if (i == 1)
                (void)recorder().flush();
        }
        recorder().set_rasterizer(&raster);
        recorder().leave_pass();
        recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
        recorder().leave_pass();
        Ref<Buffer> made_buffer = gpu().buffer(predicate_bytes(words.size()),
                                               VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT |
                                                   VK_BUFFER_USAGE_TRANSFER_DST_BIT);
        EXPECT_TRUE(recorder().write_predicate(words, *made_buffer));
        return made_buffer;
    }

    Ref<ShaderStage> vertex, fragment;
    RasterizerState discard;
    std::vector<vulkan::QueryPool> pools;
};
KOBALT_SCENES(Conditions);

TEST_P(Conditions, DrawsObeyOneQueryOrSeveral) {
    KOBALT_NEEDS(conditional_rendering);
    Target target = gpu().color();
    for (const int pieces : {1, 5})
        for (int counting = -1; counting < pieces; ++counting)
            for (const bool inverted : {false, true}) {
                Ref<Buffer> made = predicate(target, pieces, counting);
                recorder().set_condition(made.get(), inverted);
                push({{0, 1, 0, 1}, 0});
                draw(3);
                recorder().set_condition(nullptr, false);
                expect_all(target, (counting >= 0) != inverted ? green : black);
            }
    finish();
    pools.clear();
}

TEST_P(Conditions, NothingIsSubmittedAndThePassGoesOn) {
    KOBALT_NEEDS(conditional_rendering);
    Target target = gpu().color();
    Ref<Buffer> yes = predicate(target, 1, 0), no = predicate(target, 1, -1);
    begin(framebuffer({&target}));
    push({{0, 0, 1, 1}, 0});
    draw(3);
    const uint64_t batches = gpu().engine().counters().batches;
    (void)spent(); // submits and waits
    push({{0, 0, 1, 1}, 0});
    recorder().set_condition(no.get(), false);
    draw(3);
    recorder().set_condition(yes.get(), false);
    draw(3);
    recorder().set_condition(nullptr, false);
    draw(3);
    recorder().clear_color(0, rgba(1, 0, 0), area(8, 16));
    EXPECT_EQ(gpu().engine().counters().batches, batches + 1);
    EXPECT_EQ(spent().passes, 1u);
    finish();
    pools.clear();
}

TEST_P(Conditions, ClearsObeyInsideAndOutsideThePass) {
    KOBALT_NEEDS(conditional_rendering);
    Target target = gpu().color();
    for (const int counting : {-1, 0})
        for (const bool drawn : {false, true}) {
            Ref<Buffer> made = predicate(target, 1, counting);
            begin(framebuffer({&target}));
            recorder().clear_color(0, rgba(0, 0, 1), area(16, 16)); // unconditional, deferred
            if (drawn) {
                push({{0, 0, 1, 1}, 0});
                draw(3);
            }
            recorder().set_condition(made.get(), false);
            recorder().clear_color(0, rgba(0, 1, 0), area(16, 16));
            recorder().set_condition(nullptr, false);
            expect_all(target, counting < 0 ? blue : green);
        }
    finish();
    pools.clear();
}

TEST_P(Conditions, DispatchesObey) {
    KOBALT_NEEDS(conditional_rendering);
    Target target = gpu().color();
    Ref<ShaderStage> shader = gpu().stage(
        Stage::compute, double_comp,
        {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0}, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4}});
    Ref<Buffer> from =
        gpu().buffer(std::vector<uint32_t>(256, 21), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    for (const int counting : {-1, 0}) {
        Ref<Buffer> made = predicate(target, 1, counting);
        Ref<Buffer> to =
            gpu().buffer(std::vector<uint32_t>(256, 5),
                         VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
        recorder().bind_stage(Stage::compute, shader.get());
        recorder().set_storage_buffer(Stage::compute, 0, {from.get(), 0, 1024});
        recorder().set_storage_buffer(Stage::compute, 4, {to.get(), 0, 1024});
        recorder().set_push_constants(0, bytes_of(0u));
        recorder().set_condition(made.get(), false);
        recorder().dispatch(4, 1, 1);
        recorder().set_condition(nullptr, false);
        EXPECT_EQ(read_words(*to, 1)[0] != 5u, counting == 0);
        recorder().bind_stage(Stage::compute, nullptr);
        recorder().set_storage_buffer(Stage::compute, 0, {});
        recorder().set_storage_buffer(Stage::compute, 4, {});
    }
    finish();
    pools.clear();
}

// Even if a clear began the pass, the next draw may read data that was written outside the pass.
TEST_P(Conditions, DrawAfterAClearThatBeganThePassSeesCopies) {
    Target target = gpu().color(), texture = gpu().color();
    Ref<ShaderStage> sample = gpu().stage(Stage::fragment, texture_frag,
                                          {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0}});
    Ref<Sampler> sampler = gpu().nearest();
    Ref<Buffer> texels =
        gpu().buffer(std::vector<uint32_t>(256, green), VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    begin(framebuffer({&texture}));
    recorder().clear_color(0, rgba(1, 0, 0), area(16, 16));
    begin(framebuffer({&target}));
    recorder().set_texture(Stage::fragment, 0, texture.view.get(), nullptr);
    recorder().set_sampler(Stage::fragment, 0, sampler.get());
    bind(vertex.get(), sample.get());
    draw(3);
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {16, 16, 1};
    recorder().copy_buffer_to_image(*texels, *texture.image, {&region, 1});
    (void)spent();
    // The main stream uses it, so the next copy doesn't go into the init stream.
    recorder().add_access(*texture.image, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                          VK_ACCESS_2_TRANSFER_READ_BIT, false);
    recorder().copy_buffer_to_image(*texels, *texture.image, {&region, 1});
    recorder().clear_color(0, rgba(0, 0, 1), area(8, 8)); // a partial clear: the pass begins
    draw(3);
    // Barriers: between the copies, before the clear's pass, and before the draw, for which the
    // pass must end.
    EXPECT_EQ(spent().passes, 2u);
    expect_all(target, green);
    recorder().set_texture(Stage::fragment, 0, nullptr, nullptr);
    recorder().set_sampler(Stage::fragment, 0, nullptr);
    end();
}

} // namespace
} // namespace kobalt::render::test
