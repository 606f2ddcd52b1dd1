// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gbm_device.h"

#include <array>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

#include <EGL/eglext.h>

namespace kobalt::gltest {

bool GbmDevice::load(std::string& why_not) {
    library_ = dlopen("libgbm.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library_) {
        why_not = dlerror();
        return false;
    }
#define KOBALT_GBM_LOAD(name)                                                                      \
    gbm_.name = reinterpret_cast<decltype(gbm_.name)>(dlsym(library_, "gbm_" #name));              \
    if (!gbm_.name) {                                                                              \
        why_not = "libgbm has no gbm_" #name ": it isn't Kobalt's";                                \
        return false;                                                                              \
    }
    KOBALT_GBM_FUNCTIONS(KOBALT_GBM_LOAD)
#undef KOBALT_GBM_LOAD
    return true;
}

std::unique_ptr<GbmDevice> GbmDevice::open(std::string& why_not) {
    std::unique_ptr<GbmDevice> made(new GbmDevice());
    for (int number = 128; number < 136 && made->node_ < 0; ++number) {
        const std::string path = "/dev/dri/renderD" + std::to_string(number);
        made->node_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    }
    if (made->node_ < 0) {
        why_not = "there is no render node that can be opened (/dev/dri/renderD128)";
        return nullptr;
    }
    if (!made->load(why_not)) {
        return nullptr;
    }
    made->device_ = made->gbm_.create_device(made->node_);
    if (!made->device_) {
        why_not = "gbm_create_device fails on the render node";
        return nullptr;
    }
    made->display_ = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, made->device_, nullptr);
    if (!eglInitialize(made->display_, nullptr, nullptr)) {
        why_not = "EGL has no display of the GBM device";
        return nullptr;
    }
    const std::array<EGLint, 5> version{EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0,
                                        EGL_NONE};
    eglBindAPI(EGL_OPENGL_ES_API);
    made->context_ =
        eglCreateContext(made->display_, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version.data());
    if (made->context_ == EGL_NO_CONTEXT) {
        why_not = "there is no context of OpenGL ES 3 on the GBM device";
        return nullptr;
    }
    return made;
}

EGLConfig GbmDevice::config_of(std::uint32_t format) const {
    const std::array<EGLint, 5> wanted{EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_RENDERABLE_TYPE,
                                       EGL_OPENGL_ES3_BIT, EGL_NONE};
    EGLint count = 0;
    eglChooseConfig(display_, wanted.data(), nullptr, 0, &count);
    std::vector<EGLConfig> found(static_cast<std::size_t>(count));
    eglChooseConfig(display_, wanted.data(), found.data(), count, &count);
    for (const EGLConfig config : found) {
        EGLint visual = 0;
        eglGetConfigAttrib(display_, config, EGL_NATIVE_VISUAL_ID, &visual);
        if (static_cast<std::uint32_t>(visual) == format) {
            return config;
        }
    }
    return nullptr;
}

GbmDevice::~GbmDevice() {
    if (display_ != EGL_NO_DISPLAY) {
        if (context_ != EGL_NO_CONTEXT) {
            eglDestroyContext(display_, context_);
        }
        eglTerminate(display_);
    }
    if (device_) {
        gbm_.device_destroy(device_);
    }
    if (node_ >= 0) {
        close(node_);
    }
}

} // namespace kobalt::gltest
