// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "checks.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "demo/offscreen/expected_renderer.h"

#include <X11/Xutil.h>

namespace kobalt::windowtest {

namespace {

int failure_count = 0;
int x_error_count = 0;
std::string allowed_x_error;
int allowed_x_error_count = 0;

int on_x_error(Display* display, XErrorEvent* error) {
    std::array<char, 128> name{};
    XGetErrorText(display, error->error_code, name.data(), static_cast<int>(name.size()));
    if (allowed_x_error == name.data()) {
        ++allowed_x_error_count;
        return 0;
    }
    ++x_error_count;
    std::printf("X error: %s, request %d.%d, serial %lu, resource 0x%lx\n", name.data(),
                error->request_code, error->minor_code, error->serial, error->resourceid);
    std::fflush(stdout);
    return 0;
}

/// A step of the coarsest channel, of 5 bits, is 8.
bool close(const Rgb& a, const Rgb& b) {
    for (size_t i = 0; i < 3; ++i) {
        if (std::abs(a[i] - b[i]) > 5) {
            return false;
        }
    }
    return true;
}

std::string text(const Rgb& value) {
    return "(" + std::to_string(value[0]) + ", " + std::to_string(value[1]) + ", " +
           std::to_string(value[2]) + ")";
}

GLuint compile(GLenum type, const char* source) {
    const GLuint shader = gl::CreateShader(type);
    gl::ShaderSource(shader, 1, &source, nullptr);
    gl::CompileShader(shader);
    GLint good = 0;
    gl::GetShaderiv(shader, GL_COMPILE_STATUS, &good);
    expect(good, "a shader of the window test does not compile");
    return shader;
}

} // namespace

void expect(bool good, const std::string& what) {
    if (!good) {
        ++failure_count;
        std::printf("FAILED: %s\n", what.c_str());
        std::fflush(stdout);
    }
}

int failures() {
    return failure_count;
}

void catch_x_errors() {
    XSetErrorHandler(on_x_error);
}

void allow_x_error(const std::string& name) {
    allowed_x_error = name;
}

int allowed_x_errors() {
    return allowed_x_error_count;
}

int x_errors() {
    return x_error_count;
}

int channel_bits(Display* display) {
    const Visual* visual = DefaultVisual(display, DefaultScreen(display));
    int fewest = 8 * sizeof(unsigned long);
    for (const unsigned long mask : {visual->red_mask, visual->green_mask, visual->blue_mask}) {
        fewest = std::min(fewest, std::popcount(mask));
    }
    return fewest;
}

Window::Window(Display* display, Visual* visual, int depth, int width, int height)
    : display_(display) {
    const ::Window root = DefaultRootWindow(display);
    colormap_ = XCreateColormap(display, root, visual, AllocNone);
    XSetWindowAttributes attributes{};
    attributes.colormap = colormap_;
    attributes.event_mask = StructureNotifyMask | ExposureMask;
    // No window manager interferes: sizes and positions are as requested.
    attributes.override_redirect = True;
    window_ =
        XCreateWindow(display, root, 10, 10, static_cast<unsigned>(width),
                      static_cast<unsigned>(height), 0, depth, InputOutput, visual,
                      CWColormap | CWEventMask | CWOverrideRedirect | CWBorderPixel, &attributes);
    XMapWindow(display, window_);
    XEvent event;
    XWindowEvent(display, window_, ExposureMask, &event);
}

Window::~Window() {
    destroy();
    XFreeColormap(display_, colormap_);
    XSync(display_, False);
}

void Window::destroy() {
    if (exists()) {
        XDestroyWindow(display_, window_);
        XSync(display_, False);
    }
    window_ = None;
}

void Window::resize(int width, int height) {
    request_size(width, height);
    XSync(display_, False);
}

void Window::request_size(int width, int height) {
    XResizeWindow(display_, window_, static_cast<unsigned>(width), static_cast<unsigned>(height));
}

void Window::move(int x, int y) {
    XMoveWindow(display_, window_, x, y);
    XSync(display_, False);
}

Rgb Window::server_pixel(int x, int y) const {
    XImage* image = XGetImage(display_, window_, x, y, 1, 1, AllPlanes, ZPixmap);
    if (image == nullptr) {
        return {-1, -1, -1};
    }
    const unsigned long value = XGetPixel(image, 0, 0);
    const auto channel = [&](unsigned long mask) {
        int shift = 0;
        while (mask != 0 && !((mask >> shift) & 1)) {
            ++shift;
        }
        const unsigned long most = mask >> shift;
        return most == 0 ? -1 : static_cast<int>(((value & mask) >> shift) * 255 / most);
    };
    const Rgb result{channel(image->red_mask), channel(image->green_mask),
                     channel(image->blue_mask)};
    XDestroyImage(image);
    return result;
}

Painter::Painter() {
    program_ = gl::CreateProgram();
    gl::AttachShader(program_, compile(GL_VERTEX_SHADER, R"(#version 330 core
void main() {
    vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
})"));
    gl::AttachShader(program_, compile(GL_FRAGMENT_SHADER, R"(#version 330 core
uniform vec2 size;
uniform float bar;
out vec4 result;
void main() {
    bool right = gl_FragCoord.x >= size.x * 0.5;
    bool top = gl_FragCoord.y >= size.y * 0.5;
    vec3 colour = vec3(right ? 1.0 : 0.2, top ? 0.8 : 0.4, right == top ? 0.6 : 0.0);
    if (abs(gl_FragCoord.y / size.y - bar) < 0.01) colour = vec3(1.0);
    result = vec4(colour, 1.0);
})"));
    gl::LinkProgram(program_);
    gl::GenVertexArrays(1, &vertex_array_);
}

void Painter::draw(int width, int height, int frame) const {
    gl::Viewport(0, 0, width, height);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::UseProgram(program_);
    gl::Uniform2f(gl::GetUniformLocation(program_, "size"), static_cast<float>(width),
                  static_cast<float>(height));
    // The bar moves only between the middles of the quarters.
    gl::Uniform1f(gl::GetUniformLocation(program_, "bar"),
                  0.40F + 0.20F * static_cast<float>(frame % 60) / 60.0F);
    gl::BindVertexArray(vertex_array_);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
}

Rgb Painter::quarter(bool right, bool top) {
    return {right ? 255 : 51, top ? 204 : 102, right == top ? 153 : 0};
}

void expect_quarters_gl(GLenum buffer, int width, int height, const std::string& when) {
    gl::ReadBuffer(buffer);
    for (const bool right : {false, true}) {
        for (const bool top : {false, true}) {
            std::array<std::uint8_t, 4> value{};
            gl::ReadPixels(width * (right ? 3 : 1) / 4, height * (top ? 3 : 1) / 4, 1, 1, GL_RGBA,
                           GL_UNSIGNED_BYTE, value.data());
            const Rgb seen{value[0], value[1], value[2]};
            const Rgb wanted = Painter::quarter(right, top);
            expect(close(seen, wanted),
                   when + ": glReadPixels gives " + text(seen) + " instead of " + text(wanted));
        }
    }
}

void expect_quarters_x(const Window& window, int width, int height, const std::string& when) {
    for (const bool right : {false, true}) {
        for (const bool top : {false, true}) {
            const Rgb wanted = Painter::quarter(right, top);
            Rgb seen{};
            for (int attempt = 0; attempt < 100; ++attempt) {
                seen = window.server_pixel(width * (right ? 3 : 1) / 4, height * (top ? 1 : 3) / 4);
                if (close(seen, wanted)) {
                    break;
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }
            expect(close(seen, wanted),
                   when + ": the X server shows " + text(seen) + " instead of " + text(wanted));
        }
    }
}

void expect_renderer() {
    const auto* renderer = reinterpret_cast<const char*>(gl::GetString(GL_RENDERER));
    const std::string name = renderer ? renderer : "";
    std::printf("renderer: %s\n", name.c_str());
    const std::string wanted = offscreen::expected_renderer();
    expect(offscreen::is_drawn_by(wanted, name),
           "the renderer is '" + name + "', which is not '" + wanted + "'");
}

} // namespace kobalt::windowtest
