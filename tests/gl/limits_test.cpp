// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What a context reports against the least that its version's tables of implementation-dependent
// values ask for: OpenGL 4.6 core, tables 23.53 to 23.73, and OpenGL ES 3.2, tables 21.40 to 21.49.
#include <span>

#include "support.h"

namespace kobalt::gltest {
namespace {

/// One line of a table. `since` is the version, 46 for 4.6, from which the line holds.
struct Limit {
    GLenum name;
    const char* text;
    GLint64 least;
    int since = 0;
    bool at_most = false; ///< an alignment, or the lower end of a range: no more than that
};

#define LIMIT(name, ...)                                                                           \
    Limit {                                                                                        \
        GL_##name, #name, __VA_ARGS__                                                              \
    }

constexpr Limit kCore[] = {
    LIMIT(MAX_CLIP_DISTANCES, 8),
    LIMIT(MAX_CULL_DISTANCES, 8, 45),
    LIMIT(MAX_COMBINED_CLIP_AND_CULL_DISTANCES, 8, 45),
    LIMIT(SUBPIXEL_BITS, 4),
    LIMIT(MAX_ELEMENT_INDEX, 0xffffffff, 43),
    LIMIT(MAX_3D_TEXTURE_SIZE, 2048, 43),
    LIMIT(MAX_TEXTURE_SIZE, 16384, 43),
    LIMIT(MAX_ARRAY_TEXTURE_LAYERS, 2048, 43),
    LIMIT(MAX_CUBE_MAP_TEXTURE_SIZE, 16384, 43),
    LIMIT(MAX_RENDERBUFFER_SIZE, 16384, 43),
    LIMIT(MAX_TEXTURE_MAX_ANISOTROPY, 16, 46),
    LIMIT(MAX_VIEWPORTS, 16, 41),
    LIMIT(MAX_FRAMEBUFFER_WIDTH, 16384, 43),
    LIMIT(MAX_FRAMEBUFFER_HEIGHT, 16384, 43),
    LIMIT(MAX_FRAMEBUFFER_LAYERS, 2048, 43),
    LIMIT(MAX_FRAMEBUFFER_SAMPLES, 4, 43),
    LIMIT(MAX_VERTEX_ATTRIB_RELATIVE_OFFSET, 2047, 43),
    LIMIT(MAX_VERTEX_ATTRIB_BINDINGS, 16, 43),
    LIMIT(MAX_VERTEX_ATTRIB_STRIDE, 2048, 44),
    LIMIT(MAX_TEXTURE_BUFFER_SIZE, 65536),
    LIMIT(MAX_RECTANGLE_TEXTURE_SIZE, 16384, 43),
    LIMIT(MIN_MAP_BUFFER_ALIGNMENT, 64, 42),
    LIMIT(MAX_VERTEX_ATTRIBS, 16),
    LIMIT(MAX_VERTEX_UNIFORM_COMPONENTS, 1024),
    LIMIT(MAX_VERTEX_UNIFORM_VECTORS, 256, 41),
    LIMIT(MAX_VERTEX_UNIFORM_BLOCKS, 14, 43),
    LIMIT(MAX_VERTEX_OUTPUT_COMPONENTS, 64),
    LIMIT(MAX_VERTEX_TEXTURE_IMAGE_UNITS, 16),
    LIMIT(MAX_TESS_GEN_LEVEL, 64, 40),
    LIMIT(MAX_PATCH_VERTICES, 32, 40),
    LIMIT(MAX_TESS_CONTROL_UNIFORM_COMPONENTS, 1024, 40),
    LIMIT(MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS, 16, 40),
    LIMIT(MAX_TESS_CONTROL_OUTPUT_COMPONENTS, 128, 40),
    LIMIT(MAX_TESS_PATCH_COMPONENTS, 120, 40),
    LIMIT(MAX_TESS_CONTROL_TOTAL_OUTPUT_COMPONENTS, 4096, 40),
    LIMIT(MAX_TESS_CONTROL_INPUT_COMPONENTS, 128, 40),
    LIMIT(MAX_TESS_CONTROL_UNIFORM_BLOCKS, 14, 43),
    LIMIT(MAX_TESS_EVALUATION_UNIFORM_COMPONENTS, 1024, 40),
    LIMIT(MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS, 16, 40),
    LIMIT(MAX_TESS_EVALUATION_OUTPUT_COMPONENTS, 128, 40),
    LIMIT(MAX_TESS_EVALUATION_INPUT_COMPONENTS, 128, 40),
    LIMIT(MAX_TESS_EVALUATION_UNIFORM_BLOCKS, 14, 43),
    LIMIT(MAX_GEOMETRY_UNIFORM_COMPONENTS, 1024, 43),
    LIMIT(MAX_GEOMETRY_UNIFORM_BLOCKS, 14, 43),
    LIMIT(MAX_GEOMETRY_INPUT_COMPONENTS, 64),
    LIMIT(MAX_GEOMETRY_OUTPUT_COMPONENTS, 128),
    LIMIT(MAX_GEOMETRY_OUTPUT_VERTICES, 256),
    LIMIT(MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS, 1024),
    LIMIT(MAX_GEOMETRY_TEXTURE_IMAGE_UNITS, 16),
    LIMIT(MAX_GEOMETRY_SHADER_INVOCATIONS, 32, 40),
    LIMIT(MAX_VERTEX_STREAMS, 4, 40),
    LIMIT(MAX_FRAGMENT_UNIFORM_COMPONENTS, 1024),
    LIMIT(MAX_FRAGMENT_UNIFORM_VECTORS, 256, 41),
    LIMIT(MAX_FRAGMENT_UNIFORM_BLOCKS, 14, 43),
    LIMIT(MAX_FRAGMENT_INPUT_COMPONENTS, 128),
    LIMIT(MAX_TEXTURE_IMAGE_UNITS, 16),
    LIMIT(MIN_PROGRAM_TEXTURE_GATHER_OFFSET, -8, 40, true),
    LIMIT(MAX_PROGRAM_TEXTURE_GATHER_OFFSET, 7, 40),
    LIMIT(MAX_FRAGMENT_ATOMIC_COUNTER_BUFFERS, 1, 42),
    LIMIT(MAX_FRAGMENT_ATOMIC_COUNTERS, 8, 42),
    LIMIT(MAX_FRAGMENT_SHADER_STORAGE_BLOCKS, 8, 43),
    LIMIT(MAX_FRAGMENT_IMAGE_UNIFORMS, 8, 42),
    LIMIT(MAX_COMPUTE_WORK_GROUP_INVOCATIONS, 1024, 43),
    LIMIT(MAX_COMPUTE_UNIFORM_BLOCKS, 14, 43),
    LIMIT(MAX_COMPUTE_TEXTURE_IMAGE_UNITS, 16, 43),
    LIMIT(MAX_COMPUTE_ATOMIC_COUNTER_BUFFERS, 8, 45),
    LIMIT(MAX_COMPUTE_ATOMIC_COUNTERS, 8, 43),
    LIMIT(MAX_COMPUTE_SHARED_MEMORY_SIZE, 32768, 43),
    LIMIT(MAX_COMPUTE_UNIFORM_COMPONENTS, 1024, 43),
    LIMIT(MAX_COMPUTE_IMAGE_UNIFORMS, 8, 43),
    LIMIT(MAX_COMPUTE_SHADER_STORAGE_BLOCKS, 8, 43),
    LIMIT(MIN_PROGRAM_TEXEL_OFFSET, -8, 0, true),
    LIMIT(MAX_PROGRAM_TEXEL_OFFSET, 7),
    LIMIT(MAX_UNIFORM_BUFFER_BINDINGS, 84, 43),
    LIMIT(MAX_UNIFORM_BLOCK_SIZE, 16384),
    LIMIT(UNIFORM_BUFFER_OFFSET_ALIGNMENT, 256, 0, true),
    LIMIT(MAX_COMBINED_UNIFORM_BLOCKS, 70, 43),
    LIMIT(MAX_VARYING_COMPONENTS, 60),
    LIMIT(MAX_VARYING_VECTORS, 15, 41),
    LIMIT(MAX_COMBINED_TEXTURE_IMAGE_UNITS, 96, 43),
    LIMIT(MAX_SUBROUTINES, 256, 40),
    LIMIT(MAX_SUBROUTINE_UNIFORM_LOCATIONS, 1024, 40),
    LIMIT(MAX_UNIFORM_LOCATIONS, 1024, 43),
    LIMIT(MAX_ATOMIC_COUNTER_BUFFER_BINDINGS, 1, 42),
    LIMIT(MAX_ATOMIC_COUNTER_BUFFER_SIZE, 32, 42),
    LIMIT(MAX_COMBINED_ATOMIC_COUNTER_BUFFERS, 1, 42),
    LIMIT(MAX_COMBINED_ATOMIC_COUNTERS, 8, 42),
    LIMIT(MAX_IMAGE_UNITS, 8, 42),
    LIMIT(MAX_COMBINED_IMAGE_UNIFORMS, 8, 42),
    LIMIT(MAX_COMBINED_SHADER_OUTPUT_RESOURCES, 8, 42),
    LIMIT(MAX_SHADER_STORAGE_BUFFER_BINDINGS, 8, 43),
    LIMIT(MAX_SHADER_STORAGE_BLOCK_SIZE, 1 << 27, 43),
    LIMIT(MAX_COMBINED_SHADER_STORAGE_BLOCKS, 8, 43),
    LIMIT(SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, 256, 43, true),
    LIMIT(TEXTURE_BUFFER_OFFSET_ALIGNMENT, 256, 43, true),
    LIMIT(MAX_DEBUG_MESSAGE_LENGTH, 1, 43),
    LIMIT(MAX_DEBUG_LOGGED_MESSAGES, 1, 43),
    LIMIT(MAX_DEBUG_GROUP_STACK_DEPTH, 64, 43),
    LIMIT(MAX_LABEL_LENGTH, 256, 43),
    LIMIT(MAX_SAMPLE_MASK_WORDS, 1),
    LIMIT(MAX_SAMPLES, 4),
    LIMIT(MAX_COLOR_TEXTURE_SAMPLES, 1),
    LIMIT(MAX_DEPTH_TEXTURE_SAMPLES, 1),
    LIMIT(MAX_INTEGER_SAMPLES, 1),
    LIMIT(FRAGMENT_INTERPOLATION_OFFSET_BITS, 4, 40),
    LIMIT(MAX_DRAW_BUFFERS, 8),
    LIMIT(MAX_DUAL_SOURCE_DRAW_BUFFERS, 1),
    LIMIT(MAX_COLOR_ATTACHMENTS, 8),
    LIMIT(MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, 64),
    LIMIT(MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, 4),
    LIMIT(MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS, 4),
    LIMIT(MAX_TRANSFORM_FEEDBACK_BUFFERS, 4, 40),
    LIMIT(MAX_SERVER_WAIT_TIMEOUT, 0),
    LIMIT(MAX_ELEMENTS_INDICES, 0),
    LIMIT(MAX_ELEMENTS_VERTICES, 0),
    LIMIT(MAX_IMAGE_SAMPLES, 0, 42),
    LIMIT(VIEWPORT_SUBPIXEL_BITS, 0, 41),
    LIMIT(SHADER_COMPILER, 1, 41),
    LIMIT(NUM_SHADING_LANGUAGE_VERSIONS, 3, 43),
    LIMIT(NUM_SHADER_BINARY_FORMATS, 1, 46),
    LIMIT(NUM_SPIR_V_EXTENSIONS, 0, 46),
    LIMIT(PRIMITIVE_RESTART_FOR_PATCHES_SUPPORTED, 0, 44),
    LIMIT(NUM_COMPRESSED_TEXTURE_FORMATS, 4),
    LIMIT(MAX_VERTEX_ATOMIC_COUNTER_BUFFERS, 0, 42),
    LIMIT(MAX_VERTEX_ATOMIC_COUNTERS, 0, 42),
    LIMIT(MAX_VERTEX_SHADER_STORAGE_BLOCKS, 0, 43),
    LIMIT(MAX_VERTEX_IMAGE_UNIFORMS, 0, 42),
    LIMIT(MAX_TESS_CONTROL_ATOMIC_COUNTER_BUFFERS, 0, 42),
    LIMIT(MAX_TESS_CONTROL_ATOMIC_COUNTERS, 0, 42),
    LIMIT(MAX_TESS_CONTROL_SHADER_STORAGE_BLOCKS, 0, 43),
    LIMIT(MAX_TESS_CONTROL_IMAGE_UNIFORMS, 0, 42),
    LIMIT(MAX_TESS_EVALUATION_ATOMIC_COUNTER_BUFFERS, 0, 42),
    LIMIT(MAX_TESS_EVALUATION_ATOMIC_COUNTERS, 0, 42),
    LIMIT(MAX_TESS_EVALUATION_SHADER_STORAGE_BLOCKS, 0, 43),
    LIMIT(MAX_TESS_EVALUATION_IMAGE_UNIFORMS, 0, 42),
    LIMIT(MAX_GEOMETRY_ATOMIC_COUNTER_BUFFERS, 0, 42),
    LIMIT(MAX_GEOMETRY_ATOMIC_COUNTERS, 0, 42),
    LIMIT(MAX_GEOMETRY_SHADER_STORAGE_BLOCKS, 0, 43),
    LIMIT(MAX_GEOMETRY_IMAGE_UNIFORMS, 0, 42),
};

constexpr Limit kEs[] = {
    LIMIT(SUBPIXEL_BITS, 4),
    LIMIT(MAX_ELEMENT_INDEX, (1 << 24) - 1),
    LIMIT(MAX_3D_TEXTURE_SIZE, 256),
    LIMIT(MAX_TEXTURE_SIZE, 2048),
    LIMIT(MAX_ARRAY_TEXTURE_LAYERS, 256),
    LIMIT(MAX_CUBE_MAP_TEXTURE_SIZE, 2048),
    LIMIT(MAX_RENDERBUFFER_SIZE, 2048),
    LIMIT(MAX_FRAMEBUFFER_WIDTH, 2048, 31),
    LIMIT(MAX_FRAMEBUFFER_HEIGHT, 2048, 31),
    LIMIT(MAX_FRAMEBUFFER_LAYERS, 256, 32),
    LIMIT(MAX_FRAMEBUFFER_SAMPLES, 4, 31),
    LIMIT(MAX_VERTEX_ATTRIB_RELATIVE_OFFSET, 2047, 31),
    LIMIT(MAX_VERTEX_ATTRIB_BINDINGS, 16, 31),
    LIMIT(MAX_VERTEX_ATTRIB_STRIDE, 2048, 31),
    LIMIT(MAX_TEXTURE_BUFFER_SIZE, 65536, 32),
    LIMIT(MAX_DRAW_BUFFERS, 4),
    LIMIT(MAX_COLOR_ATTACHMENTS, 4),
    LIMIT(MAX_VERTEX_ATTRIBS, 16),
    LIMIT(MAX_VERTEX_UNIFORM_COMPONENTS, 1024),
    LIMIT(MAX_VERTEX_UNIFORM_VECTORS, 256),
    LIMIT(MAX_VERTEX_UNIFORM_BLOCKS, 12),
    LIMIT(MAX_VERTEX_OUTPUT_COMPONENTS, 64),
    LIMIT(MAX_VERTEX_TEXTURE_IMAGE_UNITS, 16),
    LIMIT(MAX_TESS_GEN_LEVEL, 64, 32),
    LIMIT(MAX_PATCH_VERTICES, 32, 32),
    LIMIT(MAX_TESS_CONTROL_UNIFORM_COMPONENTS, 1024, 32),
    LIMIT(MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS, 16, 32),
    LIMIT(MAX_TESS_CONTROL_OUTPUT_COMPONENTS, 64, 32),
    LIMIT(MAX_TESS_PATCH_COMPONENTS, 120, 32),
    LIMIT(MAX_TESS_CONTROL_TOTAL_OUTPUT_COMPONENTS, 2048, 32),
    LIMIT(MAX_TESS_CONTROL_INPUT_COMPONENTS, 64, 32),
    LIMIT(MAX_TESS_CONTROL_UNIFORM_BLOCKS, 12, 32),
    LIMIT(MAX_TESS_EVALUATION_UNIFORM_COMPONENTS, 1024, 32),
    LIMIT(MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS, 16, 32),
    LIMIT(MAX_TESS_EVALUATION_OUTPUT_COMPONENTS, 64, 32),
    LIMIT(MAX_TESS_EVALUATION_INPUT_COMPONENTS, 64, 32),
    LIMIT(MAX_TESS_EVALUATION_UNIFORM_BLOCKS, 12, 32),
    LIMIT(MAX_GEOMETRY_UNIFORM_COMPONENTS, 1024, 32),
    LIMIT(MAX_GEOMETRY_UNIFORM_BLOCKS, 12, 32),
    LIMIT(MAX_GEOMETRY_INPUT_COMPONENTS, 64, 32),
    LIMIT(MAX_GEOMETRY_OUTPUT_COMPONENTS, 64, 32),
    LIMIT(MAX_GEOMETRY_OUTPUT_VERTICES, 256, 32),
    LIMIT(MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS, 1024, 32),
    LIMIT(MAX_GEOMETRY_TEXTURE_IMAGE_UNITS, 16, 32),
    LIMIT(MAX_GEOMETRY_SHADER_INVOCATIONS, 32, 32),
    LIMIT(MAX_FRAGMENT_UNIFORM_COMPONENTS, 896),
    LIMIT(MAX_FRAGMENT_UNIFORM_VECTORS, 224),
    LIMIT(MAX_FRAGMENT_UNIFORM_BLOCKS, 12),
    LIMIT(MAX_FRAGMENT_INPUT_COMPONENTS, 60),
    LIMIT(MAX_TEXTURE_IMAGE_UNITS, 16),
    LIMIT(MIN_PROGRAM_TEXTURE_GATHER_OFFSET, -8, 31, true),
    LIMIT(MAX_PROGRAM_TEXTURE_GATHER_OFFSET, 7, 31),
    LIMIT(MAX_FRAGMENT_ATOMIC_COUNTER_BUFFERS, 1, 32),
    LIMIT(MAX_FRAGMENT_ATOMIC_COUNTERS, 8, 32),
    LIMIT(MAX_FRAGMENT_SHADER_STORAGE_BLOCKS, 4, 32),
    LIMIT(MAX_FRAGMENT_IMAGE_UNIFORMS, 4, 32),
    LIMIT(FRAGMENT_INTERPOLATION_OFFSET_BITS, 4, 32),
    LIMIT(MAX_COMPUTE_WORK_GROUP_INVOCATIONS, 128, 31),
    LIMIT(MAX_COMPUTE_UNIFORM_BLOCKS, 12, 31),
    LIMIT(MAX_COMPUTE_TEXTURE_IMAGE_UNITS, 16, 31),
    LIMIT(MAX_COMPUTE_ATOMIC_COUNTER_BUFFERS, 1, 31),
    LIMIT(MAX_COMPUTE_ATOMIC_COUNTERS, 8, 31),
    LIMIT(MAX_COMPUTE_SHARED_MEMORY_SIZE, 16384, 31),
    LIMIT(MAX_COMPUTE_UNIFORM_COMPONENTS, 512, 31),
    LIMIT(MAX_COMPUTE_UNIFORM_COMPONENTS, 1024, 32),
    LIMIT(MAX_COMPUTE_IMAGE_UNIFORMS, 4, 31),
    LIMIT(MAX_COMPUTE_SHADER_STORAGE_BLOCKS, 4, 31),
    LIMIT(MIN_PROGRAM_TEXEL_OFFSET, -8, 0, true),
    LIMIT(MAX_PROGRAM_TEXEL_OFFSET, 7),
    LIMIT(MAX_UNIFORM_BUFFER_BINDINGS, 36),
    LIMIT(MAX_UNIFORM_BUFFER_BINDINGS, 72, 32),
    LIMIT(MAX_UNIFORM_BLOCK_SIZE, 16384),
    LIMIT(UNIFORM_BUFFER_OFFSET_ALIGNMENT, 256, 0, true),
    LIMIT(MAX_COMBINED_UNIFORM_BLOCKS, 24),
    LIMIT(MAX_COMBINED_UNIFORM_BLOCKS, 60, 32),
    LIMIT(MAX_VARYING_COMPONENTS, 60),
    LIMIT(MAX_VARYING_VECTORS, 15),
    LIMIT(MAX_COMBINED_TEXTURE_IMAGE_UNITS, 48, 31),
    LIMIT(MAX_COMBINED_TEXTURE_IMAGE_UNITS, 96, 32),
    LIMIT(MAX_UNIFORM_LOCATIONS, 1024, 31),
    LIMIT(MAX_ATOMIC_COUNTER_BUFFER_BINDINGS, 1, 31),
    LIMIT(MAX_ATOMIC_COUNTER_BUFFER_SIZE, 32, 31),
    LIMIT(MAX_COMBINED_ATOMIC_COUNTER_BUFFERS, 1, 31),
    LIMIT(MAX_COMBINED_ATOMIC_COUNTERS, 8, 31),
    LIMIT(MAX_IMAGE_UNITS, 4, 31),
    LIMIT(MAX_COMBINED_IMAGE_UNIFORMS, 4, 31),
    LIMIT(MAX_COMBINED_SHADER_OUTPUT_RESOURCES, 4, 31),
    LIMIT(MAX_SHADER_STORAGE_BUFFER_BINDINGS, 4, 31),
    LIMIT(MAX_SHADER_STORAGE_BLOCK_SIZE, 1 << 27, 31),
    LIMIT(MAX_COMBINED_SHADER_STORAGE_BLOCKS, 4, 31),
    LIMIT(SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, 256, 31, true),
    LIMIT(TEXTURE_BUFFER_OFFSET_ALIGNMENT, 256, 32, true),
    LIMIT(MAX_SAMPLE_MASK_WORDS, 1, 31),
    LIMIT(MAX_SAMPLES, 4),
    LIMIT(MAX_COLOR_TEXTURE_SAMPLES, 1, 31),
    LIMIT(MAX_DEPTH_TEXTURE_SAMPLES, 1, 31),
    LIMIT(MAX_INTEGER_SAMPLES, 1, 31),
    LIMIT(MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, 64),
    LIMIT(MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, 4),
    LIMIT(MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS, 4),
    LIMIT(MAX_FRAGMENT_UNIFORM_COMPONENTS, 1024, 32),
    LIMIT(MAX_FRAGMENT_UNIFORM_VECTORS, 256, 32),
    LIMIT(MAX_SERVER_WAIT_TIMEOUT, 0),
    LIMIT(MAX_ELEMENTS_INDICES, 0),
    LIMIT(MAX_ELEMENTS_VERTICES, 0),
    LIMIT(NUM_COMPRESSED_TEXTURE_FORMATS, 10),
    LIMIT(NUM_PROGRAM_BINARY_FORMATS, 0),
    LIMIT(NUM_SHADER_BINARY_FORMATS, 0),
    LIMIT(SHADER_COMPILER, 1),
    LIMIT(PRIMITIVE_RESTART_FOR_PATCHES_SUPPORTED, 0, 32),
    LIMIT(MAX_DEBUG_MESSAGE_LENGTH, 1, 32),
    LIMIT(MAX_DEBUG_LOGGED_MESSAGES, 1, 32),
    LIMIT(MAX_DEBUG_GROUP_STACK_DEPTH, 64, 32),
    LIMIT(MAX_LABEL_LENGTH, 256, 32),
    LIMIT(MAX_VERTEX_ATOMIC_COUNTER_BUFFERS, 0, 31),
    LIMIT(MAX_VERTEX_ATOMIC_COUNTERS, 0, 31),
    LIMIT(MAX_VERTEX_SHADER_STORAGE_BLOCKS, 0, 31),
    LIMIT(MAX_VERTEX_IMAGE_UNIFORMS, 0, 31),
    LIMIT(MAX_TESS_CONTROL_ATOMIC_COUNTER_BUFFERS, 0, 32),
    LIMIT(MAX_TESS_CONTROL_ATOMIC_COUNTERS, 0, 32),
    LIMIT(MAX_TESS_CONTROL_SHADER_STORAGE_BLOCKS, 0, 32),
    LIMIT(MAX_TESS_CONTROL_IMAGE_UNIFORMS, 0, 32),
    LIMIT(MAX_TESS_EVALUATION_ATOMIC_COUNTER_BUFFERS, 0, 32),
    LIMIT(MAX_TESS_EVALUATION_ATOMIC_COUNTERS, 0, 32),
    LIMIT(MAX_TESS_EVALUATION_SHADER_STORAGE_BLOCKS, 0, 32),
    LIMIT(MAX_TESS_EVALUATION_IMAGE_UNIFORMS, 0, 32),
    LIMIT(MAX_GEOMETRY_ATOMIC_COUNTER_BUFFERS, 0, 32),
    LIMIT(MAX_GEOMETRY_ATOMIC_COUNTERS, 0, 32),
    LIMIT(MAX_GEOMETRY_SHADER_STORAGE_BLOCKS, 0, 32),
    LIMIT(MAX_GEOMETRY_IMAGE_UNIFORMS, 0, 32),
};

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
    expect_limits(kCore, version);
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
    expect_limits(kEs, version);
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
