// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include <mutex>
#include <thread>

#include "color_frag.h"
#include "fullscreen_vert.h"
#include "texture_frag.h"
#include "uniform_vert.h"

// Tests two recorders that use the same objects without synchronisation. GL leaves undefined what
// one sees of the other's writes. Each must still see its own writes, and the final contents must
// be right once both were waited for.

namespace kobalt::render::test {
namespace {

constexpr VkImageSubresourceRange whole{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

class TwoRecorders : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        other_ = std::make_unique<Recorder>(gpu().engine());
        shared = gpu().color();
    }
    void TearDown() override {
        other_.reset();
        end();
        shared = {};
        Scene::TearDown();
    }
    Recorder& other() { return *other_; }
    void end_other() { other_.reset(); }
    static void clear(Recorder& recorder, const Target& target, const VkClearColorValue& value) {
        recorder.clear_image(*target.image, value, {&whole, 1});
    }
    static void copy_out(Recorder& recorder, const Target& target, Buffer& to) {
        VkBufferImageCopy region{};
        region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        region.imageExtent = {16, 16, 1};
        recorder.copy_image_to_buffer(*target.image, to, {&region, 1});
    }
    Ref<Buffer> result() { return gpu().buffer(16 * 16 * 4, 0, vulkan::MemoryKind::readback); }
    static uint32_t texel(Buffer& buffer) {
        uint32_t value = 0;
        buffer.storage().invalidate(0, VK_WHOLE_SIZE);
        std::memcpy(&value, buffer.mapped(), 4);
        return value;
    }
    static void wait(Recorder& recorder) { ASSERT_TRUE(recorder.flush()->wait(20'000'000'000ull)); }

    Target shared;

private:
    std::unique_ptr<Recorder> other_;
};
KOBALT_SCENES(TwoRecorders);

TEST_P(TwoRecorders, TheFirstUseIsNotTheFirstSubmission) {
    // The first recorder to use the image is the last to submit. The transition from
    // VK_IMAGE_LAYOUT_UNDEFINED must come before all other uses, so that it discards nothing.
    Ref<Buffer> early = result();
    copy_out(recorder(), shared, *early);
    clear(other(), shared, rgba(0, 0, 1));
    wait(other());
    finish();
    EXPECT_EQ(texel(*early), blue);
    expect_all(shared, blue);
}

TEST_P(TwoRecorders, AnotherReaderTakesNoBarrierAway) {
    clear(recorder(), shared, rgba(1, 0, 0));
    finish();
    // Between a write and its own read of it, the other recorder reads (GL leaves the value
    // undefined).
    Ref<Buffer> mine = result(), theirs = result();
    clear(recorder(), shared, rgba(0, 1, 0));
    copy_out(other(), shared, *theirs);
    copy_out(recorder(), shared, *mine);
    wait(other());
    finish();
    EXPECT_EQ(texel(*mine), green);
    EXPECT_EQ(texel(*theirs), red) << "it was submitted first";
}

TEST_P(TwoRecorders, AnotherWriterTakesNoBarrierAway) {
    Ref<Buffer> mine = result();
    clear(recorder(), shared, rgba(0, 1, 0));
    copy_out(recorder(), shared, *mine);
    clear(other(), shared, rgba(0, 0, 1));
    clear(recorder(), shared, rgba(1, 0, 0)); // after the recorder's own copy
    finish();
    wait(other());
    EXPECT_EQ(texel(*mine), green);
    expect_all(shared, blue);
}

TEST_P(TwoRecorders, InTheOrderOfTheirSubmissions) {
    // Recorded in one order, submitted in the other.
    clear(recorder(), shared, rgba(1, 0, 0));
    clear(other(), shared, rgba(0, 1, 0));
    Ref<Buffer> theirs = result();
    copy_out(other(), shared, *theirs);
    (void)other().flush();
    (void)recorder().flush();
    copy_out(other(), shared, *theirs);
    wait(other());
    EXPECT_EQ(texel(*theirs), red);
}

TEST_P(TwoRecorders, BusyUntilBothHaveDone) {
    Ref<Buffer> buffer = gpu().buffer(64, 0), mine = gpu().buffer(64, 0),
                theirs = gpu().buffer(64, 0);
    const VkBufferCopy region{0, 0, 64};
    recorder().copy_buffer(*buffer, *mine, {&region, 1});
    other().copy_buffer(*buffer, *theirs, {&region, 1});
    wait(other());
    EXPECT_TRUE(buffer->busy(false)) << "the first recorder's copy is still to come";
    EXPECT_TRUE(buffer->unflushed(false));
    EXPECT_FALSE(buffer->busy(true));
    EXPECT_FALSE(theirs->busy(false));
    EXPECT_FALSE(buffer->wait_idle(false, 1000));
    finish();
    EXPECT_FALSE(buffer->busy(false));
    EXPECT_TRUE(buffer->wait_idle(false, UINT64_MAX));

    // The same for writes, with the writer first and a later reader.
    recorder().fill_buffer(*buffer, 0, 64, 1);
    other().copy_buffer(*buffer, *theirs, {&region, 1});
    wait(other());
    EXPECT_TRUE(buffer->busy(true));
    finish();
    EXPECT_FALSE(buffer->busy(true));
}

TEST_P(TwoRecorders, BoundBuffersStay) {
    // Another context replaces a buffer's storage (glBufferData), and this one goes on drawing with
    // the old storage bound. (AddressSanitizer reports it if the buffer was freed.)
    Ref<ShaderStage> vertex =
        gpu().stage(Stage::vertex, uniform_vert, {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0}});
    Ref<ShaderStage> fragment = gpu().stage(Stage::fragment, color_frag);
    Ref<Buffer> tint =
        gpu().buffer(std::vector<float>{0, 1, 0, 1}, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    Ref<Buffer> indices =
        gpu().buffer(std::vector<uint32_t>{0, 1, 2}, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    begin(framebuffer({&shared}));
    bind(vertex.get(), fragment.get());
    recorder().set_uniform_buffer(Stage::vertex, 0, {tint.get(), 0, 16});
    recorder().set_index_buffer(indices.get(), 0, VK_INDEX_TYPE_UINT32);
    const DrawCall call{0, 3, 0, 0};
    tint.reset();
    indices.reset();
    for (int i = 0; i < 3; ++i) {
        recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
        recorder().draw({.indexed = true}, {&call, 1});
        finish();
        gpu().engine().batches().collect();
        clear(other(), shared, rgba(1, 0, 0));
        wait(other());
        gpu().engine().batches().collect();
    }
    recorder().draw({.indexed = true}, {&call, 1});
    expect_all(shared, green);
}

TEST_P(TwoRecorders, ManyTakeTurns) {
    // More recorders than a resource has context slots, and slots that are used again.
    for (int round = 0; round < 2; ++round) {
        std::vector<std::unique_ptr<Recorder>> many;
        for (int i = 0; i < 9; ++i)
            many.push_back(std::make_unique<Recorder>(gpu().engine()));
        for (int turn = 0; turn < 3; ++turn)
            for (size_t i = 0; i < many.size(); ++i) {
                Ref<Buffer> seen = result();
                clear(*many[i], shared, rgba(0, i % 2 ? 1 : 0, 1));
                copy_out(*many[i], shared, *seen);
                clear(*many[i], shared, rgba(1, 0, 0));
                const Ref<BatchToken> token = many[i]->flush();
                // The next recorder reads what this one wrote.
                Recorder& next = *many[(i + 1) % many.size()];
                Ref<Buffer> left = result();
                copy_out(next, shared, *left);
                wait(next);
                EXPECT_TRUE(token->completed());
                EXPECT_EQ(texel(*seen), blue | (i % 2 ? green : 0)) << i;
                EXPECT_EQ(texel(*left), red) << i;
            }
    }
}

TEST_P(TwoRecorders, OneImageOnTwoThreads) {
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, fullscreen_vert),
                     fragment = gpu().stage(Stage::fragment, color_frag);
    Ref<ShaderStage> sample = gpu().stage(Stage::fragment, texture_frag,
                                          {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0}});
    Ref<Sampler> sampler = gpu().nearest();
    Ref<Buffer> common = gpu().buffer(16 * 16 * 4, 0);
    const int rounds = GetParam().validated ? 20 : 100;
    // Each thread makes images that both use from then on.
    struct Box {
        std::mutex mutex;
        Target target;
    } box;
    const auto work = [&](int seed, int& wrong) {
        Target own = gpu().color();
        Ref<Buffer> seen = result();
        Recorder recording(gpu().engine());
        recording.set_rasterizer(&raster);
        recording.set_depth_stencil(&depth_stencil);
        recording.set_blend(&blend);
        const VkViewport viewport{0, 0, 16, 16, 0, 1};
        recording.set_viewports(0, {&viewport, 1});
        recording.set_sampler(Stage::fragment, 0, sampler.get());
        const auto paint = [&](const Target& target, ShaderStage* with, const Push& values) {
            recording.set_framebuffer(framebuffer({&target}));
            recording.bind_stage(Stage::vertex, vertex.get());
            recording.bind_stage(Stage::fragment, with);
            recording.set_push_constants(0, bytes_of(values));
            const DrawCall call{0, 3, 0, 0};
            recording.draw({}, {&call, 1});
        };
        for (int i = 0; i < rounds; ++i) {
            Target between;
            {
                const std::lock_guard lock(box.mutex);
                if (i % 8 == seed)
                    box.target = gpu().color();
                between = box.target;
            }
            if (!between.image)
                continue;
            // Both write and read the shared images; the results are undefined.
            paint(between, fragment.get(), {{seed ? 1.f : 0.f, 1, 0, 1}, 0});
            if (i % 3 == 0)
                (void)recording.flush();
            recording.set_texture(Stage::fragment, 0, between.view.get(), nullptr);
            paint(own, sample.get(), {});
            recording.fill_buffer(*common, 0, 64, static_cast<uint32_t>(i));
            copy_out(recording, between, *common);
            (void)common->busy(i % 2);
            // But an image that only one of them uses has the right contents.
            paint(own, fragment.get(), {{seed ? 1.f : 0.f, 1, 0, 1}, 0});
            copy_out(recording, own, *seen);
            (void)recording.flush()->wait(UINT64_MAX);
            wrong += texel(*seen) != (seed ? yellow : green);
            recording.set_texture(Stage::fragment, 0, nullptr, nullptr);
        }
    };
    int first_wrong = 0, second_wrong = 0;
    std::thread first([&] { work(0, first_wrong); });
    std::thread second([&] { work(1, second_wrong); });
    first.join();
    second.join();
    EXPECT_EQ(first_wrong, 0);
    EXPECT_EQ(second_wrong, 0);
    // And the shared images still work.
    clear(recorder(), box.target, rgba(0, 0, 1));
    finish();
    expect_all(box.target, blue);
}

} // namespace
} // namespace kobalt::render::test
