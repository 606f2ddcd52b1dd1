// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// The modes of kobalt-fault-probe that concern processes: children of fork(), and exits.
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "demo/offscreen/egl_context.h"
#include "demo/offscreen/gl_api.h"
#include "probe.h"

namespace kobalt::faults {

using offscreen::Context;

void leave() {
    draw();
    std::exit(7);
}

void stay() {
    draw();
    for (;;) {
        pause();
    }
}

namespace {

/// Runs `action` in a child of fork(), whose exit status is what it returns.
template <typename Action>
void in_child(const char* name, Action action) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        std::exit(action());
    }
    int status = 0;
    waitpid(child, &status, 0);
    print(name, WIFEXITED(status) ? "exit " + std::to_string(WEXITSTATUS(status))
                                  : "signal " + std::to_string(WTERMSIG(status)));
}

} // namespace

void forks() {
    make_target();
    const GLuint program = make_program("vec4(0, 1, 0, 1)");
    draws(program);
    in_child("child", [] { return 7; });
    in_child("inheritor", [&] {
        draws(program);
        return Context::create({}) ? 1 : 7;
    });
    in_child("starter", [] {
        eglReleaseThread();
        offscreen::terminate_display();
        const auto own = Context::create({});
        if (!own) {
            return 1;
        }
        make_target();
        return draws(make_program("vec4(0, 1, 0, 1)")) ? 7 : 2;
    });
    print("pixel", draws(program) ? "good" : "bad");
}

void exits() {
    // Behind exit() the process has no OpenGL any more: GLVND's own destructor clears its
    // functions. So the thread that compiles begins no other call once it is told. Each that
    // matters takes longer than all that exit() does.
    static std::atomic<bool> leaving = false;
    const auto step = [](const auto& call) {
        while (leaving) {
            pause();
        }
        call();
    };
    std::string body;
    for (int i = 0; i < 3000; ++i) {
        body += "value = sin(value) + pow(value, 0.5) * smoothstep(0.0, 1.0, value);\n";
    }
    const std::string source = "#version 330 core\nuniform float from;\nout vec4 colour;\n"
                               "void main() {\nfloat value = from;\n" +
                               body + "colour = vec4(value);\n}\n";
    std::thread([] {
        usleep(200'000);
        leaving = true;
        usleep(10'000);
        std::exit(7);
    }).detach();
    for (;;) {
        GLuint program = 0, shader = 0;
        const char* const text = source.c_str();
        step([&] { program = gl::CreateProgram(); });
        step([&] { shader = gl::CreateShader(GL_FRAGMENT_SHADER); });
        step([&] { gl::ShaderSource(shader, 1, &text, nullptr); });
        step([&] { gl::CompileShader(shader); });
        step([&] { gl::AttachShader(program, shader); });
        step([&] { gl::LinkProgram(program); });
        step([&] { gl::DeleteShader(shader); });
        step([&] { gl::DeleteProgram(program); });
    }
}

} // namespace kobalt::faults
