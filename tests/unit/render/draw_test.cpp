// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include "color_frag.h"
#include "instanced_vert.h"
#include "point_vert.h"
#include "quad_geom.h"
#include "uniform_frag.h"
#include "uniform_vert.h"
#include "vertex_color_vert.h"

#include "render/pipelines/pipeline_store.h"

// Tests vertex fetch, indices, instances, uniform buffers, geometry stages and indirect draws.

namespace kobalt::render::test {
namespace {

struct Vertex {
    float position[2];
    uint8_t color[4];
};

VkVertexInputBindingDescription2EXT binding(uint32_t slot, uint32_t stride,
                                            VkVertexInputRate rate = VK_VERTEX_INPUT_RATE_VERTEX) {
    return {
        VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, nullptr, slot, stride, rate, 1};
}

VkVertexInputAttributeDescription2EXT attribute(uint32_t location, uint32_t slot, VkFormat format,
                                                uint32_t offset) {
    return {VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
            nullptr,
            location,
            slot,
            format,
            offset};
}

class Draws : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        fragment = gpu().stage(Stage::fragment, color_frag);
        target = gpu().color();
        layout.id = 1;
        layout.bindings = {binding(0, sizeof(Vertex))};
        layout.attributes = {attribute(0, 0, VK_FORMAT_R32G32_SFLOAT, 0),
                             attribute(1, 0, VK_FORMAT_R8G8B8A8_UNORM, 8)};
        begin(framebuffer({&target}));
        recorder().clear_color(0, rgba(0, 0, 0), area(16, 16));
    }
    void TearDown() override {
        end(); // bound objects live as long as the recorder
        fragment.reset();
        target = {};
        Scene::TearDown();
    }
    /// A quad from x = left to x = right over the whole height, as a strip.
    static std::vector<Vertex> quad(float left, float right, uint32_t color) {
        std::vector<Vertex> vertices;
        for (int i = 0; i < 4; ++i) {
            Vertex vertex{{i & 1 ? right : left, i & 2 ? 1.f : -1.f}, {}};
            std::memcpy(vertex.color, &color, 4);
            vertices.push_back(vertex);
        }
        return vertices;
    }
    Ref<ShaderStage> fragment;
    Target target;
    VertexLayout layout;
};
KOBALT_SCENES(Draws);

TEST_P(Draws, VertexLayout) {
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, vertex_color_vert);
    Ref<Buffer> vertices = gpu().buffer(quad(-1, 0, green), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    (void)spent();
    recorder().set_vertex_layout(&layout);
    recorder().set_vertex_buffer(0, vertices.get(), 0);
    bind(vertex.get(), fragment.get());
    draw(4, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    const Cost cost = spent();
    EXPECT_EQ(cost.draws, 1u);
    EXPECT_EQ(cost.passes, 1u);
    EXPECT_EQ(cost.draw_compiles, libraries() ? 0u : 1u);
    EXPECT_EQ(cost.fast_links, libraries() ? 1u : 0u);
    EXPECT_EQ(cost.descriptor_writes, 0u);
    const auto texels = pixels(target);
    EXPECT_EQ(texels[0], green);
    EXPECT_EQ(texels[7], green);
    EXPECT_EQ(texels[8], black);
    EXPECT_EQ(texels[15 * 16 + 7], green);
}

TEST_P(Draws, ChangedLayoutAndBuffer) {
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, vertex_color_vert);
    Ref<Buffer> left = gpu().buffer(quad(-1, 0, green), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    // The other layout: positions and colours in buffers of their own.
    Ref<Buffer> positions = gpu().buffer(std::vector<float>{0, -1, 1, -1, 0, 1, 1, 1},
                                         VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    Ref<Buffer> colors = gpu().buffer(std::vector<uint32_t>{0, red, red, red, red},
                                      VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    VertexLayout split;
    split.id = 2;
    split.bindings = {binding(1, 8), binding(5, 4)};
    split.attributes = {attribute(0, 1, VK_FORMAT_R32G32_SFLOAT, 0),
                        attribute(1, 5, VK_FORMAT_R8G8B8A8_UNORM, 0)};
    recorder().set_vertex_layout(&layout);
    recorder().set_vertex_buffer(0, left.get(), 0);
    recorder().set_vertex_buffer(1, positions.get(), 0);
    recorder().set_vertex_buffer(5, colors.get(), 4);
    bind(vertex.get(), fragment.get());
    draw(4, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    recorder().set_vertex_layout(&split);
    draw(4, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    EXPECT_EQ(spent().passes, 1u);
    const auto texels = pixels(target);
    EXPECT_EQ(texels[7], green);
    EXPECT_EQ(texels[8], red);
}

TEST_P(Draws, BuffersStayWhileLayoutsChange) {
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, vertex_color_vert);
    auto columns = quad(-1, -.5f, green);
    const auto second = quad(-.5f, 0, blue);
    columns.insert(columns.end(), second.begin(), second.end());
    Ref<Buffer> both = gpu().buffer(columns, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    Ref<Buffer> positions =
        gpu().buffer(std::vector<float>{0, -1, .5f, -1, 0, 1, .5f, 1, .5f, -1, 1, -1, .5f, 1, 1, 1},
                     VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    Ref<Buffer> reds =
        gpu().buffer(std::vector<uint32_t>(4, red), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    Ref<Buffer> whites =
        gpu().buffer(std::vector<uint32_t>(4, white), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    VertexLayout split;
    split.id = 2;
    split.bindings = {binding(1, 8), binding(5, 4)};
    split.attributes = {attribute(0, 1, VK_FORMAT_R32G32_SFLOAT, 0),
                        attribute(1, 5, VK_FORMAT_R8G8B8A8_UNORM, 0)};
    bind(vertex.get(), fragment.get());
    const auto strip = [&](const VertexLayout& fetched) {
        recorder().set_vertex_layout(&fetched);
        draw(4, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    };
    const auto columns_are = [&](uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
        const auto texels = pixels(target);
        EXPECT_EQ(texels[0], a);
        EXPECT_EQ(texels[4], b);
        EXPECT_EQ(texels[8], c);
        EXPECT_EQ(texels[12], d);
    };
    recorder().set_vertex_buffer(0, both.get(), 0);
    recorder().set_vertex_buffer(1, positions.get(), 0);
    recorder().set_vertex_buffer(5, reds.get(), 0);
    strip(layout);
    strip(split);
    recorder().set_vertex_buffer(0, both.get(), 4 * sizeof(Vertex)); // the same buffer, further on
    strip(layout);
    recorder().set_vertex_buffer(5, whites.get(), 0); // one of two
    recorder().set_vertex_buffer(1, positions.get(), 32);
    strip(split);
    columns_are(green, blue, red, white);
    // Another command buffer starts without any bound vertex buffers.
    begin(framebuffer({&target}));
    strip(layout);
    recorder().set_vertex_buffer(5, reds.get(), 0);
    strip(split);
    columns_are(green, blue, red, red);
}

TEST_P(Draws, MissingVertexBufferReadsZero) {
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, vertex_color_vert);
    recorder().set_vertex_layout(&layout);
    bind(vertex.get(), fragment.get());
    draw(4, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP); // degenerate
    expect_all(target, black);
}

TEST_P(Draws, IndexedAndInstanced) {
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, instanced_vert);
    struct Instance {
        uint32_t color;
        float offset[2];
    };
    // A column of four texels, moved by its instance; the indices never refer to the first
    // vertices.
    Ref<Buffer> vertices =
        gpu().buffer(std::vector<float>{9, 9, 9, 9, -1, -1, -.5f, -1, -1, 1, -.5f, 1},
                     VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    Ref<Buffer> instances = gpu().buffer(
        std::vector<Instance>{{white, {}}, {red, {}}, {green, {.5f, 0}}, {blue, {1.f, 0}}},
        VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    Ref<Buffer> indices = gpu().buffer(std::vector<uint16_t>{7, 7, 0, 1, 2, 2, 1, 3},
                                       VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    VertexLayout instanced;
    instanced.id = 3;
    instanced.bindings = {binding(0, 8),
                          binding(1, sizeof(Instance), VK_VERTEX_INPUT_RATE_INSTANCE)};
    instanced.attributes = {attribute(0, 0, VK_FORMAT_R32G32_SFLOAT, 0),
                            attribute(1, 1, VK_FORMAT_R8G8B8A8_UNORM, 0),
                            attribute(2, 1, VK_FORMAT_R32G32_SFLOAT, 4)};
    recorder().set_vertex_layout(&instanced);
    recorder().set_vertex_buffer(0, vertices.get(), 0);
    recorder().set_vertex_buffer(1, instances.get(), 0);
    recorder().set_index_buffer(indices.get(), 2, VK_INDEX_TYPE_UINT16);
    bind(vertex.get(), fragment.get());
    const DrawCall call{1, 6, 2, 0};
    recorder().draw({.instance_count = 3, .first_instance = 1, .indexed = true}, {&call, 1});
    const auto texels = pixels(target);
    EXPECT_EQ(texels[0], red);
    EXPECT_EQ(texels[4], green);
    EXPECT_EQ(texels[8], blue);
    EXPECT_EQ(texels[12], black);
}

TEST_P(Draws, IndicesWrittenBetweenPasses) {
    // The pass that follows the copy begins with a draw that has no indices: the wait for the copy
    // must come all the same.
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, vertex_color_vert);
    auto corners = quad(-1, 0, green);
    const auto other = quad(0, 1, red);
    corners.insert(corners.end(), other.begin(), other.end());
    Ref<Buffer> vertices = gpu().buffer(corners, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    Ref<Buffer> from = gpu().buffer(std::vector<uint32_t>{4, 5, 6, 6, 5, 7}, 0);
    Ref<Buffer> indices = gpu().buffer(std::vector<uint32_t>(6), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    recorder().set_vertex_layout(&layout);
    recorder().set_vertex_buffer(0, vertices.get(), 0);
    recorder().set_index_buffer(indices.get(), 0, VK_INDEX_TYPE_UINT32);
    bind(vertex.get(), fragment.get());
    const DrawCall call{0, 6, 0, 0};
    recorder().draw({.indexed = true}, {&call, 1});
    const VkBufferCopy region{0, 0, 24};
    recorder().copy_buffer(*from, *indices, {&region, 1});
    draw(3);
    recorder().draw({.indexed = true}, {&call, 1});
    const Cost cost = spent();
    // Barriers: to the first pass, to the copy, to the second pass, and to the indices, which the
    // second pass had not read before.
    EXPECT_EQ(cost.barriers, 4u);
    EXPECT_EQ(cost.passes, 3u);
    EXPECT_EQ(pixels(target)[8], red);
}

TEST_P(Draws, PrimitiveRestart) {
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, vertex_color_vert);
    auto corners = quad(-1, -.5f, green);
    const auto other = quad(.5f, 1, red);
    corners.insert(corners.end(), other.begin(), other.end());
    Ref<Buffer> vertices = gpu().buffer(corners, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    Ref<Buffer> indices = gpu().buffer(std::vector<uint16_t>{0, 1, 2, 3, 0xffff, 4, 5, 6, 7},
                                       VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    recorder().set_vertex_layout(&layout);
    recorder().set_vertex_buffer(0, vertices.get(), 0);
    recorder().set_index_buffer(indices.get(), 0, VK_INDEX_TYPE_UINT16);
    bind(vertex.get(), fragment.get());
    const DrawCall call{0, 9, 0, 0};
    recorder().draw({.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                     .primitive_restart = true,
                     .indexed = true},
                    {&call, 1});
    const auto texels = pixels(target);
    EXPECT_EQ(texels[0], green);
    EXPECT_EQ(texels[8], black);
    EXPECT_EQ(texels[15], red);
}

TEST_P(Draws, UniformBuffersInBothStages) {
    Ref<ShaderStage> vertex =
        gpu().stage(Stage::vertex, uniform_vert, {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2}});
    Ref<ShaderStage> add =
        gpu().stage(Stage::fragment, uniform_frag, {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0}});
    std::vector<float> values(256);
    values[0] = 1;       // red, at 0
    values[64 + 1] = 1;  // green, at 256
    values[128 + 2] = 1; // blue, at 512
    Ref<Buffer> buffer = gpu().buffer(values, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    (void)spent();
    begin(framebuffer({&target}));
    recorder().set_uniform_buffer(Stage::vertex, 2, {buffer.get(), 0, 16});
    recorder().set_uniform_buffer(Stage::fragment, 0, {buffer.get(), 256, 16});
    bind(vertex.get(), add.get());
    draw(3);
    const Cost cost = spent();
    EXPECT_EQ(cost.descriptor_writes, 2u);
    EXPECT_EQ(cost.descriptor_binds, 1u);
    EXPECT_EQ(cost.passes, 1u);
    EXPECT_EQ(pixels(target)[0] & 0xffffff, yellow & 0xffffff);
    // A change in one stage writes that stage's set only.
    begin(framebuffer({&target}));
    draw(3);
    recorder().set_uniform_buffer(Stage::fragment, 0, {buffer.get(), 512, 16});
    draw(3);
    EXPECT_EQ(spent().descriptor_writes, sets_outlive_batches() ? 1u : 3u);
    EXPECT_EQ(pixels(target)[0] & 0xffffff, 0xff00ffu);
}

TEST_P(Draws, GeometryProgram) {
    KOBALT_NEEDS(geometry_shader);
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, point_vert);
    Ref<ShaderStage> geometry =
        gpu().stage(Stage::geometry, quad_geom, {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}});
    Ref<Buffer> buffer =
        gpu().buffer(std::vector<float>{0, 0, 0, 0}, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    std::array<ShaderStage*, graphics_stage_count> program{};
    program[static_cast<size_t>(Stage::vertex)] = vertex.get();
    program[static_cast<size_t>(Stage::fragment)] = fragment.get();
    program[static_cast<size_t>(Stage::geometry)] = geometry.get();
    gpu().engine().pipelines().compile_program(program);
    (void)spent();
    begin(framebuffer({&target}));
    recorder().set_uniform_buffer(Stage::geometry, 1, {buffer.get(), 0, 16});
    bind(vertex.get(), fragment.get(), geometry.get());
    const float color[4] = {0, 1, 0, 1};
    recorder().set_push_constants(0, bytes_of(color));
    draw(1, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
    const Cost cost = spent();
    EXPECT_EQ(cost.draw_compiles, libraries() ? 0u : 1u);
    EXPECT_EQ(cost.descriptor_writes, 1u);
    const auto texels = pixels(target);
    EXPECT_EQ(texels[7], green);
    EXPECT_EQ(texels[8], black);
}

TEST_P(Draws, Indirect) {
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, vertex_color_vert);
    auto corners = quad(-1, 0, green);
    const auto other = quad(0, 1, red);
    corners.insert(corners.end(), other.begin(), other.end());
    Ref<Buffer> vertices = gpu().buffer(corners, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    Ref<Buffer> from = gpu().buffer(std::vector<uint32_t>{4, 1, 0, 0, 4, 1, 4, 0}, 0);
    Ref<Buffer> arguments = gpu().buffer(32, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    Ref<Buffer> count = gpu().buffer(std::vector<uint32_t>{1}, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    const VkBufferCopy region{0, 0, 32};
    recorder().copy_buffer(*from, *arguments, {&region, 1});
    recorder().set_vertex_layout(&layout);
    recorder().set_vertex_buffer(0, vertices.get(), 0);
    bind(vertex.get(), fragment.get());
    const DrawParametersInfo strip{.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
    if (gpu().has(vulkan::Capability::draw_indirect_count)) {
        recorder().draw_indirect(strip, *arguments, 0, 2, 16, count.get(), 0);
        const auto texels = pixels(target);
        EXPECT_EQ(texels[7], green);
        EXPECT_EQ(texels[8], black);
    }
    recorder().draw_indirect(strip, *arguments, 0, 2, 16, nullptr, 0);
    const auto texels = pixels(target);
    EXPECT_EQ(texels[7], green);
    EXPECT_EQ(texels[8], red);
}

TEST_P(Draws, ForgottenShadersLeaveNothingBehind) {
    // Each round's shaders are destroyed after their last batch; the store must not keep their
    // pipelines.
    Ref<Buffer> vertices = gpu().buffer(quad(-1, 1, green), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    recorder().set_vertex_layout(&layout);
    recorder().set_vertex_buffer(0, vertices.get(), 0);
    for (int round = 0; round < 8; ++round) {
        Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, vertex_color_vert);
        Ref<ShaderStage> color = gpu().stage(Stage::fragment, color_frag);
        bind(vertex.get(), color.get());
        draw(4, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
        if (round % 2)
            finish();
        bind(nullptr, nullptr);
    }
    expect_all(target, green);
}

} // namespace
} // namespace kobalt::render::test
