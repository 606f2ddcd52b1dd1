// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Ranges that end beyond all numbers are beyond the buffer as well.
#include <limits>

#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr GLintptr kMost = std::numeric_limits<GLintptr>::max();
constexpr GLsizeiptr kSize = 1024;

class BoundsTest : public GlTest {
protected:
    Missing missing() const override { return lacks(4, 5); }
    void prepare() override {
        bind_new_vao();
        make_target({4, 4});
        for (const GLenum target : {GL_COPY_READ_BUFFER, GL_DRAW_INDIRECT_BUFFER,
                                    GL_PARAMETER_BUFFER, GL_ELEMENT_ARRAY_BUFFER}) {
            make_buffer(target, std::vector<std::uint8_t>(kSize));
        }
        gl::UseProgram(vs_fs(kFullscreenVs, "out vec4 c; void main() { c = vec4(1); }"));
    }
    static void expect(int error, const std::string& what) {
        EXPECT_EQ(gl::GetError(), static_cast<GLenum>(error)) << what;
    }
    static const void* at(GLintptr place) { return reinterpret_cast<const void*>(place); }
};

TEST_F(BoundsTest, PartsOfBuffers) {
    constexpr GLenum kBuffer = GL_COPY_READ_BUFFER;
    std::array<std::uint8_t, 64> bytes{};
    for (const auto& [offset, size] : {std::pair<GLintptr, GLsizeiptr>{kMost, 16},
                                       {kMost - 15, 16},
                                       {16, kMost},
                                       {kMost / 2 + 1, kMost / 2 + 1},
                                       {kSize - 15, 16}}) {
        const std::string what = std::to_string(offset) + ", " + std::to_string(size);
        gl::BufferSubData(kBuffer, offset, size, bytes.data());
        expect(GL_INVALID_VALUE, "written " + what);
        gl::GetBufferSubData(kBuffer, offset, size, bytes.data());
        expect(GL_INVALID_VALUE, "read " + what);
        EXPECT_EQ(gl::MapBufferRange(kBuffer, offset, size, GL_MAP_READ_BIT), nullptr);
        expect(GL_INVALID_VALUE, "mapped " + what);
        gl::ClearBufferSubData(kBuffer, GL_R8UI, offset, size, GL_RED_INTEGER, GL_UNSIGNED_BYTE,
                               bytes.data());
        expect(GL_INVALID_VALUE, "cleared " + what);
        GLint name = 0;
        gl::GetIntegerv(GL_COPY_READ_BUFFER_BINDING, &name);
        gl::InvalidateBufferSubData(static_cast<GLuint>(name), offset, size);
        expect(GL_INVALID_VALUE, "invalidated " + what);
        new_texture(GL_TEXTURE_BUFFER);
        gl::TexBufferRange(GL_TEXTURE_BUFFER, GL_R8, static_cast<GLuint>(name), offset & ~0xff,
                           size);
        expect(offset == kSize - 15 ? GL_NO_ERROR : GL_INVALID_VALUE, "texels " + what);
        gl::MapBufferRange(kBuffer, 0, kSize, GL_MAP_WRITE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT);
        gl::FlushMappedBufferRange(kBuffer, offset, size);
        expect(GL_INVALID_VALUE, "flushed " + what);
        gl::UnmapBuffer(kBuffer);
    }
}

TEST_F(BoundsTest, IndirectDraws) {
    for (const GLintptr place : {GLintptr{-4}, GLintptr{-16}, kMost - 15, GLintptr{kSize - 12}}) {
        const std::string what = std::to_string(place);
        gl::DrawArraysIndirect(GL_TRIANGLES, at(place));
        expect(GL_INVALID_OPERATION, "arrays " + what);
        gl::DrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, at(place));
        expect(GL_INVALID_OPERATION, "elements " + what);
        gl::MultiDrawArraysIndirect(GL_TRIANGLES, at(place), 1, 0);
        expect(GL_INVALID_OPERATION, "many arrays " + what);
        gl::MultiDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, at(place), 1, 0);
        expect(GL_INVALID_OPERATION, "many elements " + what);
    }
    // Where the last of so many is takes more than 32 bits.
    for (const auto& [count, stride] :
         {std::pair{0x10000001, 16}, {3, 0x7ffffffc}, {0x40000001, 20}, {0x7fffffff, 16}}) {
        gl::MultiDrawArraysIndirect(GL_TRIANGLES, nullptr, count, stride);
        expect(GL_INVALID_OPERATION, "arrays " + std::to_string(count));
        gl::MultiDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, nullptr, count, stride);
        expect(GL_INVALID_OPERATION, "elements " + std::to_string(count));
    }
    gl::MultiDrawArraysIndirect(GL_TRIANGLES, at(512), 2, -16);
    expect(GL_INVALID_VALUE, "arrays backwards");
    gl::MultiDrawArraysIndirect(GL_TRIANGLES, nullptr, 2, 16);
    expect(GL_NO_ERROR, "arrays");
}

TEST_F(BoundsTest, NumbersOfDraws) {
    if (!has_version(4, 6)) {
        GTEST_SKIP() << "OpenGL 4.6 is not offered";
    }
    for (const GLintptr place : {GLintptr{-4}, kMost - 3, GLintptr{kSize}}) {
        gl::MultiDrawArraysIndirectCount(GL_TRIANGLES, nullptr, place, 1, 0);
        expect(GL_INVALID_OPERATION, std::to_string(place));
    }
    gl::MultiDrawArraysIndirectCount(GL_TRIANGLES, nullptr, kSize - 4, 1, 0);
    expect(GL_NO_ERROR, "the last");
}

TEST_F(BoundsTest, CompressedTexelsInBuffers) {
    new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_COMPRESSED_RED_RGTC1, 4, 4);
    make_buffer(GL_PIXEL_UNPACK_BUFFER, std::vector<std::uint8_t>(kSize));
    make_buffer(GL_PIXEL_PACK_BUFFER, std::vector<std::uint8_t>(kSize));
    for (const GLintptr place : {GLintptr{-1}, GLintptr{-8}, kMost, GLintptr{kSize - 7}}) {
        gl::CompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_COMPRESSED_RED_RGTC1, 8,
                                    at(place));
        expect(GL_INVALID_OPERATION, "from " + std::to_string(place));
        gl::GetCompressedTexImage(GL_TEXTURE_2D, 0, const_cast<void*>(at(place)));
        expect(GL_INVALID_OPERATION, "to " + std::to_string(place));
    }
    gl::GetCompressedTexImage(GL_TEXTURE_2D, 0, const_cast<void*>(at(kSize - 8)));
    expect(GL_NO_ERROR, "to the end");
}

TEST_F(BoundsTest, InvalidatedParts) {
    const GLuint cube = new_texture(GL_TEXTURE_CUBE_MAP);
    gl::TexStorage2D(GL_TEXTURE_CUBE_MAP, 2, GL_RGBA8, 8, 8);
    const auto invalidate = [](GLuint texture, int level, int z, int depth) {
        gl::InvalidateTexSubImage(texture, level, 0, 0, z, 8, 8, depth);
        return gl::GetError();
    };
    EXPECT_EQ(invalidate(cube, 0, 2, 4), static_cast<GLenum>(GL_NO_ERROR));
    EXPECT_NE(invalidate(cube, 0, 2, 5), static_cast<GLenum>(GL_NO_ERROR));
    EXPECT_EQ(invalidate(cube, 0, 2, -1), static_cast<GLenum>(GL_INVALID_VALUE));
    for (const int level : {-1, 20, 500, 1000}) {
        EXPECT_EQ(invalidate(cube, level, 0, 1), static_cast<GLenum>(GL_INVALID_VALUE)) << level;
    }
    EXPECT_NE(invalidate(0, 0, 0, 1), static_cast<GLenum>(GL_NO_ERROR));
    EXPECT_NE(invalidate(cube + 100, 0, 0, 1), static_cast<GLenum>(GL_NO_ERROR));
}

TEST_F(BoundsTest, WhatOtherSystemsDevicesAreKnownBy) {
    if (has_extension("GL_EXT_memory_object_win32")) {
        GTEST_SKIP() << "GL_EXT_memory_object_win32 is offered";
    }
    std::array<GLint, 4> values{};
    for (const GLenum name : {GL_DEVICE_LUID_EXT, GL_DEVICE_NODE_MASK_EXT}) {
        gl::GetIntegerv(name, values.data());
        expect(GL_INVALID_ENUM, std::to_string(name));
    }
}

TEST_F(BoundsTest, Viewports) {
    const std::vector<float> numbers(64);
    const std::vector<double> ranges(64);
    const std::vector<GLint> boxes(64);
    const GLuint most = std::numeric_limits<GLuint>::max();
    for (const auto& [first, count] : {std::pair<GLuint, GLsizei>{most, 3}, {most, 1}, {0, -1}}) {
        const std::string what = std::to_string(first) + ", " + std::to_string(count);
        gl::ViewportArrayv(first, count, numbers.data());
        expect(GL_INVALID_VALUE, "viewports " + what);
        gl::ScissorArrayv(first, count, boxes.data());
        expect(GL_INVALID_VALUE, "boxes " + what);
        gl::DepthRangeArrayv(first, count, ranges.data());
        expect(GL_INVALID_VALUE, "depths " + what);
    }
}

TEST_F(BoundsTest, SizesBelowNone) {
    std::array<GLint64, 1> value{-7};
    gl::GetInternalformati64v(GL_TEXTURE_2D, GL_RGBA8, GL_SAMPLES, -1, value.data());
    expect(GL_INVALID_VALUE, "a format's samples");
    EXPECT_EQ(value[0], -7);
    const GLuint texture = texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, kRed.data());
    Byte4 texel{7, 7, 7, 7};
    gl::GetnTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, -1, texel.data());
    expect(GL_INVALID_VALUE, "glGetnTexImage");
    gl::GetTextureImage(texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, -1, texel.data());
    expect(GL_INVALID_VALUE, "glGetTextureImage");
    EXPECT_EQ(texel, (Byte4{7, 7, 7, 7}));
}

// OpenGL 4.6, 2.3.1: a negative size is INVALID_VALUE, and nothing is written.
TEST_F(BoundsTest, PixelsIntoASizeBelowNone) {
    const auto read = gl_function<PFNGLREADNPIXELSPROC>("glReadnPixels");
    Byte4 texel{7, 7, 7, 7};
    for (const GLsizei size : {-1, std::numeric_limits<GLsizei>::min()}) {
        read(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, size, texel.data());
        expect(GL_INVALID_VALUE, std::to_string(size));
        EXPECT_EQ(texel, (Byte4{7, 7, 7, 7}));
    }
}

// OpenGL 4.6, 7.6: the members of a block are named by no location.
TEST_F(BoundsTest, LocationsOfMembers) {
    const GLuint program =
        vs_fs(kFullscreenVs, "layout(std140) uniform Block { vec4 a, b; }; uniform vec4 own; "
                             "out vec4 c; void main() { c = a + b + own; }");
    gl::UseProgram(program);
    const GLint own = gl::GetUniformLocation(program, "own");
    std::array<float, 4> value{};
    int there = 0;
    for (GLint location = 0; location < 8; ++location) {
        gl::GetUniformfv(program, location, value.data());
        const bool found = gl::GetError() == GL_NO_ERROR;
        there += found ? 1 : 0;
        EXPECT_EQ(found, location == own) << location;
        gl::Uniform4fv(location, 1, value.data());
        EXPECT_EQ(gl::GetError() == GL_NO_ERROR, location == own) << location;
    }
    EXPECT_EQ(there, 1);
}

// The same of atomic counters.
TEST_F(BoundsTest, LocationsOfCounters) {
    const GLuint program =
        link({{GL_VERTEX_SHADER, "#version 450\nvoid main() { gl_Position = vec4(0); }"},
              {GL_FRAGMENT_SHADER,
               "#version 450\nlayout(binding = 0) uniform atomic_uint count; uniform uint own;"
               "out vec4 c; void main() { c = vec4(atomicCounterIncrement(count) + own); }"}});
    EXPECT_EQ(gl::GetUniformLocation(program, "count"), -1);
    const GLint own = gl::GetUniformLocation(program, "own");
    for (GLint location = 0; location < 4; ++location) {
        GLuint value = 0;
        gl::GetUniformuiv(program, location, &value);
        EXPECT_EQ(gl::GetError() == GL_NO_ERROR, location == own) << location;
    }
}

// OpenGL 4.6, 18.2.2 and 8.6: there is nothing to read, whatever lies in front of the buffers.
TEST_F(BoundsTest, NoReadBuffer) {
    make_target({4, 4, GL_R32UI});
    gl::ReadBuffer(GL_NONE);
    std::array<GLuint, 64> texels{};
    gl::ReadPixels(0, 0, 4, 4, GL_RGBA_INTEGER, GL_UNSIGNED_INT, texels.data());
    expect(GL_INVALID_OPERATION, "glReadPixels");
    new_texture(GL_TEXTURE_2D);
    gl::CopyTexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, 0, 0, 4, 4, 0);
    expect(GL_INVALID_OPERATION, "glCopyTexImage2D");
}

class CompatBoundsTest : public CompatTest {
protected:
    Missing missing() const override { return lacks("GL_EXT_direct_state_access"); }
    static void expect(int error) { EXPECT_EQ(gl::GetError(), static_cast<GLenum>(error)); }
};

TEST_F(CompatBoundsTest, PartsOfTexturesOfOtherUnits) {
    const std::vector<std::uint8_t> texels(1024);
    gl::ActiveTexture(GL_TEXTURE1);
    texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    gl::ActiveTexture(GL_TEXTURE0);
    const auto upload = [&](GLenum unit, GLenum target, int x, int width) {
        gl::MultiTexSubImage2DEXT(unit, target, 0, x, 0, width, 4, GL_RGBA, GL_UNSIGNED_BYTE,
                                  texels.data());
    };
    upload(GL_TEXTURE1, GL_TEXTURE_2D, 0, 4);
    expect(GL_NO_ERROR);
    upload(GL_TEXTURE1, GL_TEXTURE_2D, 1, 4);
    expect(GL_INVALID_VALUE);
    upload(GL_TEXTURE1, GL_TEXTURE_2D, -1, 4);
    expect(GL_INVALID_VALUE);
    upload(GL_TEXTURE1, GL_TEXTURE_3D, 0, 4);
    expect(GL_INVALID_ENUM);
    upload(GL_TEXTURE0 + 5000, GL_TEXTURE_2D, 0, 4);
    expect(GL_INVALID_OPERATION);
    std::vector<std::uint8_t> read(64);
    gl::GetCompressedMultiTexImageEXT(GL_TEXTURE0 + 5000, GL_TEXTURE_2D, 0, read.data());
    expect(GL_INVALID_OPERATION);
    gl::GetCompressedTextureImageEXT(0, GL_NONE, 0, read.data());
    expect(GL_INVALID_ENUM);
}

TEST_F(CompatBoundsTest, CoordinatesOfUnits) {
    gl::MultiTexCoordPointerEXT(GL_TEXTURE0 + 5000, 2, GL_FLOAT, 0, nullptr);
    expect(GL_INVALID_ENUM);
    GLuint array = 0;
    gl::GenVertexArrays(1, &array);
    gl::BindVertexArray(array);
    const GLuint buffer = make_buffer(GL_ARRAY_BUFFER, std::vector<float>(16));
    gl::VertexArrayMultiTexCoordOffsetEXT(array, buffer, GL_TEXTURE0 + 100, 2, GL_FLOAT, 0, 0);
    expect(GL_INVALID_OPERATION);
}

TEST_F(CompatBoundsTest, ParametersOfAssemblyPrograms) {
    const std::vector<float> values(64);
    const GLuint most = std::numeric_limits<GLuint>::max();
    for (const auto& [first, count] : {std::pair<GLuint, GLsizei>{most, 2}, {most, 1}, {0, -1}}) {
        gl::ProgramLocalParameters4fvEXT(GL_VERTEX_PROGRAM_ARB, first, count, values.data());
        expect(GL_INVALID_VALUE);
        gl::ProgramEnvParameters4fvEXT(GL_VERTEX_PROGRAM_ARB, first, count, values.data());
        expect(GL_INVALID_VALUE);
    }
    std::array<float, 4> value{};
    gl::GetProgramLocalParameterfvARB(GL_VERTEX_PROGRAM_ARB, most, value.data());
    expect(GL_INVALID_VALUE);
}

// ARB_shading_language_include: the root's parent is the root, and a string that includes itself is
// an error.
TEST_F(CompatBoundsTest, IncludedStringsWithoutAnEnd) {
    if (!has_extension("GL_ARB_shading_language_include")) {
        GTEST_SKIP() << "GL_ARB_shading_language_include is not offered";
    }
    const auto name = gl_function<PFNGLNAMEDSTRINGARBPROC>("glNamedStringARB");
    const auto store = [&](const char* path, const char* text) {
        name(GL_SHADER_INCLUDE_ARB, -1, path, -1, text);
    };
    store("/../first.glsl", "void one() {}");
    store("/self.glsl", "#include \"/self.glsl\"");
    store("/this.glsl", "#include \"/that.glsl\"");
    store("/that.glsl", "#include \"/this.glsl\"");
    const auto included = [](const std::string& path) {
        return compiles(GL_VERTEX_SHADER,
                        "#version 150 compatibility\n#extension GL_ARB_shading_language_include : "
                        "require\n#include \"" +
                            path + "\"\nvoid main() { gl_Position = vec4(0); }");
    };
    EXPECT_TRUE(included("/first.glsl"));
    EXPECT_TRUE(included("/../first.glsl"));
    EXPECT_FALSE(included("/self.glsl"));
    EXPECT_FALSE(included("/this.glsl"));
}

TEST_F(CompatBoundsTest, NamesWithoutALength) {
    if (!has_extension("GL_ARB_shading_language_include")) {
        GTEST_SKIP() << "GL_ARB_shading_language_include is not offered";
    }
    gl::DeleteNamedStringARB(-2, "/nothing");
    expect(GL_INVALID_OPERATION);
}

} // namespace
} // namespace kobalt::gltest
