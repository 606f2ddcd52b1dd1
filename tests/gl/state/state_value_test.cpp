// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// The values of state: what queries make of them, what display lists and attribute stacks keep.
#include <limits>

#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr GLint kMost = std::numeric_limits<GLint>::max();
constexpr GLint kLeast = std::numeric_limits<GLint>::min();

GLint integer(GLenum name) {
    GLint value = -7;
    gl::GetIntegerv(name, &value);
    return value;
}

GLint64 integer64(GLenum name) {
    GLint64 value = -7;
    gl::GetInteger64v(name, &value);
    return value;
}

float real(GLenum name) {
    float value = -7;
    gl::GetFloatv(name, &value);
    return value;
}

GLint parameter(GLenum target, GLenum name) {
    GLint value = -7;
    gl::GetTexParameteriv(target, name, &value);
    return value;
}

void expect_error(int error) {
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(error));
}

void set_levels(GLint base, GLint max) {
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, base);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, max);
}

/// An immutable texture of four levels, 8x8 to 1x1, that are red by 10, 20, 30 and 40; `base` and
/// `max` were set before it was.
GLuint texture_of_levels(GLint base, GLint max) {
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    set_levels(base, max);
    gl::TexStorage2D(GL_TEXTURE_2D, 4, GL_RGBA8, 8, 8);
    for (int level = 0; level < 4; ++level) {
        const int side = 8 >> level;
        const std::vector<Byte4> texels(static_cast<size_t>(side * side),
                                        {static_cast<std::uint8_t>(10 * (level + 1)), 0, 0, 255});
        gl::TexSubImage2D(GL_TEXTURE_2D, level, 0, 0, side, side, GL_RGBA, GL_UNSIGNED_BYTE,
                          texels.data());
    }
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    return texture;
}

/// The red of the texture that is bound, as far away as can be.
int farthest_red(const std::string& version) {
    const GLuint program =
        link({{GL_VERTEX_SHADER,
               version + "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1)"
                         " * 4.0 - 1.0, 0.0, 1.0); }"},
              {GL_FRAGMENT_SHADER,
               version + "precision mediump float; uniform sampler2D s; out vec4 color;\n"
                         "void main() { color = textureLod(s, vec2(0.5), 9.0); }"}});
    draw_fullscreen(program);
    return pixel(1, 1)[0];
}

class StateValueTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 6}; }

    /// The levels that are kept, used and told of an immutable texture.
    static void expect_levels(const std::string& version) {
        make_black_target({.width = 4, .height = 4});
        texture_of_levels(0, 1000);
        EXPECT_EQ(parameter(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL), 1000);
        EXPECT_EQ(farthest_red(version), 40);
        set_levels(3, 1);
        EXPECT_EQ(parameter(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL), 3);
        EXPECT_EQ(farthest_red(version), 40);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
        EXPECT_EQ(parameter(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL), 1);
        EXPECT_EQ(farthest_red(version), 20);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 7);
        EXPECT_EQ(parameter(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL), 3);
        EXPECT_EQ(farthest_red(version), 40);
    }
};

class StateValueEsTest : public StateValueTest {
protected:
    ContextRequest request() const override { return {Profile::Es, 3, 0, false}; }
};

class StateValueCompatTest : public CompatTest {
protected:
    ContextRequest request() const override { return {Profile::Compatibility, 4, 6, false}; }
};

// GL 4.6, 8.14.3 and ES 3.2, 8.14.3.
TEST_F(StateValueTest, LevelsOfAnImmutableTextureAreClampedWhereTheyAreUsed) {
    expect_levels("#version 460 core\n");
}

TEST_F(StateValueEsTest, LevelsOfAnImmutableTextureAreClampedWhereTheyAreUsed) {
    expect_levels("#version 300 es\n");
}

TEST_F(StateValueTest, LevelsThatWereSetBeforeATextureBecameImmutable) {
    make_black_target({.width = 4, .height = 4});
    texture_of_levels(5, 2);
    EXPECT_EQ(parameter(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL), 3);
    EXPECT_EQ(parameter(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL), 3);
    EXPECT_EQ(farthest_red("#version 460 core\n"), 40);
}

TEST_F(StateValueTest, LevelsOfAView) {
    make_black_target({.width = 4, .height = 4});
    const GLuint texture = texture_of_levels(0, 1000);
    GLuint view = 0;
    gl::GenTextures(1, &view);
    gl::TextureView(view, GL_TEXTURE_2D, texture, GL_RGBA8, 1, 3, 0, 1);
    gl::BindTexture(GL_TEXTURE_2D, view);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    set_levels(2, 1);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
    EXPECT_EQ(parameter(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL), 1);
    EXPECT_EQ(farthest_red("#version 460 core\n"), 30);
}

// GL 4.6, 2.2.2.
TEST_F(StateValueTest, FloatsBeyondIntegers) {
    gl::PolygonOffset(1e10F, -1e10F);
    EXPECT_EQ(integer(GL_POLYGON_OFFSET_FACTOR), kMost);
    EXPECT_EQ(integer(GL_POLYGON_OFFSET_UNITS), kLeast);
    EXPECT_EQ(integer64(GL_POLYGON_OFFSET_FACTOR), 10'000'000'000);
    gl::PolygonOffset(1e20F, -1e20F);
    EXPECT_EQ(integer64(GL_POLYGON_OFFSET_FACTOR), std::numeric_limits<GLint64>::max());
    EXPECT_EQ(integer64(GL_POLYGON_OFFSET_UNITS), std::numeric_limits<GLint64>::min());
    gl::PolygonOffset(2.6F, -2.6F);
    EXPECT_EQ(integer(GL_POLYGON_OFFSET_FACTOR), 3);
    EXPECT_EQ(integer64(GL_POLYGON_OFFSET_UNITS), -3);
}

TEST_F(StateValueTest, RangesOfAViewport) {
    gl::DepthRangeIndexed(2, 0.0, 1.0);
    std::array<GLint, 2> range{-7, -7};
    gl::GetIntegeri_v(GL_DEPTH_RANGE, 2, range.data());
    EXPECT_EQ(range, (std::array<GLint, 2>{0, 1}));
    std::array<GLint64, 2> range64{-7, -7};
    gl::GetInteger64i_v(GL_DEPTH_RANGE, 2, range64.data());
    EXPECT_EQ(range64, (std::array<GLint64, 2>{0, 1}));
    gl::ViewportIndexedf(2, 1, 2, 3, 4.6F);
    std::array<GLint64, 4> viewport64{};
    gl::GetInteger64i_v(GL_VIEWPORT, 2, viewport64.data());
    EXPECT_EQ(viewport64, (std::array<GLint64, 4>{1, 2, 3, 5}));
}

TEST_F(StateValueTest, IndexThatRestartsIsNotBelowZero) {
    gl::PrimitiveRestartIndex(0xffffffffU);
    EXPECT_EQ(integer64(GL_PRIMITIVE_RESTART_INDEX), 0xffffffffLL);
    EXPECT_EQ(real(GL_PRIMITIVE_RESTART_INDEX), 4294967296.0F);
    EXPECT_EQ(integer(GL_PRIMITIVE_RESTART_INDEX), -1); // to be set again
    gl::PrimitiveRestartIndex(7);
    EXPECT_EQ(integer(GL_PRIMITIVE_RESTART_INDEX), 7);
}

// ES 3.2, 9.2.3: there is no other type that a stencil could have.
TEST_F(StateValueEsTest, StencilsAreUnsignedIntegers) {
    const Target target = make_target({.width = 8, .height = 8});
    for (const GLenum format : {GL_STENCIL_INDEX8, GL_DEPTH24_STENCIL8, GL_DEPTH32F_STENCIL8}) {
        GLuint stencil = 0;
        gl::GenRenderbuffers(1, &stencil);
        gl::BindRenderbuffer(GL_RENDERBUFFER, stencil);
        gl::RenderbufferStorage(GL_RENDERBUFFER, format, target.width, target.height);
        const auto type = [&](GLenum attachment) {
            gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, stencil);
            GLint value = 0;
            gl::GetFramebufferAttachmentParameteriv(
                GL_FRAMEBUFFER, attachment, GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE, &value);
            return value;
        };
        EXPECT_EQ(type(GL_STENCIL_ATTACHMENT), GL_UNSIGNED_INT) << format;
        if (format == GL_DEPTH32F_STENCIL8) {
            EXPECT_EQ(type(GL_DEPTH_ATTACHMENT), GL_FLOAT);
        }
    }
}

TEST_F(StateValueCompatTest, MatricesAreNoColours) {
    std::array<GLint, 16> matrix{};
    gl::GetIntegerv(GL_MODELVIEW_MATRIX, matrix.data());
    EXPECT_EQ(matrix[0], 1);
    EXPECT_EQ(matrix[1], 0);
    std::array<float, 16> values{};
    values.fill(2.6F);
    values[1] = -1e10F;
    gl::LoadMatrixf(values.data());
    gl::GetIntegerv(GL_MODELVIEW_MATRIX, matrix.data());
    EXPECT_EQ(matrix[0], 3);
    EXPECT_EQ(matrix[1], kLeast);
    std::array<GLint64, 16> matrix64{};
    gl::GetInteger64v(GL_TRANSPOSE_PROJECTION_MATRIX, matrix64.data());
    EXPECT_EQ(matrix64[0], 1);
}

TEST_F(StateValueCompatTest, StridesIn64Bits) {
    gl::VertexPointer(3, GL_FLOAT, 20, nullptr);
    EXPECT_EQ(integer64(GL_VERTEX_ARRAY_STRIDE), 20);
    EXPECT_EQ(integer64(GL_TEXTURE_COORD_ARRAY_STRIDE), 0);
}

// GL 4.6 (compatibility), 12.2.2. One value for a colour sets nothing, and raises no error.
TEST_F(StateValueCompatTest, OnlyShininessOfAMaterialIsOneValue) {
    const auto get_material = gl_function<decltype(&::glGetMaterialfv)>("glGetMaterialfv");
    const auto materiali = gl_function<decltype(&::glMateriali)>("glMateriali");
    make_target();
    const Float4 ambient{0.25F, 0.5F, 0.75F, 1.0F};
    gl::Materialfv(GL_FRONT, GL_AMBIENT, ambient.data());
    gl::Materialf(GL_FRONT, GL_AMBIENT, 1.0F);
    expect_error(GL_NO_ERROR);
    materiali(GL_FRONT, GL_AMBIENT, 1);
    expect_error(GL_NO_ERROR);
    gl::Begin(GL_POINTS);
    gl::Materialf(GL_FRONT, GL_AMBIENT, 1.0F);
    gl::End();
    gl::NewList(1, GL_COMPILE_AND_EXECUTE);
    gl::Materialf(GL_FRONT, GL_AMBIENT, 1.0F);
    gl::EndList();
    Float4 value{};
    get_material(GL_FRONT, GL_AMBIENT, value.data());
    EXPECT_EQ(value, ambient);
    gl::Materialf(GL_FRONT, GL_SHININESS, 7.0F);
    get_material(GL_FRONT, GL_SHININESS, value.data());
    EXPECT_EQ(value[0], 7.0F);
}

// GL 4.6 (compatibility), 21.2.
TEST_F(StateValueCompatTest, NoRenderModeWithoutItsBuffer) {
    for (const GLenum mode : {GL_FEEDBACK, GL_SELECT}) {
        EXPECT_EQ(gl::RenderMode(mode), 0);
        expect_error(GL_INVALID_OPERATION);
        EXPECT_EQ(integer(GL_RENDER_MODE), GL_RENDER);
    }
    std::array<float, 8> buffer{};
    gl::FeedbackBuffer(buffer.size(), GL_2D, buffer.data());
    gl::RenderMode(GL_FEEDBACK);
    EXPECT_EQ(integer(GL_RENDER_MODE), GL_FEEDBACK);
    gl_function<decltype(&::glPassThrough)>("glPassThrough")(3.0F);
    gl::RenderMode(GL_SELECT);
    expect_error(GL_INVALID_OPERATION);
    EXPECT_EQ(integer(GL_RENDER_MODE), GL_FEEDBACK);
    EXPECT_EQ(gl::RenderMode(GL_RENDER), 2); // what was fed back before the error
}

// GL 4.6 (compatibility), tables 23.3 to 23.62.
TEST_F(StateValueCompatTest, EnablesThatArePopped) {
    for (const GLbitfield bits : {GL_ENABLE_BIT, GL_LIGHTING_BIT | GL_FOG_BIT | GL_MULTISAMPLE_BIT})
        for (const GLenum what : {GL_LIGHT0, GL_LIGHT3, GL_COLOR_SUM, GL_SAMPLE_SHADING})
            for (const bool on : {true, false}) {
                (on ? gl::Enable : gl::Disable)(what);
                gl::PushAttrib(bits);
                (on ? gl::Disable : gl::Enable)(what);
                gl::PopAttrib();
                EXPECT_EQ(integer(what) != 0, on) << what << " of " << bits;
            }
}

TEST_F(StateValueCompatTest, ClampedColoursArePopped) {
    for (const GLbitfield bits : {GL_ENABLE_BIT, GL_LIGHTING_BIT | GL_COLOR_BUFFER_BIT})
        for (const GLenum what :
             {GL_CLAMP_VERTEX_COLOR, GL_CLAMP_FRAGMENT_COLOR, GL_CLAMP_READ_COLOR}) {
            gl::ClampColor(what, GL_FALSE);
            gl::PushAttrib(bits);
            gl::ClampColor(what, GL_TRUE);
            gl::PopAttrib();
            EXPECT_EQ(integer(what), GL_FALSE) << what << " of " << bits;
        }
}

TEST_F(StateValueCompatTest, OtherStateThatIsPopped) {
    const auto hint = gl_function<decltype(&::glHint)>("glHint");
    const auto min_sample_shading =
        gl_function<decltype(&::glMinSampleShading)>("glMinSampleShading");
    const auto set = [&](bool first) {
        for (const GLenum what : {GL_GENERATE_MIPMAP_HINT, GL_FRAGMENT_SHADER_DERIVATIVE_HINT})
            hint(what, first ? GL_NICEST : GL_FASTEST);
        gl::Fogi(GL_FOG_COORD_SRC, first ? GL_FOG_COORD : GL_FRAGMENT_DEPTH);
        gl::ProvokingVertex(first ? GL_FIRST_VERTEX_CONVENTION : GL_LAST_VERTEX_CONVENTION);
        gl::PatchParameteri(GL_PATCH_VERTICES, first ? 5 : 7);
        min_sample_shading(first ? 0.5F : 0.25F);
    };
    set(true);
    gl::PushAttrib(GL_HINT_BIT | GL_FOG_BIT | GL_LIGHTING_BIT | GL_CURRENT_BIT |
                   GL_MULTISAMPLE_BIT);
    set(false);
    gl::PopAttrib();
    EXPECT_EQ(integer(GL_GENERATE_MIPMAP_HINT), GL_NICEST);
    EXPECT_EQ(integer(GL_FRAGMENT_SHADER_DERIVATIVE_HINT), GL_NICEST);
    EXPECT_EQ(integer(GL_FOG_COORD_SRC), GL_FOG_COORD);
    EXPECT_EQ(integer(GL_PROVOKING_VERTEX), GL_FIRST_VERTEX_CONVENTION);
    EXPECT_EQ(integer(GL_PATCH_VERTICES), 5);
    EXPECT_EQ(real(GL_MIN_SAMPLE_SHADING_VALUE), 0.5F);
}

// GL 4.6 (compatibility), 21.4.
TEST_F(StateValueCompatTest, ListsKeepWhatTheyAreGiven) {
    const auto clear_index = gl_function<decltype(&::glClearIndex)>("glClearIndex");
    const auto clear_depth = gl_function<decltype(&::glClearDepthf)>("glClearDepthf");
    const auto depth_range = gl_function<decltype(&::glDepthRangef)>("glDepthRangef");
    const auto min_sample_shading =
        gl_function<decltype(&::glMinSampleShading)>("glMinSampleShading");
    const auto sample_mask = [] {
        GLint value = 0;
        gl::GetIntegeri_v(GL_SAMPLE_MASK_VALUE, 0, &value);
        return value;
    };
    gl::NewList(1, GL_COMPILE);
    clear_index(3.0F);
    clear_depth(0.5F);
    depth_range(1.0F, 0.0F);
    min_sample_shading(0.75F);
    gl::SampleMaski(0, 3);
    gl::EndList();
    EXPECT_EQ(integer(GL_INDEX_CLEAR_VALUE), 0);
    EXPECT_EQ(real(GL_DEPTH_CLEAR_VALUE), 1.0F);
    std::array<float, 2> range{};
    gl::GetFloatv(GL_DEPTH_RANGE, range.data());
    EXPECT_EQ(range, (std::array<float, 2>{0, 1}));
    EXPECT_EQ(real(GL_MIN_SAMPLE_SHADING_VALUE), 0.0F);
    EXPECT_EQ(sample_mask(), -1);
    gl::CallList(1);
    EXPECT_EQ(integer(GL_INDEX_CLEAR_VALUE), 3);
    EXPECT_EQ(real(GL_DEPTH_CLEAR_VALUE), 0.5F);
    gl::GetFloatv(GL_DEPTH_RANGE, range.data());
    EXPECT_EQ(range, (std::array<float, 2>{1, 0}));
    EXPECT_EQ(real(GL_MIN_SAMPLE_SHADING_VALUE), 0.75F);
    EXPECT_EQ(sample_mask(), 3);
}

// GL 4.6 (compatibility), 8.4.1.
TEST_F(StateValueCompatTest, MapsToIndices) {
    const auto set_map = gl_function<decltype(&::glPixelMapuiv)>("glPixelMapuiv");
    const auto get_map = gl_function<decltype(&::glGetPixelMapuiv)>("glGetPixelMapuiv");
    for (const GLenum map : {GL_PIXEL_MAP_S_TO_S, GL_PIXEL_MAP_I_TO_I}) {
        const std::array<GLuint, 2> indices{3, 200};
        set_map(map, 2, indices.data());
        std::array<GLuint, 2> values{};
        get_map(map, values.data());
        EXPECT_EQ(values, indices) << map;
    }
}

// GL 4.6 (compatibility), 2.2.1.
TEST_F(StateValueCompatTest, IntegersThatAreSetByFloatsAreRounded) {
    gl::PixelTransferf(GL_INDEX_SHIFT, 2.6F);
    EXPECT_EQ(integer(GL_INDEX_SHIFT), 3);
    gl::PixelTransferf(GL_INDEX_OFFSET, -1.6F);
    EXPECT_EQ(integer(GL_INDEX_OFFSET), -2);
}

} // namespace
} // namespace kobalt::gltest
