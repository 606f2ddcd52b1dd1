// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What a context reports against the least that its version's tables of implementation-dependent
// values ask for: OpenGL 4.6 core, tables 23.53 to 23.73, and OpenGL ES 3.2, tables 21.40 to 21.49.
#include "limit_tables.h"

namespace kobalt::gltest {
namespace {

/// What a stage's blocks and its plain uniforms have together (OpenGL 4.6, table 23.66, note).
struct Combined {
    GLenum together, blocks, components;
    int since, es_since;
};

constexpr Combined kCombined[] = {
    {GL_MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS, GL_MAX_VERTEX_UNIFORM_BLOCKS,
     GL_MAX_VERTEX_UNIFORM_COMPONENTS, 31, 30},
    {GL_MAX_COMBINED_TESS_CONTROL_UNIFORM_COMPONENTS, GL_MAX_TESS_CONTROL_UNIFORM_BLOCKS,
     GL_MAX_TESS_CONTROL_UNIFORM_COMPONENTS, 40, 32},
    {GL_MAX_COMBINED_TESS_EVALUATION_UNIFORM_COMPONENTS, GL_MAX_TESS_EVALUATION_UNIFORM_BLOCKS,
     GL_MAX_TESS_EVALUATION_UNIFORM_COMPONENTS, 40, 32},
    {GL_MAX_COMBINED_GEOMETRY_UNIFORM_COMPONENTS, GL_MAX_GEOMETRY_UNIFORM_BLOCKS,
     GL_MAX_GEOMETRY_UNIFORM_COMPONENTS, 32, 32},
    {GL_MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS, GL_MAX_FRAGMENT_UNIFORM_BLOCKS,
     GL_MAX_FRAGMENT_UNIFORM_COMPONENTS, 31, 30},
    {GL_MAX_COMBINED_COMPUTE_UNIFORM_COMPONENTS, GL_MAX_COMPUTE_UNIFORM_BLOCKS,
     GL_MAX_COMPUTE_UNIFORM_COMPONENTS, 43, 31},
};

GLint64 integer(GLenum name) {
    GLint64 value = -12345678;
    gl::GetInteger64v(name, &value);
    return value;
}

template <size_t Count>
std::array<float, Count> floats(GLenum name) {
    std::array<float, Count> values{};
    gl::GetFloatv(name, values.data());
    return values;
}

void expect_limits(std::span<const Limit> limits, int version) {
    for (const Limit& limit : limits) {
        if (limit.since > version) {
            continue;
        }
        const GLint64 value = integer(limit.name);
        if (limit.at_most) {
            EXPECT_LE(value, limit.least) << limit.text;
        } else {
            EXPECT_GE(value, limit.least) << limit.text;
        }
        EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR}) << limit.text;
    }
}

void expect_combined(int version, bool es) {
    const GLint64 block = integer(GL_MAX_UNIFORM_BLOCK_SIZE) / 4;
    for (const Combined& one : kCombined) {
        if ((es ? one.es_since : one.since) <= version) {
            EXPECT_GE(integer(one.together), integer(one.blocks) * block + integer(one.components))
                << std::hex << one.together;
        }
    }
}

void expect_group_limits(std::array<GLint, 3> least) {
    for (GLuint axis = 0; axis < 3; ++axis) {
        GLint count = 0, size = 0;
        gl::GetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, axis, &count);
        gl::GetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_SIZE, axis, &size);
        EXPECT_GE(count, 65535) << axis;
        EXPECT_GE(size, least[axis]) << axis;
    }
}

void expect_float_limits(int version) {
    EXPECT_GE(floats<1>(GL_MAX_TEXTURE_LOD_BIAS)[0], 2.0F);
    EXPECT_LE(floats<2>(GL_ALIASED_LINE_WIDTH_RANGE)[0], 1.0F);
    EXPECT_GE(floats<2>(GL_ALIASED_LINE_WIDTH_RANGE)[1], 1.0F);
    const auto dimensions = floats<2>(GL_MAX_VIEWPORT_DIMS);
    const auto size = static_cast<float>(integer(GL_MAX_RENDERBUFFER_SIZE));
    EXPECT_GE(dimensions[0], size);
    EXPECT_GE(dimensions[1], size);
    if (version < 40) {
        return;
    }
    // The greatest offset may fall short of a half by one unit in the last place.
    const auto bits = static_cast<int>(integer(GL_FRAGMENT_INTERPOLATION_OFFSET_BITS));
    EXPECT_LE(floats<1>(GL_MIN_FRAGMENT_INTERPOLATION_OFFSET)[0], -0.5F);
    EXPECT_GE(floats<1>(GL_MAX_FRAGMENT_INTERPOLATION_OFFSET)[0],
              0.5F - 1.0F / static_cast<float>(1 << bits));
    EXPECT_LE(floats<2>(GL_POINT_SIZE_RANGE)[0], 1.0F);
    EXPECT_GE(floats<2>(GL_POINT_SIZE_RANGE)[1], 1.0F);
    if (version >= 41) {
        EXPECT_LE(floats<2>(GL_VIEWPORT_BOUNDS_RANGE)[0], -32768.0F);
        EXPECT_GE(floats<2>(GL_VIEWPORT_BOUNDS_RANGE)[1], 32767.0F);
    }
}

int version_of(const GlTest&) {
    return static_cast<int>(integer(GL_MAJOR_VERSION) * 10 + integer(GL_MINOR_VERSION));
}

/// The highest core profile there is.
class CoreLimitsTest : public GlTest {};

TEST_F(CoreLimitsTest, AreThoseOfTheVersion) {
    const int version = version_of(*this);
    RecordProperty("version", version);
    expect_limits(core_limits(), version);
    expect_combined(version, false);
    expect_float_limits(version);
    if (version >= 43) {
        expect_group_limits({1024, 1024, 64});
    }
    GLint bits = 0;
    gl::GetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
    EXPECT_GE(bits, 30);
}

/// ... and the highest of OpenGL ES.
class EsLimitsTest : public EsTest {};

TEST_F(EsLimitsTest, AreThoseOfTheVersion) {
    const int version = version_of(*this);
    RecordProperty("version", version);
    expect_limits(es_limits(), version);
    expect_combined(version, true);
    expect_float_limits(0);
    if (version >= 31) {
        expect_group_limits({128, 128, 64});
    }
}

// All varyings that there may be, beside the position and the size of points: the validation layer
// counts them. Each component has a value of its own, so that the linker can't leave any out.
TEST_F(EsLimitsTest, AllVaryingsBesideTheBuiltInOnes) {
    const int count = static_cast<int>(integer(GL_MAX_VARYING_VECTORS));
    std::string out, in, write, sum = "0.0";
    for (int i = 0; i < count; ++i) {
        const std::string name = "v" + std::to_string(i);
        const std::string factors = "ivec4(1, 2, 3, 4) + " + std::to_string(4 * i);
        out += "out vec4 " + name + ";\n";
        in += "in vec4 " + name + ";\n";
        write += name + " = vec4(gl_VertexID * (" + factors + "));\n";
        sum += " + dot(abs(" + name + " / vec4(" + factors + ") - v0.x), vec4(1))";
    }
    const std::string version = "#version 300 es\nprecision highp float;\n";
    const GLuint program = link(
        {{GL_VERTEX_SHADER,
          version + out + "void main() {\n" + write +
              "gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1);\n"
              "gl_PointSize = 1.0; }"},
         {GL_FRAGMENT_SHADER, version + in + "out vec4 result;\nvoid main() { float s = " + sum +
                                  ";\nresult = vec4(s * 10.0, 1, 0, 1); }"}});
    make_target();
    bind_new_vao();
    gl::UseProgram(program);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, 32, 32, kGreen);
}

/// Compatibility profiles have built-in uniforms, which take nothing from the app's.
class CompatLimitsTest : public CompatTest {};

TEST_F(CompatLimitsTest, AllUniformsAndAConstantArray) {
    const std::string count = std::to_string(integer(GL_MAX_VERTEX_UNIFORM_COMPONENTS) / 4);
    const std::string version = "#version 330 compatibility\n";
    const GLuint program =
        link({{GL_VERTEX_SHADER,
               version + "uniform vec4 all[" + count +
                   "];\n"
                   "const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(3, -1), vec2(-1, 3));\n"
                   "flat out float sum;\n"
                   "void main() {\n"
                   "    sum = 0.0;\n"
                   "    for (int i = 0; i < " +
                   count +
                   "; ++i) sum += all[i].x;\n"
                   "    gl_Position = vec4(corners[gl_VertexID], 0, 1);\n"
                   "}"},
              {GL_FRAGMENT_SHADER, version + "flat in float sum; out vec4 result;\n"
                                             "void main() { result = vec4(0, sum, 0, 1); }"}});
    make_target();
    bind_new_vao();
    gl::UseProgram(program);
    gl::Uniform4f(gl::GetUniformLocation(program, "all"), 1, 0, 0, 0);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, 32, 32, kGreen);
}

} // namespace
} // namespace kobalt::gltest
