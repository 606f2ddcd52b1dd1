// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// ARB_cull_distance: a primitive whose vertices all have a negative distance of one number is gone
// (OpenGL 4.6, 13.7), and later stages read the distances of earlier ones beside clip distances.
#include "separable.h"

namespace kobalt::gltest {
namespace {

constexpr const char* kHeader = "#version 430 core\n#extension GL_ARB_cull_distance : require\n";
constexpr const char* kCorner = "vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;"
                                " gl_Position = vec4(corner, 0, 1); ";

class CullDistanceTest : public GlTest {
protected:
    static constexpr int kSize = 16;
    Missing missing() const override {
        return first_of({lacks(4, 3), lacks(4, 5, "GL_ARB_cull_distance")});
    }
    void prepare() override {
        make_target({kSize, kSize});
        bind_new_vao();
        gl::Enable(GL_CLIP_DISTANCE0);
        gl::Enable(GL_CLIP_DISTANCE1);
    }
    /// The vertex shader's distances: two that clip (x < 0 goes), then two that cull.
    static std::string vertex_shader() {
        return std::string(kHeader) +
               "uniform vec4 cull; out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; "
               "float gl_CullDistance[2]; };\n"
               "void main() { " +
               kCorner +
               "gl_ClipDistance[0] = corner.x; gl_ClipDistance[1] = cull.w; "
               "gl_CullDistance[0] = gl_VertexID == 0 ? cull.x : cull.y; gl_CullDistance[1] = "
               "cull.z; }";
    }
    static std::string fragment_shader() {
        return std::string(kHeader) +
               "in float gl_ClipDistance[2]; in float gl_CullDistance[2]; out vec4 result; void "
               "main() { result = vec4(0, gl_CullDistance[1] == 0.5 && gl_ClipDistance[1] == 1.0 "
               "&& "
               "gl_ClipDistance[0] > 0.0 ? 1.0 : 0.25, 0, 1); }";
    }
    static void expect_drawn(GLuint program, GLenum mode, const Float4& cull, bool drawn) {
        gl::UseProgram(program);
        gl::ClearColor(0, 0, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        set_uniform(program, "cull", cull);
        gl::DrawArrays(mode, 0, 3);
        expect_area(0, 0, kSize / 2, kSize, kBlack);
        expect_area(kSize / 2, 0, kSize / 2, kSize, drawn ? kGreen : kBlack);
    }
    static void expect_culling(GLuint program, GLenum mode) {
        expect_drawn(program, mode, {1, 1, 0.5F, 1}, true);
        expect_drawn(program, mode, {1, -1, 0.5F, 1}, true); // one vertex is inside
        expect_drawn(program, mode, {-1, -1, 0.5F, 1}, false);
        expect_drawn(program, mode, {1, 1, -1, 1}, false);
    }
};

TEST_F(CullDistanceTest, OfVertices) {
    expect_culling(
        link({{GL_VERTEX_SHADER, vertex_shader()}, {GL_FRAGMENT_SHADER, fragment_shader()}}),
        GL_TRIANGLES);
}

TEST_F(CullDistanceTest, ThroughAGeometryShader) {
    const std::string geometry =
        std::string(kHeader) +
        "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
        "in gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; float gl_CullDistance[2]; } "
        "gl_in[];\n"
        "out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; float gl_CullDistance[2]; "
        "};\n"
        "void main() { for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; for (int "
        "k = 0; k < 2; ++k) { gl_ClipDistance[k] = gl_in[i].gl_ClipDistance[k]; "
        "gl_CullDistance[k] = gl_in[i].gl_CullDistance[k]; } EmitVertex(); } }";
    expect_culling(link({{GL_VERTEX_SHADER, vertex_shader()},
                         {GL_GEOMETRY_SHADER, geometry},
                         {GL_FRAGMENT_SHADER, fragment_shader()}}),
                   GL_TRIANGLES);
}

std::string evaluation_shader() {
    return std::string(kHeader) +
           "layout(triangles) in;\n"
           "in gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; float "
           "gl_CullDistance[2]; } gl_in[];\n"
           "out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; float "
           "gl_CullDistance[2]; };\n"
           "void main() { vec3 t = gl_TessCoord; gl_Position = t.x * gl_in[0].gl_Position + t.y * "
           "gl_in[1].gl_Position + t.z * gl_in[2].gl_Position; for (int k = 0; k < 2; ++k) { "
           "gl_ClipDistance[k] = t.x * gl_in[0].gl_ClipDistance[k] + t.y * "
           "gl_in[1].gl_ClipDistance[k] + t.z * gl_in[2].gl_ClipDistance[k]; gl_CullDistance[k] = "
           "t.x * gl_in[0].gl_CullDistance[k] + t.y * gl_in[1].gl_CullDistance[k] + t.z * "
           "gl_in[2].gl_CullDistance[k]; } }";
}

// Vulkan has both tessellation stages or none: what stands in passes the distances on.
TEST_F(CullDistanceTest, ThroughAnEvaluationShaderAlone) {
    gl::PatchParameteri(GL_PATCH_VERTICES, 3);
    expect_culling(link({{GL_VERTEX_SHADER, vertex_shader()},
                         {GL_TESS_EVALUATION_SHADER, evaluation_shader()},
                         {GL_FRAGMENT_SHADER, fragment_shader()}}),
                   GL_PATCHES);
}

TEST_F(CullDistanceTest, ThroughBothTessellationStages) {
    const std::string control =
        std::string(kHeader) +
        "layout(vertices = 3) out;\n"
        "in gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; float gl_CullDistance[2]; } "
        "gl_in[];\n"
        "out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; float gl_CullDistance[2]; "
        "} gl_out[];\n"
        "#define ME gl_InvocationID\n"
        "void main() { gl_out[ME].gl_Position = gl_in[ME].gl_Position; for (int k = 0; k < 2; ++k) "
        "{ gl_out[ME].gl_ClipDistance[k] = gl_in[ME].gl_ClipDistance[k]; "
        "gl_out[ME].gl_CullDistance[k] = gl_in[ME].gl_CullDistance[k]; } gl_TessLevelOuter[0] = "
        "gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 1.0; }";
    gl::PatchParameteri(GL_PATCH_VERTICES, 3);
    expect_culling(link({{GL_VERTEX_SHADER, vertex_shader()},
                         {GL_TESS_CONTROL_SHADER, control},
                         {GL_TESS_EVALUATION_SHADER, evaluation_shader()},
                         {GL_FRAGMENT_SHADER, fragment_shader()}}),
                   GL_PATCHES);
}

// Both kinds, elements of them and either order: (clip distances, cull distances, what is
// captured).
TEST_F(CullDistanceTest, IsCaptured) {
    struct Case {
        int clip, cull;
        std::vector<const char*> names;
        std::vector<float> expected;
    };
    for (const Case& one :
         {Case{3, 1, {"gl_CullDistance"}, {20}},
          Case{3, 1, {"gl_ClipDistance", "gl_CullDistance"}, {10, 11, 12, 20}},
          Case{5, 2, {"gl_ClipDistance", "gl_CullDistance"}, {10, 11, 12, 13, 14, 20, 21}},
          Case{4, 4, {"gl_CullDistance", "gl_ClipDistance"}, {20, 21, 22, 23, 10, 11, 12, 13}},
          Case{2, 2, {"gl_ClipDistance[1]", "gl_CullDistance[1]"}, {11, 21}}}) {
        const GLuint program = link(
            {{GL_VERTEX_SHADER,
              std::string(kHeader) + "out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[" +
                  std::to_string(one.clip) + "]; float gl_CullDistance[" +
                  std::to_string(one.cull) +
                  "]; };\nvoid main() { gl_Position = vec4(0, 0, 0, 1); "
                  "for (int i = 0; i < " +
                  std::to_string(one.clip) +
                  "; ++i) gl_ClipDistance[i] = 10.0 + i; for (int i = 0; i < " +
                  std::to_string(one.cull) + "; ++i) gl_CullDistance[i] = 20.0 + i; }"},
             {GL_FRAGMENT_SHADER, std::string(kHeader) + "void main() {}"}},
            [&](GLuint name) {
                gl::TransformFeedbackVaryings(name, static_cast<GLsizei>(one.names.size()),
                                              one.names.data(), GL_INTERLEAVED_ATTRIBS);
            });
        gl::UseProgram(program);
        std::vector<float> captured(one.expected.size());
        gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                           make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, captured));
        gl::BeginTransformFeedback(GL_POINTS);
        gl::DrawArrays(GL_POINTS, 0, 1);
        gl::EndTransformFeedback();
        gl::GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                             static_cast<GLsizeiptr>(4 * captured.size()), captured.data());
        EXPECT_EQ(captured, one.expected) << one.clip << " + " << one.cull;
    }
}

// GLSL 4.60, 7.1: both are arrays of their own, also for a shader that reads one of them alone.
TEST_F(CullDistanceTest, ReadAlone) {
    const std::string fragment =
        std::string(kHeader) +
        "in float gl_CullDistance[2]; out vec4 result; void main() { result = vec4(0, "
        "gl_CullDistance[1] == 0.5 ? 1.0 : 0.25, 0, 1); }";
    expect_culling(link({{GL_VERTEX_SHADER, vertex_shader()}, {GL_FRAGMENT_SHADER, fragment}}),
                   GL_TRIANGLES);
    const GLuint first = separable_of(GL_VERTEX_SHADER, vertex_shader());
    gl::UseProgram(0);
    bind_pipeline({{GL_VERTEX_SHADER_BIT, first},
                   {GL_FRAGMENT_SHADER_BIT, separable_of(GL_FRAGMENT_SHADER, fragment)}});
    gl_function<PFNGLPROGRAMUNIFORM4FPROC>("glProgramUniform4f")(
        first, gl::GetUniformLocation(first, "cull"), 1, 1, 0.5F, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(kSize / 2, 0, kSize / 2, kSize, kGreen);
}

// Elements whose number only the running shader knows.
TEST_F(CullDistanceTest, IndexedBehindTheVertexShader) {
    for (const auto& [clip, cull] : {std::pair{8, 0}, {5, 3}, {1, 7}}) {
        const std::string block =
            " gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[" + std::to_string(clip) +
            "]; " +
            (cull ? "float gl_CullDistance[" + std::to_string(cull) + "]; " : std::string()) + "}";
        const std::string culls =
            cull ? "for (int i = 0; i < " + std::to_string(cull) + "; ++i) " : "if (false) ";
        const std::string cull_name = cull ? "gl_CullDistance" : "gl_ClipDistance";
        const GLuint program = link(
            {{GL_VERTEX_SHADER, std::string(kHeader) + "out" + block +
                                    ";\nvoid main() { gl_Position = vec4(0, 0, 0, 1); for (int i = "
                                    "0; i < " +
                                    std::to_string(clip) + "; ++i) gl_ClipDistance[i] = 1.0 + i; " +
                                    culls + cull_name + "[i" + (cull ? "" : "nt(0)") + "] = 101.0" +
                                    (cull ? " + i" : "") + "; }"},
             {GL_TESS_EVALUATION_SHADER,
              std::string(kHeader) + "layout(isolines, point_mode) in; uniform int zero; in" +
                  block +
                  " gl_in[];\nlayout(std430, binding = 0) buffer Out { float seen[]; };\n"
                  "void main() { gl_Position = gl_in[0].gl_Position; for (int i = 0; i < " +
                  std::to_string(clip) + "; ++i) seen[i] = gl_in[0].gl_ClipDistance[i + zero]; " +
                  culls + "seen[" + std::to_string(clip) + " + i" + (cull ? "" : "nt(0)") +
                  "] = gl_in[0]." + cull_name + "[zero" + (cull ? " + i" : "") + "]; }"},
             {GL_FRAGMENT_SHADER, std::string(kHeader) + "void main() {}"}});
        gl::UseProgram(program);
        gl::PatchParameteri(GL_PATCH_VERTICES, 1);
        std::vector<float> seen(8);
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0,
                           make_buffer(GL_SHADER_STORAGE_BUFFER, seen));
        gl::DrawArrays(GL_PATCHES, 0, 1);
        gl::MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        gl::GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, 32, seen.data());
        for (int i = 0; i < clip + cull; ++i) {
            EXPECT_EQ(seen[static_cast<size_t>(i)],
                      static_cast<float>(i < clip ? 1 + i : 101 + i - clip))
                << clip << " + " << cull << ", element " << i;
        }
    }
}

// Enables are of clip distances alone: those that are off leave the others and the culling as it
// is.
class CompatCullDistanceTest : public CullDistanceTest {
protected:
    ContextRequest request() const override { return {Profile::Compatibility, 3, 3, false}; }
};

TEST_F(CompatCullDistanceTest, EnablesAreOfClipDistances) {
    const std::string fragment =
        std::string(kHeader) +
        "in float gl_ClipDistance[2]; in float gl_CullDistance[2]; out vec4 "
        "result; void main() { result = vec4(0, gl_CullDistance[1] == 0.5 && "
        "gl_ClipDistance[0] > 0.0 ? 1.0 : 0.25, 0, 1); }";
    const GLuint program =
        link({{GL_VERTEX_SHADER, vertex_shader()}, {GL_FRAGMENT_SHADER, fragment}});
    gl::Disable(GL_CLIP_DISTANCE1);
    expect_drawn(program, GL_TRIANGLES, {1, 1, 0.5F, 1}, true);
    expect_drawn(program, GL_TRIANGLES, {-1, -1, 0.5F, 1}, false);
    expect_drawn(program, GL_TRIANGLES, {1, 1, -1, 1}, false);
}

} // namespace
} // namespace kobalt::gltest
