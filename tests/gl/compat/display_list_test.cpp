// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Commands act in display lists as they do without (GL 4.6, compatibility profile, 21.4).
#include <limits>

#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

constexpr GLint kMost = std::numeric_limits<GLint>::max();

class DisplayListTest : public FixedFunctionTest {
protected:
    ContextRequest request() const override { return {Profile::Compatibility, 4, 6, false}; }

    /// What the commands do compiled and called, and what they do executed while compiled.
    static void in_lists(
        const std::function<void()>& commands, const std::function<void(const char*)>& look,
        const std::function<void()>& before = [] {}) {
        for (const bool execute : {false, true}) {
            before();
            const GLuint list = gl::GenLists(1);
            gl::NewList(list, execute ? GL_COMPILE_AND_EXECUTE : GL_COMPILE);
            commands();
            gl::EndList();
            if (!execute) {
                EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR}) << "compiled";
                gl::CallList(list);
            }
            look(execute ? "executed while compiled" : "called");
        }
    }

    static void corners(int first, int end) {
        constexpr std::array<std::array<float, 2>, 3> kCorners{{{-1, -1}, {3, -1}, {-1, 3}}};
        for (int i = first; i < end; ++i)
            gl::Vertex2f(kCorners[static_cast<size_t>(i)][0], kCorners[static_cast<size_t>(i)][1]);
    }
};

Float4 floats(GLenum name) {
    Float4 values{};
    gl::GetFloatv(name, values.data());
    return values;
}

TEST_F(DisplayListTest, KeepsAllValuesOfACommand) {
    const auto fogiv = gl_function<decltype(&glFogiv)>("glFogiv");
    const auto pointiv = gl_function<decltype(&glPointParameteriv)>("glPointParameteriv");
    ASSERT_TRUE(fogiv && pointiv);
    new_texture(GL_TEXTURE_2D);
    const std::array<GLint, 4> attenuation{1, 2, 3, 4};
    const std::array<GLint, 4> border{kMost, 0, kMost / 4, kMost / 2};
    const std::array<GLint, 4> swizzle{GL_BLUE, GL_ONE, GL_ZERO, GL_RED};
    in_lists(
        [&] {
            pointiv(GL_POINT_DISTANCE_ATTENUATION, attenuation.data());
            gl::TexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border.data());
            gl::TexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, swizzle.data());
            gl::ColorMaski(1, GL_FALSE, GL_TRUE, GL_FALSE, GL_TRUE);
        },
        [&](const char* how) {
            SCOPED_TRACE(how);
            EXPECT_EQ(floats(GL_POINT_DISTANCE_ATTENUATION), (Float4{1, 2, 3, 0}));
            Float4 colour{};
            gl::GetTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, colour.data());
            expect_near(colour, {1, 0, 0.25F, 0.5F}, 1e-6F);
            std::array<GLint, 4> kept{};
            gl::GetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, kept.data());
            EXPECT_EQ(kept, swizzle);
            const auto get =
                gl_function<void(GLAPIENTRY*)(GLenum, GLuint, GLboolean*)>("glGetBooleani_v");
            std::array<GLboolean, 4> mask{};
            get(GL_COLOR_WRITEMASK, 1, mask.data());
            EXPECT_EQ(mask, (std::array<GLboolean, 4>{GL_FALSE, GL_TRUE, GL_FALSE, GL_TRUE}));
            EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
        },
        [] {
            gl::ColorMaski(1, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
            const std::array<GLint, 4> identity{GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
            gl::TexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, identity.data());
        });
    if (!has_extension("GL_NV_fog_distance"))
        return;
    const GLint mode = GL_EYE_PLANE;
    in_lists([&] { fogiv(GL_FOG_DISTANCE_MODE_NV, &mode); },
             [](const char* how) {
                 EXPECT_EQ(floats(GL_FOG_DISTANCE_MODE_NV)[0], float{GL_EYE_PLANE}) << how;
                 EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR}) << how;
             },
             [] { gl::Fogi(GL_FOG_DISTANCE_MODE_NV, GL_EYE_RADIAL_NV); });
}

// GL_EXT_gpu_program_parameters.
TEST_F(DisplayListTest, GivesEveryProgramParameterItsIndex) {
    using Set = void(GLAPIENTRY*)(GLenum, GLuint, GLsizei, const GLfloat*);
    using Get = void(GLAPIENTRY*)(GLenum, GLuint, GLfloat*);
    for (const std::string kind : {"Env", "Local"}) {
        const auto set = gl_function<Set>(("glProgram" + kind + "Parameters4fvEXT").c_str());
        const auto get = gl_function<Get>(("glGetProgram" + kind + "ParameterfvARB").c_str());
        ASSERT_TRUE(set && get);
        const std::array<Float4, 2> values{{{1, 2, 3, 4}, {5, 6, 7, 8}}};
        in_lists([&] { set(GL_VERTEX_PROGRAM_ARB, 7, 2, values[0].data()); },
                 [&](const char* how) {
                     for (GLuint i = 0; i < 2; ++i) {
                         Float4 kept{};
                         get(GL_VERTEX_PROGRAM_ARB, 7 + i, kept.data());
                         EXPECT_EQ(kept, values[i]) << kind << ' ' << i << ' ' << how;
                     }
                 });
    }
}

// 21.1: what is wrong with a map is an error when the list is called, and no points are read.
TEST_F(DisplayListTest, RefusesMapsThatCantBeRead) {
    const auto map = gl_function<decltype(&glMap1f)>("glMap1f");
    const auto map_2 = gl_function<decltype(&glMap2f)>("glMap2f");
    const auto get = gl_function<decltype(&glGetMapiv)>("glGetMapiv");
    ASSERT_TRUE(map && map_2 && get);
    const std::array<GLfloat, 64> points{};
    const auto refused = [&](const std::function<void()>& command, GLenum error) {
        in_lists(command, [&](const char* how) {
            EXPECT_EQ(gl::GetError(), error) << how;
            GLint order = 0;
            get(GL_MAP1_VERTEX_4, GL_ORDER, &order);
            EXPECT_EQ(order, 1) << how;
        });
    };
    const GLenum value = GL_INVALID_VALUE;
    refused([&] { map(GL_MAP1_VERTEX_4, 0, 1, 3, 4, points.data()); }, value);
    refused([&] { map(GL_MAP1_VERTEX_4, 0, 1, 4, kMost, points.data()); }, value);
    refused([&] { map(GL_MAP1_VERTEX_4, 0, 1, 4, 0, points.data()); }, value);
    refused([&] { map(GL_TEXTURE_2D, 0, 1, 4, 4, points.data()); }, GL_INVALID_ENUM);
    refused([&] { map_2(GL_MAP2_VERTEX_4, 0, 1, 16, 4, 0, 1, 3, 4, points.data()); }, value);
}

// 10.7.2: an attribute that is given behind a primitive's last vertex is current afterwards.
TEST_F(DisplayListTest, AttributesBehindTheLastVertexAreCurrent) {
    const Float4 last{0.5F, 0.25F, 0.75F, 1};
    const auto draw = [&](bool before, bool all) {
        gl::Begin(GL_TRIANGLES);
        if (before)
            gl::Color3f(1, 0, 0);
        corners(0, 3);
        if (all)
            gl::Color4f(last[0], last[1], last[2], last[3]);
        else
            gl::Color3f(last[0], last[1], last[2]);
        gl::End();
    };
    for (const bool before : {false, true})
        for (const bool all : {false, true})
            in_lists([&] { draw(before, all); },
                     [&](const char* how) {
                         SCOPED_TRACE(how);
                         EXPECT_EQ(floats(GL_CURRENT_COLOR), last) << before << all;
                         expect_pixel(5, 5, before ? kRed : kGreen);
                     },
                     [] { gl::Color4f(0, 1, 0, 1); });
}

// An attribute that gets more components leaves the vertices before it as they are.
TEST_F(DisplayListTest, AttributesThatGrowWithinAPrimitive) {
    gl::ShadeModel(GL_FLAT);
    gl::ProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
    in_lists(
        [] {
            gl::Begin(GL_TRIANGLES);
            gl::Color3f(0, 1, 0);
            corners(0, 2);
            gl::Color4f(1, 0, 0, 0.5F);
            corners(2, 3);
            gl::End();
        },
        [](const char* how) {
            SCOPED_TRACE(how);
            expect_pixel(5, 5, kGreen);
        },
        [] { gl::Clear(GL_COLOR_BUFFER_BIT); });
}

// 21.4.1: what comes from a buffer is read when the list is compiled, and is in the list then.
TEST_F(DisplayListTest, PixelMapsComeFromBuffers) {
    const auto get = gl_function<decltype(&glGetPixelMapfv)>("glGetPixelMapfv");
    const auto set = gl_function<decltype(&glPixelMapuiv)>("glPixelMapuiv");
    ASSERT_TRUE(get && set);
    const std::vector<GLfloat> halves{0, 0.5F};
    const std::vector<GLuint> most{0, 0, 0, std::numeric_limits<GLuint>::max()};
    const auto first = [&](float expected, const char* how) {
        std::array<GLfloat, 2> map{};
        get(GL_PIXEL_MAP_R_TO_R, map.data());
        EXPECT_NEAR(map[1], expected, 1e-6F) << how;
        EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR}) << how;
    };
    const GLuint other = make_buffer(GL_PIXEL_UNPACK_BUFFER, halves);
    make_buffer(GL_PIXEL_UNPACK_BUFFER, most);
    in_lists([&] { set(GL_PIXEL_MAP_R_TO_R, 2, reinterpret_cast<const GLuint*>(8)); },
             [&](const char* how) {
                 gl::BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
                 first(1, how);
             });
    gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    const GLuint list = gl::GenLists(1);
    gl::NewList(list, GL_COMPILE);
    gl::PixelMapfv(GL_PIXEL_MAP_R_TO_R, 2, halves.data());
    gl::EndList();
    gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, other);
    gl::CallList(list);
    first(0.5F, "another buffer is bound when it is called");
    in_lists(
        [&] { set(GL_PIXEL_MAP_R_TO_R, 2, reinterpret_cast<const GLuint*>(8)); },
        [](const char* how) { EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_OPERATION}) << how; });
}

// GL_KHR_blend_equation_advanced_coherent: an attribute of the colour buffer.
TEST_F(DisplayListTest, PopsWhetherAdvancedBlendingIsCoherent) {
    if (!has_extension("GL_KHR_blend_equation_advanced_coherent"))
        GTEST_SKIP() << "no coherent blending";
    const auto enabled = gl_function<decltype(&glIsEnabled)>("glIsEnabled");
    gl::PushAttrib(GL_COLOR_BUFFER_BIT);
    gl::Disable(GL_BLEND_ADVANCED_COHERENT_KHR);
    gl::PopAttrib();
    EXPECT_TRUE(enabled(GL_BLEND_ADVANCED_COHERENT_KHR));
}

// 21.4: a command's error comes when the list is called, not when the command is compiled.
TEST_F(DisplayListTest, ErrorsOfAttributesBeyondTheLast) {
    const auto set_one = gl_function<PFNGLVERTEXATTRIB1FPROC>("glVertexAttrib1f");
    for (const GLuint index : {999U, std::numeric_limits<GLuint>::max()}) {
        in_lists(
            [&] { gl::VertexAttrib4f(index, 1, 1, 1, 1); },
            [](const char* how) { EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_VALUE}) << how; });
        in_lists(
            [&] { set_one(index, 1); },
            [](const char* how) { EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_VALUE}) << how; });
    }
}

} // namespace
} // namespace kobalt::gltest
