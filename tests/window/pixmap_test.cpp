// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// X pixmaps: GL draws into them, and reads them as textures.
#include <cstdio>
#include <string>
#include <vector>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "glx_proc.h"
#include "shared_tests.h"
#include "target.h"

#include <X11/Xutil.h>

namespace kobalt::windowtest {

namespace {

constexpr int width = 120;
constexpr int height = 80;

/// An X pixmap that X can paint and read.
class XPixmap {
public:
    XPixmap(Display* display, int depth)
        : display_(display), pixmap_(XCreatePixmap(display, DefaultRootWindow(display), width,
                                                   height, static_cast<unsigned>(depth))),
          painter_(XCreateGC(display, pixmap_, 0, nullptr)) {}
    XPixmap(const XPixmap&) = delete;
    XPixmap& operator=(const XPixmap&) = delete;
    ~XPixmap() {
        XFreeGC(display_, painter_);
        XFreePixmap(display_, pixmap_);
        XSync(display_, False);
    }

    Pixmap handle() const { return pixmap_; }
    void fill(int x, int y, int w, int h, unsigned long value) {
        XSetForeground(display_, painter_, value);
        XFillRectangle(display_, pixmap_, painter_, x, y, static_cast<unsigned>(w),
                       static_cast<unsigned>(h));
        XSync(display_, False);
    }
    /// y counts from the top.
    unsigned long pixel(int x, int y) const {
        XImage* image = XGetImage(display_, pixmap_, x, y, 1, 1, AllPlanes, ZPixmap);
        const unsigned long value = image != nullptr ? XGetPixel(image, 0, 0) : ~0UL;
        if (image != nullptr) {
            XDestroyImage(image);
        }
        return value & 0xffffff;
    }

private:
    Display* display_;
    Pixmap pixmap_;
    GC painter_;
};

std::string hex(unsigned long value) {
    char text[16];
    std::snprintf(text, sizeof(text), "0x%06lx", value);
    return text;
}

void expect_quarters_pixmap(const XPixmap& pixmap, const std::string& when) {
    for (const bool right : {false, true}) {
        for (const bool top : {false, true}) {
            const Rgb colour = Painter::quarter(right, top);
            const unsigned long wanted = static_cast<unsigned long>(colour[0]) << 16 |
                                         static_cast<unsigned long>(colour[1]) << 8 |
                                         static_cast<unsigned long>(colour[2]);
            const unsigned long seen =
                pixmap.pixel(width * (right ? 3 : 1) / 4, height * (top ? 1 : 3) / 4);
            expect(seen == wanted,
                   when + ": the pixmap holds " + hex(seen) + " instead of " + hex(wanted));
        }
    }
}

GLXFBConfig glx_config(Display* display, const std::vector<int>& attributes) {
    int count = 0;
    GLXFBConfig* configs =
        glXChooseFBConfig(display, DefaultScreen(display), attributes.data(), &count);
    GLXFBConfig found = nullptr;
    for (int i = 0; i < count && found == nullptr; ++i) {
        XVisualInfo* visual = glXGetVisualFromFBConfig(display, configs[i]);
        if (visual != nullptr) {
            found = visual->depth == 24 ? configs[i] : nullptr;
            XFree(visual);
        }
    }
    if (configs != nullptr) {
        XFree(configs);
    }
    return found;
}

void glx_pixmap_surface(Display* display) {
    const GLXFBConfig config =
        glx_config(display, {GLX_DRAWABLE_TYPE, GLX_PIXMAP_BIT, GLX_RENDER_TYPE, GLX_RGBA_BIT,
                             GLX_RED_SIZE, 8, GLX_DOUBLEBUFFER, False, None});
    if (config == nullptr) {
        std::printf("skipped: GLX offers no pixmaps\n");
        return;
    }
    XPixmap pixmap(display, 24);
    const GLXPixmap drawable = glXCreatePixmap(display, config, pixmap.handle(), nullptr);
    const GLXContext context = create_glx_context(display, config);
    const bool current = glXMakeContextCurrent(display, drawable, drawable, context);
    expect(current, "GLX: a pixmap cannot be made current");
    if (current) {
        gl::load([](const char* name) { return glx_proc<void*>(name); });
        const Painter painter;
        for (int frame = 0; frame < 3; ++frame) {
            painter.draw(width, height, frame);
            expect_quarters_gl(GL_FRONT, width, height, "GLX pixmap");
            gl::Finish();
            glXWaitGL();
            expect_quarters_pixmap(pixmap, "GLX pixmap");
        }
        expect(gl::GetError() == GL_NO_ERROR, "GLX pixmap: a GL error is left behind");
    }
    glXMakeContextCurrent(display, None, None, nullptr);
    glXDestroyContext(display, context);
    glXDestroyPixmap(display, drawable);
}

void egl_pixmap_surface(Display* x_display, EGLDisplay display) {
    eglBindAPI(EGL_OPENGL_API);
    const std::vector<EGLint> attributes{EGL_SURFACE_TYPE,     EGL_PIXMAP_BIT, EGL_RENDERABLE_TYPE,
                                         EGL_OPENGL_BIT,       EGL_RED_SIZE,   8,
                                         EGL_NATIVE_VISUAL_ID, EGL_DONT_CARE,  EGL_NONE};
    std::vector<EGLConfig> configs(64);
    EGLint count = 0;
    eglChooseConfig(display, attributes.data(), configs.data(), 64, &count);
    EGLConfig config = nullptr;
    for (EGLint i = 0; i < count && config == nullptr; ++i) {
        EGLint size = 0;
        eglGetConfigAttrib(display, configs[static_cast<size_t>(i)], EGL_BUFFER_SIZE, &size);
        config = size == 24 ? configs[static_cast<size_t>(i)] : nullptr;
    }
    if (config == nullptr) {
        std::printf("skipped: EGL offers no pixmaps of depth 24\n");
        return;
    }
    XPixmap pixmap(x_display, 24);
    Pixmap handle = pixmap.handle();
    const EGLSurface surface = eglCreatePlatformPixmapSurface(display, config, &handle, nullptr);
    const std::vector<EGLint> version{EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                                      EGL_NONE};
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version.data());
    const bool current = eglMakeCurrent(display, surface, surface, context) == EGL_TRUE;
    expect(current, "EGL: a pixmap cannot be made current");
    if (current) {
        gl::load([](const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); });
        const Painter painter;
        for (int frame = 0; frame < 3; ++frame) {
            painter.draw(width, height, frame);
            GLint buffer = 0;
            gl::GetIntegerv(GL_DRAW_BUFFER, &buffer);
            expect_quarters_gl(static_cast<GLenum>(buffer), width, height, "EGL pixmap");
            gl::Finish();
            eglWaitClient();
            expect_quarters_pixmap(pixmap, "EGL pixmap");
        }
        expect(gl::GetError() == GL_NO_ERROR, "EGL pixmap: a GL error is left behind");
    }
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
    eglDestroySurface(display, surface);
}

/// Draws the bound texture over the window, row 0 of it at the bottom.
class TexturePainter {
public:
    TexturePainter() {
        program_ = gl::CreateProgram();
        const char* vertex = R"(#version 330 core
out vec2 at;
void main() {
    at = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
})";
        const char* fragment = R"(#version 330 core
in vec2 at;
uniform sampler2D image;
out vec4 result;
void main() { result = texture(image, at); })";
        for (const auto& [type, source] :
             {std::pair{GL_VERTEX_SHADER, vertex}, std::pair{GL_FRAGMENT_SHADER, fragment}}) {
            const GLuint shader = gl::CreateShader(static_cast<GLenum>(type));
            gl::ShaderSource(shader, 1, &source, nullptr);
            gl::CompileShader(shader);
            gl::AttachShader(program_, shader);
        }
        gl::LinkProgram(program_);
        gl::GenVertexArrays(1, &vertex_array_);
    }
    void draw(int w, int h) const {
        gl::Viewport(0, 0, w, h);
        gl::UseProgram(program_);
        gl::BindVertexArray(vertex_array_);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
    }

private:
    GLuint program_ = 0;
    GLuint vertex_array_ = 0;
};

unsigned long gl_pixel(int x, int y) {
    std::array<std::uint8_t, 4> value{};
    gl::ReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, value.data());
    return static_cast<unsigned long>(value[0]) << 16 | static_cast<unsigned long>(value[1]) << 8 |
           value[2];
}

/// Tests GLX_EXT_texture_from_pixmap.
void texture_from_pixmap(Display* display) {
    const std::string extensions = glXQueryExtensionsString(display, DefaultScreen(display));
    const GLXFBConfig config =
        glx_config(display, {GLX_DRAWABLE_TYPE, GLX_PIXMAP_BIT, GLX_BIND_TO_TEXTURE_RGB_EXT, True,
                             GLX_BIND_TO_TEXTURE_TARGETS_EXT, GLX_TEXTURE_2D_BIT_EXT, None});
    if (extensions.find("GLX_EXT_texture_from_pixmap") == std::string::npos || config == nullptr) {
        std::printf("skipped: GLX_EXT_texture_from_pixmap is not offered\n");
        return;
    }
    const auto target = make_glx_target(display, {.width = width, .height = height});
    if (!target->current()) {
        return;
    }
    const auto bind = glx_proc<PFNGLXBINDTEXIMAGEEXTPROC>("glXBindTexImageEXT");
    const auto release = glx_proc<PFNGLXRELEASETEXIMAGEEXTPROC>("glXReleaseTexImageEXT");
    XPixmap pixmap(display, 24);
    pixmap.fill(0, 0, width, height, 0x204060);
    pixmap.fill(0, 0, width / 2, height / 2, 0xff8000); // top left
    const std::vector<int> attributes{GLX_TEXTURE_TARGET_EXT, GLX_TEXTURE_2D_EXT,
                                      GLX_TEXTURE_FORMAT_EXT, GLX_TEXTURE_FORMAT_RGB_EXT, None};
    const GLXPixmap drawable = glXCreatePixmap(display, config, pixmap.handle(), attributes.data());
    int upside_up = 0;
    glXGetFBConfigAttrib(display, config, GLX_Y_INVERTED_EXT, &upside_up);

    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    const TexturePainter painter;
    const auto check = [&](unsigned long corner, unsigned long rest, const char* when) {
        painter.draw(width, height);
        // With GLX_Y_INVERTED_EXT row 0 of the texture is the pixmap's top.
        const int left = width / 4, right = width * 3 / 4;
        const int up = upside_up ? height / 4 : height * 3 / 4;
        const int down = height - up;
        gl::ReadBuffer(GL_BACK);
        expect(gl_pixel(left, up) == corner, std::string(when) + ": the corner is " +
                                                 hex(gl_pixel(left, up)) + " instead of " +
                                                 hex(corner));
        for (const unsigned long seen :
             {gl_pixel(right, up), gl_pixel(left, down), gl_pixel(right, down)}) {
            expect(seen == rest,
                   std::string(when) + ": shows " + hex(seen) + " instead of " + hex(rest));
        }
        target->swap();
    };
    bind(display, drawable, GLX_FRONT_LEFT_EXT, nullptr);
    check(0xff8000, 0x204060, "texture from pixmap");
    release(display, drawable, GLX_FRONT_LEFT_EXT);
    for (const unsigned long colour : {0x00ff00UL, 0x8000ffUL}) {
        pixmap.fill(0, 0, width / 2, height / 2, colour);
        bind(display, drawable, GLX_FRONT_LEFT_EXT, nullptr);
        check(colour, 0x204060, "texture from pixmap after X has painted");
        release(display, drawable, GLX_FRONT_LEFT_EXT);
    }
    expect(gl::GetError() == GL_NO_ERROR, "texture from pixmap: a GL error is left behind");
    glXDestroyPixmap(display, drawable);
}

/// Tests EGL_KHR_image_pixmap where the extension is offered.
void image_from_pixmap(Display* x_display, EGLDisplay display) {
    const std::string extensions = eglQueryString(display, EGL_EXTENSIONS);
    if (extensions.find("EGL_KHR_image_pixmap") == std::string::npos) {
        std::printf("skipped: EGL_KHR_image_pixmap is not offered\n");
        return;
    }
    XPixmap pixmap(x_display, 24);
    pixmap.fill(0, 0, width, height, 0x204060);
    const auto create =
        reinterpret_cast<PFNEGLCREATEIMAGEKHRPROC>(eglGetProcAddress("eglCreateImageKHR"));
    const auto destroy =
        reinterpret_cast<PFNEGLDESTROYIMAGEKHRPROC>(eglGetProcAddress("eglDestroyImageKHR"));
    // EGL takes the pixmap's X id as a pointer.
    const EGLImageKHR image = create(display, EGL_NO_CONTEXT, EGL_NATIVE_PIXMAP_KHR,
                                     reinterpret_cast<EGLClientBuffer>(pixmap.handle()), nullptr);
    expect(image != EGL_NO_IMAGE_KHR, "EGL_KHR_image_pixmap: no image of a pixmap can be made");
    if (image != EGL_NO_IMAGE_KHR) {
        destroy(display, image);
    }
}

} // namespace

void run_glx_pixmap_tests(Display* display) {
    glx_pixmap_surface(display);
    texture_from_pixmap(display);
}

void run_egl_pixmap_tests(Display* display, void* egl_display) {
    egl_pixmap_surface(display, egl_display);
    image_from_pixmap(display, egl_display);
}

} // namespace kobalt::windowtest
