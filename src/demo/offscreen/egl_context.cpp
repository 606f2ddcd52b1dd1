// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "demo/offscreen/egl_context.h"

#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include <EGL/eglext.h>

#include "demo/offscreen/gl_api.h"

namespace kobalt::offscreen {

namespace {

std::string egl_error(const char* what) {
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), "%s failed with EGL error 0x%04x", what,
                  static_cast<unsigned>(eglGetError()));
    return text.data();
}

EGLDisplay initialised(EGLDisplay display) {
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) {
        return EGL_NO_DISPLAY;
    }
    return display;
}

EGLDisplay first_device_display() {
    const auto query_devices =
        reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    if (query_devices == nullptr) {
        return EGL_NO_DISPLAY;
    }
    std::array<EGLDeviceEXT, 16> devices{};
    EGLint count = 0;
    if (!query_devices(static_cast<EGLint>(devices.size()), devices.data(), &count)) {
        return EGL_NO_DISPLAY;
    }
    for (EGLint i = 0; i < count; ++i) {
        const EGLDisplay display = initialised(eglGetPlatformDisplay(
            EGL_PLATFORM_DEVICE_EXT, devices[static_cast<size_t>(i)], nullptr));
        if (display != EGL_NO_DISPLAY) {
            return display;
        }
    }
    return EGL_NO_DISPLAY;
}

// EGL keeps one display object per platform and native display, so opening it again is cheap and
// gives the same one.
EGLDisplay open_display() {
    const EGLDisplay display = initialised(
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    return display != EGL_NO_DISPLAY ? display : first_device_display();
}

EGLConfig choose_config(EGLDisplay display, Profile profile) {
    const char* extensions = eglQueryString(display, EGL_EXTENSIONS);
    if (extensions != nullptr && has_word(extensions, "EGL_KHR_no_config_context")) {
        return EGL_NO_CONFIG_KHR;
    }
    const std::array<EGLint, 5> attributes{
        EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE,
        profile == Profile::Es ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    eglChooseConfig(display, attributes.data(), &config, 1, &count);
    return config;
}

} // namespace

bool has_word(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const size_t end = list.find(' ');
        if (list.substr(0, end) == word) {
            return true;
        }
        if (end == std::string_view::npos) {
            return false;
        }
        list.remove_prefix(end + 1);
    }
    return false;
}

std::expected<Context, std::string> Context::create_on(EGLDisplay display, EGLContext share,
                                                       const ContextRequest& request) {
    const EGLenum api = request.profile == Profile::Es ? EGL_OPENGL_ES_API : EGL_OPENGL_API;
    if (!eglBindAPI(api)) {
        return std::unexpected(egl_error("eglBindAPI"));
    }
    std::vector<EGLint> attributes{EGL_CONTEXT_MAJOR_VERSION, request.major,
                                   EGL_CONTEXT_MINOR_VERSION, request.minor};
    if (request.profile != Profile::Es) {
        attributes.insert(attributes.end(), {EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                             request.profile == Profile::Core
                                                 ? EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT
                                                 : EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT});
    }
    if (request.robust) {
        attributes.insert(attributes.end(), {EGL_CONTEXT_OPENGL_ROBUST_ACCESS, EGL_TRUE,
                                             EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                             request.lost_on_reset ? EGL_LOSE_CONTEXT_ON_RESET
                                                                   : EGL_NO_RESET_NOTIFICATION});
    }
    attributes.push_back(EGL_NONE);
    const EGLContext context = eglCreateContext(display, choose_config(display, request.profile),
                                                share, attributes.data());
    if (context == EGL_NO_CONTEXT) {
        return std::unexpected(egl_error("eglCreateContext"));
    }
    return Context(display, context, api);
}

std::expected<Context, std::string> Context::create(const ContextRequest& request) {
    const EGLDisplay display = open_display();
    if (display == EGL_NO_DISPLAY) {
        return std::unexpected("no EGL display: neither the surfaceless platform nor an EGL device "
                               "could be initialised");
    }
    auto context = create_on(display, EGL_NO_CONTEXT, request);
    if (!context) {
        return context;
    }
    if (!context->make_current()) {
        return std::unexpected(egl_error("eglMakeCurrent"));
    }
    gl::load([](const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); });
    return context;
}

std::expected<Context, std::string> Context::create_shared(const ContextRequest& request) const {
    return create_on(display_, context_, request);
}

Context::Context(Context&& other) noexcept
    : display_(other.display_), context_(std::exchange(other.context_, EGL_NO_CONTEXT)),
      api_(other.api_) {}

Context& Context::operator=(Context&& other) noexcept {
    if (this != &other) {
        destroy();
        display_ = other.display_;
        context_ = std::exchange(other.context_, EGL_NO_CONTEXT);
        api_ = other.api_;
    }
    return *this;
}

Context::~Context() {
    destroy();
}

void Context::destroy() {
    if (context_ == EGL_NO_CONTEXT) {
        return;
    }
    eglBindAPI(api_);
    if (eglGetCurrentContext() == context_) {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    eglDestroyContext(display_, context_);
    context_ = EGL_NO_CONTEXT;
}

bool Context::make_current() const {
    // The current API is per thread and decides which context eglGetCurrentContext returns.
    eglBindAPI(api_);
    return eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_TRUE;
}

void Context::release_current() const {
    eglBindAPI(api_);
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

void terminate_display() {
    const EGLDisplay display = open_display();
    if (display != EGL_NO_DISPLAY) {
        eglTerminate(display);
    }
}

} // namespace kobalt::offscreen
