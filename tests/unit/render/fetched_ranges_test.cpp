// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include <random>

#include "color_frag.h"
#include "fullscreen_vert.h"
#include "vertex_color_vert.h"

// Tests writes to parts of vertex and index buffers of which draws of the same batch fetch others.

namespace kobalt::render::test {
namespace {

constexpr uint32_t columns = 16, corners = 4;
constexpr VkBufferUsageFlags copied =
    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

struct Vertex {
    float position[2];
    uint32_t color;
};
using Quad = std::array<Vertex, corners>;
using QuadIndices = std::array<uint16_t, corners>;

/// Bit i of `color` is component i.
uint32_t texel(uint32_t color) {
    return black | (color & 1 ? red : 0) | (color & 2 ? green : 0) | (color & 4 ? blue : 0);
}

/// All of the target, as a strip.
Quad quad(uint32_t color) {
    Quad all{};
    for (uint32_t i = 0; i < corners; ++i)
        all[i] = {{i & 1 ? 1.F : -1.F, i & 2 ? 1.F : -1.F}, texel(color)};
    return all;
}

QuadIndices indices_of(uint32_t color) {
    const auto first = static_cast<uint16_t>(color * corners);
    return {first, static_cast<uint16_t>(first + 1), static_cast<uint16_t>(first + 2),
            static_cast<uint16_t>(first + 3)};
}

/// A vertex buffer of a quad for each column, and an index buffer likewise over a quad of each
/// colour.
class FetchedRanges : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        raster.scissor = true;
        target = gpu().color(columns);
        vertex = gpu().stage(Stage::vertex, vertex_color_vert);
        fragment = gpu().stage(Stage::fragment, color_frag);
        layout.id = 1;
        layout.bindings = {{VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, nullptr, 0,
                            sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX, 1}};
        for (uint32_t i = 0; i < 2; ++i)
            layout.attributes.push_back(
                {VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, nullptr, i, 0,
                 i ? VK_FORMAT_R8G8B8A8_UNORM : VK_FORMAT_R32G32_SFLOAT, i * 8});
        quads = gpu().buffer(std::vector<Quad>(columns, quad(0)),
                             copied | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
        std::vector<Quad> all;
        for (uint32_t i = 0; i < 8; ++i)
            all.push_back(quad(i));
        colors = gpu().buffer(all, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
        indices = gpu().buffer(std::vector<QuadIndices>(columns),
                               copied | VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
        begin(framebuffer({&target}));
        recorder().clear_color(0, rgba(0, 0, 0), area(columns, columns));
        recorder().set_vertex_layout(&layout);
        recorder().set_index_buffer(indices.get(), 0, VK_INDEX_TYPE_UINT16);
        bind(vertex.get(), fragment.get());
        // The first write to a part behind a draw shows that parts count.
        for (const bool indexed : {false, true})
            for (uint32_t i = 0; i < 2; ++i) {
                write(i, 0, indexed);
                draw_column(0, i, indexed);
            }
        finish();
        (void)spent();
    }
    void TearDown() override {
        end(); // bound objects live as long as the recorder
        for (Ref<Buffer>* buffer : {&quads, &colors, &indices})
            buffer->reset();
        vertex.reset();
        fragment.reset();
        target = {};
        Scene::TearDown();
    }
    void write(uint32_t part, uint32_t color, bool indexed) {
        const Ref<Buffer> from = indexed ? gpu().buffer(std::vector{indices_of(color)}, copied)
                                         : gpu().buffer(std::vector{quad(color)}, copied);
        const VkDeviceSize bytes = indexed ? sizeof(QuadIndices) : sizeof(Quad);
        const VkBufferCopy region{0, part * bytes, bytes};
        recorder().copy_buffer(*from, indexed ? *indices : *quads, {&region, 1});
    }
    void draw_column(uint32_t column, uint32_t part, bool indexed) {
        const VkRect2D scissor = area(1, columns, static_cast<int32_t>(column));
        recorder().set_scissors(0, {&scissor, 1});
        recorder().set_vertex_buffer(0, indexed ? colors.get() : quads.get(), 0);
        const DrawCall call{part * corners, corners, 0, 0};
        recorder().draw({.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, .indexed = indexed},
                        {&call, 1});
    }
    void expect_columns(const std::array<uint32_t, columns>& wanted) {
        const std::vector<uint32_t> found = pixels(target);
        for (uint32_t i = 0; i < columns; ++i)
            EXPECT_EQ(found[i], texel(wanted[i])) << "column " << i;
    }
    Ref<ShaderStage> vertex, fragment;
    Ref<Buffer> quads, colors, indices;
    VertexLayout layout;
    Target target;
};
KOBALT_SCENES(FetchedRanges);

TEST_P(FetchedRanges, APartForEachDrawEndsNoPass) {
    for (const bool indexed : {false, true}) {
        std::array<uint32_t, columns> wanted{};
        for (uint32_t i = 0; i < columns; ++i) {
            wanted[i] = (i + (indexed ? 3 : 1)) % 8;
            write(i, wanted[i], indexed);
            draw_column(i, i, indexed);
        }
        EXPECT_EQ(spent().passes, 1U) << (indexed ? "indices" : "vertices");
        expect_columns(wanted);
        (void)spent();
    }
}

TEST_P(FetchedRanges, APartThatADrawFetchesIsWrittenBehindIt) {
    for (const bool indexed : {false, true}) {
        std::array<uint32_t, columns> wanted{};
        for (uint32_t i = 0; i < columns; ++i) {
            wanted[i] = (i + 1) % 8;
            write(3, wanted[i], indexed);
            draw_column(i, 3, indexed);
        }
        EXPECT_EQ(spent().passes, columns) << (indexed ? "indices" : "vertices");
        expect_columns(wanted);
        (void)spent();
    }
}

TEST_P(FetchedRanges, IndicesMayNameAnyVertex) {
    write(0, 1, false);
    draw_column(0, 0, false);
    // Of the last vertices, by an index buffer of their own.
    const Ref<Buffer> last =
        gpu().buffer(std::vector{indices_of(columns - 1)}, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    recorder().set_index_buffer(last.get(), 0, VK_INDEX_TYPE_UINT16);
    const VkRect2D scissor = area(1, columns, 1);
    recorder().set_scissors(0, {&scissor, 1});
    const DrawCall call{0, corners, 0, 0};
    recorder().draw({.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, .indexed = true},
                    {&call, 1});
    write(columns - 1, 2, false);
    draw_column(2, columns - 1, false);
    std::array<uint32_t, columns> wanted{};
    wanted[0] = 1;
    wanted[2] = 2;
    expect_columns(wanted);
    recorder().set_index_buffer(nullptr, 0, VK_INDEX_TYPE_UINT16);
}

TEST_P(FetchedRanges, IndirectDrawsFetchTheWhole) {
    write(5, 3, false);
    const Ref<Buffer> arguments = gpu().buffer(std::vector<uint32_t>{corners, 1, 5 * corners, 0},
                                               VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    const VkRect2D scissor = area(1, columns, 0);
    recorder().set_scissors(0, {&scissor, 1});
    recorder().set_vertex_buffer(0, quads.get(), 0);
    recorder().draw_indirect({.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP}, *arguments, 0, 1,
                             0, nullptr, 0);
    write(5, 4, false);
    draw_column(1, 5, false);
    std::array<uint32_t, columns> wanted{};
    wanted[0] = 3;
    wanted[1] = 4;
    expect_columns(wanted);
}

TEST_P(FetchedRanges, BuffersThatAreGoneCountForNothing) {
    draw_column(0, 0, true);
    draw_column(0, 0, false);
    recorder().set_index_buffer(nullptr, 0, VK_INDEX_TYPE_UINT16);
    const VertexLayout none{.id = 2, .bindings = {}, .attributes = {}};
    recorder().set_vertex_layout(&none);
    recorder().set_vertex_buffer(0, nullptr, 0);
    const Ref<Buffer> arguments =
        gpu().buffer(std::vector<uint32_t>{3, 1, 0, 0}, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    const Ref<ShaderStage> covering = gpu().stage(Stage::vertex, fullscreen_vert);
    bind(covering.get(), fragment.get());
    push({{0, 1, 0, 1}, 0});
    recorder().draw_indirect({}, *arguments, 0, 1, 0, nullptr, 0);
    EXPECT_EQ(pixels(target)[0], green);
    recorder().set_vertex_layout(&layout);
    bind(vertex.get(), fragment.get());
}

TEST_P(FetchedRanges, RandomCommandsLeaveWhatTheStrictOrderLeaves) {
    for (uint32_t seed = 0; seed < (GetParam().validated ? 30U : 300U) && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        std::array<std::array<uint32_t, columns>, 2> held{};
        std::array<uint32_t, columns> wanted{};
        for (uint32_t i = 0; i < columns; ++i) {
            write(i, 0, false);
            write(i, 0, true);
            draw_column(i, i, false);
        }
        for (uint32_t left = 2 + random() % 30; left; --left) {
            const auto a = static_cast<uint32_t>(random() % columns);
            const auto b = static_cast<uint32_t>(random() % columns);
            const bool indexed = random() % 2;
            switch (random() % 8) {
            case 0:
            case 1:
            case 2:
                held[indexed][a] = b % 8;
                write(a, b % 8, indexed);
                break;
            case 3:
                recorder().flush();
                break;
            default:
                draw_column(a, b, indexed);
                wanted[a] = held[indexed][b];
                break;
            }
        }
        expect_columns(wanted);
    }
}

} // namespace
} // namespace kobalt::render::test
