// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "checks.h"

// GL/glx.h would declare the GL 1.x functions again; gl_api.h has included GL/gl.h before.
#include <GL/glx.h>
#include <GL/glxext.h>

namespace kobalt::windowtest {

namespace {

constexpr int kWidth = 160;
constexpr int kHeight = 120;

template <typename Function>
Function proc(const char* name) {
    return reinterpret_cast<Function>(glXGetProcAddressARB(reinterpret_cast<const GLubyte*>(name)));
}

/// A window with a current 3.3 context, or nothing (and a failure counted).
class GlxWindow {
public:
    GlxWindow(Display* display, bool double_buffered, int samples) : display_(display) {
        const std::vector<int> attributes{GLX_RENDER_TYPE,
                                          GLX_RGBA_BIT,
                                          GLX_DRAWABLE_TYPE,
                                          GLX_WINDOW_BIT,
                                          GLX_X_RENDERABLE,
                                          True,
                                          GLX_RED_SIZE,
                                          8,
                                          GLX_GREEN_SIZE,
                                          8,
                                          GLX_BLUE_SIZE,
                                          8,
                                          GLX_DEPTH_SIZE,
                                          16,
                                          GLX_DOUBLEBUFFER,
                                          double_buffered ? True : False,
                                          GLX_SAMPLE_BUFFERS,
                                          samples > 0 ? 1 : 0,
                                          GLX_SAMPLES,
                                          samples,
                                          None};
        int count = 0;
        GLXFBConfig* configs =
            glXChooseFBConfig(display, DefaultScreen(display), attributes.data(), &count);
        if (configs == nullptr || count == 0) {
            return;
        }
        XVisualInfo* visual = glXGetVisualFromFBConfig(display, configs[0]);
        if (visual != nullptr) {
            window_ =
                std::make_unique<Window>(display, visual->visual, visual->depth, kWidth, kHeight);
            XFree(visual);
            const std::vector<int> version{GLX_CONTEXT_MAJOR_VERSION_ARB,
                                           3,
                                           GLX_CONTEXT_MINOR_VERSION_ARB,
                                           3,
                                           GLX_CONTEXT_PROFILE_MASK_ARB,
                                           GLX_CONTEXT_CORE_PROFILE_BIT_ARB,
                                           None};
            const auto create =
                proc<PFNGLXCREATECONTEXTATTRIBSARBPROC>("glXCreateContextAttribsARB");
            context_ = create(display, configs[0], nullptr, True, version.data());
            drawable_ = glXCreateWindow(display, configs[0], window_->handle(), nullptr);
            if (context_ != nullptr &&
                glXMakeContextCurrent(display, drawable_, drawable_, context_)) {
                gl::load([](const char* name) { return proc<void*>(name); });
                current_ = true;
            }
        }
        XFree(configs);
    }
    GlxWindow(const GlxWindow&) = delete;
    GlxWindow& operator=(const GlxWindow&) = delete;
    ~GlxWindow() {
        glXMakeContextCurrent(display_, None, None, nullptr);
        if (context_ != nullptr) {
            glXDestroyContext(display_, context_);
        }
        if (drawable_ != None) {
            glXDestroyWindow(display_, drawable_);
        }
    }

    bool current() const { return current_; }
    Window& window() { return *window_; }
    void swap() { glXSwapBuffers(display_, drawable_); }
    GLXDrawable drawable() const { return drawable_; }

private:
    Display* display_;
    std::unique_ptr<Window> window_;
    GLXContext context_ = nullptr;
    GLXDrawable drawable_ = None;
    bool current_ = false;
};

void swap_and_resize(Display* display) {
    GlxWindow glx(display, true, 0);
    expect(glx.current(), "GLX: no double-buffered 3.3 core context on a window");
    if (!glx.current()) {
        return;
    }
    expect_renderer();
    const Painter painter;
    int width = kWidth;
    int height = kHeight;
    for (int frame = 0; frame < 60; ++frame) {
        if (frame == 20 || frame == 40) {
            width = frame == 20 ? 240 : 96;
            height = frame == 20 ? 200 : 64;
            glx.window().resize(width, height);
        }
        painter.draw(width, height, frame);
        if (frame % 10 == 9) {
            expect_quarters_gl(GL_BACK, width, height,
                               "GLX frame " + std::to_string(frame) + " before the swap");
        }
        glx.swap();
        if (frame % 10 == 9) {
            gl::Finish();
            expect_quarters_x(glx.window(), width, height, "GLX frame " + std::to_string(frame));
        }
    }
    const auto swap_interval = proc<PFNGLXSWAPINTERVALEXTPROC>("glXSwapIntervalEXT");
    const std::string extensions = glXQueryExtensionsString(display, DefaultScreen(display));
    if (swap_interval != nullptr && extensions.find("GLX_EXT_swap_control") != std::string::npos) {
        for (const int interval : {0, 1, 0}) {
            swap_interval(display, glx.drawable(), interval);
            for (int frame = 0; frame < 5; ++frame) {
                painter.draw(width, height, frame);
                glx.swap();
            }
        }
        gl::Finish();
        expect_quarters_x(glx.window(), width, height, "GLX after changes of the swap interval");
    }
    expect(gl::GetError() == GL_NO_ERROR, "GLX: a GL error is left behind");
}

void front_buffer(Display* display) {
    GlxWindow glx(display, true, 0);
    if (!glx.current()) {
        return;
    }
    const Painter painter;
    painter.draw(kWidth, kHeight, 0);
    glx.swap();
    gl::Finish();
    gl::DrawBuffer(GL_FRONT);
    gl::ClearColor(0.2F, 0.4F, 0.6F, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    painter.draw(kWidth, kHeight, 30);
    gl::Flush();
    gl::Finish();
    expect_quarters_x(glx.window(), kWidth, kHeight, "GLX front buffer after a flush");
    expect(gl::GetError() == GL_NO_ERROR, "GLX front buffer: a GL error is left behind");
}

void single_buffered(Display* display) {
    GlxWindow glx(display, false, 0);
    if (!glx.current()) {
        std::printf("skipped: GLX offers no single-buffered visual\n");
        return;
    }
    const Painter painter;
    painter.draw(kWidth, kHeight, 0);
    gl::Flush();
    gl::Finish();
    expect_quarters_x(glx.window(), kWidth, kHeight, "GLX single-buffered window");
    expect(gl::GetError() == GL_NO_ERROR, "GLX single-buffered: a GL error is left behind");
}

void multisampled(Display* display) {
    GlxWindow glx(display, true, 4);
    if (!glx.current()) {
        std::printf("skipped: GLX offers no multisampled visual\n");
        return;
    }
    GLint samples = 0;
    gl::GetIntegerv(GL_SAMPLES, &samples);
    expect(samples >= 4, "GLX multisampled: GL_SAMPLES is " + std::to_string(samples));
    const Painter painter;
    for (int frame = 0; frame < 5; ++frame) {
        painter.draw(kWidth, kHeight, frame);
        expect_quarters_gl(GL_BACK, kWidth, kHeight, "GLX multisampled before the swap");
        glx.swap();
    }
    gl::Finish();
    expect_quarters_x(glx.window(), kWidth, kHeight, "GLX multisampled window");
    expect(gl::GetError() == GL_NO_ERROR, "GLX multisampled: a GL error is left behind");
}

void several_windows(Display* display) {
    GlxWindow first(display, true, 0);
    GlxWindow second(display, true, 0);
    GlxWindow third(display, true, 0);
    // Each constructor made its own context current: the third is.
    if (!third.current()) {
        return;
    }
    const Painter painter;
    for (int frame = 0; frame < 10; ++frame) {
        painter.draw(kWidth, kHeight, frame);
        third.swap();
    }
    gl::Finish();
    expect_quarters_x(third.window(), kWidth, kHeight, "GLX third window");
}

void pbuffer(Display* display) {
    const std::vector<int> attributes{GLX_DRAWABLE_TYPE,
                                      GLX_PBUFFER_BIT,
                                      GLX_RENDER_TYPE,
                                      GLX_RGBA_BIT,
                                      GLX_RED_SIZE,
                                      8,
                                      GLX_GREEN_SIZE,
                                      8,
                                      GLX_BLUE_SIZE,
                                      8,
                                      None};
    int count = 0;
    GLXFBConfig* configs =
        glXChooseFBConfig(display, DefaultScreen(display), attributes.data(), &count);
    if (configs == nullptr || count == 0) {
        std::printf("skipped: GLX offers no pbuffers\n");
        return;
    }
    const std::vector<int> size{GLX_PBUFFER_WIDTH, 64, GLX_PBUFFER_HEIGHT, 32, None};
    const std::vector<int> version{GLX_CONTEXT_MAJOR_VERSION_ARB,
                                   3,
                                   GLX_CONTEXT_MINOR_VERSION_ARB,
                                   3,
                                   GLX_CONTEXT_PROFILE_MASK_ARB,
                                   GLX_CONTEXT_CORE_PROFILE_BIT_ARB,
                                   None};
    const auto create = proc<PFNGLXCREATECONTEXTATTRIBSARBPROC>("glXCreateContextAttribsARB");
    const GLXPbuffer drawable = glXCreatePbuffer(display, configs[0], size.data());
    GLXContext context = create(display, configs[0], nullptr, True, version.data());
    expect(context != nullptr && glXMakeContextCurrent(display, drawable, drawable, context),
           "GLX: a pbuffer cannot be made current");
    if (context != nullptr) {
        gl::load([](const char* name) { return proc<void*>(name); });
        const Painter painter;
        painter.draw(64, 32, 0);
        GLint draw_buffer = 0;
        gl::GetIntegerv(GL_DRAW_BUFFER, &draw_buffer);
        expect_quarters_gl(static_cast<GLenum>(draw_buffer), 64, 32, "GLX pbuffer");
        glXMakeContextCurrent(display, None, None, nullptr);
        glXDestroyContext(display, context);
    }
    glXDestroyPbuffer(display, drawable);
    XFree(configs);
}

} // namespace

bool run_glx(Display* display) {
    int error = 0;
    int event = 0;
    if (!glXQueryExtension(display, &error, &event)) {
        return false;
    }
    swap_and_resize(display);
    front_buffer(display);
    single_buffered(display);
    multisampled(display);
    several_windows(display);
    pbuffer(display);
    return true;
}

} // namespace kobalt::windowtest
