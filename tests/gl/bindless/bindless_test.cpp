// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_ARB_bindless_texture: what shaders read through handles.
#include "bindless.h"
#include "pixel_grid.h"
#include "separable.h"

namespace kobalt::gltest {
namespace {

TEST_F(BindlessTest, Uniforms) {
    PixelGrid pixels;
    const GLuint program = picture_program();
    const GLuint64 one = resident(solid(kRed)), two = resident(solid(kGreen));
    EXPECT_NE(one, two);
    EXPECT_EQ(gl::IsTextureHandleResidentARB(one), GL_TRUE);
    for (int i = 0; i < 20; ++i) {
        set_handle(program, i % 2 ? two : one);
        pixels.draw(i % 2 ? kGreen : kRed);
    }
    EXPECT_EQ(pixels.wrong(), 0);
}

TEST_F(BindlessTest, TheSameTextureHasTheSameHandle) {
    const GLuint texture = solid(kRed);
    EXPECT_EQ(gl::GetTextureHandleARB(texture), gl::GetTextureHandleARB(texture));
    PixelGrid pixels;
    set_handle(picture_program(), resident(texture));
    pixels.draw(kRed);
    EXPECT_EQ(pixels.wrong(), 0);
}

TEST_F(BindlessTest, TextureUnitsThroughABindlessSampler) {
    PixelGrid pixels;
    const GLuint program = picture_program();
    gl::UseProgram(program);
    gl::ActiveTexture(GL_TEXTURE3);
    solid(kBlue);
    gl::ActiveTexture(GL_TEXTURE5);
    solid(kYellow);
    for (int i = 0; i < 6; ++i) {
        set_uniform(program, "picture", i % 2 ? 5 : 3);
        pixels.draw(i % 2 ? kYellow : kBlue);
    }
    EXPECT_EQ(pixels.wrong(), 0);
}

TEST_F(BindlessTest, InABlockAtAnIndexThatDiffersAmongPixels) {
    make_target({32, 32});
    bind_new_vao();
    const Byte4 colours[] = {kRed, kGreen, kBlue, kYellow};
    std::vector<GLuint64> handles;
    for (const Byte4& texel : colours) {
        handles.push_back(resident(solid(texel)));
    }
    const GLuint block = block_of(handles);
    for (const bool packed : {true, false}) {
        SCOPED_TRACE(packed ? "uvec2" : "sampler2D");
        gl::ClearColor(0, 0, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        // Each pixel has another texture than the one beside it.
        const std::string type = packed ? "uvec2" : "sampler2D";
        const std::string picture = packed ? "sampler2D(pictures[i])" : "pictures[i]";
        const GLuint program =
            vs_fs(kFullscreenVs, kBindless + "layout(std140) uniform Block { " + type +
                                     " pictures[4]; }; out vec4 result; void main() { int i = "
                                     "(int(gl_FragCoord.x) + int(gl_FragCoord.y)) % 4; result = "
                                     "textureLod(" +
                                     picture + ", vec2(0.5), 0.0); }");
        gl::UniformBlockBinding(program, gl::GetUniformBlockIndex(program, "Block"), 0);
        gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, block);
        draw_fullscreen(program);
        for (int y = 0; y < 4; ++y) {
            for (int x = 0; x < 9; ++x) {
                expect_pixel(x, y, colours[(x + y) % 4]);
            }
        }
    }
}

TEST_F(BindlessTest, ArraysUnderAnIndex) {
    PixelGrid pixels;
    const GLuint program =
        vs_fs(kFullscreenVs, kBindless + "layout(bindless_sampler) uniform sampler2D pictures[4]; "
                                         "uniform int which; out vec4 result; void main() { result "
                                         "= texture(pictures[which], vec2(0.5)); }");
    gl::UseProgram(program);
    for (int i = 0; i < 4; ++i) {
        set_handle(program, resident(solid(colour(i))),
                   ("pictures[" + std::to_string(i) + "]").c_str());
    }
    for (int i = 0; i < 12; ++i) {
        set_uniform(program, "which", i * 3 % 4);
        pixels.draw(colour(i * 3 % 4));
    }
    EXPECT_EQ(pixels.wrong(), 0);
}

TEST_F(BindlessTest, InTheVertexShader) {
    PixelGrid pixels;
    const GLuint program =
        vs_fs(kBindless + "layout(bindless_sampler) uniform sampler2D picture; flat out vec4 v; "
                          "void main() { v = texelFetch(picture, ivec2(0), 0); gl_Position = "
                          "vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }",
              "flat in vec4 v; out vec4 result; void main() { result = v; }");
    for (int i = 0; i < 4; ++i) {
        set_handle(program, resident(solid(colour(i))));
        pixels.draw(colour(i));
    }
    EXPECT_EQ(pixels.wrong(), 0);
}

TEST_F(BindlessTest, TextureWithSampler) {
    PixelGrid pixels;
    const std::array<Byte4, 2> texels{kRed, kGreen};
    const GLuint texture =
        texture_2d(GL_RGBA8, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels.data()); // clamps
    std::array<GLuint, 2> samplers{};
    gl::GenSamplers(2, samplers.data());
    for (size_t i = 0; i < 2; ++i) {
        gl::SamplerParameteri(samplers[i], GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl::SamplerParameteri(samplers[i], GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        gl::SamplerParameteri(samplers[i], GL_TEXTURE_WRAP_S, i ? GL_REPEAT : GL_CLAMP_TO_EDGE);
    }
    const GLuint program = vs_fs(
        kFullscreenVs, kBindless + "layout(bindless_sampler) uniform sampler2D picture; out vec4 "
                                   "result; void main() { result = texture(picture, vec2(1.25, "
                                   "0.5)); }");
    const GLuint64 clamped = gl::GetTextureSamplerHandleARB(texture, samplers[0]);
    const GLuint64 repeated = gl::GetTextureSamplerHandleARB(texture, samplers[1]);
    EXPECT_NE(clamped, repeated);
    for (const GLuint64 handle : {clamped, repeated}) {
        gl::MakeTextureHandleResidentARB(handle);
    }
    set_handle(program, clamped);
    pixels.draw(kGreen);
    set_handle(program, repeated);
    pixels.draw(kRed);
    set_handle(program, resident(texture));
    pixels.draw(kGreen);
    EXPECT_EQ(pixels.wrong(), 0);
}

TEST_F(BindlessTest, OtherTypes) {
    PixelGrid pixels;
    const GLuint integer = new_texture(GL_TEXTURE_2D);
    const std::array<GLint, 4> minus{-51, 0, 0, 0};
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32I, 1, 1, 0, GL_RGBA_INTEGER, GL_INT, minus.data());
    const GLuint depth = new_texture(GL_TEXTURE_2D);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LESS);
    const float half = 0.5F;
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, 1, 1, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                   &half);
    const GLuint layers = new_texture(GL_TEXTURE_2D_ARRAY);
    const std::array<Byte4, 2> texels{kBlack, kBlue};
    gl::TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 1, 1, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   texels.data());
    const GLuint program = vs_fs(
        kFullscreenVs,
        kBindless +
            "layout(bindless_sampler) uniform isampler2D integer; layout(bindless_sampler) uniform "
            "sampler2DShadow shadow; layout(bindless_sampler) uniform sampler2DArray layers; out "
            "vec4 result; void main() { result = vec4(-float(texelFetch(integer, ivec2(0), 0).r) / "
            "255.0, texture(shadow, vec3(0.5, 0.5, 0.25)) - texture(shadow, vec3(0.5, 0.5, 0.75)), "
            "texture(layers, vec3(0.5, 0.5, 1)).b * float(textureSize(layers, 0).z) / 2.0, 1); }");
    set_handle(program, resident(integer), "integer");
    set_handle(program, resident(depth), "shadow");
    set_handle(program, resident(layers), "layers");
    pixels.draw({51, 255, 255, 255});
    EXPECT_EQ(pixels.wrong(), 0);
}

TEST_F(BindlessTest, TextureBuffers) {
    PixelGrid pixels;
    const GLuint program =
        vs_fs(kFullscreenVs, kBindless + "layout(bindless_sampler) uniform samplerBuffer picture; "
                                         "out vec4 result; void main() { result = "
                                         "texelFetch(picture, 0); }");
    const GLuint buffer = make_buffer(GL_TEXTURE_BUFFER, 4, kRed.data());
    const GLuint texture = new_texture(GL_TEXTURE_BUFFER);
    gl::TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, buffer);
    set_handle(program, resident(texture));
    for (int i = 0; i < 24; ++i) {
        pixels.draw(i ? colour(i) : kRed);
        gl::BindBuffer(GL_TEXTURE_BUFFER, buffer);
        if (i % 3 == 2) { // its storage must stay what the descriptor names
            void* data = gl::MapBufferRange(GL_TEXTURE_BUFFER, 0, 4,
                                            GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
            ASSERT_NE(data, nullptr);
            *static_cast<Byte4*>(data) = colour(i + 1);
            gl::UnmapBuffer(GL_TEXTURE_BUFFER);
        } else {
            gl::BufferSubData(GL_TEXTURE_BUFFER, 0, 4, colour(i + 1).data());
        }
        if (i % 5 == 4) {
            gl::Flush();
        }
    }
    EXPECT_EQ(pixels.wrong(), 0);
}

TEST_F(BindlessTest, ResidencyComesAndGoes) {
    PixelGrid pixels;
    const GLuint program = picture_program();
    std::array<GLuint, 3> textures{};
    std::array<GLuint64, 3> handles{};
    for (size_t i = 0; i < 3; ++i) {
        textures[i] = solid(colour(static_cast<int>(i)));
        handles[i] = gl::GetTextureHandleARB(textures[i]);
    }
    for (int i = 0; i < 30; ++i) {
        const auto which = static_cast<size_t>(i % 3);
        EXPECT_EQ(gl::IsTextureHandleResidentARB(handles[which]), GL_FALSE);
        // While it is not resident somebody writes to it.
        update(textures[which], colour(i));
        gl::MakeTextureHandleResidentARB(handles[which]);
        set_handle(program, handles[which]);
        pixels.draw(colour(i));
        gl::MakeTextureHandleNonResidentARB(handles[which]);
        if (i % 7 == 6) {
            gl::Flush();
        }
    }
    EXPECT_EQ(pixels.wrong(), 0);
}

TEST_F(BindlessTest, UploadsBetweenDraws) {
    PixelGrid pixels;
    const GLuint texture = solid(colour(0));
    set_handle(picture_program(), resident(texture));
    for (int i = 0; i < 40; ++i) {
        update(texture, colour(i));
        pixels.draw(colour(i));
        if (i % 10 == 9) {
            i % 20 == 9 ? gl::Flush() : gl::Finish();
        }
    }
    EXPECT_EQ(pixels.wrong(), 0);
}

TEST_F(BindlessTest, RenderedToAndThenRead) {
    const Target target = make_target({32, 32});
    const GLuint program = picture_program();
    const GLuint texture = texture_2d(GL_RGBA8, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    const GLuint64 handle = resident(texture);
    const RectPainter painter;
    const GLuint into = bind_texture_target(texture, 8, 8);
    for (int i = 0; i < 8; ++i) {
        gl::BindFramebuffer(GL_FRAMEBUFFER, into);
        gl::Viewport(0, 0, 8, 8);
        const float value = static_cast<float>(40 + i * 20) / 255.0F;
        if (i % 2) {
            gl::ClearColor(value, 1, 0, 1);
            gl::Clear(GL_COLOR_BUFFER_BIT);
        } else {
            painter.fill({value, 1, 0, 1});
        }
        target.bind();
        set_handle(program, handle);
        bind_new_vao(); // the painter has its own
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        if (i % 3 != 1) {
            expect_pixel(5, 5, {static_cast<std::uint8_t>(40 + i * 20), 255, 0, 255});
        }
    }
}

TEST_F(BindlessTest, DeletedAndMadeAgainWhileDrawsAreUnderWay) {
    PixelGrid pixels;
    const GLuint program = picture_program();
    for (int i = 0; i < 600; ++i) {
        const GLuint texture = solid(colour(i));
        const GLuint64 handle = resident(texture);
        set_handle(program, handle);
        pixels.draw(colour(i));
        if (i % 2) { // else the end of the texture does that
            gl::MakeTextureHandleNonResidentARB(handle);
        }
        gl::DeleteTextures(1, &texture);
        if (i % 50 == 49) {
            gl::Flush();
        }
    }
    EXPECT_EQ(pixels.wrong(), 0);
}

TEST_F(BindlessTest, TwoThousandHandles) {
    constexpr int count = 2000;
    PixelGrid pixels;
    const GLuint program = picture_program();
    std::vector<GLuint64> handles;
    for (int i = 0; i < count; ++i) {
        handles.push_back(resident(solid(colour(i))));
    }
    for (int i = 0; i < count; ++i) {
        const int which = i * 7 % count;
        set_handle(program, handles[static_cast<size_t>(which)]);
        pixels.draw(colour(which));
    }
    EXPECT_EQ(pixels.wrong(), 0);
}

TEST_F(BindlessTest, OrdinaryAndSeparableProgramsInTurn) {
    PixelGrid pixels;
    const GLuint program = picture_program();
    const GLuint ordinary =
        vs_fs(kFullscreenVs, "uniform sampler2D picture; out vec4 result; void main() { result = "
                             "texture(picture, vec2(0.5)); }");
    GLuint pipeline = 0;
    GLuint separate[2] = {};
    const bool separable = has_extension("GL_ARB_separate_shader_objects");
    if (separable) {
        const std::string vertex = kSeparableHeader +
                                   "out gl_PerVertex { vec4 gl_Position; }; void main() { "
                                   "gl_Position = vec4(gl_VertexID == 1 "
                                   "? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }";
        const std::string fragment =
            "#version 330 core\n" + kBindless +
            "layout(bindless_sampler) uniform sampler2D picture; out vec4 result; void main() { "
            "result = texture(picture, vec2(0.5)).gbra; }";
        separate[0] = separable_of(GL_VERTEX_SHADER, vertex);
        separate[1] = separable_of(GL_FRAGMENT_SHADER, fragment);
        pipeline = bind_pipeline(
            {{GL_VERTEX_SHADER_BIT, separate[0]}, {GL_FRAGMENT_SHADER_BIT, separate[1]}});
    }
    const GLuint64 handles[] = {resident(solid(colour(1))), resident(solid(colour(2)))};
    solid(kYellow); // stays bound
    for (int i = 0; i < 60; ++i) {
        const GLuint64 handle = handles[i / 3 % 2];
        const Byte4 seen = colour(i / 3 % 2 + 1);
        if (i % 3 == 0) {
            set_handle(program, handle);
            pixels.draw(seen);
        } else if (i % 3 == 1) {
            gl::UseProgram(ordinary);
            pixels.draw(kYellow);
        } else if (separable) {
            set_handle(separate[1], handle);
            gl::UseProgram(0);
            gl::BindProgramPipeline(pipeline);
            pixels.draw({seen[1], seen[2], seen[0], 255});
        }
        if (i == 30) {
            gl::Flush();
        }
    }
    EXPECT_EQ(pixels.wrong(), 0);
}

} // namespace
} // namespace kobalt::gltest
