// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include <chrono>
#include <cstdlib>
#include <thread>

#include "color_frag.h"
#include "fullscreen_vert.h"
#include "texture_frag.h"

// Tests recorders that share an engine, and a lost device.

namespace kobalt::render::test {
namespace {

/// A recorder with a target of its own.
struct Client {
    RasterizerState raster;
    DepthStencilState depth_stencil;
    BlendState blend;
    Target target;
    Ref<Buffer> result;
    Recorder recorder;

    explicit Client(Gpu& gpu)
        : target(gpu.color()), result(gpu.buffer(16 * 16 * 4, 0, vulkan::MemoryKind::readback)),
          recorder(gpu.engine()) {
        recorder.set_rasterizer(&raster);
        recorder.set_depth_stencil(&depth_stencil);
        recorder.set_blend(&blend);
        recorder.set_framebuffer(framebuffer({&target}));
        const VkViewport viewport{0, 0, 16, 16, 0, 1};
        recorder.set_viewports(0, {&viewport, 1});
    }
    void draw(ShaderStage* vertex, ShaderStage* fragment, const Push& push) {
        recorder.bind_stage(Stage::vertex, vertex);
        recorder.bind_stage(Stage::fragment, fragment);
        recorder.set_push_constants(0, bytes_of(push));
        const DrawCall call{0, 3, 0, 0};
        recorder.draw({}, {&call, 1});
    }
    Ref<BatchToken> read() {
        VkBufferImageCopy region{};
        region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        region.imageExtent = {16, 16, 1};
        recorder.copy_image_to_buffer(*target.image, *result, {&region, 1});
        return recorder.flush();
    }
    uint32_t texel(size_t index) const {
        uint32_t value = 0;
        std::memcpy(&value, result->mapped() + index * 4, 4);
        return value;
    }
};

class Sharing : public Scene {};
KOBALT_SCENES(Sharing);

TEST_P(Sharing, TwoThreads) {
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, fullscreen_vert);
    Ref<ShaderStage> fragment = gpu().stage(Stage::fragment, color_frag);
    Ref<ShaderStage> sample = gpu().stage(Stage::fragment, texture_frag,
                                          {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0}});
    // A target that both recorders read, written before either begins.
    Target shared = gpu().color();
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    recorder().clear_image(*shared.image, rgba(0, 0, 1), {&all, 1});
    finish();
    const auto work = [&](float red_, uint32_t expected, int& wrong) {
        Client client(gpu());
        client.recorder.set_texture(Stage::fragment, 0, shared.view.get(), nullptr);
        for (int i = 0; i < 60; ++i) {
            Ref<ShaderStage> own = gpu().stage(Stage::fragment, color_frag);
            client.draw(vertex.get(), own.get(), {{red_, 1, 0, 1}, 0});
            (void)client.read()->wait(UINT64_MAX);
            wrong += client.texel(0) != expected;
            client.draw(vertex.get(), fragment.get(), {{1 - red_, 1, 0, 1}, 0});
            client.draw(vertex.get(), sample.get(), {});
            (void)client.read()->wait(UINT64_MAX);
            wrong += client.texel(255) != blue;
        }
    };
    int first_wrong = 0, second_wrong = 0;
    std::thread first([&] { work(1, yellow, first_wrong); });
    std::thread second([&] { work(0, green, second_wrong); });
    first.join();
    second.join();
    EXPECT_EQ(first_wrong, 0);
    EXPECT_EQ(second_wrong, 0);
}

TEST_P(Sharing, OneRendersTheOtherSamples) {
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, fullscreen_vert);
    Ref<ShaderStage> fragment = gpu().stage(Stage::fragment, color_frag);
    Ref<ShaderStage> sample = gpu().stage(Stage::fragment, texture_frag,
                                          {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0}});
    Client producer(gpu()), consumer(gpu());
    for (int i = 0; i < 10; ++i) {
        producer.draw(vertex.get(), fragment.get(), {{i % 2 ? 1.f : 0.f, 1, 0, 1}, 0});
        (void)producer.recorder.flush(); // as GL asks of the app: glFlush, then use it elsewhere
        consumer.recorder.set_texture(Stage::fragment, 0, producer.target.view.get(), nullptr);
        consumer.draw(vertex.get(), sample.get(), {});
        ASSERT_TRUE(consumer.read()->wait(UINT64_MAX));
        EXPECT_EQ(consumer.texel(99), i % 2 ? yellow : green) << i;
    }
}

class LostDevice : public testing::TestWithParam<Config> {};
KOBALT_SCENES(LostDevice);

TEST_P(LostDevice, NothingHangs) {
    // Submissions count from 0, and the engine makes none of its own: the device is lost at our
    // third one.
    setenv("KOBALT_FAULT", "lost:2", 1);
    std::string why;
    auto gpu = Gpu::create(GetParam(), why);
    unsetenv("KOBALT_FAULT");
    if (!gpu)
        GTEST_SKIP() << why;
    const auto begin = std::chrono::steady_clock::now();
    {
        Client client(*gpu);
        Ref<ShaderStage> vertex = gpu->stage(Stage::vertex, fullscreen_vert),
                         fragment = gpu->stage(Stage::fragment, color_frag);
        Ref<BatchToken> token;
        for (int i = 0; i < 6; ++i) {
            client.draw(vertex.get(), fragment.get(), {{0, 1, 0, 1}, 0});
            const Ref<BatchToken> recorded = client.recorder.current_token();
            token = client.read();
            EXPECT_EQ(client.recorder.device_lost(), i >= 2) << i;
            EXPECT_TRUE(token->wait(UINT64_MAX));
            EXPECT_TRUE(token->completed());
            EXPECT_TRUE(recorded->completed());
            EXPECT_TRUE(client.target.image->wait_idle(false, UINT64_MAX));
            EXPECT_FALSE(client.target.image->busy(false));
        }
        // The state tracker's next commands must not crash either.
        client.recorder.full_barrier();
        client.recorder.clear_color(0, rgba(1, 0, 0), area(16, 16));
        client.recorder.fill_buffer(*client.result, 0, 64, 1);
        (void)client.recorder.flush();
        EXPECT_TRUE(client.recorder.device_lost());
        // A new recorder on the lost device, too.
        Client late(*gpu);
        late.draw(vertex.get(), fragment.get(), {});
        EXPECT_TRUE(late.read()->wait(UINT64_MAX));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
    const auto messages = gpu->messages();
    ASSERT_EQ(messages.size(), 1u) << messages.back();
    EXPECT_NE(messages[0].find("KOBALT_FAULT"), std::string::npos) << messages[0];
}

TEST_P(LostDevice, AnotherThreadIsReleased) {
    setenv("KOBALT_FAULT", "lost:1", 1);
    std::string why;
    auto gpu = Gpu::create(GetParam(), why);
    unsetenv("KOBALT_FAULT");
    if (!gpu)
        GTEST_SKIP() << why;
    Client client(*gpu);
    const VkRect2D all = area(16, 16);
    client.recorder.clear_color(0, rgba(1, 0, 0), all);
    const Ref<BatchToken> token = client.recorder.current_token();
    bool completed = false;
    std::thread waiting([&] { completed = token->wait(UINT64_MAX); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    (void)client.recorder.flush();
    waiting.join();
    EXPECT_TRUE(completed);
}

} // namespace
} // namespace kobalt::render::test
