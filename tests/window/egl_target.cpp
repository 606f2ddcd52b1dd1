// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <utility>
#include <vector>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "target.h"

#include <X11/Xutil.h>

namespace kobalt::windowtest {

namespace {

class EglTarget final : public Target {
public:
    EglTarget(Display* x_display, EGLDisplay display, const TargetOptions& options)
        : display_(display) {
        options_ = options;
        eglBindAPI(EGL_OPENGL_API);
        const int bits = channel_bits(x_display);
        const std::vector<EGLint> attributes{
            EGL_SURFACE_TYPE,
            EGL_WINDOW_BIT,
            EGL_RENDERABLE_TYPE,
            EGL_OPENGL_BIT,
            EGL_RED_SIZE,
            bits,
            EGL_GREEN_SIZE,
            bits,
            EGL_BLUE_SIZE,
            bits,
            EGL_DEPTH_SIZE,
            16,
            EGL_SAMPLE_BUFFERS,
            options.samples > 0 ? 1 : 0,
            EGL_SAMPLES,
            options.samples,
            EGL_NONE,
        };
        EGLint count = 0;
        std::vector<EGLConfig> configs(64);
        eglChooseConfig(display, attributes.data(), configs.data(),
                        static_cast<EGLint>(configs.size()), &count);
        for (EGLint i = 0; i < count && !current_; ++i) {
            try_config(x_display, configs[static_cast<size_t>(i)]);
        }
    }
    ~EglTarget() override { destroy(); }

    const char* api() const override { return "EGL"; }
    bool make_current() override {
        eglBindAPI(EGL_OPENGL_API); // the bound API is per thread
        return eglMakeCurrent(display_, surface_, surface_, context_) == EGL_TRUE;
    }
    void release() override {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    bool swap() override { return eglSwapBuffers(display_, surface_) == EGL_TRUE; }
    bool swap_fails() override {
        return eglSwapBuffers(display_, surface_) == EGL_FALSE &&
               eglGetError() == EGL_BAD_NATIVE_WINDOW;
    }
    bool set_interval(int interval) override {
        return eglSwapInterval(display_, interval) == EGL_TRUE;
    }
    bool offers_buffer_age() override { return offers("EGL_EXT_buffer_age"); }
    int buffer_age() override {
        EGLint age = -1;
        eglQuerySurface(display_, surface_, EGL_BUFFER_AGE_EXT, &age);
        return age;
    }
    bool offers_rectangles() override { return offers("EGL_KHR_swap_buffers_with_damage"); }
    bool swap_changed(std::array<int, 4> rectangle) override {
        const auto swap_with_damage = reinterpret_cast<PFNEGLSWAPBUFFERSWITHDAMAGEKHRPROC>(
            eglGetProcAddress("eglSwapBuffersWithDamageKHR"));
        return swap_with_damage(display_, surface_, rectangle.data(), 1) == EGL_TRUE;
    }
    bool single_buffered() override {
        // The buffer requested at creation is only a hint, so query the actual one.
        EGLint buffer = EGL_NONE;
        eglQueryContext(display_, context_, EGL_RENDER_BUFFER, &buffer);
        return buffer == EGL_SINGLE_BUFFER;
    }
    bool renew_context() override {
        old_context_ = std::exchange(context_, create_context());
        return context_ != EGL_NO_CONTEXT && make_current();
    }
    void destroy() override {
        if (old_context_ != EGL_NO_CONTEXT) {
            eglDestroyContext(display_, old_context_);
        }
        old_context_ = EGL_NO_CONTEXT;
        if (context_ != EGL_NO_CONTEXT && eglGetCurrentContext() == context_) {
            release();
        }
        if (context_ != EGL_NO_CONTEXT) {
            eglDestroyContext(display_, context_);
        }
        if (surface_ != EGL_NO_SURFACE) {
            eglDestroySurface(display_, surface_);
        }
        context_ = EGL_NO_CONTEXT;
        surface_ = EGL_NO_SURFACE;
    }

private:
    bool offers(const char* extension) const {
        const std::string extensions = eglQueryString(display_, EGL_EXTENSIONS);
        return extensions.find(extension) != std::string::npos;
    }
    EGLContext create_context() const {
        const std::vector<EGLint> version{EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION,
                                          3, EGL_NONE};
        return eglCreateContext(display_, config_, EGL_NO_CONTEXT, version.data());
    }
    void try_config(Display* x_display, EGLConfig config) {
        EGLint id = 0;
        eglGetConfigAttrib(display_, config, EGL_NATIVE_VISUAL_ID, &id);
        XVisualInfo wanted{};
        wanted.visualid = static_cast<VisualID>(id);
        int count = 0;
        XVisualInfo* visual = XGetVisualInfo(x_display, VisualIDMask, &wanted, &count);
        if (visual == nullptr) {
            return;
        }
        const bool opaque = visual->depth == DefaultDepth(x_display, DefaultScreen(x_display));
        if (opaque) {
            window_ = std::make_unique<Window>(x_display, visual->visual, visual->depth,
                                               options_.width, options_.height);
        }
        XFree(visual);
        if (!opaque) {
            return;
        }
        config_ = config;
        context_ = create_context();
        ::Window handle = window_->handle();
        const std::vector<EGLAttrib> buffers{
            EGL_RENDER_BUFFER, options_.double_buffered ? EGL_BACK_BUFFER : EGL_SINGLE_BUFFER,
            EGL_NONE};
        surface_ = eglCreatePlatformWindowSurface(display_, config, &handle, buffers.data());
        if (context_ != EGL_NO_CONTEXT && surface_ != EGL_NO_SURFACE && make_current()) {
            gl::load(
                [](const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); });
            current_ = true;
        }
    }

    EGLDisplay display_;
    EGLConfig config_ = nullptr;
    EGLContext context_ = EGL_NO_CONTEXT;
    EGLContext old_context_ = EGL_NO_CONTEXT;
    EGLSurface surface_ = EGL_NO_SURFACE;
};

} // namespace

std::unique_ptr<Target> make_egl_target(Display* display, void* egl_display,
                                        const TargetOptions& options) {
    return std::make_unique<EglTarget>(display, egl_display, options);
}

} // namespace kobalt::windowtest
