// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// For tests under the validation layer, through LD_PRELOAD. exit() destroys the thread's own
// objects first and calls the program's exit handlers after that, and those may still call GL
// (piglit's do). The layer keeps thread-local maps: it crashes at the next Vulkan call of that
// thread. So the handlers run in a fresh thread, and this one keeps its objects until the process
// is gone. The layer is opened before main as well, which makes its static objects the last to be
// destroyed. Those that its functions make at their first call are not, and Mesa ends its threads
// in an exit handler of its own: what they have in hand is awaited before any handler runs.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int status_;

/// The thread's state by proc(5), or 0 where it has ended.
static char state_of(const char* thread) {
    char path[300], text[300];
    (void)snprintf(path, sizeof(path), "/proc/self/task/%s/stat", thread);
    FILE* file = fopen(path, "r");
    if (!file)
        return 0;
    const size_t length = fread(text, 1, sizeof(text) - 1, file);
    (void)fclose(file);
    text[length] = 0;
    const char* name_end = strrchr(text, ')'); // the name may hold anything
    return name_end && name_end[1] ? name_end[2] : 0;
}

static bool is_working(char state) {
    return state == 'R' || state == 'D';
}

static bool another_thread_works(void) {
    DIR* threads = opendir("/proc/self/task");
    if (!threads)
        return false;
    bool works = false;
    const long own = (long)gettid();
    for (const struct dirent* entry = readdir(threads); entry && !works; entry = readdir(threads))
        if (entry->d_name[0] != '.' && strtol(entry->d_name, NULL, 10) != own)
            works = is_working(state_of(entry->d_name));
    (void)closedir(threads);
    return works;
}

/// Until all other threads were seen to wait for something, several times in a row; 2 s at most.
static void await_other_threads(void) {
    int quiet = 0;
    for (int i = 0; i < 1000 && quiet < 3; ++i) {
        quiet = another_thread_works() ? 0 : quiet + 1;
        (void)usleep(2000);
    }
}

static void* leave(void* unused) {
    (void)unused;
    await_other_threads();
    void (*real)(int) = (void (*)(int))dlsym(RTLD_NEXT, "exit");
    if (real)
        real(status_);
    _exit(status_);
}

__attribute__((constructor)) static void load_validation_layer(void) {
    const char* path = getenv("KOBALT_VALIDATION_LIBRARY");
    if (path)
        (void)dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

__attribute__((noreturn, visibility("default"))) void exit(int status) {
    pthread_t thread;
    status_ = status;
    if (pthread_create(&thread, NULL, leave, NULL) == 0)
        pthread_join(thread, NULL);
    _exit(status);
}
