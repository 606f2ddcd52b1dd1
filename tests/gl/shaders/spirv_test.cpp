// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Shaders that come as SPIR-V (GL_ARB_gl_spirv, OpenGL 4.6, 7.2 and 7.2.1).
#include <algorithm>
#include <map>

#include "program_binary.h"
#include "spirv_modules.h"

namespace kobalt::gltest {
namespace {

class SpirvTest : public GlTest {
protected:
    Missing missing() const override { return lacks("GL_ARB_gl_spirv"); }

    /// A shader of a module, specialised by pairs of constants' ids and values.
    template <std::size_t n>
    static GLuint shader(GLenum type, const std::uint32_t (&words)[n],
                         const std::vector<std::pair<GLuint, GLuint>>& constants = {}) {
        const GLuint made = gl::CreateShader(type);
        gl::ShaderBinary(1, &made, GL_SHADER_BINARY_FORMAT_SPIR_V_ARB, words, sizeof(words));
        std::vector<GLuint> ids;
        std::vector<GLuint> values;
        for (const auto& [id, value] : constants) {
            ids.push_back(id);
            values.push_back(value);
        }
        gl::SpecializeShaderARB(made, "main", static_cast<GLuint>(ids.size()), ids.data(),
                                values.data());
        GLint compiled = GL_FALSE;
        gl::GetShaderiv(made, GL_COMPILE_STATUS, &compiled);
        EXPECT_EQ(compiled, GL_TRUE);
        return made;
    }

    static GLuint program(const std::vector<GLuint>& shaders) {
        const GLuint made = gl::CreateProgram();
        for (const GLuint one : shaders) {
            gl::AttachShader(made, one);
        }
        gl::LinkProgram(made);
        std::array<char, 1024> log{};
        gl::GetProgramInfoLog(made, static_cast<GLsizei>(log.size()), nullptr, log.data());
        EXPECT_TRUE(did_link(made)) << log.data();
        return made;
    }
};

TEST_F(SpirvTest, ComputeWithConstantsSharedMemoryAndAtomics) {
    if (!has_version(4, 3)) {
        GTEST_SKIP() << "no compute shaders";
    }
    for (const GLuint step : {1U, 5U}) {
        const GLuint made = program({shader(GL_COMPUTE_SHADER, spirv_modules::kSum, {{3, step}})});
        const GLuint buffer = make_buffer(GL_SHADER_STORAGE_BUFFER, std::vector<GLuint>(9, 0));
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffer);
        gl::UseProgram(made);
        gl::DispatchCompute(1, 1, 1);
        gl::MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        std::array<GLuint, 9> out{};
        gl::GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(out), out.data());
        EXPECT_EQ(out[0], 28 * step);
        for (GLuint i = 0; i < 8; ++i) {
            EXPECT_EQ(out[1 + i], (7 - i) * step);
        }
    }
}

TEST_F(SpirvTest, DrawsWithVaryingsBlocksUniformsAndTextures) {
    const GLuint made = program({shader(GL_VERTEX_SHADER, spirv_modules::kShowVertex),
                                 shader(GL_FRAGMENT_SHADER, spirv_modules::kShowFragment)});
    const Target target = make_target();
    bind_new_vao();
    const std::vector<float> vertices{-1,   -1, 0.25F, 0.5F, 1,     3,    -1, 0.25F,
                                      0.5F, 1,  -1,    3,    0.25F, 0.5F, 1};
    make_buffer(GL_ARRAY_BUFFER, vertices);
    gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 20, nullptr);
    gl::VertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 20, reinterpret_cast<const void*>(8));
    gl::EnableVertexAttribArray(0);
    gl::EnableVertexAttribArray(1);
    const std::vector<float> block{1, 1, 0.5F, 1, 9, 9, 9, 9, 9, 9, 9, 9, 0, 0.25F, 0, 0};
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 2, make_buffer(GL_UNIFORM_BUFFER, block));
    gl::ActiveTexture(GL_TEXTURE1);
    const std::array<std::uint8_t, 4> texel{51, 0, 0, 0};
    texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
    // What has no names is in a program's binary as well (OpenGL 4.6, 7.5).
    for (const GLuint drawn : {made, copy_of(made)}) {
        gl::UseProgram(drawn);
        gl::Uniform1f(5, 0.5F);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        // (0.25, 0.5, 1, 1) * (1, 1, 0.5, 1) / 2 + (0.2, 0.25, 0, 0)
        expect_area(0, 0, target.width, target.height, {83, 128, 64, 128}, 2);
    }
}

// OpenGL 4.6, 13.7: cull distances beside clip distances, which the fragment shader reads.
TEST_F(SpirvTest, ClipAndCullDistances) {
    if (!has_version(4, 5)) {
        GTEST_SKIP() << "no cull distances";
    }
    const GLuint made = program({shader(GL_VERTEX_SHADER, spirv_modules::kDistancesVs),
                                 shader(GL_FRAGMENT_SHADER, spirv_modules::kDistancesFs)});
    const Target target = make_black_target();
    bind_new_vao();
    gl::UseProgram(made);
    for (const GLenum plane : {GL_CLIP_DISTANCE0, GL_CLIP_DISTANCE0 + 1}) {
        gl::Enable(plane);
    }
    gl::Uniform1f(0, -1);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, target.width, target.height, kBlack);
    gl::Uniform1f(0, 1);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(target.width / 2, 0, target.width / 2, target.height, kBlack);
    // The middle of the eighth of 32 columns is 17/32 away.
    expect_area(7, 0, 1, target.height, {135, 255, 0, 255}, 1);
}

// OpenGL 4.6, 7.3: SPIR-V and GLSL don't go together in a program, in whatever order.
TEST_F(SpirvTest, BesideGlslFailsToLink) {
    const GLuint vertex =
        compile({GL_VERTEX_SHADER, "#version 330 core\nvoid main() { gl_Position = vec4(0); }"});
    const GLuint fragment = shader(GL_FRAGMENT_SHADER, spirv_modules::kShowFragment);
    using Shaders = std::array<GLuint, 2>;
    for (const Shaders& shaders : {Shaders{vertex, fragment}, Shaders{fragment, vertex}}) {
        const GLuint made = gl::CreateProgram();
        for (const GLuint one : shaders) {
            gl::AttachShader(made, one);
        }
        gl::LinkProgram(made);
        EXPECT_FALSE(did_link(made));
    }
}

// OpenGL 4.6, 7.3.1.1: built-in variables have no location.
TEST_F(SpirvTest, LocationsInInterfaces) {
    if (!has_version(4, 3)) {
        GTEST_SKIP() << "no program interfaces";
    }
    const GLuint made = gl::CreateProgram();
    gl::ProgramParameteri(made, GL_PROGRAM_SEPARABLE, GL_TRUE);
    gl::AttachShader(made, shader(GL_VERTEX_SHADER, spirv_modules::kShowVertex));
    gl::LinkProgram(made);
    GLint count = 0;
    gl::GetProgramInterfaceiv(made, GL_PROGRAM_OUTPUT, GL_ACTIVE_RESOURCES, &count);
    std::map<GLint, int> locations;
    for (GLuint i = 0; i < static_cast<GLuint>(count); ++i) {
        const GLenum property = GL_LOCATION;
        GLint location = -2;
        gl::GetProgramResourceiv(made, GL_PROGRAM_OUTPUT, i, 1, &property, 1, nullptr, &location);
        ++locations[location];
    }
    EXPECT_EQ(locations[0], 1);
    EXPECT_EQ(locations[1], 1);
    EXPECT_EQ(locations[-1], count - 2);
    EXPECT_GT(count, 2) << "gl_Position";
}

// OpenGL 4.6, 7.2: GL_INVALID_VALUE, where the data isn't of the format.
// OpenGL 4.6, 7.2: one module for one shader, twice.
TEST_F(SpirvTest, AShaderThatIsNamedTwice) {
    const GLuint shader = gl::CreateShader(GL_VERTEX_SHADER);
    const std::array<GLuint, 3> same{shader, shader, shader};
    for (int i = 0; i < 3; ++i) {
        gl::ShaderBinary(3, same.data(), GL_SHADER_BINARY_FORMAT_SPIR_V_ARB,
                         spirv_modules::kDistancesVs, sizeof(spirv_modules::kDistancesVs));
        EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
    }
    gl::SpecializeShaderARB(shader, "main", 0, nullptr, nullptr);
    EXPECT_TRUE(did_compile(shader));
    gl::DeleteShader(shader);
}

TEST_F(SpirvTest, RefusesWhatIsNoModule) {
    const GLuint made = gl::CreateShader(GL_VERTEX_SHADER);
    const auto given = [&](const std::uint32_t* words, GLsizei bytes) {
        gl::ShaderBinary(1, &made, GL_SHADER_BINARY_FORMAT_SPIR_V_ARB, words, bytes);
        return gl::GetError();
    };
    constexpr auto refused = static_cast<GLenum>(GL_INVALID_VALUE);
    auto words = std::to_array(spirv_modules::kShowVertex);
    EXPECT_EQ(given(words.data(), 0), refused);
    EXPECT_EQ(given(words.data(), 16), refused) << "less than a header";
    EXPECT_EQ(given(words.data(), sizeof(words) - 1), refused) << "a part of a word";
    words[0] = 0x4c534c47;
    EXPECT_EQ(given(words.data(), sizeof(words)), refused) << "the magic number";
    GLint spirv = GL_TRUE;
    gl::GetShaderiv(made, GL_SPIR_V_BINARY_ARB, &spirv);
    EXPECT_EQ(spirv, GL_FALSE);
}

TEST_F(SpirvTest, RefusesWhatTheModuleLacks) {
    const GLuint made = gl::CreateShader(GL_VERTEX_SHADER);
    gl::ShaderBinary(1, &made, GL_SHADER_BINARY_FORMAT_SPIR_V_ARB, spirv_modules::kShowVertex,
                     sizeof(spirv_modules::kShowVertex));
    gl::SpecializeShaderARB(made, "other", 0, nullptr, nullptr);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_VALUE)) << "an entry point";
    const GLuint id = 77;
    const GLuint value = 1;
    gl::SpecializeShaderARB(made, "main", 1, &id, &value);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_VALUE)) << "a constant";
}

TEST_F(SpirvTest, InvalidModulesFailToLink) {
    // The last instructions are of no known kind.
    auto words = std::to_array(spirv_modules::kShowVertex);
    for (std::size_t at = 5; at < words.size();) {
        const std::uint32_t length = words[at] >> 16U;
        constexpr std::uint32_t store = 62;
        if ((words[at] & 0xFFFFU) == store) {
            words[at] = length << 16U | 0xFFF0U;
        }
        at += length;
    }
    const GLuint vertex = gl::CreateShader(GL_VERTEX_SHADER);
    gl::ShaderBinary(1, &vertex, GL_SHADER_BINARY_FORMAT_SPIR_V_ARB, words.data(), sizeof(words));
    gl::SpecializeShaderARB(vertex, "main", 0, nullptr, nullptr);
    const GLuint made = gl::CreateProgram();
    gl::AttachShader(made, vertex);
    gl::LinkProgram(made);
    EXPECT_FALSE(did_link(made));
}

// GL_ARB_spirv_extensions: as many as it says, by name.
TEST_F(SpirvTest, ExtensionsHaveNames) {
    GLint count = 0;
    gl::GetIntegerv(GL_NUM_SPIR_V_EXTENSIONS, &count);
    std::vector<std::string> names;
    for (GLint i = 0; i < count; ++i) {
        const auto* name =
            reinterpret_cast<const char*>(gl::GetStringi(GL_SPIR_V_EXTENSIONS, GLuint(i)));
        ASSERT_NE(name, nullptr) << i;
        names.emplace_back(name);
    }
    EXPECT_NE(std::ranges::find(names, "SPV_KHR_storage_buffer_storage_class"), names.end());
    EXPECT_EQ(gl::GetStringi(GL_SPIR_V_EXTENSIONS, GLuint(count)), nullptr);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_VALUE));
}

// GLSL 4.60, 4.5: what is flat comes from the provoking vertex, in arrays of blocks too.
TEST_F(SpirvTest, ArraysOfBlocksAreFlat) {
    const GLuint made = program({shader(GL_VERTEX_SHADER, spirv_modules::kBlocksVertex),
                                 shader(GL_FRAGMENT_SHADER, spirv_modules::kBlocksFragment)});
    make_target();
    bind_new_vao();
    draw_fullscreen(made);
    expect_pixel(1, 1, {2, 2, 12, 22}, 0);
}

// OpenGL 4.6, 11.1.2.1: an array of matrices is one varying, distances are captured as any output.
TEST_F(SpirvTest, Captures) {
    make_target();
    bind_new_vao();
    gl::Enable(GL_RASTERIZER_DISCARD);
    const auto captured = [](GLuint made) {
        const GLuint buffer =
            make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, std::vector<float>(16, -1.0F));
        gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
        gl::UseProgram(made);
        gl::BeginTransformFeedback(GL_POINTS);
        gl::DrawArrays(GL_POINTS, 0, 1);
        gl::EndTransformFeedback();
        std::vector<float> found(16);
        gl::GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 64, found.data());
        return found;
    };
    const std::vector<float> matrices =
        captured(program({shader(GL_VERTEX_SHADER, spirv_modules::kMatrixCapture)}));
    for (size_t i = 0; i < matrices.size(); ++i) {
        EXPECT_EQ(matrices[i], static_cast<float>(i));
    }
    std::vector<float> distances =
        captured(program({shader(GL_VERTEX_SHADER, spirv_modules::kDistanceCapture)}));
    distances.resize(8);
    EXPECT_EQ(distances, (std::vector<float>{1, 2, 3, 4, -1, 6, 7, 8}));
}

// OpenGL 4.6, 7.6: what has one Location is one uniform, in each stage that has it. Names don't
// count.
TEST_F(SpirvTest, UniformsOfTwoStages) {
    const GLuint made = program({shader(GL_VERTEX_SHADER, spirv_modules::kSharedVertex),
                                 shader(GL_FRAGMENT_SHADER, spirv_modules::kSharedFragment)});
    gl::UseProgram(made);
    const auto bind = [](GLint location, GLint unit, const Byte4& texel) {
        gl::ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
        texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
        gl::Uniform1i(location, unit);
    };
    bind(2, 5, {10, 0, 0, 0});
    bind(20, 3, {60, 0, 0, 0});
    bind(22, 6, {200, 0, 0, 0});
    gl::Uniform4f(3, 0, 0, 0.4F, 0);
    gl::Uniform4f(6, 0, 0.2F, 0, 0);
    make_target();
    bind_new_vao();
    draw_fullscreen(made);
    expect_pixel(1, 1, {10, 77, 102, 160}, 1);
}

// OpenGL 4.6, 11.1.2.1: the names that glTransformFeedbackVaryings gives have no effect on SPIR-V
// shaders. They are there for a later link of GLSL shaders.
TEST_F(SpirvTest, NamesOfCapturesStayForShadersOfGlsl) {
    make_target();
    bind_new_vao();
    for (const bool captures : {false, true}) {
        SCOPED_TRACE(captures);
        const GLuint module = captures ? shader(GL_VERTEX_SHADER, spirv_modules::kMatrixCapture)
                                       : shader(GL_VERTEX_SHADER, spirv_modules::kShowVertex);
        const GLuint made = gl::CreateProgram();
        const char* const name = "kept";
        gl::TransformFeedbackVaryings(made, 1, &name, GL_INTERLEAVED_ATTRIBS);
        gl::AttachShader(made, module);
        gl::LinkProgram(made);
        EXPECT_TRUE(did_link(made));
        gl::DetachShader(made, module);
        gl::AttachShader(made, compile({GL_VERTEX_SHADER,
                                        "#version 330 core\nout vec4 kept; void main() { kept = "
                                        "vec4(1, 2, 3, 4); gl_Position = vec4(0); }"}));
        gl::LinkProgram(made);
        ASSERT_TRUE(did_link(made));
        GLint count = 0;
        gl::GetProgramiv(made, GL_TRANSFORM_FEEDBACK_VARYINGS, &count);
        ASSERT_EQ(count, 1);
        const GLuint buffer =
            make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, std::vector<float>(4, -1.0F));
        gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
        gl::UseProgram(made);
        gl::BeginTransformFeedback(GL_POINTS);
        gl::DrawArrays(GL_POINTS, 0, 1);
        gl::EndTransformFeedback();
        Float4 found{};
        gl::GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof(found), found.data());
        EXPECT_EQ(found, (Float4{1, 2, 3, 4}));
    }
}

} // namespace
} // namespace kobalt::gltest
