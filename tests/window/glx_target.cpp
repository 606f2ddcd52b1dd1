// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <utility>
#include <vector>

#include "glx_proc.h"
#include "target.h"

namespace kobalt::windowtest {

namespace {

class GlxTarget final : public Target {
public:
    GlxTarget(Display* display, const TargetOptions& options) : display_(display) {
        options_ = options;
        const int bits = channel_bits(display);
        const std::vector<int> attributes{
            GLX_RENDER_TYPE,
            GLX_RGBA_BIT,
            GLX_DRAWABLE_TYPE,
            GLX_WINDOW_BIT,
            GLX_X_RENDERABLE,
            True,
            GLX_RED_SIZE,
            bits,
            GLX_GREEN_SIZE,
            bits,
            GLX_BLUE_SIZE,
            bits,
            GLX_DEPTH_SIZE,
            16,
            GLX_DOUBLEBUFFER,
            options.double_buffered ? True : False,
            GLX_SAMPLE_BUFFERS,
            options.samples > 0 ? 1 : 0,
            GLX_SAMPLES,
            options.samples,
            None,
        };
        int count = 0;
        GLXFBConfig* configs =
            glXChooseFBConfig(display, DefaultScreen(display), attributes.data(), &count);
        if (configs == nullptr || count == 0) {
            return;
        }
        XVisualInfo* visual = glXGetVisualFromFBConfig(display, configs[0]);
        if (visual != nullptr) {
            window_ = std::make_unique<Window>(display, visual->visual, visual->depth,
                                               options.width, options.height);
            XFree(visual);
            config_ = configs[0];
            context_ = create_glx_context(display, config_);
            drawable_ = glXCreateWindow(display, configs[0], window_->handle(), nullptr);
            current_ = context_ != nullptr && make_current();
        }
        XFree(configs);
        if (current_) {
            gl::load([](const char* name) { return glx_proc<void*>(name); });
        }
    }
    ~GlxTarget() override { destroy(); }

    const char* api() const override { return "GLX"; }
    bool make_current() override {
        return glXMakeContextCurrent(display_, drawable_, drawable_, context_);
    }
    void release() override { glXMakeContextCurrent(display_, None, None, nullptr); }
    bool swap() override {
        glXSwapBuffers(display_, drawable_);
        return true;
    }
    bool swap_fails() override {
        const int before = allowed_x_errors();
        allow_x_error("GLXBadCurrentWindow");
        glXSwapBuffers(display_, drawable_);
        XSync(display_, False);
        allow_x_error({});
        return allowed_x_errors() == before + 1;
    }
    bool set_interval(int interval) override {
        if (!offers("GLX_EXT_swap_control")) {
            return false;
        }
        glx_proc<PFNGLXSWAPINTERVALEXTPROC>("glXSwapIntervalEXT")(display_, drawable_, interval);
        return true;
    }
    bool offers_buffer_age() override { return offers("GLX_EXT_buffer_age"); }
    int buffer_age() override {
        unsigned age = 0;
        glXQueryDrawable(display_, drawable_, GLX_BACK_BUFFER_AGE_EXT, &age);
        return static_cast<int>(age);
    }
    bool single_buffered() override { return !options_.double_buffered; }
    bool renew_context() override {
        old_context_ = std::exchange(context_, create_glx_context(display_, config_));
        return context_ != nullptr && make_current();
    }
    void destroy() override {
        if (old_context_ != nullptr) {
            glXDestroyContext(display_, old_context_);
        }
        old_context_ = nullptr;
        if (context_ != nullptr && glXGetCurrentContext() == context_) {
            release();
        }
        if (context_ != nullptr) {
            glXDestroyContext(display_, context_);
        }
        // A GLX window is destroyed with its X window; this call frees the client's data for it.
        if (drawable_ != None && window_) {
            if (!window_->exists()) {
                allow_x_error("GLXBadWindow");
            }
            glXDestroyWindow(display_, drawable_);
            XSync(display_, False);
        }
        context_ = nullptr;
        drawable_ = None;
    }

private:
    bool offers(const char* extension) const {
        const std::string extensions = glXQueryExtensionsString(display_, DefaultScreen(display_));
        return extensions.find(extension) != std::string::npos;
    }

    Display* display_;
    GLXFBConfig config_ = nullptr;
    GLXContext context_ = nullptr;
    GLXContext old_context_ = nullptr;
    GLXWindow drawable_ = None;
};

} // namespace

GLXContext create_glx_context(Display* display, GLXFBConfig config) {
    const std::vector<int> version{
        GLX_CONTEXT_MAJOR_VERSION_ARB,
        3,
        GLX_CONTEXT_MINOR_VERSION_ARB,
        3,
        GLX_CONTEXT_PROFILE_MASK_ARB,
        GLX_CONTEXT_CORE_PROFILE_BIT_ARB,
        None,
    };
    return glx_proc<PFNGLXCREATECONTEXTATTRIBSARBPROC>("glXCreateContextAttribsARB")(
        display, config, nullptr, True, version.data());
}

std::unique_ptr<Target> make_glx_target(Display* display, const TargetOptions& options) {
    return std::make_unique<GlxTarget>(display, options);
}

} // namespace kobalt::windowtest
