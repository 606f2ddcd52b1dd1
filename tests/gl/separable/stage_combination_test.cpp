// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Program pipelines whose stages come from several programs (OpenGL 4.6, 7.4): the first draw of a
// combination compiles nothing, whichever stages it has, and draws what it should.
#include "stage_combination.h"

namespace kobalt::gltest {
namespace {

TEST_F(StageCombinationTest, GeometryShaders) {
    const auto all = [&] {
        for (int v = 0; v < kStageKinds; ++v) {
            for (int g = 0; g < kStageKinds; ++g) {
                for (int f = 0; f < kStageKinds; ++f) {
                    use(GL_VERTEX_SHADER_BIT, vertex_.at(v));
                    use(GL_GEOMETRY_SHADER_BIT, geometry_.at(g));
                    use(GL_FRAGMENT_SHADER_BIT, fragment_.at(f));
                    draw(GL_TRIANGLES, {byte(v), byte(g), byte(f), 255});
                }
            }
        }
    };
    const Spent first = measure(all);
    const Spent again = measure(all);
    expect_drawn();
    EXPECT_EQ(again.at("draw-compiles"), 0);
    expect_no_compile(first);
}

TEST_F(StageCombinationTest, FiveStages) {
    if (!has_version(4, 0) && !has_extension("GL_ARB_tessellation_shader")) {
        GTEST_SKIP() << "GL_ARB_tessellation_shader is not offered";
    }
    std::array<GLuint, kStageKinds> control{}, evaluation{};
    for (int i = 0; i < kStageKinds; ++i) {
        control.at(i) =
            separable(GL_TESS_CONTROL_SHADER,
                      "layout(vertices = 3) out;\n"
                      "in gl_PerVertex { vec4 gl_Position; } gl_in[];\n"
                      "out gl_PerVertex { vec4 gl_Position; } gl_out[];\n"
                      "layout(location = 0) in float red[]; layout(location = 0) out float "
                      "passed[];\n"
                      "void main() { gl_out[gl_InvocationID].gl_Position = "
                      "gl_in[gl_InvocationID].gl_Position; passed[gl_InvocationID] = "
                      "red[gl_InvocationID] + " +
                          fresh_zero() +
                          "; gl_TessLevelInner[0] = 1.0; gl_TessLevelOuter[0] = "
                          "gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = " +
                          std::to_string(i + 1) + ".0; }");
        evaluation.at(i) =
            separable(GL_TESS_EVALUATION_SHADER,
                      "layout(triangles, ccw) in;\n"
                      "in gl_PerVertex { vec4 gl_Position; } gl_in[];\n"
                      "out gl_PerVertex { vec4 gl_Position; };\n"
                      "layout(location = 0) in float passed[]; layout(location = 0) out float "
                      "red;\n"
                      "void main() { gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + "
                      "gl_TessCoord.y * gl_in[1].gl_Position + gl_TessCoord.z * "
                      "gl_in[2].gl_Position; red = passed[0] * " +
                          std::to_string(i + 1) + ".0 + " + fresh_zero() + "; }");
    }
    gl::PatchParameteri(GL_PATCH_VERTICES, 3);
    const auto all = [&] {
        for (int i = 0; i < 1 << 5; ++i) {
            const auto one = [i](int stage) { return i >> stage & 1; };
            use(GL_VERTEX_SHADER_BIT, vertex_.at(one(0)));
            use(GL_TESS_CONTROL_SHADER_BIT, control.at(one(1)));
            use(GL_TESS_EVALUATION_SHADER_BIT, evaluation.at(one(2)));
            use(GL_GEOMETRY_SHADER_BIT, geometry_.at(one(3)));
            use(GL_FRAGMENT_SHADER_BIT, fragment_.at(one(4)));
            const int red = byte(one(0)) * (one(2) + 1);
            draw(GL_PATCHES, {static_cast<std::uint8_t>(red), byte(one(3)), byte(one(4)), 255});
        }
    };
    const Spent first = measure(all);
    expect_drawn();
    expect_no_compile(first);
}

// What is compiled of a vertex shader alone depends on whether its position is the last.
TEST_F(StageCombinationTest, PointSizesAndClipDistances) {
    const GLuint sized = separable(GL_VERTEX_SHADER,
                                   "out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float "
                                   "gl_ClipDistance[1]; };\n"
                                   "layout(location = 0) out float red;\n"
                                   "void main() { gl_Position = vec4(vec2((gl_VertexID << 1) & 2, "
                                   "gl_VertexID & 2) * 2.0 - 1.0, 0, 1); gl_PointSize = 1.0; "
                                   "gl_ClipDistance[0] = 1.0; red = 1.0 + " +
                                       fresh_zero() + "; }");
    const GLuint geometry = separable(
        GL_GEOMETRY_SHADER,
        "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
        "in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[1]; } "
        "gl_in[];\n"
        "out gl_PerVertex { vec4 gl_Position; };\n"
        "layout(location = 0) in float red[]; layout(location = 0) out vec2 colour;\n"
        "void main() { for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; "
        "colour = vec2(red[i], gl_in[i].gl_ClipDistance[0] + " +
            fresh_zero() + "); EmitVertex(); } }");
    use(GL_VERTEX_SHADER_BIT, sized);
    use(GL_GEOMETRY_SHADER_BIT, geometry);
    use(GL_FRAGMENT_SHADER_BIT, fragment_.at(0));
    const Spent first = measure([&] { draw(GL_TRIANGLES, {255, 255, byte(0), 255}); });
    expect_drawn();
    expect_no_compile(first);
}

// Ordinary programs between combinations, with other state: neither disturbs the other.
TEST_F(StageCombinationTest, TakeTurnsWithPrograms) {
    const GLuint program =
        vs_fs(kFullscreenVs, "out vec4 result; void main() { result = vec4(0.2, 0.4, 0.6, 1); }");
    for (int i = 0; i < 6; ++i) {
        gl::UseProgram(0);
        use(GL_VERTEX_SHADER_BIT, vertex_.at(i % 2));
        use(GL_GEOMETRY_SHADER_BIT, geometry_.at(0));
        use(GL_FRAGMENT_SHADER_BIT, fragment_.at(1));
        if (i == 3) {
            gl::Enable(GL_BLEND); // adds to black
            gl::BlendFunc(GL_ONE, GL_ONE);
        }
        draw(GL_TRIANGLES, {byte(i % 2), byte(0), byte(1), 255});
        gl::UseProgram(program);
        if (i == 4) {
            gl::Disable(GL_BLEND);
        }
        draw(GL_TRIANGLES, {51, 102, 153, 255});
    }
    expect_drawn();
}

} // namespace
} // namespace kobalt::gltest
