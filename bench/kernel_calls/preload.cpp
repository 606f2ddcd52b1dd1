// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <cstdarg>
#include <cstdlib>
#include <string_view>

#include <amdgpu_drm.h>
#include <dlfcn.h>
#include <drm.h>
#include <i915_drm.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "counting_layer/counters.h"
#include "counting_layer/immortal.h"
#include "kernel_calls/gpu_memory.h"
#include "kernel_calls/packets.h"

// A library for LD_PRELOAD, before the one that stands for a GPU's kernel driver. It counts what
// any driver, GL's or Vulkan's, asks of the kernel, and reads the command buffers of AMD's.

namespace kobalt::kernel {
namespace {

using counting::add;
using counting::Counter;

/// The function that this library hides.
template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/// The GPU's name where it is one of AMD's, else null. What follows is AMD's business then.
const char* amd_gpu() {
    static const char* const name = std::getenv("AMDGPU_GPU_ID");
    return name;
}

Generation generation() {
    const std::string_view name = amd_gpu();
    for (const char* newer : {"navi", "gfx1", "vangogh", "raphael"})
        if (name.starts_with(newer))
            return Generation::Gfx10AndNewer;
    return Generation::Gfx9AndOlder;
}

GpuMemory& gpu_memory() {
    static counting::Immortal<GpuMemory> memory;
    return memory.value;
}

template <class T>
const T* at(__u64 pointer) {
    return reinterpret_cast<const T*>(static_cast<std::uintptr_t>(pointer));
}

void read_submission(const drm_amdgpu_cs& submission) {
    const auto find = [](std::uint64_t address, std::uint32_t words) {
        return gpu_memory().words(address, words);
    };
    const auto* const chunks = at<__u64>(submission.in.chunks);
    for (__u32 i = 0; i < submission.in.num_chunks; ++i) {
        const auto& chunk = *at<drm_amdgpu_cs_chunk>(chunks[i]);
        if (chunk.chunk_id != AMDGPU_CHUNK_ID_IB)
            continue;
        const auto& buffer = *at<drm_amdgpu_cs_chunk_ib>(chunk.chunk_data);
        if (buffer.ip_type != AMDGPU_HW_IP_GFX && buffer.ip_type != AMDGPU_HW_IP_COMPUTE)
            continue;
        const auto words = find(buffer.va_start, buffer.ib_bytes / sizeof(std::uint32_t));
        if (words.empty())
            add(Counter::packets_unread);
        count_packets(words, generation(), find);
    }
}

void note_range(const drm_amdgpu_gem_va& range) {
    if (range.operation == AMDGPU_VA_OP_MAP || range.operation == AMDGPU_VA_OP_REPLACE)
        gpu_memory().bound(range.va_address, range.map_size, range.handle, range.offset_in_bo);
    else if (range.operation == AMDGPU_VA_OP_UNMAP)
        gpu_memory().unbound(range.va_address);
}

void see_amd(unsigned command, const void* argument) {
    switch (command) {
    case DRM_AMDGPU_CS:
        add(Counter::kernel_submissions);
        read_submission(*static_cast<const drm_amdgpu_cs*>(argument));
        break;
    case DRM_AMDGPU_WAIT_CS:
    case DRM_AMDGPU_WAIT_FENCES:
    case DRM_AMDGPU_GEM_WAIT_IDLE:
        add(Counter::kernel_waits);
        break;
    case DRM_AMDGPU_GEM_VA:
        note_range(*static_cast<const drm_amdgpu_gem_va*>(argument));
        break;
    default:
        break;
    }
}

void see_intel(unsigned command) {
    if (command == DRM_I915_GEM_EXECBUFFER2)
        add(Counter::kernel_submissions);
    else if (command == DRM_I915_GEM_WAIT)
        add(Counter::kernel_waits);
    else if (command == DRM_I915_GEM_BUSY)
        add(Counter::kernel_queries);
}

/// Counts a call to a kernel driver for graphics, before it is made. Requests are told apart by
/// their number alone, since their structures grow from version to version.
void see(unsigned number, const void* argument) {
    if (number == _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT) ||
        number == _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT))
        add(Counter::kernel_waits);
    else if (number == _IOC_NR(DRM_IOCTL_SYNCOBJ_QUERY))
        add(Counter::kernel_queries);
    else if (number >= DRM_COMMAND_BASE && number < DRM_COMMAND_END) {
        if (amd_gpu())
            see_amd(number - DRM_COMMAND_BASE, argument);
        else
            see_intel(number - DRM_COMMAND_BASE);
    }
}

int call(int file, unsigned long request, void* argument) {
    static const auto below = next<int (*)(int, unsigned long, void*)>("ioctl");
    if (_IOC_TYPE(request) != DRM_IOCTL_BASE)
        return below(file, request, argument);
    see(_IOC_NR(request), argument);
    const bool asks_for_offset =
        amd_gpu() && _IOC_NR(request) == DRM_COMMAND_BASE + DRM_AMDGPU_GEM_MMAP;
    if (!asks_for_offset)
        return below(file, request, argument);
    auto& mapping = *static_cast<drm_amdgpu_gem_mmap*>(argument);
    const std::uint32_t buffer = mapping.in.handle; // the answer takes its place
    const int result = below(file, request, argument);
    if (result == 0)
        gpu_memory().can_map(buffer, mapping.out.addr_ptr);
    return result;
}

void note_map(void* memory, int file, std::uint64_t offset) {
    if (file >= 0 && memory != MAP_FAILED && amd_gpu())
        gpu_memory().mapped(memory, offset);
}

} // namespace
} // namespace kobalt::kernel

#define KOBALT_PRELOADED extern "C" __attribute__((visibility("default")))

KOBALT_PRELOADED int ioctl(int file, unsigned long request, ...) noexcept {
    va_list arguments;
    va_start(arguments, request);
    void* const argument = va_arg(arguments, void*);
    va_end(arguments);
    return kobalt::kernel::call(file, request, argument);
}

KOBALT_PRELOADED void* mmap(void* wanted, size_t size, int protection, int flags, int file,
                            off_t offset) noexcept {
    static const auto below =
        kobalt::kernel::next<void* (*)(void*, size_t, int, int, int, off_t)>("mmap");
    void* const memory = below(wanted, size, protection, flags, file, offset);
    kobalt::kernel::note_map(memory, file, static_cast<std::uint64_t>(offset));
    return memory;
}

KOBALT_PRELOADED void* mmap64(void* wanted, size_t size, int protection, int flags, int file,
                              off64_t offset) noexcept {
    static const auto below =
        kobalt::kernel::next<void* (*)(void*, size_t, int, int, int, off64_t)>("mmap64");
    void* const memory = below(wanted, size, protection, flags, file, offset);
    kobalt::kernel::note_map(memory, file, static_cast<std::uint64_t>(offset));
    return memory;
}

KOBALT_PRELOADED int munmap(void* memory, size_t size) noexcept {
    static const auto below = kobalt::kernel::next<int (*)(void*, size_t)>("munmap");
    if (kobalt::kernel::amd_gpu())
        kobalt::kernel::gpu_memory().unmapped(memory, size);
    return below(memory, size);
}

KOBALT_PRELOADED int sched_yield() noexcept {
    static const auto below = kobalt::kernel::next<int (*)()>("sched_yield");
    kobalt::counting::add(kobalt::counting::Counter::yields);
    return below();
}
