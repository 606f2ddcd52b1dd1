// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <functional>
#include <memory>

#include "target.h"

namespace kobalt::windowtest {

using MakeTarget = std::function<std::unique_ptr<Target>(const TargetOptions&)>;

/// A part of the tests, on targets of GLX or EGL.
using Part = std::function<void(Display*, const MakeTarget&)>;
/// Runs a part alone; false: the display lacks the window system altogether.
bool with_glx(Display* display, const Part& part);
bool with_egl(Display* display, const Part& part);

/// The tests that are the same for GLX and EGL.
void run_shared_tests(Display* display, const MakeTarget& make);

// The parts of run_shared_tests(), by subject.
void run_swap_tests(const MakeTarget& make);
void run_partial_tests(const MakeTarget& make);
void run_lifetime_tests(Display* display, const MakeTarget& make);
void run_thread_tests(Display* display, const MakeTarget& make);
void run_many_tests(Display* display, const MakeTarget& make);

// What main.cpp runs by name.
/// 300 random resizes; some pictures are judged.
void run_random_resizes(Display* display, const MakeTarget& make);
/// 52 windows from four threads, some of which live at the same time.
void run_windows_of_threads(Display* display, const MakeTarget& make);
/// Kills the X server (the process KOBALT_TEST_XSERVER) in the middle of a frame, swaps on, and
/// ends the process.
void run_until_the_server_dies(Display* display, const MakeTarget& make);
/// What this process and the X server's (KOBALT_TEST_XSERVER) grow by over 2,000 resizes.
void run_growth(Display* display, const MakeTarget& make);
/// Frames to a window until its device is lost (KOBALT_FAULT=lost:N), then to the same one with
/// another context.
void run_recovery(Display* display, const MakeTarget& make);
/// Prints GL_RENDERER.
void run_renderer(Display* display, const MakeTarget& make);

/// Checks the message of GLX on an X server without the extension.
void run_without_glx(Display* display);

/// Prints how long a swap blocks the program's thread, without and with pauses between the frames.
void show_swap_times(const MakeTarget& make);

void run_glx_pixmap_tests(Display* display);
void run_egl_pixmap_tests(Display* display, void* egl_display);
void run_glx_sync_tests(Display* display);
void run_egl_sync_tests(Display* display, void* egl_display);
void run_glx_pbuffer_tests(Display* display);
void run_egl_pbuffer_tests(void* egl_display);

} // namespace kobalt::windowtest
