// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Many small changes between draws: every draw must see the state of its own moment.
#include "support.h"

namespace kobalt::gltest {
namespace {

class StateChangeTest : public GlTest {};

TEST_F(StateChangeTest, TenThousandUniformChanges) {
    constexpr int kSide = 100;
    make_target({kSide, kSide});
    const GLuint program =
        vs_fs("uniform vec2 place; void main() { gl_Position = vec4(place, 0, 1); }",
              "uniform vec4 colour; out vec4 result; void main() { result = colour; "
              "}");
    bind_new_vao();
    gl::UseProgram(program);
    const GLint place = gl::GetUniformLocation(program, "place");
    const GLint colour = gl::GetUniformLocation(program, "colour");
    for (int i = 0; i < kSide * kSide; ++i) {
        const int x = i % kSide;
        const int y = i / kSide;
        gl::Uniform2f(place, (static_cast<float>(x) + 0.5F) * 2.0F / kSide - 1.0F,
                      (static_cast<float>(y) + 0.5F) * 2.0F / kSide - 1.0F);
        gl::Uniform4f(colour, static_cast<float>(i % 256) / 255.0F,
                      static_cast<float>(i / 256) / 255.0F, 0, 1);
        gl::DrawArrays(GL_POINTS, 0, 1);
    }
    const Picture picture = read_picture(kSide, kSide);
    int wrong = 0;
    for (int i = 0; i < kSide * kSide; ++i) {
        const auto* value = picture.at(i % kSide, i / kSide);
        wrong += value[0] != i % 256 || value[1] != i / 256 ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0);
}

TEST_F(StateChangeTest, TwoThousandUniformBlockRanges) {
    constexpr int kDraws = 2000;
    make_target({100, 20});
    std::vector<float> data(static_cast<size_t>(kDraws) * 64);
    for (size_t i = 0; i < kDraws; ++i) {
        data[i * 64] = (static_cast<float>(i % 100) + 0.5F) / 50.0F - 1.0F;
        data[i * 64 + 1] = (static_cast<float>(i / 100) + 0.5F) / 10.0F - 1.0F;
        data[i * 64 + 2] = static_cast<float>(i % 256) / 255.0F;
        data[i * 64 + 3] = static_cast<float>(i / 256) / 255.0F;
    }
    const GLuint buffer = make_buffer(GL_UNIFORM_BUFFER, data);
    const GLuint program =
        vs_fs("layout(std140) uniform Item { vec4 item; }; flat out vec2 value; void main() { "
              "gl_Position = "
              "vec4(item.xy, 0, 1); value = item.zw; }",
              "flat in vec2 value; out vec4 result; void main() { result = vec4(value, 0, 1); }");
    bind_new_vao();
    gl::UseProgram(program);
    for (int i = 0; i < kDraws; ++i) {
        gl::BindBufferRange(GL_UNIFORM_BUFFER, 0, buffer, static_cast<GLintptr>(i) * 256, 16);
        gl::DrawArrays(GL_POINTS, 0, 1);
    }
    const Picture picture = read_picture(100, 20);
    int wrong = 0;
    for (int i = 0; i < kDraws; ++i) {
        const auto* value = picture.at(i % 100, i / 100);
        wrong += value[0] != i % 256 || value[1] != i / 256 ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0);
}

TEST_F(StateChangeTest, FiveHundredTextures) {
    constexpr int kTextures = 500;
    std::vector<GLuint> textures;
    for (int i = 0; i < kTextures; ++i) {
        const std::array<std::uint8_t, 4> texel{static_cast<std::uint8_t>(i % 256),
                                                static_cast<std::uint8_t>(i / 256), 9, 255};
        textures.push_back(texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data()));
    }
    make_target({kTextures, 1});
    const GLuint program = vs_fs("uniform float x; void main() { gl_Position = vec4(x, 0, 0, 1); }",
                                 "uniform sampler2D t; out vec4 result; void main() { result = "
                                 "texture(t, vec2(0.5)); }");
    bind_new_vao();
    gl::UseProgram(program);
    const GLint x = gl::GetUniformLocation(program, "x");
    for (int i = 0; i < kTextures; ++i) {
        gl::BindTexture(GL_TEXTURE_2D, textures[static_cast<size_t>(i)]);
        gl::Uniform1f(x, (static_cast<float>(i) + 0.5F) * 2.0F / kTextures - 1.0F);
        gl::DrawArrays(GL_POINTS, 0, 1);
    }
    const Picture picture = read_picture(kTextures, 1);
    int wrong = 0;
    for (int i = 0; i < kTextures; ++i) {
        wrong += picture.at(i, 0)[0] != i % 256 || picture.at(i, 0)[1] != i / 256 ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0);
}

TEST_F(StateChangeTest, SixteenTexturesOfDifferentTargetsInOneShader) {
    std::string declarations;
    std::string sum = "vec4(0)";
    const std::array<const char*, 4> samplers{"sampler2D", "sampler3D", "sampler2DArray",
                                              "samplerCube"};
    const std::array<GLenum, 4> targets{GL_TEXTURE_2D, GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY,
                                        GL_TEXTURE_CUBE_MAP};
    const std::array<const char*, 4> coordinates{"vec2(0.5)", "vec3(0.5)", "vec3(0.5, 0.5, 0)",
                                                 "vec3(1, 0, 0)"};
    for (size_t i = 0; i < 16; ++i) {
        const std::string n = std::to_string(i);
        declarations += std::string("uniform ") + samplers[i % 4] + " t" + n + ";\n";
        sum += " + texture(t" + n + ", " + coordinates[i % 4] + ")";
        gl::ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(i));
        const GLenum target = targets[i % 4];
        new_texture(target);
        const std::array<float, 4> texel{static_cast<float>(1U << i), 1, 0, 0};
        if (target == GL_TEXTURE_2D) {
            gl::TexImage2D(target, 0, GL_RGBA32F, 1, 1, 0, GL_RGBA, GL_FLOAT, texel.data());
        } else if (target == GL_TEXTURE_CUBE_MAP) {
            for (GLuint face = 0; face < 6; ++face) {
                gl::TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA32F, 1, 1, 0,
                               GL_RGBA, GL_FLOAT, texel.data());
            }
        } else {
            gl::TexImage3D(target, 0, GL_RGBA32F, 1, 1, 1, 0, GL_RGBA, GL_FLOAT, texel.data());
        }
    }
    const Float4 value = evaluate(declarations, sum, [](GLuint program) {
        for (int i = 0; i < 16; ++i) {
            set_uniform(program, ("t" + std::to_string(i)).c_str(), i);
        }
    });
    expect_near(value, {65535, 16, 0, 0}, 0);
}

TEST_F(StateChangeTest, SwitchingBetweenPrograms) {
    constexpr int kPrograms = 12;
    std::vector<GLuint> programs;
    for (int i = 0; i < kPrograms; ++i) {
        const std::string value = std::to_string(i) + ".0 / 255.0";
        // Every third also has other varyings and another set of uniforms.
        programs.push_back(
            i % 3 == 0
                ? vs_fs(
                      "uniform float x; flat out vec4 v; void main() { gl_Position = vec4(x, 0, 0, "
                      "1); v = vec4(" +
                          value + ", 1, 0, 1); }",
                      "flat in vec4 v; out vec4 result; void main() { result = v; }")
                : vs_fs("uniform vec4 unused; uniform float x; void main() { gl_Position = vec4(x, "
                        "0, "
                        "0, 1) + unused; }",
                        "out vec4 result; void main() { result = vec4(" + value + ", 1, 0, 1); }"));
    }
    make_target({600, 1});
    bind_new_vao();
    for (int i = 0; i < 600; ++i) {
        const GLuint program = programs[static_cast<size_t>((i * 5) % kPrograms)];
        gl::UseProgram(program);
        gl::Uniform1f(gl::GetUniformLocation(program, "x"),
                      (static_cast<float>(i) + 0.5F) / 300.0F - 1.0F);
        gl::DrawArrays(GL_POINTS, 0, 1);
    }
    const Picture picture = read_picture(600, 1);
    int wrong = 0;
    for (int i = 0; i < 600; ++i) {
        wrong += picture.at(i, 0)[0] != (i * 5) % kPrograms || picture.at(i, 0)[1] != 255 ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0);
}

TEST_F(StateChangeTest, RelinkKeepsDrawingRight) {
    make_target({4, 4});
    const GLuint program = gl::CreateProgram();
    const GLuint vertex =
        compile({GL_VERTEX_SHADER, std::string("#version 330 core\n") + kFullscreenVs});
    gl::AttachShader(program, vertex);
    GLuint fragment = 0;
    for (const auto& [value, colour] :
         {std::pair{"1, 0, 0, 1", kRed}, {"0, 1, 0, 1", kGreen}, {"0, 0, 1, 1", kBlue}}) {
        if (fragment) {
            gl::DetachShader(program, fragment);
        }
        fragment =
            compile({GL_FRAGMENT_SHADER, std::string("#version 330 core\nout vec4 result; void "
                                                     "main() { result = vec4(") +
                                             value + "); }"});
        gl::AttachShader(program, fragment);
        gl::LinkProgram(program);
        draw_fullscreen(program);
        expect_pixel(1, 1, colour);
    }
}

TEST_F(StateChangeTest, SwitchingFramebuffersAtEveryDraw) {
    std::array<Target, 4> targets{};
    for (Target& target : targets) {
        target = make_black_target({64, 1});
    }
    const RectPainter painter;
    gl::Enable(GL_SCISSOR_TEST);
    for (int i = 0; i < 256; ++i) {
        targets[static_cast<size_t>(i % 4)].bind();
        gl::Scissor(i / 4, 0, 1, 1);
        painter.fill({static_cast<float>(i) / 255.0F, 1, 0, 1});
    }
    gl::Disable(GL_SCISSOR_TEST);
    for (int t = 0; t < 4; ++t) {
        targets[static_cast<size_t>(t)].bind();
        const Picture picture = read_picture(64, 1);
        for (int x = 0; x < 64; ++x) {
            EXPECT_EQ(picture.at(x, 0)[0], x * 4 + t);
        }
    }
}

TEST_F(StateChangeTest, ManyObjectsCreatedAndDeleted) {
    make_target({4, 4});
    for (int i = 0; i < 100; ++i) {
        const GLuint program =
            vs_fs(kFullscreenVs, "out vec4 result; void main() { result = vec4(" +
                                     std::to_string(i) + ".0 / 255.0, 1, 0, 1); }");
        draw_fullscreen(program);
        gl::DeleteProgram(program);
        if (i % 25 == 24) {
            EXPECT_EQ(pixel(2, 2)[0], i);
        }
    }
}

} // namespace
} // namespace kobalt::gltest
