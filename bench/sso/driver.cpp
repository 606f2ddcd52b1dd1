// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "driver.h"

#include <EGL/egl.h>

namespace kobalt::sso {

namespace {

template <class Function>
void load(Function& function, const char* name) {
    function = reinterpret_cast<Function>(eglGetProcAddress(name));
}

} // namespace

Driver Driver::ask() {
    load(ext::PatchParameteri, "glPatchParameteri");
    load(ext::GetTextureHandle, "glGetTextureHandleARB");
    load(ext::GetTextureSamplerHandle, "glGetTextureSamplerHandleARB");
    load(ext::MakeTextureHandleResident, "glMakeTextureHandleResidentARB");
    load(ext::MakeTextureHandleNonResident, "glMakeTextureHandleNonResidentARB");
    load(ext::UniformHandle, "glUniformHandleui64ARB");
    Driver driver;
    GLint major = 0;
    GLint minor = 0;
    GLint count = 0;
    gl::GetIntegerv(GL_MAJOR_VERSION, &major);
    gl::GetIntegerv(GL_MINOR_VERSION, &minor);
    gl::GetIntegerv(GL_NUM_EXTENSIONS, &count);
    driver.version_ = 10 * major + minor;
    driver.extensions_ = " ";
    for (GLint i = 0; i < count; ++i) {
        driver.extensions_ +=
            reinterpret_cast<const char*>(gl::GetStringi(GL_EXTENSIONS, static_cast<GLuint>(i)));
        driver.extensions_ += ' ';
    }
    return driver;
}

bool Driver::has(std::string_view extension) const {
    return extensions_.find(" " + std::string(extension) + " ") != std::string::npos;
}

bool Driver::is_at_least(int major, int minor) const {
    return version_ >= 10 * major + minor;
}

bool Driver::separable() const {
    return (is_at_least(4, 1) || has("GL_ARB_separate_shader_objects")) &&
           gl::CreateShaderProgramv != nullptr && gl::UseProgramStages != nullptr;
}

bool Driver::tessellation() const {
    return (is_at_least(4, 0) || has("GL_ARB_tessellation_shader")) &&
           ext::PatchParameteri != nullptr;
}

bool Driver::bindless() const {
    return has("GL_ARB_bindless_texture") && ext::GetTextureHandle != nullptr &&
           ext::UniformHandle != nullptr && ext::MakeTextureHandleResident != nullptr &&
           ext::MakeTextureHandleNonResident != nullptr;
}

std::string Driver::lacks(std::string_view extension) const {
    return "OpenGL " + std::to_string(version_ / 10) + "." + std::to_string(version_ % 10) +
           " without " + std::string(extension);
}

} // namespace kobalt::sso
