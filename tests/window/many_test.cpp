// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Many windows, many sizes, and a server that dies.
#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <malloc.h>
#include <unistd.h>

#include "shared_tests.h"

namespace kobalt::windowtest {

namespace {

/// Sizes of windows, the same in each run.
class Sizes {
public:
    std::pair<int, int> next() {
        const int width = 20 + static_cast<int>(random_() % 600);
        const int height = 20 + static_cast<int>(random_() % 500);
        return {width, height};
    }

private:
    std::minstd_rand random_{38}; // NOLINT(cert-msc51-cpp)
};

/// What a process has of the machine.
struct Use {
    long kibibytes = 0; ///< resident
    long files = 0;     ///< open
    long heap = 0;      ///< kibibytes that are allocated, of this process
    long mappings = 0;  ///< of files and memory
};

Use use_of(const std::string& process) {
    Use use;
    long pages = 0;
    std::ifstream("/proc/" + process + "/statm") >> pages >> pages; // the second number
    use.kibibytes = pages * (sysconf(_SC_PAGESIZE) / 1024);
    std::error_code error;
    for (std::filesystem::directory_iterator at("/proc/" + process + "/fd", error), end;
         !error && at != end; at.increment(error)) {
        ++use.files;
    }
    use.heap = static_cast<long>(mallinfo2().uordblks / 1024);
    std::ifstream maps("/proc/" + process + "/maps");
    use.mappings = std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
    return use;
}

} // namespace

void run_random_resizes(Display*, const MakeTarget& make) {
    const auto target = make({});
    expect(target->current(), "no window to resize");
    if (!target->current()) {
        return;
    }
    const std::string api = target->api();
    const Painter painter;
    Sizes sizes;
    target->set_interval(0);
    constexpr int resizes = 300;
    for (int i = 0; i < resizes; ++i) {
        const auto [width, height] = sizes.next();
        const bool judged = i % 30 == 29;
        if (judged) {
            target->window().resize(width, height);
        } else {
            target->window().request_size(width, height);
        }
        painter.draw(width, height, i);
        expect(target->swap(), api + ": a swap fails after a resize");
        if (judged) {
            painter.draw(width, height, i);
            expect(target->swap(), api + ": a swap fails after a resize");
            gl::Finish();
            expect_quarters_x(target->window(), width, height,
                              api + " after resize " + std::to_string(i));
        }
    }
    expect(gl::GetError() == GL_NO_ERROR, api + " resizes: a GL error is left behind");
}

void run_growth(Display* display, const MakeTarget& make) {
    const auto target = make({});
    expect(target->current(), "no window to resize");
    if (!target->current()) {
        return;
    }
    const std::string api = target->api();
    const Painter painter;
    Sizes sizes;
    target->set_interval(0);
    const auto resize = [&](int times) {
        for (int i = 0; i < times; ++i) {
            const auto [width, height] = sizes.next();
            // Waits for the server, so that each size is one of the window's buffers.
            target->window().resize(width, height);
            painter.draw(width, height, i);
            expect(target->swap(), api + ": a swap fails after a resize");
            XSync(display, True); // drops the events of the resize, which would stay in the heap
        }
        gl::Finish();
    };
    const char* number = std::getenv("KOBALT_TEST_XSERVER"); // NOLINT(concurrency-mt-unsafe)
    const std::string server = number != nullptr ? number : "none";
    // Caches and the heap reach their size first.
    constexpr int first = 500;
    constexpr int counted = 2000;
    resize(first);
    const Use before = use_of("self");
    const Use server_before = use_of(server);
    resize(counted);
    const Use after = use_of("self");
    const Use server_after = use_of(server);
    const long program = after.kibibytes - before.kibibytes;
    const long servers = server_after.kibibytes - server_before.kibibytes;
    std::printf("%s growth over %d resizes: %ld KiB of %ld, the server's %ld KiB, %ld files\n",
                api.c_str(), counted, program, before.kibibytes, servers,
                after.files - before.files);
    // A frame that is kept for each would be a gigabyte. Nothing is: what is allocated stays as it
    // is (64,000 resizes: 21 KiB). Pages become resident as frames and uploads reach places of the
    // driver's blocks and of the heap that they had not reached before, also without a resize. It
    // ends by itself: 1 MiB between 4,000 and 64,000 resizes.
    const long heap = after.heap - before.heap;
    const long mappings = after.mappings - before.mappings;
    std::printf("%s allocated: %ld KiB more, %ld mappings more\n", api.c_str(), heap, mappings);
    expect(heap < 512, api + ": " + std::to_string(heap) + " KiB of the heap are never freed");
    expect(mappings < 16, api + ": " + std::to_string(mappings) + " mappings stay");
    constexpr long most = 12 * 1024;
    expect(program < most, api + ": the program grows by " + std::to_string(program) + " KiB");
    expect(servers < most, api + ": the server grows by " + std::to_string(servers) + " KiB");
    expect(after.files <= before.files + 2, api + ": files stay open");
    expect(gl::GetError() == GL_NO_ERROR, api + " growth: a GL error is left behind");
}

/// 52 windows from four threads, some of which live at the same time.
void run_windows_of_threads(Display* display, const MakeTarget& make) {
    constexpr int threads = 4;
    constexpr int rounds = 13;
    const int errors = x_errors();
    std::atomic<int> failed{0};
    for (int round = 0; round < rounds; ++round) {
        std::array<std::unique_ptr<Target>, threads> targets;
        for (int i = 0; i < threads; ++i) {
            targets[i] = make({.width = 100, .height = 80});
            expect(targets[i]->current(), "no window for a thread");
            if (!targets[i]->current()) {
                return;
            }
            targets[i]->release();
            targets[i]->window().move(10 + 120 * i, 10);
        }
        std::vector<std::thread> workers;
        for (const auto& target : targets) {
            workers.emplace_back([&failed, &target] {
                if (!target->make_current()) {
                    ++failed;
                    return;
                }
                const Painter painter;
                target->set_interval(0);
                for (int frame = 0; frame < 10; ++frame) {
                    painter.draw(target->width(), target->height(), frame);
                    failed += !target->swap();
                }
                gl::Finish();
                failed += gl::GetError() != GL_NO_ERROR;
                target->release();
            });
        }
        for (std::thread& worker : workers) {
            worker.join();
        }
        const std::string when = std::string(targets[0]->api()) +
                                 " windows of four threads, round " + std::to_string(round);
        for (const auto& target : targets) {
            expect_quarters_x(target->window(), target->width(), target->height(), when);
        }
        expect(failed == 0, when + ": " + std::to_string(failed) + " failures");
    }
    XSync(display, False);
    expect(x_errors() == errors, "X errors from windows of four threads");
}

void run_renderer(Display*, const MakeTarget& make) {
    const auto target = make({});
    expect(target->current(), "no window to ask for the renderer");
    if (target->current()) {
        std::printf("%s renderer: %s\n", target->api(),
                    reinterpret_cast<const char*>(gl::GetString(GL_RENDERER)));
    }
}

namespace {

int on_dead_server(Display*) {
    std::printf("the X server is gone: Xlib noticed\n");
    std::fflush(stdout);
    _exit(0);
}

} // namespace

void run_many_tests(Display* display, const MakeTarget& make) {
    run_random_resizes(display, make);
    run_windows_of_threads(display, make);
}

void run_until_the_server_dies(Display*, const MakeTarget& make) {
    XSetIOErrorHandler(on_dead_server);
    const auto target = make({.width = 800, .height = 600});
    expect(target->current(), "no window to draw to until the server dies");
    if (!target->current()) {
        return;
    }
    const char* server = std::getenv("KOBALT_TEST_XSERVER"); // NOLINT(concurrency-mt-unsafe)
    expect(server != nullptr, "KOBALT_TEST_XSERVER has to name the X server's process");
    if (server == nullptr) {
        return;
    }
    const Painter painter;
    target->set_interval(0);
    // GLX reports each swap after that as an error, and EGL on X11 doesn't tell.
    allow_x_error("GLXBadCurrentWindow");
    constexpr int killed_at = 60;
    for (int frame = 0; frame < 4 * killed_at && target->swap(); ++frame) {
        painter.draw(target->width(), target->height(), frame);
        if (frame == killed_at) {
            kill(static_cast<pid_t>(std::atoi(server)), SIGKILL);
        }
    }
    std::printf("the X server is gone\n");
    std::fflush(stdout);
    // What Xlib and GLX would do with the dead connection is not this test's.
    _exit(failures() == 0 ? 0 : 1);
}

} // namespace kobalt::windowtest
