// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "color_frag.h"
#include "fullscreen_vert.h"
#include "gpu.h"
#include "point_vert.h"
#include "quad_geom.h"
#include "render/pipelines/pipeline_store.h"
#include "render/pipelines/shader_objects.h"
#include "square_tesc.h"
#include "square_tese.h"
#include "tint_geom.h"

namespace kobalt::render::test {

using namespace std::chrono_literals;

/// Stages of several links, which draw as shader objects where the device has these.
class Objects : public Scene {
protected:
    void SetUp() override {
        setenv("KOBALT_OPTIMIZED_LINKS", optimizes() ? "1" : "0", 1);
        setenv("KOBALT_SHADER_OBJECTS", for_all() ? "all" : "1", 1);
        Scene::SetUp();
        unsetenv("KOBALT_OPTIMIZED_LINKS");
        unsetenv("KOBALT_SHADER_OBJECTS");
        if (IsSkipped())
            return;
        KOBALT_NEEDS(geometry_shader);
        target = gpu().color();
        tint = gpu().buffer(std::vector<float>{1, 0, 0, 0}, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        extent = gpu().buffer(std::vector<float>{0, 0, 0, 0}, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        vertex = gpu().separable(Stage::vertex, point_vert);
        plain = gpu().separable(Stage::vertex, fullscreen_vert);
        fragment = gpu().separable(Stage::fragment, color_frag);
        begin(framebuffer({&target}));
        recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
        push({{0, 1, 0, 1}, 0});
    }
    void TearDown() override {
        if (target.image)
            end();
        for (Ref<ShaderStage>* stage :
             {&vertex, &plain, &fragment, &geometry, &passing, &control, &evaluation})
            stage->reset();
        tint.reset();
        extent.reset();
        target = {};
        Scene::TearDown();
    }
    virtual bool optimizes() const { return false; }
    virtual bool for_all() const { return false; }
    bool objects() { return gpu().paths().objects != ObjectUse::none; }
    uint64_t stages_compiled() { return gpu().engine().counters().stage_compiles; }
    /// Waits for stages compiled in the background.
    void wait_for_compiled(uint64_t count) {
        for (int i = 0; i < 1000 && stages_compiled() < count; ++i)
            std::this_thread::sleep_for(10ms);
        EXPECT_EQ(stages_compiled(), count);
    }

    void make_geometry() {
        geometry = gpu().separable(Stage::geometry, quad_geom,
                                   {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}});
        recorder().set_uniform_buffer(Stage::geometry, 1, {extent.get(), 0, 16});
    }
    void link_with_geometry() {
        std::array<ShaderStage*, graphics_stage_count> program{};
        program[static_cast<size_t>(Stage::vertex)] = vertex.get();
        program[static_cast<size_t>(Stage::geometry)] = geometry.get();
        (void)gpu().engine().pipelines().compile_program(program);
    }
    void make_all() {
        make_geometry();
        passing = gpu().separable(Stage::geometry, tint_geom,
                                  {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2}});
        recorder().set_uniform_buffer(Stage::geometry, 2, {tint.get(), 0, 16});
        control = gpu().separable(Stage::tess_control, square_tesc);
        evaluation = gpu().separable(Stage::tess_evaluation, square_tese);
    }
    void tessellate(bool now) {
        recorder().bind_stage(Stage::tess_control, now ? control.get() : nullptr);
        recorder().bind_stage(Stage::tess_evaluation, now ? evaluation.get() : nullptr);
    }
    void draw_patch(uint32_t vertices) {
        const DrawCall call{0, vertices, 0, 0};
        recorder().draw({.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, .patch_vertices = vertices},
                        {&call, 1});
    }
    void draw_geometry() {
        bind(vertex.get(), fragment.get(), geometry.get());
        draw(1, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
    }
    void expect_half(uint32_t left, uint32_t right) {
        const auto texels = pixels(target);
        EXPECT_EQ(texels[7], left);
        EXPECT_EQ(texels[8], right);
    }
    Ref<ShaderStage> vertex, plain, fragment, geometry, passing, control, evaluation;
    Ref<Buffer> tint, extent;
    Target target;
};

/// Configurations with nothing switched off: only the device may lack the features for objects and
/// links.
inline std::vector<Config> full_configs() {
    std::vector<Config> configs = all_configs();
    std::erase_if(configs, [](const Config& config) { return !config.disabled.empty(); });
    return configs;
}

} // namespace kobalt::render::test
