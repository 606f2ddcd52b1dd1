// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Small uniform buffers that are filled anew for each draw, and then used for something else: where
// their contents lie meanwhile must not be seen.
#include <algorithm>
#include <cstring>

#include "support.h"

namespace kobalt::gltest {
namespace {

const std::string kBlockVs =
    "#version 450 core\nlayout(std140, binding = 0) uniform Block { vec4 place; vec4 wanted; };\n"
    "layout(location = 0) out vec4 colour;\nvoid main() { colour = wanted;\n"
    "vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
    "gl_Position = vec4(place.xy + corner * place.zw, 0, 1); }";
const std::string kColourFs =
    "#version 450 core\nlayout(location = 0) in vec4 colour;\nlayout(location = 0) out vec4 o;\n"
    "void main() { o = colour; }";
constexpr Float4 kGreenFloats{0, 1, 0, 1}, kRedFloats{1, 0, 0, 1}, kBlueFloats{0, 0, 1, 1};
constexpr int kSide = 16;

/// A draw reads this: a rectangle in clip space, and its colour.
struct Block {
    Float4 place{-1, -1, 2, 2};
    Float4 wanted{};
};

/// A program that covers the target with what its vertex shader reads by other ways.
GLuint showing(const std::string& declared, const std::string& value) {
    return link({{GL_VERTEX_SHADER,
                  "#version 450 core\n" + declared +
                      "\nlayout(location = 0) out vec4 colour;\nvoid main() { colour = " + value +
                      "; gl_Position = "
                      "vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1); }"},
                 {GL_FRAGMENT_SHADER, kColourFs}});
}

class KeptContentsTest : public GlTest {
protected:
    ContextRequest request() const override {
        return {.profile = Profile::Core, .major = 4, .minor = 5};
    }
    void prepare() override {
        make_black_target({.width = kSide, .height = kSide});
        bind_new_vao();
        program_ = link({{GL_VERTEX_SHADER, kBlockVs}, {GL_FRAGMENT_SHADER, kColourFs}});
        buffer_ = make_buffer(GL_UNIFORM_BUFFER, sizeof(Block), nullptr, GL_DYNAMIC_DRAW);
        gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer_);
    }
    static void fill(const Block& block) {
        gl::BufferSubData(GL_UNIFORM_BUFFER, 0, sizeof block, &block);
    }
    void draw() const {
        gl::UseProgram(program_);
        gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    /// Fills the buffer while draws are using it, with green last.
    void keep_green() const {
        for (const Float4& colour : {kRedFloats, kBlueFloats, kGreenFloats}) {
            fill({.wanted = colour});
            draw();
        }
    }
    GLuint buffer() const { return buffer_; }

private:
    GLuint program_ = 0, buffer_ = 0;
};

Block column(int x, const Float4& colour) {
    constexpr float wide = 2.0F / kSide;
    return {{-1 + wide * static_cast<float>(x), -1, wide, 2}, colour};
}

TEST_F(KeptContentsTest, EachDrawHasItsOwn) {
    for (int x = 0; x < kSide; ++x) {
        fill(column(x, {static_cast<float>(x) / 255, 1, 0, 1}));
        draw();
    }
    for (int x = 0; x < kSide; ++x) {
        expect_area(x, 0, 1, kSide, {static_cast<std::uint8_t>(x), 255, 0, 255}, 0);
    }
}

TEST_F(KeptContentsTest, OrphanedForEachDraw) {
    for (int x = 0; x < kSide; ++x) {
        const Block block = column(x, {static_cast<float>(x) / 255, 0, 1, 1});
        gl::BufferData(GL_UNIFORM_BUFFER, sizeof block, &block, GL_DYNAMIC_DRAW);
        draw();
    }
    for (int x = 0; x < kSide; ++x) {
        expect_area(x, 0, 1, kSide, {static_cast<std::uint8_t>(x), 0, 255, 255}, 0);
    }
}

TEST_F(KeptContentsTest, PartsOfItChange) {
    keep_green();
    for (int x = 0; x < kSide; ++x) {
        const Block block = column(x, {});
        gl::BufferSubData(GL_UNIFORM_BUFFER, 0, sizeof block.place, &block.place);
        draw();
        const Float4 colour{1, static_cast<float>(x) / 255, 0, 1};
        gl::BufferSubData(GL_UNIFORM_BUFFER, sizeof block.place, sizeof colour, &colour);
        draw();
    }
    for (int x = 0; x < kSide; ++x) {
        expect_area(x, 0, 1, kSide, {255, static_cast<std::uint8_t>(x), 0, 255}, 0);
    }
}

// The rest was written when the buffer was made.
TEST_F(KeptContentsTest, BeginWithAPartOfIt) {
    const Block first{.wanted = kRedFloats};
    const GLuint made = make_buffer(GL_UNIFORM_BUFFER, sizeof first, &first, GL_DYNAMIC_DRAW);
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, made);
    draw();
    for (int x = 0; x < kSide; ++x) {
        const Block block = column(x, {0, static_cast<float>(x) / 255, 1, 1});
        if (x % 2 == 1) {
            gl::BufferSubData(GL_UNIFORM_BUFFER, sizeof block.place, sizeof block.wanted,
                              &block.wanted);
        }
        gl::BufferSubData(GL_UNIFORM_BUFFER, 0, sizeof block.place, &block.place);
        draw();
    }
    expect_area(0, 0, 1, kSide, kRed, 0);
    for (int x = 1; x < kSide; ++x) {
        expect_area(x, 0, 1, kSide, {0, static_cast<std::uint8_t>(x - (x + 1) % 2), 255, 255}, 0);
    }
}

TEST_F(KeptContentsTest, AreAPartOfALargeBuffer) {
    constexpr GLsizeiptr bytes = 1 << 19;
    gl::BufferData(GL_UNIFORM_BUFFER, bytes, nullptr, GL_DYNAMIC_DRAW);
    gl::BindBufferRange(GL_UNIFORM_BUFFER, 0, buffer(), 0, sizeof(Block));
    keep_green();
    expect_area(0, 0, kSide, kSide, kGreen);
    // The rest is written while the first bytes lie elsewhere.
    constexpr GLintptr behind = 1 << 16;
    const Block block{.wanted = kRedFloats};
    gl::BufferSubData(GL_UNIFORM_BUFFER, behind, sizeof block, &block);
    draw();
    expect_area(0, 0, kSide, kSide, kGreen);
    gl::BindBufferRange(GL_UNIFORM_BUFFER, 0, buffer(), behind, sizeof(Block));
    draw();
    expect_area(0, 0, kSide, kSide, kRed);
}

TEST_F(KeptContentsTest, AreRead) {
    keep_green();
    Block block;
    gl::GetBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof block, &block);
    EXPECT_EQ(block.wanted, kGreenFloats);
    keep_green();
    const auto* const mapped = static_cast<const Block*>(
        gl::MapBufferRange(GL_UNIFORM_BUFFER, 0, sizeof block, GL_MAP_READ_BIT));
    ASSERT_NE(mapped, nullptr);
    EXPECT_EQ(mapped->wanted, kGreenFloats);
    gl::UnmapBuffer(GL_UNIFORM_BUFFER);
}

TEST_F(KeptContentsTest, AreChangedByMaps) {
    for (const GLbitfield how : {0U, static_cast<GLbitfield>(GL_MAP_INVALIDATE_RANGE_BIT)}) {
        keep_green();
        gl::Finish();
        void* const mapped = gl::MapBufferRange(GL_UNIFORM_BUFFER, offsetof(Block, wanted),
                                                sizeof(Float4), GL_MAP_WRITE_BIT | how);
        ASSERT_NE(mapped, nullptr);
        std::memcpy(mapped, kRedFloats.data(), sizeof kRedFloats);
        gl::UnmapBuffer(GL_UNIFORM_BUFFER);
        draw();
        expect_area(0, 0, kSide, kSide, kRed);
    }
}

TEST_F(KeptContentsTest, AreChangedByAMapWithoutAWait) {
    keep_green();
    void* const mapped = gl::MapBufferRange(GL_UNIFORM_BUFFER, 0, sizeof(Block),
                                            GL_MAP_WRITE_BIT | GL_MAP_UNSYNCHRONIZED_BIT);
    ASSERT_NE(mapped, nullptr);
    const Block block{.wanted = kBlueFloats};
    std::memcpy(mapped, &block, sizeof block);
    gl::UnmapBuffer(GL_UNIFORM_BUFFER);
    draw();
    expect_area(0, 0, kSide, kSide, kBlue);
    keep_green();
    expect_area(0, 0, kSide, kSide, kGreen);
}

TEST_F(KeptContentsTest, AreCopied) {
    keep_green();
    const GLuint copy = make_buffer(GL_COPY_WRITE_BUFFER, sizeof(Block), nullptr);
    gl::CopyBufferSubData(GL_UNIFORM_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, sizeof(Block));
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, copy);
    clear_to_black();
    draw();
    expect_area(0, 0, kSide, kSide, kGreen);
    // and overwritten by a copy
    make_buffer(GL_COPY_READ_BUFFER, std::vector<Float4>{kRedFloats});
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer());
    keep_green();
    gl::CopyBufferSubData(GL_COPY_READ_BUFFER, GL_UNIFORM_BUFFER, 0, offsetof(Block, wanted),
                          sizeof(Float4));
    draw();
    expect_area(0, 0, kSide, kSide, kRed);
}

TEST_F(KeptContentsTest, AreCleared) {
    keep_green();
    gl::ClearBufferSubData(GL_UNIFORM_BUFFER, GL_R32F, offsetof(Block, wanted), 4, GL_RED, GL_FLOAT,
                           kRedFloats.data());
    draw();
    expect_area(0, 0, kSide, kSide, kYellow);
}

TEST_F(KeptContentsTest, AreVertices) {
    const GLuint program = showing("layout(location = 0) in vec4 seen;", "seen");
    keep_green();
    gl::BindVertexBuffer(0, buffer(), offsetof(Block, wanted), 0);
    gl::VertexAttribFormat(0, 4, GL_FLOAT, GL_FALSE, 0);
    gl::VertexAttribBinding(0, 0);
    gl::EnableVertexAttribArray(0);
    clear_to_black();
    gl::UseProgram(program);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, kSide, kSide, kGreen);
    fill({.wanted = kRedFloats}); // known as vertices from here on
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, kSide, kSide, kRed);
    draw();
    expect_area(0, 0, kSide, kSide, kRed);
}

TEST_F(KeptContentsTest, AreIndices) {
    const std::array<std::uint32_t, 8> indices{0, 1, 2, 3}, none{};
    const GLuint elements =
        make_buffer(GL_UNIFORM_BUFFER, sizeof indices, nullptr, GL_DYNAMIC_DRAW);
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, elements);
    for (const auto& given : {none, none, indices}) {
        gl::BufferSubData(GL_UNIFORM_BUFFER, 0, sizeof given, given.data());
        draw();
    }
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer());
    keep_green();
    gl::BindBuffer(GL_ELEMENT_ARRAY_BUFFER, elements);
    clear_to_black();
    gl::DrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_INT, nullptr);
    expect_area(0, 0, kSide, kSide, kGreen);
}

TEST_F(KeptContentsTest, AreArgumentsOfDraws) {
    struct Arguments {
        GLuint count = 0, instances = 1, first = 0, base = 0;
    };
    keep_green();
    const GLuint arguments =
        make_buffer(GL_UNIFORM_BUFFER, sizeof(Arguments), nullptr, GL_DYNAMIC_DRAW);
    const GLuint reading = link(
        {{GL_VERTEX_SHADER, "#version 450 core\nlayout(std140, binding = 1) uniform Drawn { uvec4 "
                            "drawn; };\nvoid main() { gl_Position = vec4(drawn); }"},
         {GL_FRAGMENT_SHADER, "#version 450 core\nvoid main() {}"}});
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 1, arguments);
    gl::UseProgram(reading);
    for (const GLuint count : {0U, 0U, 4U}) {
        const Arguments given{.count = count};
        gl::BufferSubData(GL_UNIFORM_BUFFER, 0, sizeof given, &given);
        gl::DrawArrays(GL_POINTS, 0, 1);
    }
    gl::BindBuffer(GL_DRAW_INDIRECT_BUFFER, arguments);
    clear_to_black();
    draw();
    clear_to_black();
    gl::DrawArraysIndirect(GL_TRIANGLE_STRIP, nullptr);
    expect_area(0, 0, kSide, kSide, kGreen);
}

TEST_F(KeptContentsTest, AreTexels) {
    const GLuint program =
        showing("layout(binding = 0) uniform samplerBuffer texels;", "texelFetch(texels, 1)");
    keep_green();
    new_texture(GL_TEXTURE_BUFFER);
    gl::TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, buffer());
    clear_to_black();
    gl::UseProgram(program);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, kSide, kSide, kGreen);
    fill({.wanted = kBlueFloats});
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, kSide, kSide, kBlue);
}

TEST_F(KeptContentsTest, AreWrittenByShaders) {
    const GLuint program =
        link({{GL_COMPUTE_SHADER,
               "#version 450 core\nlayout(local_size_x = 1) in;\n"
               "layout(std430, binding = 0) buffer Block { vec4 place; vec4 wanted; };\n"
               "void main() { if (wanted == vec4(0, 1, 0, 1)) wanted = vec4(0, 0, 1, 1); }"}});
    keep_green();
    gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer());
    gl::UseProgram(program);
    gl::DispatchCompute(1, 1, 1);
    gl::MemoryBarrier(GL_UNIFORM_BARRIER_BIT);
    draw();
    expect_area(0, 0, kSide, kSide, kBlue);
    keep_green();
    expect_area(0, 0, kSide, kSide, kGreen);
}

TEST_F(KeptContentsTest, ArePixels) {
    keep_green();
    new_texture(GL_TEXTURE_2D);
    gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer());
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, 1, 1, 0, GL_RGBA, GL_FLOAT,
                   reinterpret_cast<const void*>(offsetof(Block, wanted)));
    gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    Float4 texel{};
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, texel.data());
    EXPECT_EQ(texel, kGreenFloats);
    // and overwritten by pixels
    fill({.wanted = kBlueFloats});
    draw();
    fill({.wanted = kRedFloats});
    gl::BindBuffer(GL_PIXEL_PACK_BUFFER, buffer());
    gl::ReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, reinterpret_cast<void*>(offsetof(Block, wanted)));
    gl::BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    draw();
    expect_area(0, 0, kSide, kSide, kBlue);
}

TEST_F(KeptContentsTest, AreCaptured) {
    const GLuint capturing = link(
        {{GL_VERTEX_SHADER, "#version 450 core\nout vec4 captured;\n"
                            "void main() { captured = vec4(0, 0, 1, 1); gl_Position = vec4(0); }"}},
        [](GLuint program) {
            const char* const name = "captured";
            gl::TransformFeedbackVaryings(program, 1, &name, GL_INTERLEAVED_ATTRIBS);
        });
    keep_green();
    gl::BindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer(), offsetof(Block, wanted),
                        sizeof(Float4));
    gl::UseProgram(capturing);
    gl::Enable(GL_RASTERIZER_DISCARD);
    gl::BeginTransformFeedback(GL_POINTS);
    gl::DrawArrays(GL_POINTS, 0, 1);
    gl::EndTransformFeedback();
    gl::Disable(GL_RASTERIZER_DISCARD);
    draw();
    expect_area(0, 0, kSide, kSide, kBlue);
}

TEST_F(KeptContentsTest, AreSeenByAnotherContext) {
    keep_green();
    gl::Finish();
    auto other = context().create_shared(request());
    ASSERT_TRUE(other.has_value()) << other.error();
    ASSERT_TRUE(other->make_current());
    {
        const GLuint program =
            link({{GL_VERTEX_SHADER, kBlockVs}, {GL_FRAGMENT_SHADER, kColourFs}});
        make_black_target({.width = kSide, .height = kSide});
        bind_new_vao();
        gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer());
        gl::UseProgram(program);
        gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        expect_area(0, 0, kSide, kSide, kGreen);
        // The first context sees what this one writes.
        const Float4 half{0, 0, 1, 1};
        gl::BufferSubData(GL_UNIFORM_BUFFER, offsetof(Block, wanted), sizeof half, half.data());
        gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        expect_area(0, 0, kSide, kSide, kBlue);
        gl::Finish();
    }
    ASSERT_TRUE(context().make_current());
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer());
    draw();
    expect_area(0, 0, kSide, kSide, kBlue);
    keep_green();
    expect_area(0, 0, kSide, kSide, kGreen);
}

TEST_F(KeptContentsTest, GoWithTheBuffer) {
    keep_green();
    const GLuint gone = buffer();
    gl::DeleteBuffers(1, &gone);
    expect_area(0, 0, kSide, kSide, kGreen);
}

} // namespace
} // namespace kobalt::gltest
