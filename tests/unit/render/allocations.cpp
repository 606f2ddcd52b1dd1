// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cstdlib>
#include <new>

#include "gpu.h"

// Counts the recording thread's allocations: a draw in the steady state must make none.

namespace {
thread_local uint64_t count = 0;

[[maybe_unused]] void* counted(std::size_t size, std::size_t alignment) {
    ++count;
    void* memory =
        alignment > alignof(std::max_align_t)
            ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
            : std::malloc(size ? size : 1);
    if (!memory)
        throw std::bad_alloc();
    return memory;
}
} // namespace

namespace kobalt::render::test {
uint64_t allocations() {
    return count;
}
} // namespace kobalt::render::test

// Builds with a sanitizer keep its own operators: it matches each operator new with its delete,
// also in libraries that use operators not replaced here. Such builds count nothing.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

void* operator new(std::size_t size) {
    return counted(size, 0);
}
void* operator new[](std::size_t size) {
    return counted(size, 0);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return counted(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
#endif
