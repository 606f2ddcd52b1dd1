// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include <EGL/egl.h>

namespace kobalt::offscreen {

enum class Profile { Core, Compatibility, Es };

/// What a program asks of its context. The driver may give a newer version of the same profile.
struct ContextRequest {
    Profile profile = Profile::Core;
    int major = 3;
    int minor = 3;
    /// Robust access (EGL_EXT_create_context_robustness or EGL 1.5).
    bool robust = false;
    /// Whether a robust context is lost when the device is. Only contexts with the same setting can
    /// share objects.
    bool lost_on_reset = true;
};

/// A GL context without any surface, current on the thread that made it. It draws to framebuffer
/// objects only (EGL_KHR_surfaceless_context).
class Context {
public:
    /// Opens the surfaceless platform, or an EGL device where that platform is missing, makes the
    /// context current and loads the entry points of offscreen/gl_api.h. The error is one line.
    static std::expected<Context, std::string> create(const ContextRequest& request);

    Context(Context&& other) noexcept;
    Context& operator=(Context&& other) noexcept;
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context();

    /// Makes a second context that shares this one's objects; it is not made current.
    std::expected<Context, std::string> create_shared(const ContextRequest& request) const;

    /// Binds the context to the calling thread.
    bool make_current() const;
    /// Unbinds the calling thread's current context, if any.
    void release_current() const;

private:
    Context(EGLDisplay display, EGLContext context, EGLenum api)
        : display_(display), context_(context), api_(api) {}
    static std::expected<Context, std::string> create_on(EGLDisplay display, EGLContext share,
                                                         const ContextRequest& request);
    void destroy();

    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
    EGLenum api_ = EGL_OPENGL_API;
};

/// Terminates the process's EGL display, so that a driver's tear-down runs before exit.
void terminate_display();

/// True when the space separated list holds exactly this word.
bool has_word(std::string_view list, std::string_view word);

} // namespace kobalt::offscreen
