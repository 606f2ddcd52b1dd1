// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Pbuffers of every kind of configuration that is offered.
#include <array>
#include <cstdio>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "glx_proc.h"
#include "shared_tests.h"

namespace kobalt::windowtest {

namespace {

constexpr int width = 64;
constexpr int height = 32;

/// The properties of a configuration that matter for a pbuffer.
struct Kind {
    int red = 0, green = 0, blue = 0, alpha = 0, depth = 0, stencil = 0, samples = 0;
    int srgb = 0, is_float = 0;
    auto operator<=>(const Kind&) const = default;

    std::string text() const {
        return "pbuffer " + std::to_string(red) + "/" + std::to_string(green) + "/" +
               std::to_string(blue) + "/" + std::to_string(alpha) + " depth " +
               std::to_string(depth) + " stencil " + std::to_string(stencil) + " samples " +
               std::to_string(samples) + (srgb ? " sRGB" : "") + (is_float ? " float" : "");
    }
};

/// The checks tolerate the rounding of 8 bits, which is too strict for 5 and 6 bits.
bool exact_enough(const Kind& kind) {
    return kind.red >= 8 && kind.green >= 8 && kind.blue >= 8;
}

void draw_and_check(const Kind& kind, const std::string& api) {
    const std::string what = api + " " + kind.text();
    const Painter painter;
    painter.draw(width, height, 0);
    GLint buffer = 0;
    gl::GetIntegerv(GL_DRAW_BUFFER, &buffer);
    if (exact_enough(kind)) {
        expect_quarters_gl(static_cast<GLenum>(buffer), width, height, what);
    }
    GLint samples = 0;
    gl::GetIntegerv(GL_SAMPLES, &samples);
    expect(samples == kind.samples, what + ": GL_SAMPLES is " + std::to_string(samples));
    if (kind.depth > 0) {
        // GL_NEVER passes only if there is no depth buffer.
        gl::Enable(GL_DEPTH_TEST);
        gl::DepthFunc(GL_NEVER);
        gl::ClearColor(1, 1, 1, 1);
        painter.draw(width, height, 0);
        std::array<std::uint8_t, 4> value{};
        gl::ReadPixels(width / 4, height / 4, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, value.data());
        expect(value[0] == 255 && value[1] == 255 && value[2] == 255,
               what + ": there is no depth buffer");
        gl::Disable(GL_DEPTH_TEST);
    }
    // GL 4.6, 17.4.1 and 17.4.3.1: without a back buffer, draws and clears go to the front buffer.
    expect(buffer == GL_BACK || buffer == GL_FRONT, what + ": the draw buffer");
    const std::array<GLfloat, 4> white{1, 1, 1, 1};
    gl::ClearBufferfv(GL_COLOR, 0, white.data());
    std::array<std::uint8_t, 4> value{};
    gl::ReadPixels(width / 4, height / 4, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, value.data());
    expect(value[0] == 255 && value[1] == 255 && value[2] == 255,
           what + ": glClearBufferfv clears nothing");
    expect(gl::GetError() == GL_NO_ERROR, what + ": a GL error is left behind");
}

int attribute(Display* display, GLXFBConfig config, int name) {
    int value = 0;
    glXGetFBConfigAttrib(display, config, name, &value);
    return value;
}

EGLint attribute(EGLDisplay display, EGLConfig config, EGLint name) {
    EGLint value = 0;
    eglGetConfigAttrib(display, config, name, &value);
    return value;
}

/// A width or height of 0 is valid (EGL 1.5, section 3.5.2): such a pbuffer has no pixels, and
/// causes no error.
void test_empty_pbuffers(EGLDisplay display, EGLConfig config) {
    const std::vector<EGLint> version{EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                                      EGL_NONE};
    for (const auto& [w, h] : {std::pair{0, 0}, std::pair{7, 0}, std::pair{0, 7}}) {
        const std::string what =
            "EGL pbuffer of " + std::to_string(w) + "x" + std::to_string(h) + ": ";
        const std::vector<EGLint> size{EGL_WIDTH, w, EGL_HEIGHT, h, EGL_NONE};
        const EGLSurface surface = eglCreatePbufferSurface(display, config, size.data());
        const EGLContext context =
            eglCreateContext(display, config, EGL_NO_CONTEXT, version.data());
        if (eglMakeCurrent(display, surface, surface, context) == EGL_TRUE) {
            gl::load(
                [](const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); });
            {
                const Painter painter;
                gl::ClearColor(0, 1, 0, 1);
                gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
                painter.draw(w, h, 0);
                std::array<GLubyte, 256> pixels{};
                gl::ReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
                eglSwapBuffers(display, surface);
                gl::Finish();
            }
            const GLenum error = gl::GetError();
            expect(error == GL_NO_ERROR, what + "GL error " + std::to_string(error));
        } else {
            expect(false, what + "cannot be made current");
        }
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display, context);
        eglDestroySurface(display, surface);
    }
}

} // namespace

void run_glx_pbuffer_tests(Display* display) {
    const std::vector<int> wanted{GLX_DRAWABLE_TYPE, GLX_PBUFFER_BIT, GLX_RENDER_TYPE,
                                  static_cast<int>(GLX_DONT_CARE), None};
    int count = 0;
    GLXFBConfig* configs =
        glXChooseFBConfig(display, DefaultScreen(display), wanted.data(), &count);
    std::set<Kind> seen;
    for (int i = 0; i < count; ++i) {
        const auto get = [&](int name) { return attribute(display, configs[i], name); };
        const Kind kind{get(GLX_RED_SIZE),
                        get(GLX_GREEN_SIZE),
                        get(GLX_BLUE_SIZE),
                        get(GLX_ALPHA_SIZE),
                        get(GLX_DEPTH_SIZE),
                        get(GLX_STENCIL_SIZE),
                        get(GLX_SAMPLES),
                        get(GLX_FRAMEBUFFER_SRGB_CAPABLE_ARB),
                        (get(GLX_RENDER_TYPE) & GLX_RGBA_BIT) == 0};
        if (!seen.insert(kind).second) {
            continue;
        }
        const std::vector<int> size{GLX_PBUFFER_WIDTH, width, GLX_PBUFFER_HEIGHT, height, None};
        const GLXPbuffer drawable = glXCreatePbuffer(display, configs[i], size.data());
        const GLXContext context = create_glx_context(display, configs[i]);
        const bool current =
            context != nullptr && glXMakeContextCurrent(display, drawable, drawable, context);
        expect(current, "GLX " + kind.text() + " cannot be made current");
        if (current) {
            gl::load([](const char* name) { return glx_proc<void*>(name); });
            draw_and_check(kind, "GLX");
        }
        glXMakeContextCurrent(display, None, None, nullptr);
        if (context != nullptr) {
            glXDestroyContext(display, context);
        }
        glXDestroyPbuffer(display, drawable);
    }
    std::printf("GLX: pbuffers of %zu kinds\n", seen.size());
    if (configs != nullptr) {
        XFree(configs);
    }
}

void run_egl_pbuffer_tests(void* egl_display) {
    const EGLDisplay display = egl_display;
    eglBindAPI(EGL_OPENGL_API);
    const std::vector<EGLint> wanted{EGL_SURFACE_TYPE,
                                     EGL_PBUFFER_BIT,
                                     EGL_RENDERABLE_TYPE,
                                     EGL_OPENGL_BIT,
                                     EGL_COLOR_COMPONENT_TYPE_EXT,
                                     EGL_DONT_CARE,
                                     EGL_NONE};
    std::vector<EGLConfig> configs(256);
    EGLint count = 0;
    eglChooseConfig(display, wanted.data(), configs.data(), 256, &count);
    std::set<Kind> seen;
    for (EGLint i = 0; i < count; ++i) {
        const EGLConfig config = configs[static_cast<size_t>(i)];
        const auto get = [&](EGLint name) { return attribute(display, config, name); };
        const Kind kind{get(EGL_RED_SIZE),
                        get(EGL_GREEN_SIZE),
                        get(EGL_BLUE_SIZE),
                        get(EGL_ALPHA_SIZE),
                        get(EGL_DEPTH_SIZE),
                        get(EGL_STENCIL_SIZE),
                        get(EGL_SAMPLES),
                        0,
                        get(EGL_COLOR_COMPONENT_TYPE_EXT) == EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT};
        if (!seen.insert(kind).second) {
            continue;
        }
        const std::vector<EGLint> size{EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
        const std::vector<EGLint> version{EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION,
                                          3, EGL_NONE};
        const EGLSurface surface = eglCreatePbufferSurface(display, config, size.data());
        const EGLContext context =
            eglCreateContext(display, config, EGL_NO_CONTEXT, version.data());
        const bool current = eglMakeCurrent(display, surface, surface, context) == EGL_TRUE;
        expect(current, "EGL " + kind.text() + " cannot be made current");
        if (current) {
            gl::load(
                [](const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); });
            draw_and_check(kind, "EGL");
        }
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display, context);
        eglDestroySurface(display, surface);
    }
    if (count > 0)
        test_empty_pbuffers(display, configs[0]);
    std::printf("EGL: pbuffers of %zu kinds\n", seen.size());
}

} // namespace kobalt::windowtest
