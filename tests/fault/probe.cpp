// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// kobalt-fault-probe MODE: a small program for test_faults.py. It draws while something fails below
// it and prints what an application sees, one `name=value` line each.
//   draw       one frame; `pixel=good` where it comes out right
//   full-disk  the same, then no file may grow any more before everything is torn down
//   oom        large textures and buffers one after the other, then a frame
//   lost       frames in a robust context until the reset status changes, then a few calls more
//   lost-plain the same without robustness
//   recovers   the same, then another context of the same display, which is lost as well, and a
//              third one; the lost ones go on drawing in between
//   recovers-plain   the same where the first context isn't robust
//   recovers-threads a loss, then contexts that two threads make at once
//   recovers-shared  a loss, then contexts that share with the lost one
//   recovers-surface a pbuffer that was made before the loss, in the next context
//   recovers-image   an EGLImage that was made before the loss, in the next context
//   forks      children of fork() while a context lives: one calls exit(), one draws with the
//              parent's context and makes another one, one makes a display of its own; then a
//              frame in the parent
//   exits      one thread calls exit() while another compiles shaders
//   leaves     a frame, then exit() while the context lives
//   stays      a frame, then it waits to be killed
//   images     textures of depths, then a frame into a renderbuffer
//   translate  many programs, each linked and drawn
//   refused-graphics, refused-geometry, refused-compute
//              the same, compiled at once; what does not link is told and not used
//   unasked-…  the same by an app that never asks whether its programs linked
// Exit status 0: ran to its end, 3: no GL context.
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <sys/resource.h>

#include "demo/offscreen/egl_context.h"
#include "demo/offscreen/expected_renderer.h"
#include "demo/offscreen/gl_api.h"
#include "probe.h"
#include "stages.h"

namespace kobalt::faults {

using offscreen::Context;
using offscreen::ContextRequest;

void print(const char* name, const std::string& value) {
    std::printf("%s=%s\n", name, value.c_str());
    std::fflush(stdout);
}

GLuint make_program(const std::string& colour) {
    const std::string vertex =
        "#version 330 core\nvoid main() { gl_Position = vec4(vec2((gl_VertexID "
        "<< 1) & 2, gl_VertexID & 2) * 2.0 - 1.0, 0, 1); }";
    const std::string fragment =
        "#version 330 core\nout vec4 result; void main() { result = " + colour + "; }";
    return make_stages({{GL_VERTEX_SHADER, vertex}, {GL_FRAGMENT_SHADER, fragment}});
}

void make_target() {
    GLuint framebuffer = 0;
    GLuint buffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::GenRenderbuffers(1, &buffer);
    gl::BindRenderbuffer(GL_RENDERBUFFER, buffer);
    gl::RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
    gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
    gl::Viewport(0, 0, 16, 16);
    GLuint vertex_array = 0;
    gl::GenVertexArrays(1, &vertex_array);
    gl::BindVertexArray(vertex_array);
}

/// Draws with the program over black and says whether the green of `level` arrived.
bool draws(GLuint program, int level) {
    gl::ClearColor(0, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::UseProgram(program);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    std::array<std::uint8_t, 4> pixel{};
    gl::ReadPixels(7, 7, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
    return pixel[1] == level;
}

static int clear_errors(GLenum counted) {
    int count = 0;
    // A lost context may answer for ever: GL_CONTEXT_LOST is not cleared by asking.
    for (int i = 0; i < 16; ++i) {
        const GLenum error = gl::GetError();
        if (error == GL_NO_ERROR) {
            break;
        }
        count += error == counted ? 1 : 0;
    }
    return count;
}

void draw() {
    make_target();
    print("pixel", draws(make_program("vec4(0, 1, 0, 1)")) ? "good" : "bad");
    print("errors", std::to_string(clear_errors(gl::GetError())));
}

namespace {

void full_disk() {
    draw();
    // Writes beyond the limit fail as on a full disk. Not earlier: CPU devices keep their memory in
    // files without a name, and those must not fail.
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{64, 64};
    print("limited", setrlimit(RLIMIT_FSIZE, &limit) == 0 ? "yes" : "no");
}

void oom() {
    make_target();
    const GLuint program = make_program("vec4(0, 1, 0, 1)");
    int out_of_memory = 0;
    for (int i = 0; i < 8; ++i) {
        GLuint texture = 0;
        gl::GenTextures(1, &texture);
        gl::BindTexture(GL_TEXTURE_2D, texture);
        gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1024, 1024, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                       nullptr);
        out_of_memory += clear_errors(GL_OUT_OF_MEMORY);
        GLuint buffer = 0;
        gl::GenBuffers(1, &buffer);
        gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
        gl::BufferData(GL_ARRAY_BUFFER, 4 << 20, nullptr, GL_STATIC_DRAW);
        out_of_memory += clear_errors(GL_OUT_OF_MEMORY);
        // An application that goes on regardless must not crash either.
        const std::array<std::uint8_t, 4> data{1, 2, 3, 4};
        gl::BufferSubData(GL_ARRAY_BUFFER, 0, 4, data.data());
        gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, data.data());
        (void)gl::MapBufferRange(GL_ARRAY_BUFFER, 0, 4, GL_MAP_WRITE_BIT);
        gl::UnmapBuffer(GL_ARRAY_BUFFER);
        (void)clear_errors(GL_OUT_OF_MEMORY);
    }
    print("out_of_memory", std::to_string(out_of_memory));
    print("pixel", draws(program) ? "good" : "bad");
}

void lost() {
    make_target();
    const GLuint program = make_program("vec4(0, 1, 0, 1)");
    GLenum status = GL_NO_ERROR;
    int frames = 0;
    const auto insert =
        reinterpret_cast<PFNGLDEBUGMESSAGEINSERTPROC>(eglGetProcAddress("glDebugMessageInsert"));
    for (; frames < 200 && status == GL_NO_ERROR; ++frames) {
        const std::string marker = "frame " + std::to_string(frames);
        insert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 0, GL_DEBUG_SEVERITY_NOTIFICATION,
               -1, marker.c_str());
        draws(program);
        gl::Finish();
        status = gl::GetGraphicsResetStatus ? gl::GetGraphicsResetStatus() : GL_NO_ERROR;
    }
    print("reset", status == GL_GUILTY_CONTEXT_RESET     ? "guilty"
                   : status == GL_INNOCENT_CONTEXT_RESET ? "innocent"
                   : status == GL_UNKNOWN_CONTEXT_RESET  ? "unknown"
                                                         : "none");
    print("frames", std::to_string(frames));
    // What an application does before it has noticed.
    for (int i = 0; i < 3; ++i) {
        draws(program);
        GLuint query = 0;
        gl::GenQueries(1, &query);
        gl::BeginQuery(GL_SAMPLES_PASSED, query);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        gl::EndQuery(GL_SAMPLES_PASSED);
        GLuint value = 0;
        gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, &value);
        GLsync sync = gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        gl::ClientWaitSync(sync, GL_SYNC_FLUSH_COMMANDS_BIT, 1'000'000'000);
        gl::DeleteSync(sync);
        GLuint buffer = 0;
        gl::GenBuffers(1, &buffer);
        gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
        gl::BufferData(GL_ARRAY_BUFFER, 4096, nullptr, GL_STATIC_DRAW);
        (void)gl::MapBufferRange(GL_ARRAY_BUFFER, 0, 4096, GL_MAP_READ_BIT);
        gl::UnmapBuffer(GL_ARRAY_BUFFER);
        gl::Finish();
        (void)clear_errors(GL_CONTEXT_LOST);
    }
}

void images() {
    for (const GLenum format : {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT32F, GL_DEPTH24_STENCIL8}) {
        GLuint texture = 0;
        gl::GenTextures(1, &texture);
        gl::BindTexture(GL_TEXTURE_2D, texture);
        gl::TexStorage2D(GL_TEXTURE_2D, 1, format, 64, 64);
    }
    draw(); // into a renderbuffer
}

void translate() {
    make_target();
    int link_failures = 0;
    int bad_draws = 0;
    int good_draws = 0;
    int errors = 0;
    for (int i = 1; i <= 12; ++i) {
        const GLuint program =
            make_program("vec4(0, " + std::to_string(i * 16) + ".0 / 255.0, 0, 1)");
        if (!linked(program)) {
            ++link_failures;
            continue;
        }
        const bool good = draws(program, i * 16);
        (good ? good_draws : bad_draws) += 1;
        const GLenum error = gl::GetError();
        errors += error != GL_NO_ERROR ? 1 : 0;
    }
    print("link_failures", std::to_string(link_failures));
    print("bad_draws", std::to_string(bad_draws));
    print("good_draws", std::to_string(good_draws));
    print("errors", std::to_string(errors));
}

/// Each stage of each program has other code, so that nothing is found among what others compiled.
GLuint make_different(std::string_view kind, int number) {
    const std::string n = std::to_string(number);
    if (kind == "compute")
        return make_stages(
            {{GL_COMPUTE_SHADER,
              "#version 430 core\nlayout(local_size_x = 1) in; layout(std430, binding "
              "= 0) buffer B { uint value; }; void main() { value = " +
                  n + "u; }"}});
    const std::string corner = "vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * " + n + ".5 - 1.0";
    const std::string colour =
        "#version 330 core\nout vec4 result; void main() { result = vec4(0, " +
        std::to_string(number * 16) + ".0 / 255.0, 0, 1); }";
    const std::string vertex =
        "#version 330 core\nvoid main() { gl_Position = vec4(" + corner + ", 0, 1); }";
    if (kind != "geometry")
        return make_stages({{GL_VERTEX_SHADER, vertex}, {GL_FRAGMENT_SHADER, colour}});
    return make_stages(
        {{GL_VERTEX_SHADER, vertex},
         {GL_GEOMETRY_SHADER,
          "#version 330 core\nlayout(triangles) in; layout(triangle_strip, max_vertices = 3) out; "
          "void main() { for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position * " +
              n + ".0; EmitVertex(); } }"},
         {GL_FRAGMENT_SHADER, colour}});
}

bool computes(GLuint program, GLuint number) {
    const GLuint zero = 0;
    GLuint buffer = 0;
    gl::GenBuffers(1, &buffer);
    gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    gl::BufferData(GL_SHADER_STORAGE_BUFFER, sizeof(zero), &zero, GL_DYNAMIC_READ);
    gl::UseProgram(program);
    gl::DispatchCompute(1, 1, 1);
    const void* data = gl::MapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, 4, GL_MAP_READ_BIT);
    const bool good = data && *static_cast<const GLuint*>(data) == number;
    gl::UnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    return good;
}

void refused(std::string_view kind, bool asks) {
    make_target();
    if (gl::MaxShaderCompilerThreadsKHR)
        gl::MaxShaderCompilerThreadsKHR(0);
    int link_failures = 0;
    int used_all_the_same = 0;
    int good = 0;
    int bad = 0;
    for (int i = 1; i <= 12; ++i) {
        const GLuint program = make_different(kind, i);
        gl::Finish(); // what needs several stages is compiled by the driver's own thread
        if (asks && !linked(program)) {
            ++link_failures;
            std::array<char, 512> log{};
            gl::GetProgramInfoLog(program, log.size(), nullptr, log.data());
            print("info_log", std::string(log.data(), std::string_view(log.data()).find('\n')));
            gl::UseProgram(program);
            used_all_the_same += gl::GetError() == GL_INVALID_OPERATION ? 0 : 1;
            continue;
        }
        const bool right =
            kind == "compute" ? computes(program, static_cast<GLuint>(i)) : draws(program, i * 16);
        (right ? good : bad) += 1;
    }
    print("link_failures", std::to_string(link_failures));
    print("used_all_the_same", std::to_string(used_all_the_same));
    print("good_draws", std::to_string(good));
    print("bad_draws", std::to_string(bad));
}

template <bool asks>
void (*refusal_mode(std::string_view kind))() {
    return kind == "graphics"   ? +[] { refused("graphics", asks); }
           : kind == "geometry" ? +[] { refused("geometry", asks); }
           : kind == "compute"  ? +[] { refused("compute", asks); }
                                : nullptr;
}

int usage() {
    std::fprintf(stderr, "usage: kobalt-fault-probe draw|full-disk|oom|lost|lost-plain|translate|"
                         "{refused,unasked}-{graphics,geometry,compute}\n");
    return 2;
}

} // namespace
} // namespace kobalt::faults

int main(int argc, char** argv) {
    using namespace kobalt::faults;

    if (argc != 2) {
        return usage();
    }
    const std::string_view mode = argv[1];
    constexpr std::string_view refusals = "refused-", unasked = "unasked-";
    void (*action)() = mode.starts_with(refusals) ? refusal_mode<true>(mode.substr(refusals.size()))
                       : mode.starts_with(unasked)
                           ? refusal_mode<false>(mode.substr(unasked.size()))
                       : mode == "draw"                         ? draw
                       : mode == "full-disk"                    ? full_disk
                       : mode == "oom"                          ? oom
                       : mode == "lost" || mode == "lost-plain" ? lost
                       : mode == "recovers"                     ? recover
                       : mode == "recovers-plain"               ? recover
                       : mode == "recovers-threads"             ? recover_in_threads
                       : mode == "recovers-shared"              ? recover_shared
                       : mode == "recovers-surface"             ? recover_surface
                       : mode == "recovers-image"               ? recover_image
                       : mode == "forks"                        ? forks
                       : mode == "exits"                        ? exits
                       : mode == "leaves"                       ? leave
                       : mode == "stays"                        ? stay
                       : mode == "images"                       ? images
                       : mode == "translate"                    ? translate
                                                                : nullptr;
    if (action == nullptr) {
        return usage();
    }
    {
        ContextRequest request;
        request.robust =
            mode == "lost" || (mode.starts_with("recovers") && mode != "recovers-plain");
        auto context = Context::create(request);
        if (!context) {
            print("context", "none: " + context.error());
            return 3;
        }
        const auto* name = reinterpret_cast<const char*>(gl::GetString(GL_RENDERER));
        const std::string renderer = name ? name : "";
        print("renderer", renderer);
        if (!kobalt::offscreen::is_drawn_by(kobalt::offscreen::expected_renderer(), renderer)) {
            print("context", "not the expected renderer");
            return 3;
        }
        action();
        // Whatever went wrong, a context that is destroyed must not take the process with it.
    }
    kobalt::offscreen::terminate_display();
    print("end", "reached");
    return 0;
}
