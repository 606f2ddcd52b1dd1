// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// For tests under the validation layer, through LD_PRELOAD. exit() destroys the thread's own
// objects first and calls the program's exit handlers after that, and those may still call GL
// (piglit's do). The layer keeps thread-local maps: it crashes at the next Vulkan call of that
// thread. So the handlers run in a fresh thread, and this one keeps its objects until the process
// is gone. The layer is opened before main as well, which makes its static objects the last to be
// destroyed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int status_;

static void* leave(void* unused) {
    (void)unused;
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
