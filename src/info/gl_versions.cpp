// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "info/gl_versions.h"

#include <array>
#include <cstdint>
#include <dlfcn.h>
#include <memory>

// libEGL is opened at run time, so that the Vulkan part of the report works without EGL. The few
// types and numbers used are from EGL 1.5 and OpenGL 4.6.

namespace kobalt::info {

namespace {

using Display = void*;
using Config = void*;
using EglContext = void*;
using Function = void (*)();

constexpr uint32_t platform_surfaceless = 0x31DD, opengl_api = 0x30A2, opengl_es_api = 0x30A0;
constexpr int32_t none = 0x3038, major_version = 0x3098, minor_version = 0x30FB,
                  profile_mask = 0x30FD, core_bit = 1, compatibility_bit = 2, surface_type = 0x3033,
                  renderable_type = 0x3040, pbuffer_bit = 1;
constexpr uint32_t gl_vendor = 0x1F00, gl_renderer = 0x1F01, gl_version = 0x1F02,
                   glsl_version = 0x8B8C;

struct Api {
    const char* title;
    uint32_t api;
    int32_t renderable; ///< EGL_OPENGL_BIT, EGL_OPENGL_ES3_BIT, …
    int32_t major, minor;
    int32_t profile; ///< 0: not requested
};

constexpr std::array<Api, 4> apis{{
    {"OpenGL core", opengl_api, 0x8, 3, 2, core_bit},
    {"OpenGL compatibility", opengl_api, 0x8, 1, 0, 0},
    {"OpenGL ES", opengl_es_api, 0x40, 3, 0, 0},
    {"OpenGL ES (2.0 asked)", opengl_es_api, 0x4, 2, 0, 0},
}};

struct Egl {
    void* library = nullptr;
    Function (*get_proc)(const char*) = nullptr;
    Display (*get_platform_display)(uint32_t, void*, const intptr_t*) = nullptr;
    uint32_t (*initialize)(Display, int32_t*, int32_t*) = nullptr;
    uint32_t (*terminate)(Display) = nullptr;
    uint32_t (*bind_api)(uint32_t) = nullptr;
    uint32_t (*choose_config)(Display, const int32_t*, Config*, int32_t, int32_t*) = nullptr;
    EglContext (*create_context)(Display, Config, EglContext, const int32_t*) = nullptr;
    uint32_t (*destroy_context)(Display, EglContext) = nullptr;
    uint32_t (*make_current)(Display, void*, void*, EglContext) = nullptr;
    int32_t (*get_error)() = nullptr;

    ~Egl() {
        if (library)
            dlclose(library);
    }

    template <class F>
    bool load(F& function, const char* name) {
        function = reinterpret_cast<F>(dlsym(library, name));
        return function != nullptr;
    }

    bool open() {
        library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
        return library && load(get_proc, "eglGetProcAddress") &&
               load(get_platform_display, "eglGetPlatformDisplay") &&
               load(initialize, "eglInitialize") && load(terminate, "eglTerminate") &&
               load(bind_api, "eglBindAPI") && load(choose_config, "eglChooseConfig") &&
               load(create_context, "eglCreateContext") &&
               load(destroy_context, "eglDestroyContext") && load(make_current, "eglMakeCurrent") &&
               load(get_error, "eglGetError");
    }
};

std::string error_text(const Egl& egl) {
    static constexpr const char* digits = "0123456789abcdef";
    const int32_t code = egl.get_error();
    std::string text = "EGL error 0x";
    for (int shift = 12; shift >= 0; shift -= 4)
        text += digits[(code >> shift) & 0xf];
    return text;
}

std::string describe(const Egl& egl, Display display, const Api& api) {
    if (!egl.bind_api(api.api))
        return "not offered by EGL";
    const int32_t config_wish[] = {surface_type, pbuffer_bit, renderable_type, api.renderable,
                                   none};
    Config config = nullptr;
    int32_t count = 0;
    if (!egl.choose_config(display, config_wish, &config, 1, &count) || !count)
        config = nullptr; // EGL_KHR_no_config_context
    const int32_t with_profile[] = {major_version, api.major,   minor_version, api.minor,
                                    profile_mask,  api.profile, none};
    const int32_t without[] = {major_version, api.major, minor_version, api.minor, none};
    EglContext context =
        egl.create_context(display, config, nullptr, api.profile ? with_profile : without);
    if (!context)
        return "no context of " + std::to_string(api.major) + "." + std::to_string(api.minor) +
               ": " + error_text(egl);
    std::string text;
    if (egl.make_current(display, nullptr, nullptr, context)) {
        const auto get_string =
            reinterpret_cast<const unsigned char* (*)(uint32_t)>(egl.get_proc("glGetString"));
        const auto get = [&](uint32_t name) -> std::string {
            const unsigned char* value = get_string ? get_string(name) : nullptr;
            return value ? reinterpret_cast<const char*>(value) : "?";
        };
        text = get(gl_version) + ", GLSL " + get(glsl_version) + ", " + get(gl_renderer) + " (" +
               get(gl_vendor) + ")";
        egl.make_current(display, nullptr, nullptr, nullptr);
    } else {
        text = "the context can't be made current without a surface: " + error_text(egl);
    }
    egl.destroy_context(display, context);
    return text;
}

} // namespace

std::string gl_report() {
    Egl egl;
    if (!egl.open())
        return "GL versions: libEGL.so.1 is missing; install libegl1 to see them\n";
    Display display = egl.get_platform_display(platform_surfaceless, nullptr, nullptr);
    int32_t major = 0, minor = 0;
    if (!display || !egl.initialize(display, &major, &minor))
        return "GL versions: EGL's surfaceless platform doesn't start: " + error_text(egl) + "\n";
    std::string report =
        "EGL " + std::to_string(major) + "." + std::to_string(minor) + ", surfaceless\n";
    for (const Api& api : apis)
        report += std::string("  ") + api.title + ": " + describe(egl, display, api) + "\n";
    egl.terminate(display);
    return report;
}

} // namespace kobalt::info
