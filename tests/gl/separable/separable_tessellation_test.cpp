// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Tessellation (ARB_tessellation_shader) with stages in programs of their own.
#include "separable.h"
#include "tessellation_interface.h"

namespace kobalt::gltest {
namespace {

class SeparableTessellationTest : public PipelineTestOf<TessellationInterfaceTest> {
protected:
    void prepare() override {
        PipelineTestOf<TessellationInterfaceTest>::prepare();
        gl::PatchParameteri(GL_PATCH_VERTICES, 1);
    }
    static std::string text(const std::string& body) {
        return kTessellationHeader + "#extension GL_ARB_separate_shader_objects : require\n" + body;
    }
    static GLuint separable(GLenum type, const std::string& body) {
        return separable_of(type, text(body));
    }
    /// One separable program of several stages.
    static GLuint together(const std::vector<Stage>& stages) {
        std::vector<Stage> complete;
        for (const Stage& stage : stages) {
            complete.push_back({stage.type, text(stage.source)});
        }
        return separable_of(complete);
    }
    /// All stages anew, and the picture that they draw.
    void expect_drawn(const Byte4& colour) {
        clear_to_black();
        gl::DrawArrays(GL_PATCHES, 0, 1);
        expect_all(colour);
    }

    static constexpr const char* kPerVertexOut = "out gl_PerVertex { vec4 gl_Position; };\n";
    static constexpr const char* kPerVertexIn = "in gl_PerVertex { vec4 gl_Position; } gl_in[];\n";
    static inline const std::string kVs =
        std::string(kPerVertexOut) +
        "layout(location = 3) out vec2 pair; layout(location = 1) flat out int number; void main() "
        "{ pair = vec2(0.2, 0.4); number = 51; gl_Position = vec4(0, 0, 0, 1); }";
    static inline const std::string kTcs =
        std::string(kPerVertexIn) +
        "layout(vertices = 1) out; out gl_PerVertex { vec4 gl_Position; } gl_out[];\n"
        "layout(location = 3) in vec2 pair[]; layout(location = 1) flat in int number[]; "
        "layout(location = 3) out vec2 pairs[]; layout(location = 0) flat out int numbers[]; "
        "layout(location = 5) patch out vec4 whole; layout(location = 6) patch out int few[2]; "
        "void main() { pairs[gl_InvocationID] = pair[gl_InvocationID]; numbers[gl_InvocationID] = "
        "number[gl_InvocationID]; gl_out[gl_InvocationID].gl_Position = gl_in[0].gl_Position; "
        "whole = vec4(0, 0, 0, 0.5); few[0] = 20; few[1] = 31; " +
        kOnes + "}";
    static inline const std::string kTes =
        std::string("layout(quads) in;\n") + kPerVertexIn + kPerVertexOut +
        "layout(location = 3) in vec2 pairs[]; layout(location = 0) flat in int numbers[]; "
        "layout(location = 5) patch in vec4 whole; layout(location = 6) patch in int few[2]; "
        "layout(location = 2) out vec4 colour; void main() { colour = vec4(pairs[0], "
        "float(numbers[0] + few[0] + few[1]) / 255.0, whole.w * 2.0 * gl_in[0].gl_Position.w); " +
        kSquareOfEvaluation + "}";
    static inline const std::string kGs =
        std::string("layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n") +
        kPerVertexIn + kPerVertexOut +
        "layout(location = 2) in vec4 colour[]; layout(location = 2) out vec4 swapped; void main() "
        "{ for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; swapped = "
        "colour[i].yxzw; EmitVertex(); } }";
    static inline const std::string kFs =
        "layout(location = 2) in vec4 colour; out vec4 result; void main() { result = colour; }";
    static constexpr Byte4 kDrawn{51, 102, 102, 255};
    static constexpr Byte4 kSwapped{102, 51, 102, 255};
};

TEST_F(SeparableTessellationTest, EachStageAProgram) {
    use(GL_VERTEX_SHADER_BIT, separable(GL_VERTEX_SHADER, kVs));
    use(GL_TESS_CONTROL_SHADER_BIT, separable(GL_TESS_CONTROL_SHADER, kTcs));
    use(GL_TESS_EVALUATION_SHADER_BIT, separable(GL_TESS_EVALUATION_SHADER, kTes));
    use(GL_FRAGMENT_SHADER_BIT, separable(GL_FRAGMENT_SHADER, kFs));
    expect_drawn(kDrawn);
    use(GL_GEOMETRY_SHADER_BIT, separable(GL_GEOMETRY_SHADER, kGs));
    expect_drawn(kSwapped);
    use(GL_GEOMETRY_SHADER_BIT, 0);
    expect_drawn(kDrawn);
}

TEST_F(SeparableTessellationTest, StagesTogetherAndApart) {
    const GLuint vertex = separable(GL_VERTEX_SHADER, kVs);
    const GLuint front = together({{GL_VERTEX_SHADER, kVs}, {GL_TESS_CONTROL_SHADER, kTcs}});
    const GLuint middle =
        together({{GL_TESS_CONTROL_SHADER, kTcs}, {GL_TESS_EVALUATION_SHADER, kTes}});
    const GLuint evaluation = separable(GL_TESS_EVALUATION_SHADER, kTes);
    const GLuint back = together({{GL_GEOMETRY_SHADER, kGs}, {GL_FRAGMENT_SHADER, kFs}});
    const GLuint fragment = separable(GL_FRAGMENT_SHADER, kFs);

    use(GL_VERTEX_SHADER_BIT, vertex);
    use(GL_TESS_CONTROL_SHADER_BIT | GL_TESS_EVALUATION_SHADER_BIT, middle);
    use(GL_FRAGMENT_SHADER_BIT, fragment);
    expect_drawn(kDrawn);

    use(GL_VERTEX_SHADER_BIT | GL_TESS_CONTROL_SHADER_BIT, front);
    use(GL_TESS_EVALUATION_SHADER_BIT, evaluation);
    expect_drawn(kDrawn);

    use(GL_GEOMETRY_SHADER_BIT | GL_FRAGMENT_SHADER_BIT, back);
    expect_drawn(kSwapped);

    use(GL_VERTEX_SHADER_BIT, vertex);
    use(GL_TESS_CONTROL_SHADER_BIT | GL_TESS_EVALUATION_SHADER_BIT, middle);
    expect_drawn(kSwapped);
}

TEST_F(SeparableTessellationTest, PassedThrough) {
    use(GL_VERTEX_SHADER_BIT, separable(GL_VERTEX_SHADER, kVs));
    // Nobody writes `other`.
    use(GL_TESS_EVALUATION_SHADER_BIT,
        separable(GL_TESS_EVALUATION_SHADER,
                  std::string("layout(quads) in;\n") + kPerVertexIn + kPerVertexOut +
                      "layout(location = 3) in vec2 pair[]; layout(location = 1) flat in int "
                      "number[]; layout(location = 4) in vec4 other[]; layout(location = 2) out "
                      "vec4 colour; void main() { colour = vec4(pair[0], float(number[0] + "
                      "number[gl_PatchVerticesIn - 1]) / 255.0, other[0].x < 1e30 ? 1.0 : 2.0); " +
                      kSquareOfEvaluation + "}"));
    use(GL_FRAGMENT_SHADER_BIT, separable(GL_FRAGMENT_SHADER, kFs));
    for (const int size : {1, 3, 32, 4, 1}) {
        gl::PatchParameteri(GL_PATCH_VERTICES, size);
        clear_to_black();
        gl::DrawArrays(GL_PATCHES, 0, size);
        expect_all(kDrawn);
    }
}

// OpenGL 4.6, 7.4.1: an input that no output matches has an undefined value; all else is as ever.
TEST_F(SeparableTessellationTest, InputsThatNobodyWrites) {
    use(GL_VERTEX_SHADER_BIT,
        separable(GL_VERTEX_SHADER, std::string(kPerVertexOut) +
                                        "layout(location = 0) out float red; void main() { red = "
                                        "0.2; gl_Position = vec4(0); }"));
    use(GL_TESS_CONTROL_SHADER_BIT,
        separable(GL_TESS_CONTROL_SHADER,
                  std::string(kPerVertexIn) +
                      "layout(vertices = 2) out; layout(location = 0) in float red[]; "
                      "layout(location = 1) in vec4 none[]; layout(location = 2) flat in ivec2 "
                      "nil[]; layout(location = 0) out float reds[]; layout(location = 1) out vec4 "
                      "unknown[]; void main() { reds[gl_InvocationID] = red[0]; "
                      "unknown[gl_InvocationID] = none[0] + vec4(nil[0], 0, 0); " +
                      kOnes + "}"));
    use(GL_TESS_EVALUATION_SHADER_BIT,
        separable(GL_TESS_EVALUATION_SHADER,
                  std::string("layout(quads) in;\n") + kPerVertexIn + kPerVertexOut +
                      "layout(location = 0) in float reds[]; layout(location = 5) in vec4 none[]; "
                      "layout(location = 6) flat in int nil[]; layout(location = 2) patch in vec4 "
                      "nothing; layout(location = 7) patch in ivec3 naught; layout(location = 2) "
                      "out vec4 colour; layout(location = 1) out vec4 unknown; void main() { "
                      "colour = vec4(reds[1], 1, 0, 1); unknown = none[0] + nothing + vec4(naught, "
                      "nil[1]); " +
                      kSquareOfEvaluation + "}"));
    use(GL_FRAGMENT_SHADER_BIT, separable(GL_FRAGMENT_SHADER, kFs));
    expect_drawn({51, 255, 0, 255});
}

TEST_F(SeparableTessellationTest, PatchVerticesOfAControlShaderElsewhere) {
    use(GL_VERTEX_SHADER_BIT, separable(GL_VERTEX_SHADER, kVs));
    use(GL_TESS_EVALUATION_SHADER_BIT,
        separable(GL_TESS_EVALUATION_SHADER,
                  std::string("layout(quads) in;\n") + kPerVertexIn + kPerVertexOut +
                      "layout(location = 2) out vec4 colour; void main() { colour = "
                      "vec4(float(gl_PatchVerticesIn) / 255.0, 1, 0, 1); " +
                      kSquareOfEvaluation + "}"));
    use(GL_FRAGMENT_SHADER_BIT, separable(GL_FRAGMENT_SHADER, kFs));
    for (const int vertices : {5, 2, 0, 7}) {
        use(GL_TESS_CONTROL_SHADER_BIT,
            vertices ? separable(GL_TESS_CONTROL_SHADER,
                                 "layout(vertices = " + std::to_string(vertices) +
                                     ") out; void main() { " + kOnes + "}")
                     : 0);
        expect_drawn({static_cast<std::uint8_t>(vertices ? vertices : 1), 255, 0, 255});
    }
}

// What the driver tells shaders of the state goes along, whatever stages were there when it was
// told.
TEST_F(SeparableTessellationTest, StateBehindAPipelineWithOtherStages) {
    const std::string block = "gl_PerVertex { vec4 gl_Position; }";
    const std::string corner = "out " + block +
                               ";\nvoid main() { gl_Position = vec4(vec2(gl_VertexID & 1, "
                               "gl_VertexID >> 1) * 4.0 - 1.0, 0, 1); }";
    const GLuint vertex = separable_of(GL_VERTEX_SHADER, kSeparableHeader + corner);
    const GLuint geometry = separable_of(
        GL_GEOMETRY_SHADER,
        kSeparableHeader +
            "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; in " + block +
            " gl_in[]; out " + block +
            ";\nvoid main() { for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; "
            "EmitVertex(); } }");
    const GLuint red = separable_of(
        GL_FRAGMENT_SHADER,
        kSeparableHeader + "out vec4 result; void main() { result = vec4(1, 0, 0, 1); }");
    const GLuint whole =
        TessellatedProgram{
            .control = {},
            .evaluation = "layout(triangles) in; flat out int vertices; void main() { vec3 t = "
                          "gl_TessCoord; gl_Position = gl_in[0].gl_Position * t.x + "
                          "gl_in[1].gl_Position * t.y + gl_in[2].gl_Position * t.z; vertices = "
                          "gl_PatchVerticesIn; }",
            .vertex = "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * "
                      "4.0 - 1.0, 0, 1); }",
            .fragment =
                "flat in int vertices; out vec4 result; void main() { result = vertices == 3 "
                "? vec4(0, 1, 0, 1) : vec4(0, 0, 1, 1); }"}
            .link();
    gl::PatchParameteri(GL_PATCH_VERTICES, 3);
    const std::array<GLfloat, 4> levels{2, 2, 2, 2};
    gl::PatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, levels.data());
    gl::UseProgram(0);
    bind_pipeline({{GL_VERTEX_SHADER_BIT, vertex},
                   {GL_GEOMETRY_SHADER_BIT, geometry},
                   {GL_FRAGMENT_SHADER_BIT, red}});
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    gl::UseProgram(whole);
    gl::DrawArrays(GL_PATCHES, 0, 3);
    EXPECT_EQ(count(kGreen), kSize * kSize);
}

} // namespace
} // namespace kobalt::gltest
