// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// The modes of kobalt-fault-probe that go on behind a loss of the device with another context of
// the same display.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "probe.h"

namespace kobalt::faults {

namespace {

EGLDisplay offscreen_display() {
    return eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
}

const char* judged(bool good) {
    return good ? "good" : "bad";
}

/// A context of the current display, made current without a surface; EGL_NO_CONTEXT: none.
EGLContext start(EGLContext share = EGL_NO_CONTEXT) {
    const EGLDisplay display = offscreen_display();
    eglBindAPI(EGL_OPENGL_API);
    constexpr std::array<EGLint, 11> attributes{EGL_CONTEXT_MAJOR_VERSION,
                                                3,
                                                EGL_CONTEXT_MINOR_VERSION,
                                                3,
                                                EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                                EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                                EGL_CONTEXT_OPENGL_ROBUST_ACCESS,
                                                EGL_TRUE,
                                                EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                                EGL_LOSE_CONTEXT_ON_RESET,
                                                EGL_NONE};
    const EGLContext context =
        eglCreateContext(display, EGL_NO_CONFIG_KHR, share, attributes.data());
    if (context != EGL_NO_CONTEXT)
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
    return context;
}

void resume(EGLContext context) {
    eglMakeCurrent(offscreen_display(), EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

void end(EGLContext context) {
    eglMakeCurrent(offscreen_display(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(offscreen_display(), context);
}

/// A program with that green, of 255.
GLuint green(int level = 255) {
    return make_program("vec4(0, " + std::to_string(level) + ".0 / 255.0, 0, 1)");
}

/// Frames until the context is lost, or 60 of a context that can't tell.
std::string lose(GLuint program) {
    GLenum status = GL_NO_ERROR;
    for (int frame = 0; frame < 60 && status == GL_NO_ERROR; ++frame) {
        draws(program);
        gl::Finish();
        status = gl::GetGraphicsResetStatus();
    }
    return status == GL_NO_ERROR ? "none" : "lost";
}

/// What a program does with the objects of a lost context before it deletes them.
void go_on(GLuint program) {
    std::vector<std::uint8_t> texels(64 * 64 * 4, 9);
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    for (int i = 0; i < 4; ++i) {
        gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                       texels.data());
        draws(program);
        gl::Finish();
    }
    gl::DeleteTextures(1, &texture);
    gl::DeleteProgram(program);
    gl::Flush();
}

/// A frame in the current context, with objects of its own. Memory that was in use before, and is
/// never written, has the green of other calls.
bool draws_alone(int level) {
    make_target();
    return draws(green(level), level) && gl::GetError() == GL_NO_ERROR &&
           gl::GetGraphicsResetStatus() == GL_NO_ERROR;
}

EGLSurface make_pbuffer() {
    const std::array<EGLint, 7> wanted{EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                       EGL_OPENGL_BIT,   EGL_RED_SIZE,    8,
                                       EGL_NONE};
    const std::array<EGLint, 5> size{EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    eglChooseConfig(offscreen_display(), wanted.data(), &config, 1, &count);
    return count ? eglCreatePbufferSurface(offscreen_display(), config, size.data())
                 : EGL_NO_SURFACE;
}

/// Clears the surface's buffer and draws to it, as draws() does. A buffer whose contents stay has
/// the green of other calls.
bool draws_to(EGLSurface surface, EGLContext context, int level) {
    if (!eglMakeCurrent(offscreen_display(), surface, surface, context))
        return false;
    gl::BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl::Viewport(0, 0, 16, 16);
    GLuint vertex_array = 0;
    gl::GenVertexArrays(1, &vertex_array);
    gl::BindVertexArray(vertex_array);
    const bool good = draws(green(level), level);
    eglSwapBuffers(offscreen_display(), surface);
    return good && gl::GetError() == GL_NO_ERROR;
}

} // namespace

void recover() {
    const EGLContext first = eglGetCurrentContext();
    make_target();
    const GLuint program = green();
    print("first", lose(program));
    const EGLContext second = start();
    print("second_pixel", second ? judged(draws_alone(20)) : "no context");
    resume(first);
    go_on(program);
    resume(second);
    print("second_again", judged(draws_alone(40)));
    // KOBALT_FAULT counts the submissions of each device.
    const GLuint again = green();
    print("second", lose(again));
    unsetenv("KOBALT_FAULT");
    const EGLContext third = start();
    print("third_pixel", third ? judged(draws_alone(60)) : "no context");
    resume(second);
    go_on(again);
    resume(third);
    print("third_again", judged(draws_alone(80)));
    end(second);
    resume(third);
    print("third_alone", judged(draws_alone(100)));
    const EGLContext fourth = start(third);
    print("shared_with_third", fourth ? judged(draws_alone(120)) : "no context");
    if (fourth)
        end(fourth);
    end(third);
}

void recover_in_threads() {
    make_target();
    print("first", lose(green()));
    unsetenv("KOBALT_FAULT");
    std::array<bool, 2> good{};
    std::vector<std::thread> threads;
    for (bool& mine : good)
        threads.emplace_back([&mine] {
            if (const EGLContext context = start()) {
                mine = draws_alone(140);
                end(context);
            }
            eglReleaseThread();
        });
    for (std::thread& thread : threads)
        thread.join();
    print("pixels", judged(good[0] && good[1]));
}

void recover_shared() {
    const EGLContext first = eglGetCurrentContext();
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    make_target();
    print("first", lose(green()));
    unsetenv("KOBALT_FAULT");
    const EGLContext before = start(first); // the display has no other device yet
    print("shared", !before                                       ? "refused"
                    : gl::GetGraphicsResetStatus() != GL_NO_ERROR ? "lost"
                                                                  : "alive");
    const EGLContext second = start();
    print("second_pixel", second ? judged(draws_alone(160)) : "no context");
    const EGLContext behind = start(first);
    print("shared_again", !behind                                       ? "refused"
                          : gl::GetGraphicsResetStatus() != GL_NO_ERROR ? "lost"
                                                                        : "alive");
    if (behind) {
        gl::BindTexture(GL_TEXTURE_2D, texture);
        make_target();
        go_on(green());
    }
    for (const EGLContext each : {before, behind, second})
        if (each)
            end(each);
}

void recover_surface() {
    const EGLContext first = eglGetCurrentContext();
    const EGLSurface surface = make_pbuffer();
    if (surface == EGL_NO_SURFACE) {
        print("first_pixel", "no pbuffer");
        return;
    }
    print("first_pixel", judged(draws_to(surface, first, 250)));
    print("first", lose(green()));
    unsetenv("KOBALT_FAULT");
    const EGLContext second = start();
    print("second_pixel", judged(second && draws_to(surface, second, 200)));
    draws_to(surface, first, 150);
    print("second_again", judged(second && draws_to(surface, second, 100)));
    if (second)
        end(second);
    resume(first);
    eglDestroySurface(offscreen_display(), surface);
}

void recover_image() {
    const EGLDisplay display = offscreen_display();
    const auto make_image =
        reinterpret_cast<PFNEGLCREATEIMAGEPROC>(eglGetProcAddress("eglCreateImage"));
    const auto destroy_image =
        reinterpret_cast<PFNEGLDESTROYIMAGEPROC>(eglGetProcAddress("eglDestroyImage"));
    using Target = void (*)(GLenum, void*); // glEGLImageTargetTexture2DOES
    const auto target = reinterpret_cast<Target>(eglGetProcAddress("glEGLImageTargetTexture2DOES"));
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    const EGLImage image = make_image(
        display, eglGetCurrentContext(), EGL_GL_TEXTURE_2D,
        reinterpret_cast<EGLClientBuffer>(static_cast<std::uintptr_t>(texture)), nullptr);
    print("image", image ? "made" : "none");
    make_target();
    print("first", lose(green()));
    unsetenv("KOBALT_FAULT");
    const EGLContext second = start();
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    target(GL_TEXTURE_2D, image);
    print("refused", gl::GetError() == GL_INVALID_OPERATION ? "yes" : "no");
    print("second_pixel", judged(draws_alone(180)));
    end(second);
    destroy_image(display, image);
}

} // namespace kobalt::faults
