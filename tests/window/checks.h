// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "demo/offscreen/gl_api.h"

// Xlib defines macros with everyday names; it comes after every other header.
#include <X11/Xlib.h>

namespace kobalt::windowtest {

using Rgb = std::array<int, 3>;

/// Prints and counts a failed expectation; the test goes on to report further ones.
void expect(bool good, const std::string& what);
int failures();

/// Counts and prints X errors from now on; Xlib would exit.
void catch_x_errors();
int x_errors();
/// Doesn't count errors of this name ("GLXBadCurrentWindow"); empty: counts all.
void allow_x_error(const std::string& name);
/// The number of errors so far that were allowed.
int allowed_x_errors();

/// The fewest bits of a colour that the screen's own visual has: 8, on some screens 5 or 10.
int channel_bits(Display* display);

/// An X window of its own, mapped and ready to be drawn to.
class Window {
public:
    Window(Display* display, Visual* visual, int depth, int width, int height);
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    ~Window();

    ::Window handle() const { return window_; }
    bool exists() const { return window_ != None; }
    /// Destroys the window now and waits until the server has done so.
    void destroy();
    /// Marks the window as destroyed by another client.
    void forget() { window_ = None; }
    /// Asks for a new size and waits until the server has changed it.
    void resize(int width, int height);
    /// Like resize(), without waiting.
    void request_size(int width, int height);
    /// Moves the window's corner there: pixels below another window can't be read.
    void move(int x, int y);
    /// Colour of a pixel as the X server has it, from 0 to 255; y counts from the top.
    Rgb server_pixel(int x, int y) const;

private:
    Display* display_;
    Colormap colormap_;
    ::Window window_;
};

/// Draws a frame: four quarters in fixed colours and a bar that moves with the frame number.
class Painter {
public:
    Painter();
    void draw(int width, int height, int frame) const;
    /// Colour of the quarter that holds the point (from the bottom left), away from the bar.
    static Rgb quarter(bool right, bool top);

private:
    GLuint program_ = 0;
    GLuint vertex_array_ = 0;
};

/// Reads the quarters' middles with glReadPixels from the given buffer and checks them.
void expect_quarters_gl(GLenum buffer, int width, int height, const std::string& when);
/// The same through XGetImage, retrying for a second: presentation is not synchronous.
void expect_quarters_x(const Window& window, int width, int height, const std::string& when);

/// Checks GL_RENDERER (offscreen/expected_renderer.h) and prints it.
void expect_renderer();

/// The window systems; each returns false when the display lacks it altogether.
bool run_glx(Display* display);
bool run_egl(Display* display);
bool run_wayland();

} // namespace kobalt::windowtest
