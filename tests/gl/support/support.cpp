// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "demo/offscreen/expected_renderer.h"

namespace kobalt::gltest {

const char* const kFullscreenVs = R"(
out vec2 uv;
void main() {
    vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    uv = corner;
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
})";

void GlTest::SetUp() {
    auto context = offscreen::Context::create(request());
    if (!context) {
        // A device below GL 3.3 is honest about it; only who knows that may allow it.
        if (std::getenv("KOBALT_ALLOW_LOW_GL") != nullptr) {
            GTEST_SKIP() << "no such context here: " << context.error();
        }
        FAIL() << context.error();
    }
    context_ = std::make_unique<offscreen::Context>(std::move(*context));
    const auto* renderer = reinterpret_cast<const char*>(gl::GetString(GL_RENDERER));
    ASSERT_NE(renderer, nullptr);
    const std::string wanted = offscreen::expected_renderer();
    ASSERT_TRUE(offscreen::is_drawn_by(wanted, renderer))
        << "the renderer is '" << renderer << "', which is not '" << wanted << "'";
    // Four bytes is the default; tests read single channels and odd widths.
    gl::PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl::PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    if (recording_mode()) {
        recorded_ = std::make_unique<RecordedTest>();
    }
    if (const Missing reason = missing()) {
        GTEST_SKIP() << *reason;
    }
    prepare();
}

void GlTest::TearDown() {
    recorded_.reset();
    if (!context_) {
        return;
    }
    const GLenum error = gl::GetError();
    EXPECT_EQ(error, static_cast<GLenum>(GL_NO_ERROR)) << "the test left a GL error behind";
    context_.reset();
}

Missing first_of(std::initializer_list<Missing> reasons) {
    for (const Missing& reason : reasons) {
        if (reason) {
            return reason;
        }
    }
    return {};
}

Missing when(bool holds, const std::string& reason) {
    return holds ? Missing(reason) : Missing();
}

bool drawn_by_llvmpipe() {
    const std::string_view renderer(reinterpret_cast<const char*>(gl::GetString(GL_RENDERER)));
    return renderer.find("llvmpipe") != std::string_view::npos;
}

Missing GlTest::lacks(const char* extension) const {
    return when(!has_extension(extension), extension + std::string(" is not offered"));
}

Missing GlTest::lacks(int major, int minor) const {
    const std::string version = std::to_string(major) + "." + std::to_string(minor);
    return when(!has_version(major, minor), "version " + version + " is not offered");
}

Missing GlTest::lacks(int major, int minor, const char* extension) const {
    return has_version(major, minor) ? Missing() : lacks(extension);
}

bool GlTest::has_extension(std::string_view name) const {
    GLint count = 0;
    gl::GetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; ++i) {
        const auto* text = gl::GetStringi(GL_EXTENSIONS, static_cast<GLuint>(i));
        if (text != nullptr && name == reinterpret_cast<const char*>(text)) {
            return true;
        }
    }
    return false;
}

bool GlTest::has_version(int major, int minor) const {
    GLint actual_major = 0;
    GLint actual_minor = 0;
    gl::GetIntegerv(GL_MAJOR_VERSION, &actual_major);
    gl::GetIntegerv(GL_MINOR_VERSION, &actual_minor);
    return std::pair(actual_major, actual_minor) >= std::pair(major, minor);
}

GLuint compile_quietly(const Stage& stage) {
    const GLuint shader = gl::CreateShader(stage.type);
    const char* text = stage.source.c_str();
    gl::ShaderSource(shader, 1, &text, nullptr);
    gl::CompileShader(shader);
    return shader;
}

bool did_compile(GLuint shader) {
    GLint good = GL_FALSE;
    gl::GetShaderiv(shader, GL_COMPILE_STATUS, &good);
    return good == GL_TRUE;
}

bool did_link(GLuint program) {
    GLint good = GL_FALSE;
    gl::GetProgramiv(program, GL_LINK_STATUS, &good);
    return good == GL_TRUE;
}

bool compiles(GLenum type, const std::string& source) {
    const GLuint shader = compile_quietly({type, source});
    const bool good = did_compile(shader);
    gl::DeleteShader(shader);
    return good;
}

GLuint compile(const Stage& stage) {
    const GLuint shader = compile_quietly(stage);
    if (!did_compile(shader)) {
        std::array<char, 2048> log{};
        gl::GetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
        ADD_FAILURE() << "compile: " << log.data() << "\n" << stage.source;
    }
    return shader;
}

GLuint link(const std::vector<Stage>& stages, const std::function<void(GLuint)>& before_link) {
    const GLuint program = gl::CreateProgram();
    for (const Stage& stage : stages) {
        const GLuint shader = compile(stage);
        gl::AttachShader(program, shader);
        gl::DeleteShader(shader);
    }
    before_link(program);
    gl::LinkProgram(program);
    if (!did_link(program)) {
        std::array<char, 2048> log{};
        gl::GetProgramInfoLog(program, static_cast<GLsizei>(log.size()), nullptr, log.data());
        ADD_FAILURE() << "link: " << log.data();
        return 0;
    }
    return program;
}

GLuint vs_fs(const std::string& vertex, const std::string& fragment) {
    const std::string version = "#version 330 core\n";
    return link({{GL_VERTEX_SHADER, version + vertex}, {GL_FRAGMENT_SHADER, version + fragment}});
}

GLuint bind_new_vao() {
    GLuint vao = 0;
    gl::GenVertexArrays(1, &vao);
    gl::BindVertexArray(vao);
    return vao;
}

void draw_fullscreen(GLuint program) {
    GLint old = 0;
    gl::GetIntegerv(GL_VERTEX_ARRAY_BINDING, &old);
    const GLuint vao = bind_new_vao();
    gl::UseProgram(program);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    gl::BindVertexArray(static_cast<GLuint>(old));
    gl::DeleteVertexArrays(1, &vao);
}

GLuint make_buffer(GLenum target, GLsizeiptr size, const void* data, GLenum usage) {
    GLuint buffer = 0;
    gl::GenBuffers(1, &buffer);
    gl::BindBuffer(target, buffer);
    gl::BufferData(target, size, data, usage);
    return buffer;
}

void Target::bind() const {
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::Viewport(0, 0, width, height);
}

Target make_target(const TargetOptions& options) {
    Target target;
    target.width = options.width;
    target.height = options.height;
    gl::GenFramebuffers(1, &target.framebuffer);
    target.bind();
    const auto attach = [&](GLenum format, GLenum point) {
        GLuint buffer = 0;
        gl::GenRenderbuffers(1, &buffer);
        gl::BindRenderbuffer(GL_RENDERBUFFER, buffer);
        gl::RenderbufferStorageMultisample(GL_RENDERBUFFER, options.samples, format, options.width,
                                           options.height);
        gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, point, GL_RENDERBUFFER, buffer);
        return buffer;
    };
    if (options.color != GL_NONE) {
        target.color = attach(options.color, GL_COLOR_ATTACHMENT0);
    }
    if (options.depth != GL_NONE) {
        const bool stencil =
            options.depth == GL_DEPTH24_STENCIL8 || options.depth == GL_DEPTH32F_STENCIL8;
        target.depth =
            attach(options.depth, options.depth == GL_STENCIL_INDEX8 ? GL_STENCIL_ATTACHMENT
                                  : stencil                          ? GL_DEPTH_STENCIL_ATTACHMENT
                                                                     : GL_DEPTH_ATTACHMENT);
    }
    if (options.color != GL_NONE || options.depth != GL_NONE) {
        EXPECT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER),
                  static_cast<GLenum>(GL_FRAMEBUFFER_COMPLETE));
    }
    return target;
}

void clear_to_black() {
    gl::ClearColor(0, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

Target make_black_target(const TargetOptions& options) {
    const Target target = make_target(options);
    clear_to_black();
    return target;
}

GLuint bind_texture_target(GLuint texture, int width, int height, int level, int layer) {
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    if (layer >= 0) {
        gl::FramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, level, layer);
    } else {
        gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, level);
    }
    EXPECT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER),
              static_cast<GLenum>(GL_FRAMEBUFFER_COMPLETE));
    gl::Viewport(0, 0, width, height);
    return framebuffer;
}

GLuint new_texture(GLenum target) {
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(target, texture);
    if (target == GL_TEXTURE_BUFFER || target == GL_TEXTURE_2D_MULTISAMPLE ||
        target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY) {
        return texture;
    }
    gl::TexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl::TexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl::TexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl::TexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    if (target != GL_TEXTURE_RECTANGLE) {
        gl::TexParameteri(target, GL_TEXTURE_MAX_LEVEL, 0);
    }
    return texture;
}

GLuint texture_2d(GLenum internal_format, int width, int height, GLenum format, GLenum type,
                  const void* data) {
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    gl::TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internal_format), width, height, 0, format,
                   type, data);
    return texture;
}

namespace {

template <typename Value>
Value evaluate_as(GLenum format, const char* type, const std::string& declarations,
                  const std::string& expression, const std::function<void(GLuint)>& setup,
                  Value (*read)(int, int)) {
    GLint old_draw = 0;
    std::array<GLint, 4> old_viewport{};
    gl::GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &old_draw);
    gl::GetIntegerv(GL_VIEWPORT, old_viewport.data());
    const GLuint program =
        vs_fs(kFullscreenVs, "in vec2 uv;\nout " + std::string(type) + " result;\n" + declarations +
                                 "\nvoid main() { result = " + type + "(" + expression + "); }");
    const Target target = make_target({1, 1, format});
    gl::UseProgram(program);
    setup(program);
    draw_fullscreen(program);
    const Value value = read(0, 0);
    gl::DeleteProgram(program);
    gl::DeleteFramebuffers(1, &target.framebuffer);
    gl::DeleteRenderbuffers(1, &target.color);
    gl::BindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(old_draw));
    gl::Viewport(old_viewport[0], old_viewport[1], old_viewport[2], old_viewport[3]);
    return value;
}

} // namespace

Float4 evaluate(const std::string& declarations, const std::string& expression,
                const std::function<void(GLuint)>& setup) {
    return evaluate_as(GL_RGBA32F, "vec4", declarations, expression, setup, pixel_float);
}

Int4 evaluate_int(const std::string& declarations, const std::string& expression,
                  const std::function<void(GLuint)>& setup) {
    return evaluate_as(GL_RGBA32I, "ivec4", declarations, expression, setup, pixel_int);
}

Uint4 evaluate_uint(const std::string& declarations, const std::string& expression,
                    const std::function<void(GLuint)>& setup) {
    return evaluate_as(GL_RGBA32UI, "uvec4", declarations, expression, setup, pixel_uint);
}

RectPainter::RectPainter()
    : program_(vs_fs(R"(
uniform vec4 rect;
uniform float depth;
void main() {
    vec2 t = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(mix(rect.xy, rect.zw, t), depth, 1.0);
})",
                     "uniform vec4 colour; out vec4 result; void main() { result = colour; }")),
      rect_(gl::GetUniformLocation(program_, "rect")),
      colour_(gl::GetUniformLocation(program_, "colour")),
      depth_(gl::GetUniformLocation(program_, "depth")) {}

void RectPainter::draw(const Float4& rect, const Float4& colour, float depth) const {
    const GLuint vao = bind_new_vao();
    gl::UseProgram(program_);
    gl::Uniform4fv(rect_, 1, rect.data());
    gl::Uniform4fv(colour_, 1, colour.data());
    gl::Uniform1f(depth_, depth);
    gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gl::DeleteVertexArrays(1, &vao);
}

void set_uniform(GLuint program, const char* name, int value) {
    gl::UseProgram(program);
    gl::Uniform1i(gl::GetUniformLocation(program, name), value);
}

void set_uniform(GLuint program, const char* name, float value) {
    gl::UseProgram(program);
    gl::Uniform1f(gl::GetUniformLocation(program, name), value);
}

void set_uniform(GLuint program, const char* name, const Float4& value) {
    gl::UseProgram(program);
    gl::Uniform4fv(gl::GetUniformLocation(program, name), 1, value.data());
}

} // namespace kobalt::gltest
