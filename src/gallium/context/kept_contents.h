// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>

#include "gallium/context/byte_lock.h"
#include "gallium/screen/mesa.h"

namespace kobalt::gallium {

struct Context;
struct Resource;

/// The contents of a small uniform or vertex buffer that the app fills anew while the GPU uses it,
/// as many apps do before each draw. They lie in an upload buffer, so that each draw has its own,
/// and reach the buffer's storage when something other than such a binding asks for them
/// (settle()). Of a small buffer all contents are kept. A large one has no others, so its
/// rest is undefined.
struct KeptContents {
    static constexpr unsigned most_bytes = 320; ///< as much as the threaded context queues

    KeptContents() = default;
    KeptContents(const KeptContents&) = delete;
    KeptContents& operator=(const KeptContents&) = delete;
    ~KeptContents() { pipe_resource_reference(&buffer, nullptr); }

    pipe_resource* buffer = nullptr;           ///< retained: the upload buffer
    unsigned offset = 0;                       ///< bytes, where the contents begin in it
    unsigned size = 0;                         ///< bytes
    std::array<std::byte, most_bytes> bytes{}; ///< the same: upload memory is slow to read
};

/// A buffer's KeptContents, or nothing. Thread-safe: another context may settle them.
class KeptSlot {
public:
    KeptSlot() = default;
    KeptSlot(const KeptSlot&) = delete;
    KeptSlot& operator=(const KeptSlot&) = delete;
    ~KeptSlot() { delete kept_.load(std::memory_order_acquire); }

    bool empty() const { return !kept_.load(std::memory_order_acquire); }
    /// Calls `use` with the contents, made on demand, while nobody else uses them.
    template <class Use>
    auto with_new(const Use& use) {
        const std::lock_guard lock(lock_);
        if (empty())
            kept_.store(std::make_unique<KeptContents>().release(), std::memory_order_release);
        return use(*kept_.load(std::memory_order_relaxed));
    }
    /// The same where there are some. False: there are none.
    template <class Use>
    bool with(const Use& use) const {
        const std::lock_guard lock(lock_);
        if (empty())
            return false;
        use(*kept_.load(std::memory_order_relaxed));
        return true;
    }
    /// Null: there are none.
    std::unique_ptr<KeptContents> take() {
        const std::lock_guard lock(lock_);
        return std::unique_ptr<KeptContents>(kept_.exchange(nullptr));
    }

private:
    std::atomic<KeptContents*> kept_{nullptr};
    mutable ByteLock lock_;
};

/// pipe_context::buffer_subdata with TC_TRANSFER_MAP_KEEP_CONTENTS: keeps what is written instead
/// of writing it to the storage. False: the buffer's contents can't be kept, and nothing is done.
/// For the driver's thread.
bool keep_contents(Context& context, Resource& resource, unsigned offset,
                   std::span<const std::byte> written);
/// Writes kept contents to the buffer's storage, in order with the commands of `context`.
void settle_kept(Context& context, Resource& resource);
/// Callbacks of the threaded context: see u_threaded_context.h.
bool keeps_contents(pipe_screen* screen);
void settle_contents(pipe_context* context, pipe_resource* buffer);

} // namespace kobalt::gallium
