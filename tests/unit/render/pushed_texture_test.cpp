// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include <algorithm>

#include "color_frag.h"
#include "fullscreen_vert.h"
#include "pushed_texture_frag.h"
#include "uniform_vert.h"

// Tests the pushed texture: a draw samples the texture bound at that time, whatever other programs
// and batches came in between, and waits for earlier draws to that texture.

namespace kobalt::render::test {
namespace {

static_assert(pushed_set == 6 && pushed_texture_binding == 10, "pushed_texture.frag says so");

class PushedTextures : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        if (!gpu().paths().pushed_texture)
            GTEST_SKIP() << "no texture is pushed";
        plain = gpu().stage(Stage::vertex, fullscreen_vert);
        tinted =
            gpu().stage(Stage::vertex, uniform_vert, {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0}});
        StageBinding texture{pushed_texture_binding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0};
        texture.pushed = true;
        textured = gpu().stage(Stage::fragment, pushed_texture_frag, {texture});
        coloured = gpu().stage(Stage::fragment, color_frag);
        sampler = gpu().nearest();
        zeros = gpu().buffer(std::vector<float>(4), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        const std::array colors{rgba(1, 0, 0), rgba(0, 1, 0)};
        for (size_t i = 0; i < colors.size(); ++i) {
            textures[i] = gpu().color();
            const VkImageSubresourceRange whole{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
            recorder().clear_image(*textures[i].image, colors[i], {&whole, 1});
        }
        target = gpu().color();
        recorder().set_sampler(Stage::fragment, 0, sampler.get());
        recorder().set_uniform_buffer(Stage::vertex, 0, {zeros.get(), 0, 16});
        begin(framebuffer({&target}));
        push({{0, 0, 1, 1}, 0});
    }
    void TearDown() override {
        end();
        plain = tinted = textured = coloured = {};
        sampler.reset();
        zeros.reset();
        textures = {};
        target = {};
        Scene::TearDown();
    }
    void texture(size_t i) {
        recorder().set_texture(Stage::fragment, 0, textures[i].view.get(), nullptr);
    }
    /// Draws into column `i` of four.
    void draw_column(int i) {
        const VkViewport column{4.0F * static_cast<float>(i), 0, 4, 16, 0, 1};
        recorder().set_viewports(0, {&column, 1});
        draw(3);
    }
    void expect_columns(const std::array<uint32_t, 4>& expected) {
        const auto texels = pixels(target);
        for (uint32_t i = 0; i < 4; ++i)
            EXPECT_EQ(texels[i * 4 + 1], expected[i]) << "column " << i;
    }

    Ref<ShaderStage> plain, tinted, textured, coloured;
    Ref<Sampler> sampler;
    Ref<Buffer> zeros;
    std::array<Target, 2> textures; ///< red, green
    Target target;
};

/// Textures are pushed only together with descriptor buffers.
std::vector<Config> configs() {
    std::vector<Config> fitting = all_configs();
    std::erase_if(fitting, [](const Config& config) {
        return std::ranges::find(config.disabled, "descriptor_buffer") != config.disabled.end();
    });
    return fitting;
}
INSTANTIATE_TEST_SUITE_P(Configs, PushedTextures, testing::ValuesIn(configs()), config_name);

TEST_P(PushedTextures, TwoInTurns) {
    bind(plain.get(), textured.get());
    texture(0);
    draw_column(0);
    (void)spent();
    begin(framebuffer({&target}));
    for (int i = 1; i < 4; ++i) {
        texture(static_cast<size_t>(i % 2));
        draw_column(i);
        draw_column(i);
    }
    const Cost cost = spent();
    EXPECT_EQ(cost.descriptors, 3u) << "one for each texture that came";
    EXPECT_EQ(cost.descriptor_writes, 0u) << "no set";
    expect_columns({red, green, red, green});
}

TEST_P(PushedTextures, OtherLayoutsAndProgramsBetween) {
    texture(0);
    bind(plain.get(), textured.get());
    draw_column(0);
    bind(tinted.get(), textured.get()); // another layout
    draw_column(1);
    bind(plain.get(), coloured.get()); // no texture: it may be replaced now
    texture(1);
    draw_column(2);
    bind(plain.get(), textured.get());
    draw_column(3);
    expect_columns({red, red, blue, green});
}

TEST_P(PushedTextures, EachBatchHasItsOwn) {
    bind(plain.get(), textured.get());
    texture(1);
    draw_column(0);
    finish();
    begin(framebuffer({&target}));
    draw_column(1);
    texture(0);
    draw_column(2);
    finish();
    begin(framebuffer({&target}));
    texture(1);
    texture(0);
    draw_column(3);
    expect_columns({green, green, red, red});
}

// Synchronisation validation, where the scene has it, reports a missing barrier.
TEST_P(PushedTextures, WhatWasDrawnToIsWaitedFor) {
    bind(plain.get(), textured.get());
    texture(0);
    draw_column(0);
    begin(framebuffer({&textures[1]}));
    bind(plain.get(), coloured.get());
    const VkViewport whole{0, 0, 16, 16, 0, 1};
    recorder().set_viewports(0, {&whole, 1});
    draw(3);
    begin(framebuffer({&target}));
    bind(plain.get(), textured.get());
    (void)gpu().cost();
    for (int i = 1; i < 4; ++i) {
        texture(static_cast<size_t>(i % 2)); // the only change; the program is the same
        draw_column(i);
    }
    expect_columns({red, blue, red, blue});
}

TEST_P(PushedTextures, StaysWhenItsOwnerLetsGo) {
    bind(plain.get(), textured.get());
    texture(0);
    draw_column(0);
    texture(1);
    textures[0] = {}; // the batch still holds a reference
    draw_column(1);
    draw_column(2);
    draw_column(3);
    expect_columns({red, green, green, green});
}

TEST_P(PushedTextures, NothingBound) {
    KOBALT_NEEDS(null_descriptor);
    bind(plain.get(), textured.get());
    recorder().set_texture(Stage::fragment, 0, nullptr, nullptr);
    draw_column(0);
    texture(1);
    draw_column(1);
    recorder().set_texture(Stage::fragment, 0, nullptr, nullptr);
    draw_column(2);
    texture(0);
    draw_column(3);
    const auto texels = pixels(target);
    EXPECT_EQ(texels[5], green);
    EXPECT_EQ(texels[13], red);
}

} // namespace
} // namespace kobalt::render::test
