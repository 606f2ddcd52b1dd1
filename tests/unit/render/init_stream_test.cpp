// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include <cstdlib>
#include <random>

#include "color_frag.h"
#include "fullscreen_vert.h"

// Tests the init stream: copies to what a batch hasn't used end no pass, and nobody sees that they
// ran earlier than they were recorded.

namespace kobalt::render::test {
namespace {

constexpr VkImageSubresourceRange whole{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
constexpr VkBufferUsageFlags copied =
    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
constexpr uint32_t side = 4, texels = side * side, words = 64;

VkBufferImageCopy texels_at(uint32_t word) {
    VkBufferImageCopy region{};
    region.bufferOffset = word * 4;
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {side, side, 1};
    return region;
}

class InitStreams : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        vertex = gpu().stage(Stage::vertex, fullscreen_vert);
        fragment = gpu().stage(Stage::fragment, color_frag);
        (void)spent();
    }
    void TearDown() override {
        end(); // bound objects live as long as the recorder
        vertex.reset();
        fragment.reset();
        Scene::TearDown();
    }
    void draw_in(const Target& target, float red) {
        begin(framebuffer({&target}));
        bind(vertex.get(), fragment.get());
        push({{red, 0, 0, 1}, 0});
        draw(3);
    }
    void upload(const Target& target, uint32_t value) {
        const Ref<Buffer> from = gpu().buffer(std::vector<uint32_t>(texels, value), copied);
        const VkBufferImageCopy region = texels_at(0);
        recorder().copy_buffer_to_image(*from, *target.image, {&region, 1});
    }
    Ref<ShaderStage> vertex, fragment;
};
KOBALT_SCENES(InitStreams);

TEST_P(InitStreams, FreshTexturesEndNoPass) {
    Target target = gpu().color(side);
    std::vector<Target> textures;
    for (uint32_t i = 0; i < 10; ++i) {
        draw_in(target, 1);
        textures.push_back(gpu().color(side));
        upload(textures.back(), green + i);
        draw(3); // goes on in the pass
    }
    const Cost cost = spent();
    EXPECT_EQ(cost.passes, 10u); // begin() binds the framebuffer anew each time
    EXPECT_LE(cost.barriers, 13u);
    for (uint32_t i = 0; i < 10; ++i)
        expect_all(textures[i], green + i);
    expect_all(target, red);
}

TEST_P(InitStreams, AnOpenPassGoesOn) {
    Target target = gpu().color(side), texture = gpu().color(side);
    upload(texture, green);
    finish();
    (void)spent();
    draw_in(target, 1);
    for (int i = 0; i < 20; ++i) {
        upload(texture, green);
        upload(texture, blue);
        draw(3);
    }
    EXPECT_EQ(spent().passes, 1u);
    expect_all(texture, blue);
}

TEST_P(InitStreams, WhatTheBatchReadIsWrittenBehindIt) {
    Target target = gpu().color(side);
    Ref<Buffer> early = gpu().buffer(texels * 4, copied, vulkan::MemoryKind::readback);
    upload(target, green);
    draw_in(target, 1);
    const VkBufferImageCopy region = texels_at(0);
    recorder().copy_image_to_buffer(*target.image, *early, {&region, 1});
    upload(target, blue);
    finish();
    EXPECT_EQ(read_words(*early, 1)[0], red);
    expect_all(target, blue);
}

TEST_P(InitStreams, AClearThatWaitsForItsPassComesFirst) {
    Target target = gpu().color(side);
    begin(framebuffer({&target}));
    recorder().clear_color(0, rgba(1, 0, 0), area(side, side));
    upload(target, green);
    finish();
    expect_all(target, green);
}

/// Random commands on a few buffers and images, and what each of them holds in the strict order.
class Sequence {
public:
    Sequence(Gpu& gpu, Recorder& recorder) : gpu_(gpu), recorder_(recorder) {
        for (uint32_t i = 0; i < count; ++i) {
            buffers_.push_back(gpu.buffer(words * 4, copied, vulkan::MemoryKind::readback));
            images_.push_back(gpu.color(side));
            recorder.fill_buffer(*buffers_[i], 0, words * 4, 0);
            const VkClearColorValue zero{};
            recorder.clear_image(*images_[i].image, zero, {&whole, 1});
        }
    }
    void command(std::mt19937& random) {
        const auto pick = [&](uint32_t below) { return static_cast<uint32_t>(random() % below); };
        const uint32_t a = pick(count), b = (a + 1 + pick(count - 1)) % count;
        const uint32_t at = pick(words - texels + 1), from = pick(words - texels + 1);
        const uint32_t value = static_cast<uint32_t>(random()) | 0xff000000;
        const VkBufferImageCopy region = texels_at(at);
        switch (pick(8)) {
        case 0: {
            const std::vector<uint32_t> data(texels, value);
            const VkBufferCopy copy{0, at * 4, texels * 4};
            recorder_.copy_buffer(*gpu_.buffer(data, copied), *buffers_[a], {&copy, 1});
            std::ranges::copy(data, buffer_words_[a].begin() + at);
            break;
        }
        case 1: {
            const VkBufferCopy copy{from * 4, at * 4, texels * 4};
            recorder_.copy_buffer(*buffers_[a], *buffers_[b], {&copy, 1});
            std::copy_n(buffer_words_[a].begin() + from, texels, buffer_words_[b].begin() + at);
            break;
        }
        case 2:
            recorder_.fill_buffer(*buffers_[a], at * 4, texels * 4, value);
            std::fill_n(buffer_words_[a].begin() + at, texels, value);
            break;
        case 3:
            recorder_.copy_buffer_to_image(*buffers_[a], *images_[b].image, {&region, 1});
            std::copy_n(buffer_words_[a].begin() + at, texels, image_words_[b].begin());
            break;
        case 4:
            recorder_.copy_image_to_buffer(*images_[a].image, *buffers_[b], {&region, 1});
            std::ranges::copy(image_words_[a], buffer_words_[b].begin() + at);
            break;
        case 5: { // in the main stream, whatever was used before
            recorder_.add_access(*buffers_[a], VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                                 VK_ACCESS_2_TRANSFER_READ_BIT, false);
            recorder_.add_access(*buffers_[b], VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                                 VK_ACCESS_2_TRANSFER_WRITE_BIT, true);
            const VkBufferCopy copy{from * 4, at * 4, texels * 4};
            gpu_.device().vk().CmdCopyBuffer(recorder_.commands(true), buffers_[a]->handle(),
                                             buffers_[b]->handle(), 1, &copy);
            std::copy_n(buffer_words_[a].begin() + from, texels, buffer_words_[b].begin() + at);
            break;
        }
        case 6:
            recorder_.set_framebuffer(framebuffer({&images_[a]}));
            recorder_.clear_color(0, rgba(0, 0, 1), area(side, side));
            image_words_[a].fill(blue);
            break;
        default:
            if (pick(4) == 0)
                recorder_.flush();
            break;
        }
    }
    /// The number of words that differ. The recorder has to be idle.
    uint32_t differences() {
        uint32_t wrong = 0;
        const Ref<Buffer> read = gpu_.buffer(texels * 4, copied, vulkan::MemoryKind::readback);
        for (uint32_t i = 0; i < count; ++i) {
            wrong += differences_of(*buffers_[i], buffer_words_[i]);
            const VkBufferImageCopy region = texels_at(0);
            recorder_.copy_image_to_buffer(*images_[i].image, *read, {&region, 1});
            recorder_.flush()->wait(UINT64_MAX);
            wrong += differences_of(*read, image_words_[i]);
        }
        return wrong;
    }

private:
    static uint32_t differences_of(Buffer& buffer, std::span<const uint32_t> wanted) {
        buffer.storage().invalidate(0, VK_WHOLE_SIZE);
        uint32_t wrong = 0;
        for (size_t i = 0; i < wanted.size(); ++i) {
            uint32_t word = 0;
            std::memcpy(&word, buffer.mapped() + i * 4, 4);
            wrong += word != wanted[i];
        }
        return wrong;
    }
    static constexpr uint32_t count = 3;
    Gpu& gpu_;
    Recorder& recorder_;
    std::vector<Ref<Buffer>> buffers_;
    std::vector<Target> images_;
    std::array<std::array<uint32_t, words>, count> buffer_words_{};
    std::array<std::array<uint32_t, texels>, count> image_words_{};
};

// KOBALT_TEST_SEQUENCES: how many.
TEST_P(InitStreams, RandomCommandsLeaveWhatTheStrictOrderLeaves) {
    const char* const wish = std::getenv("KOBALT_TEST_SEQUENCES");
    const int sequences = wish ? std::atoi(wish) : GetParam().validated ? 50 : 500;
    Sequence sequence(gpu(), recorder());
    for (int seed = 0; seed < sequences && !HasFailure(); ++seed) {
        std::mt19937 random(static_cast<uint32_t>(seed));
        for (uint32_t left = 2 + random() % 14; left; --left)
            sequence.command(random);
        finish();
        EXPECT_EQ(sequence.differences(), 0u) << "seed " << seed;
    }
    end();
}

} // namespace
} // namespace kobalt::render::test
