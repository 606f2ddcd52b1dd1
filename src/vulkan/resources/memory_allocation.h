// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/vma.h"
#include "vulkan/resources/memory.h"

namespace kobalt::vulkan {

/// The VMA request for memory of a kind. Private to this library.
VmaAllocationCreateInfo allocation_info(MemoryKind kind, bool dedicated);

} // namespace kobalt::vulkan
