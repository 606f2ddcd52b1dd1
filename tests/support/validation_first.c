// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// For tests under the validation layer, through LD_PRELOAD. A program's exit handlers may still call
// GL (piglit's do). They run after the destructors of every library that was loaded later than they
// were registered, the layer's among them, and a layer whose maps are gone crashes at the next Vulkan
// call. Loaded before main, the layer is torn down last. It is opened by itself, not preloaded: its
// exported Vulkan and C++ names must not take the place of others.
#include <dlfcn.h>
#include <stdlib.h>

__attribute__((constructor)) static void load_validation_layer(void) {
    const char* path = getenv("KOBALT_VALIDATION_LIBRARY");
    if (path)
        (void)dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}
