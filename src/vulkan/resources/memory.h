// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/vk.h"

namespace kobalt::vulkan {

class Device;

/// Where a resource lives and who reads or writes it.
enum class MemoryKind : uint8_t {
    device_local, ///< the GPU alone
    upload,       ///< host-visible and coherent, written by the CPU in order, read by the GPU
    readback,     ///< host-visible, cached where possible, written by the GPU
    device_local_mappable ///< device-local and host-visible (BAR); falls back to upload
};

const char* memory_kind_name(MemoryKind kind);

} // namespace kobalt::vulkan
