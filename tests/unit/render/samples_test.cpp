// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include "color_frag.h"
#include "fullscreen_vert.h"

// Tests multisampled images that each pass resolves into other images (ResolveTarget).

namespace kobalt::render::test {
namespace {

class Samples : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        vertex = gpu().stage(Stage::vertex, fullscreen_vert);
        fragment = gpu().stage(Stage::fragment, color_frag);
        samples = gpu().color(16, 4);
        other = gpu().color(16, 4);
        texture = gpu().color();
        Framebuffer bound = framebuffer({&samples, &other});
        bound.color_targets[0] = {texture.view.get(), &shown};
        begin(bound);
        (void)spent();
    }
    void TearDown() override {
        end(); // bound objects live as long as the recorder
        vertex.reset();
        fragment.reset();
        samples = other = texture = {};
        Scene::TearDown();
    }
    void overwrite() {
        const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        recorder().clear_image(*texture.image, rgba(0, 1, 0), {&all, 1});
    }
    Ref<ShaderStage> vertex, fragment;
    Target samples, other, texture;
    uint64_t shown = 0;
};
KOBALT_SCENES(Samples);

TEST_P(Samples, EachPassResolvesThem) {
    EXPECT_TRUE(recorder().samples_outdated());
    recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
    EXPECT_FALSE(recorder().samples_outdated());
    recorder().set_sample_mask(0x3); // two of four samples
    bind(vertex.get(), fragment.get());
    push({{1, 1, 1, 1}, 0});
    draw(3);
    EXPECT_NEAR(pixels(texture)[33] & 0xff, 0x80, 1);
    EXPECT_FALSE(recorder().samples_outdated());
    // Draws the other two samples: the first two keep their values.
    recorder().set_sample_mask(0xc);
    push({{1, 1, 1, 1}, 0});
    draw(3);
    expect_all(texture, white);
    recorder().set_sample_mask(~0u);
}

TEST_P(Samples, OutdatedOnesGoNowhere) {
    recorder().clear_color(0, rgba(1, 0, 0), area(16, 16));
    expect_all(texture, red);
    EXPECT_FALSE(recorder().samples_outdated());
    overwrite();
    EXPECT_TRUE(recorder().samples_outdated());
    // A pass that clears something else.
    recorder().clear_color(1, rgba(0, 0, 1), area(16, 16));
    expect_all(texture, green);
    EXPECT_TRUE(recorder().samples_outdated());
    recorder().clear_color(0, rgba(0, 0, 1), area(16, 16));
    EXPECT_FALSE(recorder().samples_outdated());
    expect_all(texture, blue);
}

// A deferred clear is executed before later writes to the image.
TEST_P(Samples, ClearsThatWait) {
    recorder().clear_color(0, rgba(1, 0, 0), area(16, 16));
    EXPECT_TRUE(recorder().clear_waits(*texture.image));
    overwrite();
    expect_all(texture, green);
    EXPECT_TRUE(recorder().samples_outdated());
}

} // namespace
} // namespace kobalt::render::test
