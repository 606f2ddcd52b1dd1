// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// For LD_PRELOAD: an EGL program that animates by the clock draws the same frames on every driver.
// Its own calls (not those of libraries) see a clock that a swap moves on by a thirtieth of a
// second, and always the same process id, since both seed random numbers. The frame STEPPED_FRAME
// goes to the TGA file STEPPED_PICTURE; with it the program ends, and its GL error, if any, is its
// exit status.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <EGL/egl.h>
#include <GL/gl.h>
#include <dlfcn.h>
#include <link.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

namespace {

constexpr int64_t kEpoch = 1700000000, kSecond = 1000000, kStep = kSecond / 30;

int64_t microseconds = 0;
long frames = 0;

int find_program(dl_phdr_info* info, size_t, void* range) {
    auto* ends = static_cast<uintptr_t*>(range);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = info->dlpi_phdr[i];
        if (part.p_type == PT_LOAD && (part.p_flags & PF_X)) {
            ends[0] = info->dlpi_addr + part.p_vaddr;
            ends[1] = ends[0] + part.p_memsz;
        }
    }
    return 1; // the first is the program
}

bool is_program(const void* caller) {
    static uintptr_t range[2] = {0, 0};
    if (!range[1])
        dl_iterate_phdr(find_program, range);
    const auto address = reinterpret_cast<uintptr_t>(caller);
    return address >= range[0] && address < range[1];
}

timespec real_time() {
    timespec now{};
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    return now;
}

void save(EGLDisplay display, EGLSurface surface, const char* path) {
    EGLint width = 0, height = 0;
    eglQuerySurface(display, surface, EGL_WIDTH, &width);
    eglQuerySurface(display, surface, EGL_HEIGHT, &height);
    std::vector<uint8_t> pixels(size_t(width) * size_t(height) * 3);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_BGR, GL_UNSIGNED_BYTE, pixels.data());
    uint8_t header[18] = {0, 0, 2};
    header[12] = uint8_t(width), header[13] = uint8_t(width >> 8);
    header[14] = uint8_t(height), header[15] = uint8_t(height >> 8);
    header[16] = 24;
    if (FILE* file = std::fopen(path, "wb")) {
        std::fwrite(header, 1, sizeof(header), file);
        std::fwrite(pixels.data(), 1, pixels.size(), file);
        std::fclose(file);
    }
}

} // namespace

extern "C" {

int gettimeofday(timeval* value, void*) noexcept {
    if (!is_program(__builtin_return_address(0))) {
        const timespec now = real_time();
        *value = {now.tv_sec, now.tv_nsec / 1000};
    } else {
        ++microseconds; // a loop that waits for the time to pass ends
        *value = {kEpoch + microseconds / kSecond, microseconds % kSecond};
    }
    return 0;
}

time_t time(time_t* value) noexcept {
    const bool ours = is_program(__builtin_return_address(0));
    const time_t now = ours ? kEpoch + microseconds / kSecond : real_time().tv_sec;
    if (value)
        *value = now;
    return now;
}

pid_t getpid() noexcept {
    return is_program(__builtin_return_address(0)) ? 4242 : pid_t(syscall(SYS_getpid));
}

int usleep(useconds_t duration) {
    timespec pause{time_t(duration / kSecond), long(duration % kSecond * 1000)};
    if (is_program(__builtin_return_address(0))) {
        microseconds += duration;
        pause = {0, 100000};
    }
    return int(syscall(SYS_nanosleep, &pause, nullptr));
}

EGLBoolean eglSwapBuffers(EGLDisplay display, EGLSurface surface) {
    using Swap = EGLBoolean (*)(EGLDisplay, EGLSurface);
    static const auto swap = reinterpret_cast<Swap>(dlsym(RTLD_NEXT, "eglSwapBuffers"));
    const char* wanted = std::getenv("STEPPED_FRAME");
    const char* path = std::getenv("STEPPED_PICTURE");
    if (++frames == 1)
        std::fprintf(stderr, "renderer: %s\n",
                     reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
    if (wanted && path && frames == std::atol(wanted)) {
        const GLenum error = glGetError();
        save(display, surface, path);
        _exit(error ? int(error & 0xff) : 0);
    }
    microseconds += kStep;
    return swap(display, surface);
}
}
