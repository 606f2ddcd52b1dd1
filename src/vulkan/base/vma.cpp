// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// The one translation unit that holds VMA's code. It fetches its own commands from the two entry
// points that Device::create_allocator hands over.
#define VMA_IMPLEMENTATION
// Where a program destroys its window before the GLXWindow on it, Mesa's GLX keeps the drawable and
// frees it with the display only, so its images still have memory when the device is destroyed.
// Such a leak must not abort the program, not even in builds with assertions.
#define VMA_ASSERT_LEAK(expression) static_cast<void>(expression)
#include "vulkan/base/vma.h"
