// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Evaluation shaders without a control shader (OpenGL 4.6, 11.2.1), in one program or several: the
// first draw with patches of any size compiles nothing.
#include "stage_combination.h"

namespace kobalt::gltest {
namespace {

/// What stands in for the control shader belongs to the evaluation shader, and is there when that
/// is linked.
class PassedPatchTest : public StageCombinationTest {
protected:
    static constexpr std::array kSizes{3, 1, 32, 5, 4, 32, 3};

    Missing missing() const override {
        return first_of(
            {StageCombinationTest::missing(), lacks(4, 0, "GL_ARB_tessellation_shader")});
    }
    /// In front of evaluation(mark).
    void make_vertex_shaders(int mark) {
        for (int i = 0; i < kStageKinds; ++i) {
            vertex_.at(i) = separable(GL_VERTEX_SHADER, vertex_text(i, mark));
        }
    }
    /// Covers the target. The mean red of the patch's vertices goes on; to a fragment shader with
    /// the size of the patch as green. `mark`: as in vertex_text(). What stands in is shared where
    /// it passes the same on, so each test has a mark of its own.
    static std::string evaluation(int mark, bool to_geometry = false) {
        const std::string result = to_geometry ? "float mean" : "vec2 colour";
        return "layout(quads, ccw) in;\n"
               "in gl_PerVertex { vec4 gl_Position; } gl_in[];\n"
               "out gl_PerVertex { vec4 gl_Position; };\n"
               "layout(location = 0) in float red[]; layout(location = " +
               std::to_string(mark) + ") in float one[]; layout(location = 0) out " + result +
               ";\n"
               "void main() { float sum = 0.0; for (int i = 0; i < gl_PatchVerticesIn; ++i) sum += "
               "red[i] * one[i] * gl_in[i].gl_Position.w; sum = sum / float(gl_PatchVerticesIn) "
               "+ " +
               fresh_zero() + "; " +
               (to_geometry ? "mean = sum;"
                            : "colour = vec2(sum, float(gl_PatchVerticesIn) / 255.0);") +
               " gl_Position = vec4(gl_TessCoord.xy * 2.0 - 1.0, 0, 1); }";
    }
    /// With what is in use, whose vertex and fragment shaders are of those kinds. `geometry`: the
    /// kind that says green instead of the evaluation shader; less than 0: none.
    void draw_sizes(int v, int geometry, int f) {
        for (const int size : kSizes) {
            gl::PatchParameteri(GL_PATCH_VERTICES, size);
            const std::uint8_t green =
                geometry < 0 ? static_cast<std::uint8_t>(size) : byte(geometry);
            draw(GL_PATCHES, {byte(v), green, byte(f), 255}, size);
        }
    }
    /// A program of several stages that others may replace.
    static GLuint separable_program(const std::vector<Stage>& stages) {
        std::vector<Stage> texts;
        for (const Stage& stage : stages) {
            texts.push_back({stage.type, kCombinationHeader + stage.source});
        }
        return separable_of(texts);
    }
};

TEST_F(PassedPatchTest, ThreePrograms) {
    constexpr int kMark = 1;
    make_vertex_shaders(kMark);
    std::array<GLuint, kStageKinds> evaluations{};
    for (GLuint& one : evaluations) {
        one = separable(GL_TESS_EVALUATION_SHADER, evaluation(kMark));
    }
    const Spent first = measure([&] {
        for (int i = 0; i < 1 << 3; ++i) {
            use(GL_VERTEX_SHADER_BIT, vertex_.at(i & 1));
            use(GL_TESS_EVALUATION_SHADER_BIT, evaluations.at(i >> 1 & 1));
            use(GL_FRAGMENT_SHADER_BIT, fragment_.at(i >> 2));
            draw_sizes(i & 1, -1, i >> 2);
        }
    });
    expect_drawn();
    expect_no_compile(first);
}

TEST_F(PassedPatchTest, FourProgramsWithAGeometryShader) {
    constexpr int kMark = 2;
    make_vertex_shaders(kMark);
    const GLuint evaluated = separable(GL_TESS_EVALUATION_SHADER, evaluation(kMark, true));
    use(GL_TESS_EVALUATION_SHADER_BIT, evaluated);
    const Spent first = measure([&] {
        for (int i = 0; i < 1 << 3; ++i) {
            use(GL_VERTEX_SHADER_BIT, vertex_.at(i & 1));
            use(GL_GEOMETRY_SHADER_BIT, geometry_.at(i >> 1 & 1));
            use(GL_FRAGMENT_SHADER_BIT, fragment_.at(i >> 2));
            draw_sizes(i & 1, i >> 1 & 1, i >> 2);
        }
    });
    expect_drawn();
    expect_no_compile(first);
}

// The evaluation shader's program brings the stages behind it, or the one in front of it.
TEST_F(PassedPatchTest, TwoPrograms) {
    constexpr int kMark = 3;
    make_vertex_shaders(kMark);
    const GLuint with_fragment = separable_program(
        {{GL_TESS_EVALUATION_SHADER, evaluation(kMark)}, {GL_FRAGMENT_SHADER, fragment_text(0)}});
    const GLuint with_geometry =
        separable_program({{GL_TESS_EVALUATION_SHADER, evaluation(kMark, true)},
                           {GL_GEOMETRY_SHADER, geometry_text(1)},
                           {GL_FRAGMENT_SHADER, fragment_text(1)}});
    const GLuint with_vertex = separable_program({{GL_VERTEX_SHADER, vertex_text(0, kMark)},
                                                  {GL_TESS_EVALUATION_SHADER, evaluation(kMark)}});
    const Spent first = measure([&] {
        use(GL_VERTEX_SHADER_BIT, vertex_[1]);
        use(GL_TESS_EVALUATION_SHADER_BIT | GL_FRAGMENT_SHADER_BIT, with_fragment);
        draw_sizes(1, -1, 0);
        use(GL_TESS_EVALUATION_SHADER_BIT | GL_GEOMETRY_SHADER_BIT | GL_FRAGMENT_SHADER_BIT,
            with_geometry);
        draw_sizes(1, 1, 1);
        use(GL_GEOMETRY_SHADER_BIT, 0);
        use(GL_VERTEX_SHADER_BIT | GL_TESS_EVALUATION_SHADER_BIT, with_vertex);
        use(GL_FRAGMENT_SHADER_BIT, fragment_[1]);
        draw_sizes(0, -1, 1);
    });
    expect_drawn();
    expect_no_compile(first, true);
}

TEST_F(PassedPatchTest, OneProgram) {
    constexpr int kMark = 4;
    const GLuint separate = separable_program({{GL_VERTEX_SHADER, vertex_text(1, kMark)},
                                               {GL_TESS_EVALUATION_SHADER, evaluation(kMark)},
                                               {GL_FRAGMENT_SHADER, fragment_text(0)}});
    const GLuint whole =
        link({{GL_VERTEX_SHADER, kCombinationHeader + vertex_text(0, kMark)},
              {GL_TESS_EVALUATION_SHADER, kCombinationHeader + evaluation(kMark, true)},
              {GL_GEOMETRY_SHADER, kCombinationHeader + geometry_text(1)},
              {GL_FRAGMENT_SHADER, kCombinationHeader + fragment_text(1)}});
    const Spent first = measure([&] {
        use(GL_ALL_SHADER_BITS, separate);
        draw_sizes(1, -1, 0);
        gl::UseProgram(whole);
        draw_sizes(0, 1, 1);
    });
    expect_drawn();
    if (first.at("fast-links") == 0) {
        GTEST_SKIP() << "the device has no pipeline libraries";
    }
    EXPECT_EQ(first.at("draw-compiles"), 0);
    EXPECT_EQ(first.at("late-shaders"), 0);
}

// What a vertex shader writes and the evaluation shader doesn't read, distances, levels.
TEST_F(PassedPatchTest, OtherInterfacesAndLevels) {
    const std::string distances = "vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[3];";
    const GLuint vertex =
        separable(GL_VERTEX_SHADER, "out gl_PerVertex { " + distances +
                                        " };\n"
                                        "layout(location = 0) out float red; layout(location = 1) "
                                        "flat out ivec2 number; layout(location = 2) out vec4 "
                                        "unread;\n"
                                        "void main() { gl_Position = vec4(1); gl_PointSize = 2.0; "
                                        "for (int i = 0; i < 3; ++i) gl_ClipDistance[i] = "
                                        "float(i + 1); red = 0.2; number = ivec2(-1, 51 << 23); "
                                        "unread = vec4(" +
                                        fresh_zero() + "); }");
    const GLuint evaluation =
        separable(GL_TESS_EVALUATION_SHADER,
                  "layout(quads, ccw) in;\n"
                  "in gl_PerVertex { " +
                      distances +
                      " } gl_in[];\n"
                      "out gl_PerVertex { vec4 gl_Position; };\n"
                      "layout(location = 0) in float red[]; layout(location = 1) flat in ivec2 "
                      "number[]; layout(location = 0) out vec2 colour;\n"
                      "void main() { bool good = number[1] == ivec2(-1, 51 << 23) && "
                      "gl_in[2].gl_ClipDistance[2] == 3.0 && gl_in[2].gl_ClipDistance[0] == 1.0 && "
                      "gl_in[0].gl_PointSize == 2.0; colour = vec2(red[2], good ? 0.4 : 0.0) + " +
                      fresh_zero() + "; gl_Position = vec4(gl_TessCoord.xy * 2.0 - 1.0, 0, 1); }");
    use(GL_VERTEX_SHADER_BIT, vertex);
    use(GL_TESS_EVALUATION_SHADER_BIT, evaluation);
    use(GL_FRAGMENT_SHADER_BIT, fragment_[0]);
    const Spent first = measure([&] {
        draw(GL_PATCHES, {51, 102, byte(0), 255});
        // A patch with an outer level of 0 is discarded (OpenGL 4.6, 11.2.2).
        const std::array<float, 4> none{};
        const std::array<float, 4> some{1, 2, 3, 4};
        gl::PatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, none.data());
        draw(GL_PATCHES, {0, 0, 0, 255});
        gl::PatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, some.data());
        draw(GL_PATCHES, {51, 102, byte(0), 255});
    });
    expect_drawn();
    expect_no_compile(first);
}

} // namespace
} // namespace kobalt::gltest
