// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include <random>

#include "uniform_frag.h"
#include "uniform_vert.h"

// Tests writes to parts of a buffer of which draws of the same batch read other parts.

namespace kobalt::render::test {
namespace {

constexpr uint32_t columns = 16, block_bytes = 256;
constexpr VkBufferUsageFlags copied =
    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

/// The texel that a draw of this colour leaves. Bit i of `color` is component i.
uint32_t texel(uint32_t color) {
    return black | (color & 1 ? red : 0) | (color & 2 ? green : 0) | (color & 4 ? blue : 0);
}

/// A buffer of blocks, each with a colour, which draws put into columns of a target.
class BufferRanges : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        raster.scissor = true;
        target = gpu().color(columns);
        const std::vector<StageBinding> block{{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0}};
        vertex = gpu().stage(Stage::vertex, uniform_vert, block);
        fragment = gpu().stage(Stage::fragment, uniform_frag, block);
        const std::vector<float> zeros(columns * block_bytes / 4);
        blocks = gpu().buffer(zeros, copied | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        nothing = gpu().buffer(std::vector<float>(4), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        begin(framebuffer({&target}));
        bind(vertex.get(), fragment.get());
        recorder().set_uniform_buffer(Stage::fragment, 0, {nothing.get(), 0, 16});
        (void)spent();
    }
    void TearDown() override {
        end(); // bound objects live as long as the recorder
        vertex.reset();
        fragment.reset();
        blocks.reset();
        nothing.reset();
        target = {};
        Scene::TearDown();
    }
    void write(uint32_t block, uint32_t color) {
        std::vector<float> data(4, 1.0F);
        for (uint32_t i = 0; i < 3; ++i)
            data[i] = color >> i & 1 ? 1.0F : 0.0F;
        const Ref<Buffer> from = gpu().buffer(data, copied);
        const VkBufferCopy region{0, block * block_bytes, 16};
        recorder().copy_buffer(*from, *blocks, {&region, 1});
    }
    void copy(uint32_t from, uint32_t to) {
        const VkBufferCopy region{from * block_bytes, to * block_bytes, 16};
        recorder().copy_buffer(*blocks, *blocks, {&region, 1});
    }
    void draw_column(uint32_t column, uint32_t block) {
        const VkRect2D scissor = area(1, columns, static_cast<int32_t>(column));
        recorder().set_scissors(0, {&scissor, 1});
        recorder().set_uniform_buffer(Stage::vertex, 0, {blocks.get(), block * block_bytes, 16});
        draw(3);
    }
    void expect_columns(const std::array<uint32_t, columns>& colors) {
        const std::vector<uint32_t> found = pixels(target);
        for (uint32_t i = 0; i < columns; ++i)
            EXPECT_EQ(found[i], texel(colors[i])) << "column " << i;
    }
    Ref<ShaderStage> vertex, fragment;
    Ref<Buffer> blocks, nothing;
    Target target;
};
KOBALT_SCENES(BufferRanges);

TEST_P(BufferRanges, ABlockForEachDrawEndsNoPass) {
    std::array<uint32_t, columns> wanted{};
    for (uint32_t i = 0; i < columns; ++i) {
        wanted[i] = i % 8;
        write(i, wanted[i]);
        draw_column(i, i);
    }
    EXPECT_EQ(spent().passes, 1u);
    expect_columns(wanted);
}

TEST_P(BufferRanges, OnlyCommandsOnTheSameBlockWaitForEachOther) {
    draw_column(0, columns - 1);
    finish();
    const auto barriers = [this](const auto& commands) {
        (void)spent();
        commands();
        draw_column(0, columns - 1);
        finish();
        return spent().barriers;
    };
    const auto one = barriers([this] { write(0, 1); });
    EXPECT_EQ(barriers([this] {
                  for (uint32_t i = 0; i + 1 < columns; ++i)
                      write(i, i % 8);
              }),
              one);
    EXPECT_EQ(barriers([this] {
                  write(0, 1);
                  write(0, 2);
              }),
              one + 1);
    EXPECT_EQ(barriers([this] {
                  write(2, 4);
                  write(3, 5);
                  copy(2, 9);
              }),
              one + 1);
}

TEST_P(BufferRanges, ABlockThatADrawReadsIsWrittenBehindIt) {
    std::array<uint32_t, columns> wanted{};
    for (uint32_t i = 0; i < columns; ++i) {
        wanted[i] = (i + 1) % 8;
        write(3, wanted[i]);
        draw_column(i, 3);
    }
    EXPECT_EQ(spent().passes, columns);
    expect_columns(wanted);
}

TEST_P(BufferRanges, ARangeBoundAgainInTheNextBatchCountsThere) {
    std::array<uint32_t, columns> wanted{};
    write(0, 1);
    draw_column(0, 0);
    finish();
    draw_column(1, 0); // bound already
    write(0, 2);
    draw_column(2, 0);
    wanted[0] = wanted[1] = 1;
    wanted[2] = 2;
    const std::vector<uint32_t> found = pixels(target);
    for (uint32_t i = 0; i < 3; ++i)
        EXPECT_EQ(found[i], texel(wanted[i])) << "column " << i;
}

TEST_P(BufferRanges, WhatDrawsReadMayBeCopiedFromInAnOpenPass) {
    std::array<uint32_t, columns> wanted{};
    write(0, 5);
    for (uint32_t i = 0; i < columns; ++i) {
        wanted[i] = 5;
        if (i > 0)
            copy(0, i);
        draw_column(i, i);
    }
    EXPECT_EQ(spent().passes, 1u);
    expect_columns(wanted);
}

TEST_P(BufferRanges, RandomCommandsLeaveWhatTheStrictOrderLeaves) {
    for (uint32_t seed = 0; seed < (GetParam().validated ? 30u : 300u) && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        std::array<uint32_t, columns> held{}, wanted{};
        for (uint32_t i = 0; i < columns; ++i) {
            write(i, 0);
            draw_column(i, i);
        }
        for (uint32_t left = 2 + random() % 30; left; --left) {
            const auto a = static_cast<uint32_t>(random() % columns);
            const auto b = static_cast<uint32_t>(random() % columns);
            switch (random() % 8) {
            case 0:
            case 1:
                held[a] = b % 8;
                write(a, held[a]);
                break;
            case 2:
                if (a != b) {
                    copy(a, b);
                    held[b] = held[a];
                }
                break;
            case 3:
                recorder().flush();
                break;
            default:
                draw_column(a, b);
                wanted[a] = held[b];
                break;
            }
        }
        expect_columns(wanted);
    }
}

} // namespace
} // namespace kobalt::render::test
