// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Image load and store: formats, views, layers, and what is not there (OpenGL 4.6, 8.26).
#include <algorithm>
#include <cmath>

#include "image_calls.h"

namespace kobalt::gltest {
namespace {

/// A line of table 8.26 with what is stored in its texels and what they hold then.
struct ImageFormat {
    GLenum internal;
    const char* qualifier;
    int channels;
    char kind; ///< f, i, u: the type of what shaders see
    float least, most;
};

constexpr float kHuge = 1000.0F;
const ImageFormat kFormats[] = {
    {GL_RGBA32F, "rgba32f", 4, 'f', -kHuge, kHuge},
    {GL_RGBA16F, "rgba16f", 4, 'f', -kHuge, kHuge},
    {GL_RG32F, "rg32f", 2, 'f', -kHuge, kHuge},
    {GL_RG16F, "rg16f", 2, 'f', -kHuge, kHuge},
    {GL_R11F_G11F_B10F, "r11f_g11f_b10f", 3, 'f', 0, kHuge},
    {GL_R32F, "r32f", 1, 'f', -kHuge, kHuge},
    {GL_R16F, "r16f", 1, 'f', -kHuge, kHuge},
    {GL_RGBA32UI, "rgba32ui", 4, 'u', 0, kHuge},
    {GL_RGBA16UI, "rgba16ui", 4, 'u', 0, kHuge},
    {GL_RGB10_A2UI, "rgb10_a2ui", 4, 'u', 0, kHuge},
    {GL_RGBA8UI, "rgba8ui", 4, 'u', 0, kHuge},
    {GL_RG32UI, "rg32ui", 2, 'u', 0, kHuge},
    {GL_RG16UI, "rg16ui", 2, 'u', 0, kHuge},
    {GL_RG8UI, "rg8ui", 2, 'u', 0, kHuge},
    {GL_R32UI, "r32ui", 1, 'u', 0, kHuge},
    {GL_R16UI, "r16ui", 1, 'u', 0, kHuge},
    {GL_R8UI, "r8ui", 1, 'u', 0, kHuge},
    {GL_RGBA32I, "rgba32i", 4, 'i', -kHuge, kHuge},
    {GL_RGBA16I, "rgba16i", 4, 'i', -kHuge, kHuge},
    {GL_RGBA8I, "rgba8i", 4, 'i', -kHuge, kHuge},
    {GL_RG32I, "rg32i", 2, 'i', -kHuge, kHuge},
    {GL_RG16I, "rg16i", 2, 'i', -kHuge, kHuge},
    {GL_RG8I, "rg8i", 2, 'i', -kHuge, kHuge},
    {GL_R32I, "r32i", 1, 'i', -kHuge, kHuge},
    {GL_R16I, "r16i", 1, 'i', -kHuge, kHuge},
    {GL_R8I, "r8i", 1, 'i', -kHuge, kHuge},
    {GL_RGBA16, "rgba16", 4, 'f', 0, 1},
    {GL_RGB10_A2, "rgb10_a2", 4, 'f', 0, 1},
    {GL_RGBA8, "rgba8", 4, 'f', 0, 1},
    {GL_RG16, "rg16", 2, 'f', 0, 1},
    {GL_RG8, "rg8", 2, 'f', 0, 1},
    {GL_R16, "r16", 1, 'f', 0, 1},
    {GL_R8, "r8", 1, 'f', 0, 1},
    {GL_RGBA16_SNORM, "rgba16_snorm", 4, 'f', -1, 1},
    {GL_RGBA8_SNORM, "rgba8_snorm", 4, 'f', -1, 1},
    {GL_RG16_SNORM, "rg16_snorm", 2, 'f', -1, 1},
    {GL_RG8_SNORM, "rg8_snorm", 2, 'f', -1, 1},
    {GL_R16_SNORM, "r16_snorm", 1, 'f', -1, 1},
    {GL_R8_SNORM, "r8_snorm", 1, 'f', -1, 1},
};

/// Immutable storage of one level.
GLuint storage_2d(GLenum format, int width, int height) {
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, format, width, height);
    return texture;
}

std::vector<GLuint> texels_uint(GLenum target, size_t count) {
    std::vector<GLuint> texels(count, 0xdeadbeef);
    gl::GetTexImage(target, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, texels.data());
    return texels;
}

TEST_F(ImageTest, EveryFormatIsStoredAndLoaded) {
    const Float4 stored{-2.0F, 0.5F, 3.0F, 1.0F / 3.0F};
    for (const ImageFormat& format : kFormats) {
        SCOPED_TRACE(format.qualifier);
        const std::string prefix = format.kind == 'f' ? "" : std::string(1, format.kind);
        const GLuint program =
            compute("layout(local_size_x = 1) in;\nlayout(" + std::string(format.qualifier) +
                    ", binding = 0) uniform " + prefix + "image2D subject;\n" +
                    "layout(rgba32f, binding = 1) uniform writeonly image2D seen;\n"
                    "uniform int step;\n"
                    "void main() { if (step == 0) imageStore(subject, ivec2(1), " +
                    prefix + "vec4(-2.0, 0.5, 3.0, 1.0 / 3.0));\n" +
                    "else imageStore(seen, ivec2(0), vec4(imageLoad(subject, ivec2(1)))); }\n");
        const GLuint subject = storage_2d(format.internal, 2, 2);
        const GLuint seen = storage_2d(GL_RGBA32F, 1, 1);
        bind(0, subject, format.internal);
        bind(1, seen, GL_RGBA32F);
        for (int step = 0; step < 2; ++step) {
            set_uniform(program, "step", step);
            run(program);
        }
        Float4 expected{0, 0, 0, 1};
        for (size_t i = 0; i < static_cast<size_t>(format.channels); ++i) {
            const float value = format.kind == 'f' ? stored[i] : std::trunc(stored[i]);
            expected[i] = std::clamp(value, format.least, format.most);
        }
        if (format.kind == 'u') {
            // Negative floats as unsigned integers: undefined.
            expected[0] = -1;
        }
        Float4 texel{};
        gl::BindTexture(GL_TEXTURE_2D, seen);
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, texel.data());
        if (format.kind == 'u') {
            texel[0] = -1;
        }
        expect_near(texel, expected, 0.005F);
    }
}

// ARB_clear_texture through views (8.18): texels that have several spellings in the texture's own
// format.
TEST_F(ImageTest, ClearsOfViewsKeepTheBits) {
    if (!calls().ClearTexImage) {
        GTEST_SKIP() << "glClearTexImage is not offered";
    }
    const struct {
        GLenum own, view;
        std::array<GLuint, 4> texel;
    } cases[] = {
        {GL_RGBA8_SNORM, GL_RGBA8UI, {0x80, 1, 0x81, 0x7f}},
        {GL_RG16_SNORM, GL_R32UI, {0x80008000, 0, 0, 1}},
        {GL_RG16F, GL_RG16UI, {0x7d01, 0x8001, 0, 1}},
        {GL_R11F_G11F_B10F, GL_R32UI, {0xfffffffd, 0, 0, 1}},
        {GL_RGB9_E5, GL_R32UI, {0x80000001, 0, 0, 1}},
        {GL_SRGB8_ALPHA8, GL_RGBA8UI, {1, 128, 200, 255}},
    };
    for (const auto& item : cases) {
        SCOPED_TRACE(item.own);
        const GLuint texture = storage_2d(item.own, 2, 2);
        const GLuint view = view_2d(texture, item.view);
        gl::BindTexture(GL_TEXTURE_2D, view);
        const auto expect = [&](const std::vector<std::array<GLuint, 4>>& expected) {
            std::vector<std::array<GLuint, 4>> texels(4);
            gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, texels.data());
            EXPECT_EQ(texels, expected);
        };
        calls().ClearTexImage(view, 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, item.texel.data());
        expect({item.texel, item.texel, item.texel, item.texel});
        std::array<GLuint, 4> zero{};
        calls().ClearTexImage(view, 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, zero.data());
        calls().ClearTexSubImage(view, 0, 1, 0, 0, 1, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                                 item.texel.data());
        if (item.view != GL_RGBA8UI) {
            zero[3] = 1; // the view has no alpha
        }
        expect({zero, item.texel, zero, zero});
    }
}

// OpenGL 4.6, 9.4.1: what can be an attachment is up to the view's format, not to the texture's.
TEST_F(ImageTest, FramebuffersOfViews) {
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    const auto complete = [](GLuint texture) {
        gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
        return gl::CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    };
    const GLuint texture = storage_2d(GL_RGBA8, 4, 4);
    for (const GLenum format : {GL_R32F, GL_RGB9_E5}) {
        SCOPED_TRACE(format);
        const GLuint view = view_2d(texture, format);
        EXPECT_EQ(complete(view), complete(storage_2d(format, 4, 4)));
    }
}

// An sRGB texture can't be bound to an image unit, but a view of it in another format can.
TEST_F(ImageTest, ViewsInFormatsThatTheTextureIsNot) {
    const struct {
        GLenum own, view, result;
        const char* qualifier;
        std::array<GLuint, 4> stored;
    } cases[] = {
        {GL_SRGB8_ALPHA8, GL_RGBA8UI, GL_RGBA8UI, "rgba8ui", {1, 128, 200, 255}},
        {GL_RGB9_E5, GL_R32UI, GL_R32UI, "r32ui", {0x12345678, 0, 0, 1}},
        {GL_RGBA8_SNORM, GL_RGBA8UI, GL_RGBA8UI, "rgba8ui", {1, 128, 200, 255}},
    };
    for (const auto& item : cases) {
        SCOPED_TRACE(item.qualifier);
        const GLuint texture = storage_2d(item.own, 1, 1);
        const GLuint view = view_2d(texture, item.view);
        bind(0, view, item.view);
        std::string values;
        for (const GLuint value : item.stored) {
            values += (values.empty() ? "" : ", ") + std::to_string(value) + "u";
        }
        run(compute("layout(local_size_x = 1) in;\nlayout(" + std::string(item.qualifier) +
                    ", binding = 0) uniform uimage2D subject;\n"
                    "void main() { imageStore(subject, ivec2(0), uvec4(" +
                    values + ")); }\n"));
        std::array<GLuint, 4> texel{};
        gl::BindTexture(GL_TEXTURE_2D, view);
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, texel.data());
        EXPECT_EQ(texel, item.stored);
    }
}

const std::string kFill = "layout(local_size_x = 1) in;\nuniform int value;\n"
                          "layout(r32ui, binding = 0) uniform ";

TEST_F(ImageTest, OneSliceOfAVolume) {
    const GLuint volume = new_texture(GL_TEXTURE_3D);
    calls().TexStorage3D(GL_TEXTURE_3D, 1, GL_R32UI, 2, 2, 4);
    const GLuint program =
        compute(kFill + "uimage2D slice; void main() {\n"
                        "imageStore(slice, ivec2(gl_WorkGroupID.xy), uvec4(value)); }\n");
    for (int z = 0; z < 4; ++z) {
        bind(0, volume, GL_R32UI, 0, z);
        set_uniform(program, "value", 10 + z);
        run(program, 2, 2);
    }
    gl::BindTexture(GL_TEXTURE_3D, volume);
    const std::vector<GLuint> texels = texels_uint(GL_TEXTURE_3D, 16);
    for (size_t i = 0; i < texels.size(); ++i) {
        EXPECT_EQ(texels[i], 10 + i / 4) << "texel " << i;
    }
}

TEST_F(ImageTest, ACubeAmongTheLayersOfAnArray) {
    const GLuint array = new_texture(GL_TEXTURE_CUBE_MAP_ARRAY);
    calls().TexStorage3D(GL_TEXTURE_CUBE_MAP_ARRAY, 1, GL_R32UI, 1, 1, 12);
    const GLuint zero = 0;
    calls().ClearTexImage(array, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
    GLuint cube = 0;
    gl::GenTextures(1, &cube);
    calls().TextureView(cube, GL_TEXTURE_CUBE_MAP, array, GL_R32UI, 0, 1, 6, 6);
    bind(0, cube, GL_R32UI);
    const GLuint program =
        compute(kFill + "uimageCube cube; void main() {\n"
                        "int face = int(gl_WorkGroupID.x);\n"
                        "imageStore(cube, ivec3(0, 0, face), uvec4(value + face)); }\n");
    set_uniform(program, "value", 100);
    run(program, 6);
    gl::BindTexture(GL_TEXTURE_CUBE_MAP_ARRAY, array);
    const std::vector<GLuint> expected{0, 0, 0, 0, 0, 0, 100, 101, 102, 103, 104, 105};
    EXPECT_EQ(texels_uint(GL_TEXTURE_CUBE_MAP_ARRAY, 12), expected);
}

TEST_F(ImageTest, NothingBoundIsZeroAndTakesNothing) {
    const GLuint seen = storage_2d(GL_RGBA32F, 3, 1);
    const GLuint reader =
        compute("layout(local_size_x = 1) in;\n"
                "layout(rgba8, binding = 1) uniform image2D none;\n"
                "layout(rgba32f, binding = 2) uniform imageBuffer nothing;\n"
                "layout(rgba32f, binding = 0) uniform image2D seen;\n"
                "void main() { imageStore(none, ivec2(0), vec4(0.5));\n"
                " imageStore(nothing, 0, vec4(0.5)); memoryBarrierImage();\n"
                " imageStore(seen, ivec2(0, 0), imageLoad(none, ivec2(0)));\n"
                " imageStore(seen, ivec2(1, 0), imageLoad(nothing, 0));\n"
                " imageStore(seen, ivec2(2, 0), imageLoad(seen, ivec2(7, 7))); }\n");
    bind(0, seen, GL_RGBA32F);
    run(reader);
    std::vector<float> texels(12, -1);
    gl::BindTexture(GL_TEXTURE_2D, seen);
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, texels.data());
    EXPECT_EQ(texels, std::vector<float>(12, 0.0F));
}

// Views stay with the texture: each binding has to be of its own level all the same.
TEST_F(ImageTest, LevelsInTurn) {
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 4, GL_R32UI, 8, 8);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 3);
    const GLuint program =
        compute(kFill + "uimage2D level; void main() { imageStore(level, ivec2(0),\n"
                        "imageLoad(level, ivec2(0)) + uvec4(value)); }\n");
    const GLuint zero = 0;
    for (int level = 0; level < 4; ++level) {
        calls().ClearTexImage(texture, level, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
    }
    for (int i = 0; i < 40; ++i) {
        bind(0, texture, GL_R32UI, i % 4);
        set_uniform(program, "value", 1 + i % 4);
        run(program);
    }
    for (int level = 0; level < 4; ++level) {
        std::vector<GLuint> texels(64);
        gl::GetTexImage(GL_TEXTURE_2D, level, GL_RED_INTEGER, GL_UNSIGNED_INT, texels.data());
        EXPECT_EQ(texels[0], 10U * static_cast<GLuint>(1 + level));
    }
}

TEST_F(ImageTest, ABufferThatIsReplaced) {
    const GLuint buffer = make_buffer(GL_TEXTURE_BUFFER, std::vector<GLuint>(64, 0));
    const GLuint texture = new_texture(GL_TEXTURE_BUFFER);
    calls().TexBufferRange(GL_TEXTURE_BUFFER, GL_R32UI, buffer, 0, 16);
    bind(0, texture, GL_R32UI);
    const GLuint program = compute(kFill + "uimageBuffer words; void main() {\n"
                                           "int i = int(gl_WorkGroupID.x);\n"
                                           "imageAtomicAdd(words, i, uint(value)); }\n");
    for (int i = 1; i <= 3; ++i) {
        gl::BufferData(GL_TEXTURE_BUFFER, 256, std::vector<GLuint>(64, 0).data(), GL_STREAM_DRAW);
        set_uniform(program, "value", i);
        run(program, 6); // the range has four texels
        std::vector<GLuint> words(64, 99);
        gl::GetBufferSubData(GL_TEXTURE_BUFFER, 0, 256, words.data());
        std::vector<GLuint> expected(64, 0);
        std::fill_n(expected.begin(), 4, static_cast<GLuint>(i));
        EXPECT_EQ(words, expected);
    }
}

TEST_F(ImageTest, SizesAsTheShaderSeesThem) {
    const GLuint sizes = storage_2d(GL_RGBA32I, 4, 1);
    const GLuint line = new_texture(GL_TEXTURE_1D_ARRAY);
    gl::TexStorage2D(GL_TEXTURE_1D_ARRAY, 1, GL_R32UI, 5, 3);
    const GLuint cube = new_texture(GL_TEXTURE_CUBE_MAP_ARRAY);
    calls().TexStorage3D(GL_TEXTURE_CUBE_MAP_ARRAY, 1, GL_R32UI, 7, 7, 12);
    const GLuint volume = new_texture(GL_TEXTURE_3D);
    calls().TexStorage3D(GL_TEXTURE_3D, 1, GL_R32UI, 2, 3, 4);
    bind(0, sizes, GL_RGBA32I);
    bind(1, line, GL_R32UI);
    bind(2, cube, GL_R32UI);
    bind(3, volume, GL_R32UI);
    run(compute("layout(local_size_x = 1) in;\n"
                "layout(rgba32i, binding = 0) uniform iimage2D sizes;\n"
                "layout(r32ui, binding = 1) uniform uimage1DArray line;\n"
                "layout(r32ui, binding = 2) uniform uimageCubeArray cube;\n"
                "layout(r32ui, binding = 3) uniform uimage3D volume;\n"
                "void main() {\n"
                " imageStore(sizes, ivec2(0, 0), ivec4(imageSize(sizes), 0, 0));\n"
                " imageStore(sizes, ivec2(1, 0), ivec4(imageSize(line), 0, 0));\n"
                " imageStore(sizes, ivec2(2, 0), ivec4(imageSize(cube), 0));\n"
                " imageStore(sizes, ivec2(3, 0), ivec4(imageSize(volume), 0)); }\n"));
    std::vector<GLint> seen(16, -1);
    gl::BindTexture(GL_TEXTURE_2D, sizes);
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA_INTEGER, GL_INT, seen.data());
    EXPECT_EQ(seen, (std::vector<GLint>{4, 1, 0, 0, 5, 3, 0, 0, 7, 7, 2, 0, 2, 3, 4, 0}));
}

// A range that holds no whole texel has a size of zero, whatever stood there before; and the image
// unit has the texture, whose ranges it follows (OpenGL 4.6, 8.26).
TEST_F(ImageTest, BuffersWithoutATexel) {
    const GLuint program = link(
        {{GL_COMPUTE_SHADER, "#version 430 core\nlayout(local_size_x = 1) in; layout(binding = "
                             "0, r32ui) uniform uimageBuffer image; layout(std430, binding = 0) "
                             "buffer Out { int size; uint first; }; void main() { size = "
                             "imageSize(image); first = imageLoad(image, 0).x; }"}});
    const GLuint words = make_buffer(GL_TEXTURE_BUFFER, std::vector<GLuint>(64, 5));
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_BUFFER, texture);
    gl::UseProgram(program);
    int ranges = 0;
    for (const auto& [bytes, size] :
         {std::pair{100, 25}, {3, 0}, {8, 2}, {1, 0}, {100, 25}, {3, 0}, {8, 2}, {1, 0}}) {
        gl::TexBufferRange(GL_TEXTURE_BUFFER, GL_R32UI, words, 64, bytes);
        if (ranges++ < 4)
            gl::BindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
        std::array<GLint, 2> seen{-1, -1};
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0,
                           make_buffer(GL_SHADER_STORAGE_BUFFER, sizeof seen, seen.data()));
        gl::DispatchCompute(1, 1, 1);
        gl::MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        gl::GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof seen, seen.data());
        EXPECT_EQ(seen, (std::array<GLint, 2>{size, size ? 5 : 0})) << bytes;
    }
}

} // namespace
} // namespace kobalt::gltest
