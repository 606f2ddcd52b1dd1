// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Prints what driconf's options change, one line `what<TAB>value` each. test_driconf.py starts it
// under names that profiles list.
#include <cstdio>
#include <string>

#include "demo/offscreen/egl_context.h"
#include "demo/offscreen/gl_api.h"

namespace {

using namespace kobalt::offscreen;

constexpr const char* vertex_source = R"(#version 330
void main() {
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
)";

// Its second output becomes the second source of blending by driconf's
// dual_color_blend_by_location.
constexpr const char* fragment_source = R"(#version 330
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
void main() {
    first = vec4(1.0);
    second = vec4(0.0, 1.0, 0.0, 1.0);
}
)";

// OpenGL Shading Language 4.60, section 3.3: #extension stands before all that is no directive.
constexpr const char* midshader_source = R"(#version 330
out vec4 color;
#extension GL_ARB_sample_shading : enable
void main() {
    color = vec4(1.0);
}
)";

std::string text(GLenum name) {
    const auto* found = reinterpret_cast<const char*>(gl::GetString(name));
    return found ? found : "none";
}

/// The compiled shader; 0 where it doesn't compile.
GLuint compile(GLenum stage, const char* source) {
    const GLuint shader = gl::CreateShader(stage);
    gl::ShaderSource(shader, 1, &source, nullptr);
    gl::CompileShader(shader);
    GLint compiled = 0;
    gl::GetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    return compiled ? shader : 0;
}

/// The pixel after a draw whose colour is `first` × `second`: green where the second source is
/// `second`.
std::string blended() {
    GLuint texture = 0, framebuffer = 0, array = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    gl::GenVertexArrays(1, &array);
    gl::BindVertexArray(array);
    const GLuint program = gl::CreateProgram();
    gl::AttachShader(program, compile(GL_VERTEX_SHADER, vertex_source));
    gl::AttachShader(program, compile(GL_FRAGMENT_SHADER, fragment_source));
    gl::LinkProgram(program);
    gl::UseProgram(program);
    gl::Viewport(0, 0, 1, 1);
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_SRC1_COLOR, GL_ZERO);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    unsigned char pixel[4] = {};
    gl::ReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    const GLenum error = gl::GetError();
    return std::to_string(pixel[0]) + " " + std::to_string(pixel[1]) + " " +
           std::to_string(pixel[2]) + (error ? " with an error" : "");
}

void print(const char* what, const std::string& value) {
    std::printf("%s\t%s\n", what, value.c_str());
}

} // namespace

int main() {
    {
        const auto context = Context::create(ContextRequest{});
        if (!context) {
            std::fprintf(stderr, "kobalt-driconf-probe: %s\n", context.error().c_str());
            return 1;
        }
        print("vendor", text(GL_VENDOR));
        print("renderer", text(GL_RENDERER));
        print("midshader", compile(GL_FRAGMENT_SHADER, midshader_source) ? "compiles" : "fails");
        print("second source", blended());
    }
    terminate_display();
    return 0;
}
