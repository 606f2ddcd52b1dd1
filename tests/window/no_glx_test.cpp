// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// This test reads the message that a GLX program prints on an X server without the extension.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include <unistd.h>

#include "glx_proc.h"
#include "shared_tests.h"

namespace kobalt::windowtest {

namespace {

/// The standard error output of its lifetime, as a text.
class StandardError {
public:
    StandardError()
        : file_(std::tmpfile(), [](std::FILE* file) { return std::fclose(file); }),
          before_(dup(STDERR_FILENO)) {
        if (file_) {
            dup2(fileno(file_.get()), STDERR_FILENO);
        }
    }
    StandardError(const StandardError&) = delete;
    StandardError& operator=(const StandardError&) = delete;
    ~StandardError() {
        dup2(before_, STDERR_FILENO);
        close(before_);
    }
    std::string text() const {
        std::string all;
        if (file_) {
            std::rewind(file_.get());
            for (int c = std::fgetc(file_.get()); c != EOF; c = std::fgetc(file_.get())) {
                all.push_back(static_cast<char>(c));
            }
        }
        return all;
    }

private:
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
    int before_;
};

/// Asks for visuals and framebuffer configurations, as programs do. True: there are some.
bool finds_a_visual(Display* display) {
    int attributes[] = {GLX_RGBA, GLX_DOUBLEBUFFER, None};
    int count = 0;
    XVisualInfo* visual = glXChooseVisual(display, DefaultScreen(display), attributes);
    GLXFBConfig* configs = glXGetFBConfigs(display, DefaultScreen(display), &count);
    const bool found = visual != nullptr || configs != nullptr;
    if (visual != nullptr) {
        XFree(visual);
    }
    if (configs != nullptr) {
        XFree(configs);
    }
    return found;
}

} // namespace

void run_without_glx(Display* display) {
    std::string text;
    {
        const StandardError standard_error;
        Display* other = XOpenDisplay(DisplayString(display));
        for (Display* each : {display, display, other}) {
            expect(!finds_a_visual(each), "a server without GLX has a visual");
        }
        XCloseDisplay(other);
        text = standard_error.text();
    }
    std::printf("said: %s", text.c_str());
    expect(std::ranges::count(text, '\n') == 1, "not one line says that the server has no GLX");
    const std::string server = DisplayString(display);
    for (const std::string& word : {std::string("kobalt: "), server, std::string("GLX"),
                                    std::string("libgl1-mesa-dri"), std::string("EGL")}) {
        expect(text.find(word) != std::string::npos, "the line lacks " + word);
    }
}

} // namespace kobalt::windowtest
