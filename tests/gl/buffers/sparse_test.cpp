// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_ARB_sparse_buffer and GL_ARB_sparse_texture: memory by the page.
#include <algorithm>

#include "image_calls.h"

namespace kobalt::gltest {
namespace {

class SparseTest : public GlTest {
protected:
    Missing lacks_sparse(const char* extension) const {
        return first_of({when(recording_mode(),
                              "the kernel of a GPU that isn't there ends each wait at once, while "
                              "its driver still binds pages in a thread"),
                         lacks(extension)});
    }
};

class SparseBufferTest : public SparseTest {
protected:
    Missing missing() const override { return lacks_sparse("GL_ARB_sparse_buffer"); }
    void prepare() override { gl::GetIntegerv(GL_SPARSE_BUFFER_PAGE_SIZE_ARB, &page_); }
    static GLuint make(GLsizeiptr bytes) {
        GLuint buffer = 0;
        gl::GenBuffers(1, &buffer);
        gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
        gl::BufferStorage(GL_ARRAY_BUFFER, bytes, nullptr,
                          GL_SPARSE_STORAGE_BIT_ARB | GL_DYNAMIC_STORAGE_BIT);
        return buffer;
    }
    void commit(GLint first, GLint count, bool backed) const {
        gl::BufferPageCommitmentARB(GL_ARRAY_BUFFER, GLintptr{first} * page_,
                                    GLsizeiptr{count} * page_, backed ? GL_TRUE : GL_FALSE);
    }
    void write(GLint page, std::uint32_t word) const {
        const std::vector<std::uint32_t> words(static_cast<std::size_t>(page_) / 4, word);
        gl::BufferSubData(GL_ARRAY_BUFFER, GLintptr{page} * page_, page_, words.data());
    }
    std::uint32_t read(GLint page) const {
        std::uint32_t word = 0;
        gl::GetBufferSubData(GL_ARRAY_BUFFER, GLintptr{page + 1} * page_ - 4, 4, &word);
        return word;
    }
    GLint page_ = 0;
};

TEST_F(SparseBufferTest, PagesKeepWhatIsInThem) {
    ASSERT_GT(page_, 0);
    ASSERT_LE(page_, 65536);
    make(GLsizeiptr{page_} * 64);
    commit(3, 2, true);
    write(3, 33);
    write(4, 44);
    commit(10, 1, true);
    write(10, 100);
    commit(2, 5, true); // two of them are there already
    write(2, 22);
    EXPECT_EQ(read(2), 22U);
    EXPECT_EQ(read(3), 33U);
    EXPECT_EQ(read(4), 44U);
    EXPECT_EQ(read(10), 100U);
    commit(3, 1, false);
    EXPECT_EQ(read(2), 22U);
    EXPECT_EQ(read(4), 44U);
    commit(0, 64, false);
    commit(4, 1, true);
    write(4, 5);
    EXPECT_EQ(read(4), 5U);
}

TEST_F(SparseBufferTest, WritesBesideThePagesGoNowhere) {
    make(GLsizeiptr{page_} * 8);
    commit(2, 1, true);
    for (GLint page = 0; page < 8; ++page) {
        write(page, 1000U + static_cast<std::uint32_t>(page));
    }
    EXPECT_EQ(read(2), 1002U);
}

// The last page may be cut off by the buffer's end.
TEST_F(SparseBufferTest, TheLastPageIsCutOff) {
    const GLsizeiptr size = GLsizeiptr{page_} * 2 + 100;
    make(size);
    gl::BufferPageCommitmentARB(GL_ARRAY_BUFFER, GLintptr{page_} * 2, 100, GL_TRUE);
    const std::uint32_t word = 9;
    gl::BufferSubData(GL_ARRAY_BUFFER, size - 4, 4, &word);
    std::uint32_t seen = 0;
    gl::GetBufferSubData(GL_ARRAY_BUFFER, size - 4, 4, &seen);
    EXPECT_EQ(seen, 9U);
    gl::BufferPageCommitmentARB(GL_ARRAY_BUFFER, 100, page_, GL_TRUE);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_VALUE});
}

TEST_F(SparseBufferTest, DrawsReadAndCommandsStayInOrder) {
    make_target({16, 16});
    bind_new_vao();
    const GLuint program =
        vs_fs(kFullscreenVs, "layout(std140) uniform Block { vec4 shade; }; out vec4 colour;"
                             "void main() { colour = shade; }");
    const GLuint buffer = make(GLsizeiptr{page_} * 4);
    gl::BindBufferRange(GL_UNIFORM_BUFFER, 0, buffer, page_, 16);
    gl::UniformBlockBinding(program, gl::GetUniformBlockIndex(program, "Block"), 0);
    gl::Enable(GL_SCISSOR_TEST);
    for (int i = 0; i < 16; ++i) {
        commit(1, 1, true);
        const Float4 shade{i % 2 ? 1.0F : 0.0F, i % 2 ? 0.0F : 1.0F, 0, 1};
        gl::BufferSubData(GL_ARRAY_BUFFER, page_, 16, shade.data());
        gl::Scissor(i, 0, 1, 16);
        draw_fullscreen(program);
        commit(1, 1, false); // behind the draw
    }
    gl::Disable(GL_SCISSOR_TEST);
    for (int i = 0; i < 16; ++i) {
        expect_pixel(i, 8, i % 2 ? kRed : kGreen);
    }
}

class SparseTextureTest : public SparseTest {
protected:
    Missing missing() const override { return lacks_sparse("GL_ARB_sparse_texture"); }
    struct Page {
        GLint x = 0, y = 0, z = 0;
    };
    static Page page_of(GLenum target, GLenum format) {
        Page page;
        GLint sizes = 0;
        gl::GetInternalformativ(target, format, GL_NUM_VIRTUAL_PAGE_SIZES_ARB, 1, &sizes);
        if (sizes > 0) {
            gl::GetInternalformativ(target, format, GL_VIRTUAL_PAGE_SIZE_X_ARB, 1, &page.x);
            gl::GetInternalformativ(target, format, GL_VIRTUAL_PAGE_SIZE_Y_ARB, 1, &page.y);
            gl::GetInternalformativ(target, format, GL_VIRTUAL_PAGE_SIZE_Z_ARB, 1, &page.z);
        }
        return page;
    }
    static GLuint make(GLenum target) {
        const GLuint texture = new_texture(target);
        gl::TexParameteri(target, GL_TEXTURE_SPARSE_ARB, GL_TRUE);
        return texture;
    }
};

TEST_F(SparseTextureTest, PagesKeepWhatIsInThem) {
    const Page page = page_of(GL_TEXTURE_2D, GL_RGBA8);
    ASSERT_GT(page.x, 0);
    const GLuint texture = make(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, page.x * 4, page.y * 4);
    const auto fill = [&](GLint x, GLint y, const Byte4& colour) {
        const std::vector<Byte4> texels(static_cast<std::size_t>(page.x) * page.y, colour);
        gl::TexSubImage2D(GL_TEXTURE_2D, 0, x * page.x, y * page.y, page.x, page.y, GL_RGBA,
                          GL_UNSIGNED_BYTE, texels.data());
    };
    gl::TexPageCommitmentARB(GL_TEXTURE_2D, 0, page.x, 0, 0, page.x * 2, page.y, 1, GL_TRUE);
    fill(1, 0, kRed);
    fill(2, 0, kGreen);
    gl::TexPageCommitmentARB(GL_TEXTURE_2D, 0, 0, page.y * 3, 0, page.x, page.y, 1, GL_TRUE);
    fill(0, 3, kBlue);
    gl::TexPageCommitmentARB(GL_TEXTURE_2D, 0, page.x, 0, 0, page.x, page.y, 1, GL_FALSE);
    bind_texture_target(texture, page.x * 4, page.y * 4);
    expect_area(page.x * 2, 0, page.x, page.y, kGreen);
    expect_area(0, page.y * 3, page.x, page.y, kBlue);
    // It is drawn to as well.
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(page.x * 2, 0, page.x, page.y);
    gl::ClearColor(1, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Disable(GL_SCISSOR_TEST);
    expect_area(page.x * 2, 0, page.x, page.y, kYellow);
    expect_area(0, page.y * 3, page.x, page.y, kBlue);
}

// ARB_sparse_texture, table 8.12: the formats that are guaranteed to support sparse allocation.
TEST_F(SparseTextureTest, GuaranteedFormatsHavePages) {
    constexpr GLenum formats[] = {
        GL_R8,          GL_R8_SNORM,       GL_R16,        GL_R16_SNORM, GL_RG8,
        GL_RG8_SNORM,   GL_RG16,           GL_RG16_SNORM, GL_RGB565,    GL_RGBA8,
        GL_RGBA8_SNORM, GL_RGB10_A2,       GL_RGB10_A2UI, GL_RGBA16,    GL_RGBA16_SNORM,
        GL_R16F,        GL_RG16F,          GL_RGBA16F,    GL_R32F,      GL_RG32F,
        GL_RGBA32F,     GL_R11F_G11F_B10F, GL_RGB9_E5,    GL_R8I,       GL_R8UI,
        GL_R16I,        GL_R16UI,          GL_R32I,       GL_R32UI,     GL_RG8I,
        GL_RG8UI,       GL_RG16I,          GL_RG16UI,     GL_RG32I,     GL_RG32UI,
        GL_RGBA8I,      GL_RGBA8UI,        GL_RGBA16I,    GL_RGBA16UI,  GL_RGBA32I,
        GL_RGBA32UI};
    for (const GLenum target : {GL_TEXTURE_2D, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_CUBE_MAP,
                                GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_RECTANGLE}) {
        for (const GLenum format : formats) {
            EXPECT_GT(page_of(target, format).x, 0) << std::hex << target << " " << format;
        }
    }
}

// Formats that no image unit takes, and none is drawn to.
TEST_F(SparseTextureTest, FormatsThatAreSampledAlone) {
    struct Kept {
        GLenum format, external, type;
        std::uint32_t texel;
        Byte4 seen;
    };
    constexpr Kept kinds[] = {
        {GL_RGB9_E5, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, 0x80000100, kRed}, // 256 * 2^(16-15-9)
        {GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, 0xff00ff00, kGreen},
    };
    make_target({16, 16});
    bind_new_vao();
    const GLuint program = vs_fs(kFullscreenVs, "uniform sampler2D from; out vec4 colour; void "
                                                "main() { colour = textureLod(from, vec2(0.75), "
                                                "0.0); }");
    for (const Kept& kind : kinds) {
        const Page page = page_of(GL_TEXTURE_2D, kind.format);
        ASSERT_GT(page.x, 0);
        make(GL_TEXTURE_2D);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl::TexStorage2D(GL_TEXTURE_2D, 1, kind.format, page.x * 2, page.y * 2);
        gl::TexPageCommitmentARB(GL_TEXTURE_2D, 0, page.x, page.y, 0, page.x, page.y, 1, GL_TRUE);
        const std::vector<std::uint32_t> texels(static_cast<std::size_t>(page.x) * page.y,
                                                kind.texel);
        gl::TexSubImage2D(GL_TEXTURE_2D, 0, page.x, page.y, page.x, page.y, kind.external,
                          kind.type, texels.data());
        draw_fullscreen(program);
        expect_pixel(8, 8, kind.seen);
    }
}

TEST_F(SparseTextureTest, LevelsDownToTheLast) {
    const Page page = page_of(GL_TEXTURE_2D, GL_RGBA8);
    const GLuint texture = make(GL_TEXTURE_2D);
    const GLsizei size = std::max(page.x, page.y) * 2;
    GLsizei levels = 1;
    while (size >> levels) {
        ++levels;
    }
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, levels - 1);
    gl::TexStorage2D(GL_TEXTURE_2D, levels, GL_RGBA8, size, size);
    GLint paged = 0;
    gl::GetTexParameteriv(GL_TEXTURE_2D, GL_NUM_SPARSE_LEVELS_ARB, &paged);
    EXPECT_GT(paged, 0);
    for (GLint level = 0; level < levels; ++level) {
        const GLsizei extent = size >> level;
        gl::TexPageCommitmentARB(GL_TEXTURE_2D, level, 0, 0, 0, extent, extent, 1, GL_TRUE);
        const Byte4 colour{static_cast<std::uint8_t>(20 * level + 10), 0, 0, 255};
        const std::vector<Byte4> texels(static_cast<std::size_t>(extent) * extent, colour);
        gl::TexSubImage2D(GL_TEXTURE_2D, level, 0, 0, extent, extent, GL_RGBA, GL_UNSIGNED_BYTE,
                          texels.data());
    }
    for (GLint level = 0; level < levels; ++level) {
        bind_texture_target(texture, size >> level, size >> level, level);
        expect_pixel((size >> level) - 1, (size >> level) - 1,
                     {static_cast<std::uint8_t>(20 * level + 10), 0, 0, 255});
    }
}

TEST_F(SparseTextureTest, LayersAreApart) {
    const Page page = page_of(GL_TEXTURE_2D_ARRAY, GL_RGBA8);
    ASSERT_GT(page.x, 0);
    const GLuint texture = make(GL_TEXTURE_2D_ARRAY);
    gl::TexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, page.x, page.y, 4);
    const std::vector<Byte4> texels(static_cast<std::size_t>(page.x) * page.y, kRed);
    for (const GLint layer : {1, 3}) {
        gl::TexPageCommitmentARB(GL_TEXTURE_2D_ARRAY, 0, 0, 0, layer, page.x, page.y, 1, GL_TRUE);
        gl::TexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, layer, page.x, page.y, 1, GL_RGBA,
                          GL_UNSIGNED_BYTE, texels.data());
    }
    gl::TexPageCommitmentARB(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 1, page.x, page.y, 1, GL_FALSE);
    bind_texture_target(texture, page.x, page.y, 0, 3);
    expect_area(0, 0, page.x, page.y, kRed);
}

// ARB_clear_texture: nothing but the box changes.
TEST_F(SparseTextureTest, PartsAreCleared) {
    const Page page = page_of(GL_TEXTURE_2D, GL_RGBA8);
    ASSERT_GT(page.x, 0);
    const GLuint texture = make(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, page.x * 2, page.y * 2);
    gl::TexPageCommitmentARB(GL_TEXTURE_2D, 0, 0, 0, 0, page.x * 2, page.y * 2, 1, GL_TRUE);
    const std::vector<Byte4> texels(std::size_t{4} * page.x * page.y, kRed);
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, page.x * 2, page.y * 2, GL_RGBA, GL_UNSIGNED_BYTE,
                      texels.data());
    ImageCalls().ClearTexSubImage(texture, 0, page.x, page.y, 0, page.x, page.y, 1, GL_RGBA,
                                  GL_UNSIGNED_BYTE, kGreen.data());
    bind_texture_target(texture, page.x * 2, page.y * 2);
    expect_area(0, 0, page.x * 2, page.y, kRed);
    expect_area(0, page.y, page.x, page.y, kRed);
    expect_area(page.x, page.y, page.x, page.y, kGreen);
}

// ARB_sparse_texture, 8.18: a view is sparse where its origin is, and commits the origin's pages.
TEST_F(SparseTextureTest, ViewsAreSparse) {
    const Page page = page_of(GL_TEXTURE_2D_ARRAY, GL_RGBA8);
    ASSERT_GT(page.x, 0);
    const GLuint origin = make(GL_TEXTURE_2D_ARRAY);
    gl::TexStorage3D(GL_TEXTURE_2D_ARRAY, 2, GL_RGBA8, page.x * 2, page.y * 2, 4);
    GLuint view = 0;
    gl::GenTextures(1, &view);
    ImageCalls().TextureView(view, GL_TEXTURE_2D_ARRAY, origin, GL_RGBA8, 1, 1, 2, 2);
    gl::BindTexture(GL_TEXTURE_2D_ARRAY, view);
    GLint sparse = 0;
    gl::GetTexParameteriv(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_SPARSE_ARB, &sparse);
    EXPECT_EQ(sparse, GL_TRUE);
    gl::TexPageCommitmentARB(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 1, page.x, page.y, 1, GL_TRUE);
    ASSERT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
    const std::vector<Byte4> texels(static_cast<std::size_t>(page.x) * page.y, kRed);
    gl::BindTexture(GL_TEXTURE_2D_ARRAY, origin);
    gl::TexSubImage3D(GL_TEXTURE_2D_ARRAY, 1, 0, 0, 3, page.x, page.y, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                      texels.data());
    bind_texture_target(origin, page.x, page.y, 1, 3);
    expect_area(0, 0, page.x, page.y, kRed);
}

// ARB_sparse_texture: TEXTURE_SPARSE_ARB is INVALID_VALUE for these targets, while NVIDIA's GL
// tells the page size of the format in 2D.
TEST_F(SparseTextureTest, PageSizesOfOneDimension) {
    for (const GLenum target : {GL_TEXTURE_1D, GL_TEXTURE_1D_ARRAY}) {
        SCOPED_TRACE(target);
        const Page page = page_of(target, GL_RGBA8), flat = page_of(GL_TEXTURE_2D, GL_RGBA8);
        EXPECT_GT(page.x, 0);
        EXPECT_EQ(page.x, flat.x);
        EXPECT_EQ(page.y, flat.y);
        EXPECT_EQ(page.z, flat.z);
        make(target);
        EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_VALUE});
    }
}

TEST_F(SparseTextureTest, AnIndexThatIsNoPageSize) {
    make(GL_TEXTURE_2D);
    gl::TexParameteri(GL_TEXTURE_2D, GL_VIRTUAL_PAGE_SIZE_INDEX_ARB, 1);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 256, 256);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_OPERATION});
}

} // namespace
} // namespace kobalt::gltest
