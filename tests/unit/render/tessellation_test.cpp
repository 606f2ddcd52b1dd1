// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include "color_frag.h"
#include "fullscreen_vert.h"
#include "point_vert.h"
#include "square_tesc.h"
#include "square_tese.h"

#include "render/pipelines/pipeline_store.h"

// Tests programs that tessellate: the winding order of their triangles, and the cost of the patch
// size.

namespace kobalt::render::test {
namespace {

class Tessellation : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        KOBALT_NEEDS(tessellation_shader);
        target = gpu().color();
        vertex = gpu().stage(Stage::vertex, point_vert);
        control = gpu().stage(Stage::tess_control, square_tesc);
        evaluation = gpu().stage(Stage::tess_evaluation, square_tese);
        fragment = gpu().stage(Stage::fragment, color_frag);
        std::array<ShaderStage*, graphics_stage_count> program{};
        for (const Ref<ShaderStage>& stage : {vertex, control, evaluation, fragment})
            program[static_cast<size_t>(stage->stage())] = stage.get();
        gpu().engine().pipelines().compile_program(program, linked_size);
        (void)spent();
        begin(framebuffer({&target}));
        bind_all();
        push({{0, 1, 0, 1}, 0});
    }
    void TearDown() override {
        if (target.image)
            end();
        vertex.reset();
        control.reset();
        evaluation.reset();
        fragment.reset();
        target = {};
        Scene::TearDown();
    }
    void bind_all() {
        bind(vertex.get(), fragment.get());
        recorder().bind_stage(Stage::tess_control, control.get());
        recorder().bind_stage(Stage::tess_evaluation, evaluation.get());
    }
    void draw_patch(uint32_t vertices) {
        const DrawCall call{0, vertices, 0, 0};
        recorder().draw({.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, .patch_vertices = vertices},
                        {&call, 1});
    }
    /// Whether each patch size needs a pipeline of its own.
    bool static_size() { return !gpu().paths().dynamic_patch_size; }
    static constexpr uint32_t linked_size = 3;
    Ref<ShaderStage> vertex, control, evaluation, fragment;
    Target target;
};
KOBALT_SCENES(Tessellation);

TEST_P(Tessellation, TheSizeOfPatches) {
    const uint32_t sizes[] = {3, 4, 16, 32, 1};
    for (const uint32_t size : sizes) {
        draw_patch(size);
        expect_all(target, green | size);
    }
    for (int again = 0; again < 2; ++again)
        for (const uint32_t size : sizes)
            draw_patch(size);
    const Cost cost = gpu().cost();
    const uint64_t pipelines = static_size() ? std::size(sizes) : 1;
    // Compiles: the vertex and fragment stages alone, all four together, and the pipelines that the
    // draws needed.
    if (libraries()) {
        EXPECT_EQ(cost.fast_links, pipelines);
        EXPECT_EQ(cost.compiles, 3 + (pipelines - 1));
        EXPECT_EQ(cost.draw_compiles, pipelines - 1);
    } else {
        EXPECT_EQ(cost.draw_compiles, pipelines);
    }
}

TEST_P(Tessellation, ThePatchSizeOutlivesOtherDraws) {
    Ref<ShaderStage> plain = gpu().stage(Stage::vertex, fullscreen_vert);
    for (int i = 0; i < 3; ++i) {
        bind_all();
        draw_patch(i < 2 ? 7 : 5);
        expect_all(target, green | (i < 2 ? 7 : 5));
        begin(framebuffer({&target}));
        bind(plain.get(), fragment.get());
        recorder().bind_stage(Stage::tess_control, nullptr);
        recorder().bind_stage(Stage::tess_evaluation, nullptr);
        draw(3);
        expect_all(target, green);
    }
    bind_all();
}

// The sum over u0 v1 - u1 v0 ... is positive for a counter-clockwise order where the domain starts
// at the lower left (Vulkan 1.3, "Tessellator Vertex Winding Order"). Framebuffers' y points down,
// so such triangles turn clockwise there in a viewport that isn't turned over.
TEST_P(Tessellation, TheDomainStartsAtTheLowerLeft) {
    raster.cull_mode = VK_CULL_MODE_BACK_BIT;
    const VkClearColorValue nothing = rgba(0, 0, 0);
    recorder().clear_color(0, nothing, area(16, 16));
    raster.front_face = VK_FRONT_FACE_COUNTER_CLOCKWISE;
    recorder().set_rasterizer(&raster);
    draw_patch(2);
    expect_all(target, black);
    RasterizerState other = raster;
    other.front_face = VK_FRONT_FACE_CLOCKWISE;
    recorder().set_rasterizer(&other);
    draw_patch(2);
    expect_all(target, green | 2);
    recorder().set_rasterizer(&raster);
}

} // namespace
} // namespace kobalt::render::test
