// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"
#include "render/layouts/layout_cache.h"

#include "double_comp.h"
#include "fullscreen_vert.h"
#include "store_frag.h"
#include "store_image_comp.h"
#include "texture_frag.h"
#include "uniform_frag.h"
#include "uniform_vert.h"

// Tests dispatches, and storage that stages write.

namespace kobalt::render::test {
namespace {

class Compute : public Scene {
protected:
    Ref<ShaderStage> doubler() {
        return gpu().stage(
            Stage::compute, double_comp,
            {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0}, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4}});
    }
};
KOBALT_SCENES(Compute);

TEST_P(Compute, ChainOfDispatches) {
    Ref<ShaderStage> shader = doubler();
    EXPECT_EQ(gpu().cost().draw_compiles, 0u);
    Ref<Buffer> first =
        gpu().buffer(std::vector<uint32_t>(256, 1), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    Ref<Buffer> second = gpu().buffer(1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    (void)spent();
    recorder().bind_stage(Stage::compute, shader.get());
    for (uint32_t step = 0; step < 4; ++step) {
        Buffer* from = step % 2 ? second.get() : first.get();
        Buffer* to = step % 2 ? first.get() : second.get();
        recorder().set_storage_buffer(Stage::compute, 0, {from, 0, 1024});
        recorder().set_storage_buffer(Stage::compute, 4, {to, 0, 1024});
        recorder().set_push_constants(0, bytes_of(step));
        recorder().dispatch(4, 1, 1);
        recorder().memory_barrier();
    }
    const Cost cost = spent();
    EXPECT_EQ(cost.compiles, 0u);
    // The fourth set is the second one again; a pushed set isn't kept.
    EXPECT_EQ(cost.descriptor_writes, shader->set_layout()->pushed() ? 4u : 3u);
    EXPECT_EQ(cost.barriers, 3u);
    EXPECT_EQ(cost.passes, 0u);
    // ((((1 * 2 + 0) * 2 + 1) * 2 + 2) * 2 + 3
    EXPECT_EQ(read_words(*first, 256), std::vector<uint32_t>(256, 27));
}

TEST_P(Compute, OneThatChangesNothingRecordsOnlyItself) {
    Ref<ShaderStage> shader = doubler();
    Ref<Buffer> first =
        gpu().buffer(std::vector<uint32_t>(256, 4), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    Ref<Buffer> second = gpu().buffer(1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    recorder().bind_stage(Stage::compute, shader.get());
    recorder().set_storage_buffer(Stage::compute, 0, {first.get(), 0, 1024});
    recorder().set_storage_buffer(Stage::compute, 4, {second.get(), 0, 1024});
    const uint32_t add = 3;
    recorder().set_push_constants(0, bytes_of(add));
    recorder().dispatch(4, 1, 1);
    (void)spent();
    for (int i = 0; i < 5; ++i)
        recorder().dispatch(4, 1, 1); // GL orders them only by glMemoryBarrier
    Cost cost = spent();
    EXPECT_EQ(cost.barriers, 0u);
    EXPECT_LE(cost.descriptor_writes, 1u) << "the first of a command buffer";
    EXPECT_EQ(cost.descriptor_binds, 1u) << "the same";
    recorder().memory_barrier();
    recorder().memory_barrier();
    EXPECT_EQ(spent().barriers, 0u) << "nobody has used what was stored";
    recorder().dispatch(4, 1, 1);
    recorder().dispatch(4, 1, 1);
    cost = spent();
    EXPECT_EQ(cost.barriers, 1u);
    EXPECT_EQ(cost.descriptor_binds, 1u);
    // A copy after a dispatch, and one before the next, are ordered without a GL barrier.
    Ref<Buffer> other =
        gpu().buffer(std::vector<uint32_t>(256, 7), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    const VkBufferCopy region{0, 0, 1024};
    recorder().copy_buffer(*other, *first, {&region, 1});
    recorder().dispatch(4, 1, 1);
    EXPECT_EQ(spent().barriers, 2u);
    EXPECT_EQ(read_words(*second, 256), std::vector<uint32_t>(256, 17));
}

TEST_P(Compute, ReadersNeedNoBarrierAmongThemselves) {
    Ref<ShaderStage> shader =
        gpu().stage(Stage::compute, double_comp,
                    {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, {}, false, false},
                     {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4}});
    Ref<Buffer> source =
        gpu().buffer(std::vector<uint32_t>(256, 4), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    const Ref<Buffer> targets[] = {gpu().buffer(1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                                   gpu().buffer(1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)};
    recorder().bind_stage(Stage::compute, shader.get());
    const uint32_t add = 1;
    recorder().set_push_constants(0, bytes_of(add));
    recorder().set_storage_buffer(Stage::compute, 0, {source.get(), 0, 1024});
    (void)spent();
    for (const Ref<Buffer>& target : targets) {
        recorder().set_storage_buffer(Stage::compute, 4, {target.get(), 0, 1024});
        recorder().dispatch(4, 1, 1);
        recorder().memory_barrier();
    }
    EXPECT_EQ(spent().barriers, 0u);
    // A later read of a target must see the store.
    recorder().set_storage_buffer(Stage::compute, 0, {targets[0].get(), 0, 1024});
    recorder().set_storage_buffer(Stage::compute, 4, {source.get(), 0, 1024});
    recorder().dispatch(4, 1, 1);
    EXPECT_EQ(spent().barriers, 1u);
    EXPECT_EQ(read_words(*source, 256), std::vector<uint32_t>(256, 19));
    EXPECT_EQ(read_words(*targets[1], 256), std::vector<uint32_t>(256, 9));
}

TEST_P(Compute, Indirect) {
    Ref<ShaderStage> shader = doubler();
    Ref<Buffer> first =
        gpu().buffer(std::vector<uint32_t>(256, 5), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    Ref<Buffer> second =
        gpu().buffer(std::vector<uint32_t>(256, 9), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    Ref<Buffer> groups = gpu().buffer(std::vector<uint32_t>{2, 1, 1}, 0),
                arguments = gpu().buffer(12, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    const VkBufferCopy region{0, 0, 12};
    recorder().copy_buffer(*groups, *arguments, {&region, 1});
    recorder().bind_stage(Stage::compute, shader.get());
    recorder().set_storage_buffer(Stage::compute, 0, {first.get(), 0, 1024});
    recorder().set_storage_buffer(Stage::compute, 4, {second.get(), 0, 1024});
    const uint32_t add = 0;
    recorder().set_push_constants(0, bytes_of(add));
    recorder().dispatch_indirect(*arguments, 0);
    const auto words = read_words(*second, 256);
    EXPECT_EQ(words[127], 10u);
    EXPECT_EQ(words[128], 9u);
}

TEST_P(Compute, BetweenTwoDraws) {
    // Compute uses set 1 as the vertex stage does: neither may disturb the other.
    Ref<ShaderStage> shader = doubler();
    Ref<ShaderStage> vertex =
        gpu().stage(Stage::vertex, uniform_vert, {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0}});
    Ref<ShaderStage> fragment =
        gpu().stage(Stage::fragment, uniform_frag, {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0}});
    Ref<Buffer> values =
        gpu().buffer(std::vector<float>{0, 1, 0, 1}, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    Ref<Buffer> zero =
        gpu().buffer(std::vector<float>{0, 0, 0, 0}, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    Ref<Buffer> first =
        gpu().buffer(std::vector<uint32_t>(64, 5), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    Ref<Buffer> second =
        gpu().buffer(std::vector<uint32_t>(64, 0), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    Target target = gpu().color();
    begin(framebuffer({&target}));
    bind(vertex.get(), fragment.get());
    recorder().set_uniform_buffer(Stage::vertex, 0, {values.get(), 0, 16});
    recorder().set_uniform_buffer(Stage::fragment, 0, {zero.get(), 0, 16});
    recorder().bind_stage(Stage::compute, shader.get());
    recorder().set_storage_buffer(Stage::compute, 0, {first.get(), 0, 256});
    recorder().set_storage_buffer(Stage::compute, 4, {second.get(), 0, 256});
    for (int i = 0; i < 3; ++i) {
        recorder().clear_color(0, rgba(1, 0, 0), area(16, 16));
        draw(3);
        recorder().dispatch(1, 1, 1);
    }
    recorder().clear_color(0, rgba(1, 0, 0), area(16, 16));
    draw(3);
    expect_all(target, green);
    EXPECT_EQ(read_words(*second, 64), std::vector<uint32_t>(64, 10));
}

TEST_P(Compute, StorageImageIsSampledByADraw) {
    Target image = gpu().target(16, 16, VK_FORMAT_R8G8B8A8_UNORM,
                                VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    Target target = gpu().color();
    Ref<ShaderStage> shader =
        gpu().stage(Stage::compute, store_image_comp, {{0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 2}});
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, fullscreen_vert);
    Ref<ShaderStage> sample = gpu().stage(Stage::fragment, texture_frag,
                                          {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0}});
    recorder().bind_stage(Stage::compute, shader.get());
    recorder().set_storage_image(Stage::compute, 2, image.view.get(), nullptr);
    push({{0, 0, 1, 1}, 0});
    (void)spent();
    recorder().dispatch(2, 2, 1);
    begin(framebuffer({&target}));
    recorder().set_texture(Stage::fragment, 0, image.view.get(), nullptr);
    bind(vertex.get(), sample.get());
    draw(3);
    EXPECT_EQ(spent().barriers, 2u);
    expect_all(target, blue);
}

TEST_P(Compute, FragmentsStore) {
    KOBALT_NEEDS(fragment_stores_and_atomics);
    Target target = gpu().color();
    Ref<Buffer> counter =
        gpu().buffer(std::vector<uint32_t>{0}, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, fullscreen_vert);
    Ref<ShaderStage> store =
        gpu().stage(Stage::fragment, store_frag, {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0}});
    begin(framebuffer({&target}));
    recorder().set_storage_buffer(Stage::fragment, 0, {counter.get(), 0, 4});
    bind(vertex.get(), store.get());
    draw(3);
    draw(3);
    EXPECT_EQ(spent().passes, 1u);
    EXPECT_EQ(read_words(*counter, 1)[0], 512u);
    draw(3);
    EXPECT_EQ(read_words(*counter, 1)[0], 768u);
}

} // namespace
} // namespace kobalt::render::test
