// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Draws whose parameters come from buffers, and what the shader is told of each (OpenGL 4.6,
// 10.4, and 11.1.3.9: gl_BaseVertex, gl_BaseInstance, gl_DrawID), in every primitive that has to be
// converted, with every type of index, with and without restart.
#include <tuple>

#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr int kDraws = 3, kInstances = 2, kCell = 4;
constexpr GLuint kRestart = 77; // no type's greatest value: Vulkan has only those

/// A draw's square is its column, an instance's its row.
constexpr const char* kVertexShader = R"(#version 430 compatibility
#extension GL_ARB_shader_draw_parameters : require
flat out ivec4 told;
void main() {
    int corner = gl_VertexID & 3;
    vec2 at = vec2(corner == 1 || corner == 2 ? 1 : 0, corner >> 1);
    // From the middle of a cell's first pixel to that of its last, for lines.
    at = 0.125 + at * 0.75 + vec2(gl_DrawIDARB, gl_InstanceID);
    gl_Position = vec4(at / vec2(4, 2) * 2.0 - 1.0, 0, 1);
    gl_PointSize = 1.0;
    told = ivec4(gl_BaseVertexARB, gl_BaseInstanceARB, gl_DrawIDARB, gl_VertexID >> 2);
})";
constexpr const char* kFragmentShader = R"(#version 430 compatibility
flat in ivec4 told;
out ivec4 result;
void main() { result = told; })";

enum class From { calls, buffer, strided_buffer, counted_buffer, client_memory };

struct ArraysCommand {
    GLuint count, instances, first, base_instance;
};
struct ElementsCommand {
    GLuint count, instances, first, base_vertex, base_instance;
};

/// mode, bytes of an index (0: none), where the parameters come from, with primitive restart
using Case = std::tuple<GLenum, int, From, bool>;

class IndirectTest : public GlTest, public testing::WithParamInterface<Case> {
protected:
    ContextRequest request() const override { return {Profile::Compatibility, 3, 3, false}; }
    Missing missing() const override {
        return first_of({lacks(4, 3), lacks("GL_ARB_shader_draw_parameters"),
                         when(recording_mode(),
                              "what the CPU reads of the draws' arguments is never copied there"),
                         from() == From::counted_buffer ? lacks(4, 6, "GL_ARB_indirect_parameters")
                                                        : Missing()});
    }
    void prepare() override {
        make_target({4 * kCell, 2 * kCell, GL_RGBA32I});
        bind_new_vao();
        gl::UseProgram(
            link({{GL_VERTEX_SHADER, kVertexShader}, {GL_FRAGMENT_SHADER, kFragmentShader}}));
    }
    static GLenum mode() { return std::get<0>(GetParam()); }
    static int index_size() { return std::get<1>(GetParam()); }
    static From from() { return std::get<2>(GetParam()); }
    static bool restarts() { return std::get<3>(GetParam()); }
    static GLenum index_type() {
        return index_size() == 1   ? GL_UNSIGNED_BYTE
               : index_size() == 2 ? GL_UNSIGNED_SHORT
                                   : GL_UNSIGNED_INT;
    }
    static bool from_calls() { return from() == From::calls; }
    static int indices_a_draw() { return restarts() ? 5 : 4; }

    /// Four indices for each draw, behind a restart index where there is one.
    static void bind_indices() {
        std::vector<std::uint8_t> bytes;
        const auto add = [&](GLuint index) {
            for (int i = 0; i < index_size(); ++i) {
                bytes.push_back(static_cast<std::uint8_t>(index >> (8 * i)));
            }
        };
        for (GLuint draw = 0; draw < kDraws; ++draw) {
            if (restarts()) {
                add(kRestart);
            }
            for (GLuint corner = 0; corner < 4; ++corner) {
                add(4 * draw + corner);
            }
        }
        make_buffer(GL_ELEMENT_ARRAY_BUFFER, bytes);
    }
    static void draw_by_calls() {
        std::vector<GLint> firsts, base_vertices;
        std::vector<GLsizei> counts;
        std::vector<const void*> offsets;
        for (int draw = 0; draw < kDraws; ++draw) {
            firsts.push_back(4 * draw);
            base_vertices.push_back(8 * draw);
            counts.push_back(index_size() ? indices_a_draw() : 4);
            offsets.push_back(reinterpret_cast<const void*>(std::intptr_t{draw} * indices_a_draw() *
                                                            index_size()));
        }
        if (index_size()) {
            gl::MultiDrawElementsBaseVertex(mode(), counts.data(), index_type(), offsets.data(),
                                            kDraws, base_vertices.data());
        } else {
            gl::MultiDrawArrays(mode(), firsts.data(), counts.data(), kDraws);
        }
    }
    /// The commands, as far apart as the draw will be told. More of them than are drawn.
    static std::vector<GLuint> commands(GLuint words_apart) {
        std::vector<GLuint> words((kDraws + 2) * words_apart, 0xdeadu);
        for (GLuint draw = 0; draw < kDraws + 2; ++draw) {
            GLuint* at = &words[draw * words_apart];
            const auto indices = static_cast<GLuint>(indices_a_draw());
            if (index_size()) {
                const ElementsCommand command{indices, kInstances, indices * draw, 8 * draw,
                                              10 + draw};
                std::copy_n(&command.count, 5, at);
            } else {
                const ArraysCommand command{4, kInstances, 4 * draw, 10 + draw};
                std::copy_n(&command.count, 4, at);
            }
        }
        return words;
    }
    static void draw_indirectly() {
        const GLuint packed = index_size() ? 5 : 4;
        const GLuint apart = from() == From::strided_buffer ? packed + 3 : packed;
        const std::vector<GLuint> words = commands(apart);
        const GLsizei stride = apart == packed ? 0 : static_cast<GLsizei>(4 * apart);
        const void* at = words.data();
        if (from() != From::client_memory) {
            make_buffer(GL_DRAW_INDIRECT_BUFFER, words);
            at = nullptr;
        }
        if (from() == From::counted_buffer) {
            // The first count is more than may be drawn, the second less.
            make_buffer(GL_PARAMETER_BUFFER, std::vector<GLuint>{99, kDraws + 1, 1});
            if (index_size()) {
                gl::MultiDrawElementsIndirectCount(mode(), index_type(), at, 4, kDraws, stride);
            } else {
                gl::MultiDrawArraysIndirectCount(mode(), at, 4, kDraws, stride);
            }
        } else if (index_size()) {
            gl::MultiDrawElementsIndirect(mode(), index_type(), at, kDraws, stride);
        } else {
            gl::MultiDrawArraysIndirect(mode(), at, kDraws, stride);
        }
    }
    static Int4 seen(int draw, int instance) {
        const int x = draw * kCell + kCell / 2;
        const int y = instance * kCell + (mode() == GL_LINE_LOOP ? 0 : kCell / 2);
        return pixel_int(x, y);
    }
    static Int4 expected(int draw, int instance) {
        if (draw >= kDraws || (from_calls() && instance > 0)) {
            return {-1, -1, -1, -1};
        }
        const int id = from() == From::client_memory ? 0 : draw;
        return {index_size() ? 8 * draw : 0, from_calls() ? 0 : 10 + draw, id,
                index_size() ? 3 * draw : draw};
    }
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
    const auto [mode, size, from, restarts] = info.param;
    const char* const modes = mode == GL_QUADS       ? "Quads"
                              : mode == GL_POLYGON   ? "Polygon"
                              : mode == GL_LINE_LOOP ? "LineLoop"
                                                     : "Fan";
    const char* const sources[] = {"calls", "buffer", "strides", "counted", "memory"};
    return std::string(modes) + "_" + std::to_string(8 * size) + "_" +
           sources[static_cast<int>(from)] + (restarts ? "_restart" : "");
}

INSTANTIATE_TEST_SUITE_P(
    Draws, IndirectTest,
    testing::Combine(testing::Values(GL_TRIANGLE_FAN, GL_QUADS, GL_POLYGON, GL_LINE_LOOP),
                     testing::Values(0, 1, 2, 4),
                     testing::Values(From::calls, From::buffer, From::strided_buffer,
                                     From::counted_buffer),
                     testing::Bool()),
    name_of);

TEST_P(IndirectTest, TellsEachDrawItsParameters) {
    if (restarts() && !index_size()) {
        return; // without indices nothing restarts
    }
    gl::Viewport(0, 0, 4 * kCell, 2 * kCell);
    const GLint none[4] = {-1, -1, -1, -1};
    gl::ClearBufferiv(GL_COLOR, 0, none);
    if (index_size()) {
        bind_indices();
    }
    if (restarts()) {
        gl::Enable(GL_PRIMITIVE_RESTART);
        gl::PrimitiveRestartIndex(kRestart);
    }
    from_calls() ? draw_by_calls() : draw_indirectly();
    gl::Disable(GL_PRIMITIVE_RESTART);
    for (int draw = 0; draw < 4; ++draw) {
        for (int instance = 0; instance < kInstances; ++instance) {
            EXPECT_EQ(seen(draw, instance), expected(draw, instance)) << draw << ", " << instance;
        }
    }
}

/// Indices of a restart index that isn't Vulkan's.
class RestartIndexTest : public GlTest {
protected:
    void prepare() override {
        make_black_target({16, 16});
        bind_new_vao();
        gl::Enable(GL_PRIMITIVE_RESTART);
        gl::PrimitiveRestartIndex(kRestart);
    }
    /// Vertices 0, 1, 2 and 65535 are the corners of the target, `77` lies outside.
    static constexpr const char* kCorners =
        "void main() { int n = gl_VertexID == 65535 || gl_VertexID == 255 ? 3 : gl_VertexID; "
        "gl_Position = n < 4 ? vec4(vec2(n & 1, n >> 1) * 2.0 - 1.0, 0, 1) : vec4(3, -1, 0, 1); }";
    static constexpr const char* kGreenFs = "out vec4 c; void main() { c = vec4(0, 1, 0, 1); }";
};

// The greatest index of a type is a vertex like any other then.
TEST_F(RestartIndexTest, TheGreatestIndexIsOrdinary) {
    gl::UseProgram(vs_fs(kCorners, kGreenFs));
    make_buffer(GL_ELEMENT_ARRAY_BUFFER,
                std::vector<GLushort>{0, 1, kRestart, 0, 1, 2, 0xffff, kRestart, 2});
    gl::DrawElements(GL_TRIANGLE_STRIP, 9, GL_UNSIGNED_SHORT, nullptr);
    expect_area(0, 0, 16, 16, kGreen);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER,
                std::vector<GLubyte>{0, 1, kRestart, 0, 1, 2, 0xff, kRestart, 2});
    gl::DrawElements(GL_TRIANGLE_STRIP, 9, GL_UNSIGNED_BYTE, nullptr);
    expect_area(0, 0, 16, 16, kGreen);
}

// The draw before has indices of another size, and so another greatest index that restarts.
TEST_F(RestartIndexTest, CountedDrawsRestartAtTheirOwn) {
    if (const Missing missing = lacks(4, 6, "GL_ARB_indirect_parameters")) {
        GTEST_SKIP() << *missing;
    }
    gl::UseProgram(vs_fs(kCorners, kGreenFs));
    gl::PrimitiveRestartIndex(0xff);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<GLubyte>{0, 1, 0xff, 2});
    gl::DrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_BYTE, nullptr);
    gl::PrimitiveRestartIndex(0xffff);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<GLushort>{0, 1, 0xffff, 2, 0xffff, 1, 2, 3});
    make_buffer(GL_DRAW_INDIRECT_BUFFER, std::vector<GLuint>{4, 1, 0, 0, 0, 4, 1, 4, 0, 0});
    make_buffer(GL_PARAMETER_BUFFER, std::vector<GLuint>{2});
    gl::MultiDrawElementsIndirectCount(GL_TRIANGLE_STRIP, GL_UNSIGNED_SHORT, nullptr, 0, 2, 0);
    expect_pixel(2, 2, kBlack);
    expect_pixel(13, 13, kGreen); // of the second draw's only triangle
}

// OpenGL 4.6, 10.3.6: without GL_PRIMITIVE_RESTART_FOR_PATCHES_SUPPORTED patches don't restart.
TEST_F(RestartIndexTest, PatchesDoNotRestart) {
    if (!has_extension("GL_ARB_tessellation_shader")) {
        GTEST_SKIP() << "GL_ARB_tessellation_shader is not offered";
    }
    GLint restarts = 0;
    gl::GetIntegerv(GL_PRIMITIVE_RESTART_FOR_PATCHES_SUPPORTED, &restarts);
    if (restarts) {
        GTEST_SKIP() << "patches restart here";
    }
    const std::string header = "#version 400 core\n";
    gl::UseProgram(link(
        {{GL_VERTEX_SHADER, header + kCorners},
         {GL_TESS_EVALUATION_SHADER,
          header + "layout(triangles) in; void main() { vec3 t = gl_TessCoord; gl_Position = t.x * "
                   "gl_in[0].gl_Position + t.y * gl_in[1].gl_Position + t.z * "
                   "gl_in[2].gl_Position; }"},
         {GL_FRAGMENT_SHADER, header + kGreenFs}}));
    gl::PatchParameteri(GL_PATCH_VERTICES, 3);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<GLushort>{0, kRestart, 2});
    gl::DrawElements(GL_PATCHES, 3, GL_UNSIGNED_SHORT, nullptr);
    expect_pixel(1, 1, kGreen); // beside the left edge
    expect_pixel(8, 2, kGreen);
}

} // namespace
} // namespace kobalt::gltest
