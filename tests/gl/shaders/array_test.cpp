// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Arrays of textures, uniform blocks, storage blocks and images under an index that only the
// running shader knows (GLSL 4.60, 4.1.7): from a uniform, and from a varying that is the same in
// each draw.
#include "compute.h"

namespace kobalt::gltest {
namespace {

constexpr int kElements = 4;

/// Each element tells its number in the first channel, so that neither 0 nor a neighbour will do.
float value_of(int element) {
    return static_cast<float>(element + 1) / 8.0F;
}

class ArrayTest : public ComputeTest {
protected:
    /// Draws a pixel for each way in which element `i` may be named, and for each element.
    void expect_elements(const std::string& declaration, const std::string& access) {
        const GLuint program =
            link({{GL_VERTEX_SHADER,
                   "#version 430 core\nuniform int number; flat out int varied;\n" +
                       std::string(kFullscreenVs)
                           .insert(std::string(kFullscreenVs).rfind('}'), " varied = number; ")},
                  {GL_FRAGMENT_SHADER,
                   "#version 430 core\n" + declaration +
                       "\nuniform int number; uniform int way; flat in int varied;\n"
                       "out vec4 result;\nvoid main() {\n"
                       " if (way == 0) { int i = number; result = " +
                       access + "; }\n else { int i = varied; result = " + access + "; }\n}\n"}});
        ASSERT_NE(program, 0U);
        gl::UseProgram(program);
        set_up(program);
        for (int way = 0; way < 2; ++way) {
            for (int i = 0; i < kElements; ++i) {
                SCOPED_TRACE((way ? "varying " : "uniform ") + std::to_string(i));
                set_uniform(program, "way", way);
                set_uniform(program, "number", i);
                gl::DrawArrays(GL_TRIANGLES, 0, 3);
                expect_near(pixel_float(0, 0), {expected(i), 0, 0, 1}, 0.01F);
            }
        }
    }
    virtual void set_up(GLuint) {}
    virtual float expected(int element) const { return value_of(element); }
    void prepare() override {
        ComputeTest::prepare();
        make_target({4, 4, GL_RGBA32F});
        bind_new_vao();
    }
};

class TextureArrayTest : public ArrayTest {
protected:
    void set_up(GLuint program) override {
        for (int i = 0; i < kElements; ++i) {
            const Float4 texel{value_of(i), 0, 0, 1};
            gl::ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(i));
            if (i != left_out_) {
                texture_2d(GL_RGBA32F, 1, 1, GL_RGBA, GL_FLOAT, texel.data());
            }
            set_uniform(program, ("t[" + std::to_string(i) + "]").c_str(), i);
        }
    }
    float expected(int element) const override {
        return element == left_out_ ? 0 : value_of(element);
    }
    int left_out_ = -1;
};

// As many as are no longer in order by luck.
TEST_F(TextureArrayTest, MoreThanSixteen) {
    constexpr int kMany = 24;
    GLint units = 0;
    gl::GetIntegerv(GL_MAX_TEXTURE_IMAGE_UNITS, &units);
    if (units < kMany) {
        GTEST_SKIP() << "a stage has " << units << " textures";
    }
    const GLuint program =
        link({{GL_VERTEX_SHADER, "#version 430 core\n" + std::string(kFullscreenVs)},
              {GL_FRAGMENT_SHADER,
               "#version 430 core\nuniform sampler2D t[24]; uniform int i; out vec4 result; "
               "void main() { result = texelFetch(t[i], ivec2(0), 0); }"}});
    gl::UseProgram(program);
    for (int i = 0; i < kMany; ++i) {
        const Float4 texel{static_cast<float>(i), 0, 0, 1};
        gl::ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(i));
        texture_2d(GL_RGBA32F, 1, 1, GL_RGBA, GL_FLOAT, texel.data());
        set_uniform(program, ("t[" + std::to_string(i) + "]").c_str(), i);
    }
    for (int i = 0; i < kMany; ++i) {
        set_uniform(program, "i", i);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        expect_near(pixel_float(0, 0), {static_cast<float>(i), 0, 0, 1}, 0);
    }
}

TEST_F(TextureArrayTest, Sampled) {
    expect_elements("uniform sampler2D t[4];", "texture(t[i], vec2(0.5))");
}

TEST_F(TextureArrayTest, ElementsWithoutATexture) {
    left_out_ = 2; // an incomplete texture reads (0, 0, 0, 1)
    expect_elements("uniform sampler2D t[4];", "texture(t[i], vec2(0.5))");
}

TEST_F(TextureArrayTest, BesideKnownElements) {
    expect_elements("uniform sampler2D t[4];",
                    "texture(t[i], vec2(0.5)) + 0.0 * texelFetch(t[3], ivec2(0), 0)");
}

TEST_F(TextureArrayTest, AskedForTheirSize) {
    expect_elements("uniform sampler2D t[4];",
                    "texture(t[i], vec2(0.5)) * float(textureSize(t[i], 0).x)");
}

class TexelArrayTest : public ArrayTest {
protected:
    void set_up(GLuint program) override {
        for (int i = 0; i < kElements; ++i) {
            const std::vector<Float4> texels{{value_of(i), 0, 0, 1}};
            gl::ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(i));
            const GLuint buffer = make_buffer(GL_TEXTURE_BUFFER, texels);
            GLuint texture = 0;
            gl::GenTextures(1, &texture);
            gl::BindTexture(GL_TEXTURE_BUFFER, texture);
            gl::TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, buffer);
            set_uniform(program, ("t[" + std::to_string(i) + "]").c_str(), i);
        }
    }
};

TEST_F(TexelArrayTest, Fetched) {
    expect_elements("uniform samplerBuffer t[4];", "texelFetch(t[i], 0)");
}

class BlockArrayTest : public ArrayTest {
protected:
    void set_up(GLuint) override {
        for (int i = 0; i < kElements; ++i) {
            const std::vector<Float4> contents{{9, 9, 9, 9}, {value_of(i), 0, 0, 1}};
            for (const GLenum target : {GL_UNIFORM_BUFFER, GL_SHADER_STORAGE_BUFFER}) {
                gl::BindBufferBase(target, static_cast<GLuint>(i), make_buffer(target, contents));
            }
        }
    }
};

TEST_F(BlockArrayTest, Uniform) {
    expect_elements("layout(std140, binding = 0) uniform B { vec4 a, v; } t[4];", "t[i].v");
}

TEST_F(BlockArrayTest, UniformScalars) {
    expect_elements("layout(std140, binding = 0) uniform B { vec4 a; float v, w; } t[4];",
                    "vec4(t[i].v, t[i].w, 0, 1)");
}

TEST_F(BlockArrayTest, Storage) {
    expect_elements("layout(std430, binding = 0) buffer B { vec4 a, v; } t[4];", "t[i].v");
}

TEST_F(BlockArrayTest, LengthOfStorage) {
    expect_elements("layout(std430, binding = 0) buffer B { vec4 v[]; } t[4];",
                    "t[i].v[t[i].v.length() - 1]");
}

class ImageArrayTest : public ArrayTest {
protected:
    void set_up(GLuint) override {
        for (int i = 0; i < kElements; ++i) {
            const GLuint texture = new_texture(GL_TEXTURE_2D);
            const Float4 texel{value_of(i), 0, 0, 1};
            gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, 1, 1);
            gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_FLOAT, texel.data());
            gl::BindImageTexture(static_cast<GLuint>(i), texture, 0, GL_FALSE, 0, GL_READ_WRITE,
                                 GL_RGBA32F);
        }
    }
};

TEST_F(ImageArrayTest, Loaded) {
    expect_elements("layout(rgba32f, binding = 0) uniform image2D t[4];",
                    "imageLoad(t[i], ivec2(0))");
}

// Invocations of one dispatch may each name another element (a GPU's index isn't the same for all).
TEST_F(ArrayTest, EachInvocationItsElementOfStorage) {
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer B { uint v; } t[4];
        layout(std430, binding = 4) buffer Out { uint seen[]; };
        void main() {
            uint i = gl_WorkGroupID.x % 4u;
            seen[gl_WorkGroupID.x] = atomicAdd(t[i].v, 16u) & 15u;
        })");
    ASSERT_NE(program, 0U);
    std::vector<GLuint> buffers;
    for (GLuint i = 0; i < kElements; ++i) {
        buffers.push_back(storage(i, {i + 1}));
    }
    const GLuint out = storage(4, Words(8, 0));
    gl::UseProgram(program);
    gl::DispatchCompute(8, 1, 1);
    const Words seen = words_of(out, 8);
    for (std::uint32_t i = 0; i < 8; ++i) {
        EXPECT_EQ(seen[i], i % 4 + 1);
    }
    for (std::uint32_t i = 0; i < kElements; ++i) {
        EXPECT_EQ(words_of(buffers[i], 1)[0], i + 1 + 32);
    }
}

} // namespace
} // namespace kobalt::gltest
