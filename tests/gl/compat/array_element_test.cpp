// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Vertices out of arrays one by one, evaluators and what else gives vertices in compatibility
// profiles.
#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

class ArrayElementTest : public FixedFunctionTest {
protected:
    static Byte4 middle() { return texel_of(read_picture(kSize, kSize), kSize / 2, kSize / 2); }
    static bool is_enabled(GLenum name) {
        return gl_function<decltype(&glIsEnabled)>("glIsEnabled")(name) == GL_TRUE;
    }
    static void all_elements() {
        const auto element = gl_function<void (*)(GLint)>("glArrayElement");
        gl::Begin(GL_TRIANGLE_STRIP);
        for (GLint i = 0; i < 4; ++i) {
            element(i);
        }
        gl::End();
    }
};

// OpenGL 4.6 (compatibility), 10.5: glArrayElement gives the same values as glDrawArrays;
// and 21.4.1: so do arrays in lists.
TEST_F(ArrayElementTest, ColoursOfAllFormats) {
    const std::array<float, 8> corners{-1, -1, 1, -1, -1, 1, 1, 1};
    gl::EnableClientState(GL_VERTEX_ARRAY);
    gl::EnableClientState(GL_COLOR_ARRAY);
    gl::VertexPointer(2, GL_FLOAT, 0, corners.data());
    struct Format {
        GLint size;
        GLenum type;
        std::vector<std::uint32_t> words; ///< of one colour
        Byte4 seen;
    };
    const std::vector<Format> formats{
        {4, GL_HALF_FLOAT, {0x38003400, 0x3c003a00}, {64, 128, 191, 255}},
        {GL_BGRA, GL_UNSIGNED_BYTE, {0xff4080c0}, {64, 128, 192, 255}},
        {4,
         GL_UNSIGNED_INT_2_10_10_10_REV,
         {3U << 30 | 256U << 20 | 512U << 10 | 768U},
         {191, 128, 64, 255}},
        {4,
         GL_INT_2_10_10_10_REV,
         {1U << 30 | 128U << 20 | 256U << 10 | 511U},
         {255, 128, 64, 255}},
        {4, GL_BYTE, {0x7f40207f}, {255, 64, 129, 255}},
        {4, GL_UNSIGNED_SHORT, {0x80004000, 0xffffc000}, {64, 128, 191, 255}}};
    for (const Format& format : formats) {
        SCOPED_TRACE(format.type);
        std::vector<std::uint32_t> colours;
        for (int i = 0; i < 4; ++i) {
            colours.insert(colours.end(), format.words.begin(), format.words.end());
        }
        gl_function<decltype(&glColorPointer)>("glColorPointer")(format.size, format.type, 0,
                                                                 colours.data());
        gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        const Byte4 drawn = middle();
        for (size_t i = 0; i < 4; ++i) {
            EXPECT_NEAR(drawn.at(i), format.seen.at(i), 1);
        }
        gl::Clear(GL_COLOR_BUFFER_BIT);
        all_elements();
        EXPECT_EQ(middle(), drawn);
        const GLuint list = gl::GenLists(1);
        gl::NewList(list, GL_COMPILE);
        gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        gl::EndList();
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::CallList(list);
        EXPECT_EQ(middle(), drawn);
    }
}

// 21.1: evaluators have no effect on current values.
TEST_F(ArrayElementTest, EvaluatorsLeaveCurrentValues) {
    const auto map = gl_function<decltype(&glMap1f)>("glMap1f");
    const auto evaluate = gl_function<decltype(&glEvalCoord1f)>("glEvalCoord1f");
    const std::array<float, 8> points{-1, 0, 0, 1, 1, 0, 0, 1};
    const std::array<float, 2> coordinates{0.25F, 0.75F};
    const std::array<float, 6> normals{1, 0, 0, 0, 1, 0};
    map(GL_MAP1_VERTEX_4, 0, 1, 4, 2, points.data());
    map(GL_MAP1_TEXTURE_COORD_1, 0, 1, 1, 2, coordinates.data());
    map(GL_MAP1_NORMAL, 0, 1, 3, 2, normals.data());
    for (const GLenum one : {GL_MAP1_VERTEX_4, GL_MAP1_TEXTURE_COORD_1, GL_MAP1_NORMAL}) {
        gl::Enable(one);
    }
    gl_function<decltype(&glTexCoord4f)>("glTexCoord4f")(0.5F, 0.625F, 0.75F, 0.875F);
    gl::Normal3f(0.25F, 0.5F, 0.75F);
    gl::Color4f(0.125F, 0.25F, 0.375F, 0.5F);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Begin(GL_LINES);
    evaluate(0);
    evaluate(1);
    gl::End();
    gl::Clear(GL_COLOR_BUFFER_BIT);
    Float4 value{};
    gl::GetFloatv(GL_CURRENT_TEXTURE_COORDS, value.data());
    EXPECT_EQ(value, (Float4{0.5F, 0.625F, 0.75F, 0.875F}));
    value = {};
    gl::GetFloatv(GL_CURRENT_NORMAL, value.data());
    EXPECT_EQ(value, (Float4{0.25F, 0.5F, 0.75F, 0}));
    gl::GetFloatv(GL_CURRENT_COLOR, value.data());
    EXPECT_EQ(value, (Float4{0.125F, 0.25F, 0.375F, 0.5F}));
}

// 10.3.11: what glInterleavedArrays disables.
TEST_F(ArrayElementTest, InterleavedArraysAreAlone) {
    const std::array<float, 9> corners{};
    for (const GLenum array : {GL_SECONDARY_COLOR_ARRAY, GL_FOG_COORD_ARRAY, GL_EDGE_FLAG_ARRAY,
                               GL_INDEX_ARRAY, GL_COLOR_ARRAY}) {
        gl::EnableClientState(array);
        gl_function<decltype(&glInterleavedArrays)>("glInterleavedArrays")(GL_V3F, 0,
                                                                           corners.data());
        EXPECT_FALSE(is_enabled(array)) << array;
        EXPECT_TRUE(is_enabled(GL_VERTEX_ARRAY));
    }
}

// GLSL 1.20, 7.5.
TEST_F(ArrayElementTest, ScaleOfFogThatEndsBeforeItStarts) {
    const GLuint program =
        link({{GL_VERTEX_SHADER, "#version 120\nvoid main() { gl_Position = gl_Vertex; }\n"},
              {GL_FRAGMENT_SHADER, "#version 120\nvoid main() { gl_FragColor = vec4(-gl_Fog.scale, "
                                   "0, 0, 1); }\n"}});
    gl::UseProgram(program);
    gl::Fogf(GL_FOG_START, 3);
    gl::Fogf(GL_FOG_END, 1);
    quad();
    EXPECT_NEAR(middle()[0], 128, 1);
}

} // namespace
} // namespace kobalt::gltest
