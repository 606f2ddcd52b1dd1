// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// The one translation unit that holds VMA's code. It fetches its own commands from the two entry
// points that Device::create_allocator hands over.
#define VMA_IMPLEMENTATION
#include "vulkan/base/vma.h"
