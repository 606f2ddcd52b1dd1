// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cstdlib>

// Part of each test program that asks the driver for faults by KOBALT_FAULT. The driver finds the
// function in the program (src/vulkan/base/faults.h), and no other program has it.

extern "C" [[gnu::visibility("default")]] const char* kobalt_fault_request() {
    return secure_getenv("KOBALT_FAULT");
}
