// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// The modes of kobalt-fault-probe that concern processes: children of fork(), and exits.
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
    std::thread([] {
        usleep(200'000);
        std::exit(7);
    }).detach();
    for (int i = 1;; ++i) {
        gl::DeleteProgram(make_program("vec4(sin(" + std::to_string(i) + ".0))"));
    }
}

} // namespace kobalt::faults
