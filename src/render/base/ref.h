// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

namespace kobalt::render {

/// The number of a live recorder; a later one may get it again.
using ContextSlot = uint32_t;
inline constexpr ContextSlot no_context_slot = UINT32_MAX;

/// Base of objects that batches keep alive while the GPU may use them. The count is changed when an
/// object is first used by a batch, not at each draw.
class RefCounted {
public:
    RefCounted() = default;
    RefCounted(const RefCounted&) = delete;
    RefCounted& operator=(const RefCounted&) = delete;
    virtual ~RefCounted() = default;

    void retain() const { count_.fetch_add(1, std::memory_order_relaxed); }
    /// retain() for a caller that has no reference and found the object in a table, which the
    /// object leaves in its destructor. False: the object is being destroyed.
    bool try_retain() const {
        uint32_t count = count_.load(std::memory_order_relaxed);
        while (count != 0)
            if (count_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed))
                return true;
        return false;
    }
    void release() const {
        if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            last_released();
    }

    /// The number of context slots with an entry in each object; batches of higher slots remember
    /// what they retain themselves.
    static constexpr ContextSlot context_slot_entries = 4;

    /// Tells it from every other object that ever was, whereas an address may be reused.
    uint64_t serial() const { return serial_; }

    /// The number of references, for tests.
    uint32_t references() const { return count_.load(std::memory_order_relaxed); }

    /// Notes that batch `id` of `context_slot` (below `context_slot_entries`) retains it. Returns
    /// the last batch of that context slot that retained it; 0: none. Each entry belongs to the
    /// thread that records in that context slot.
    uint64_t retained_by(ContextSlot context_slot, uint64_t id) const {
        return std::exchange(last_batch_[context_slot], id);
    }
    /// Memory that is freed with it beside that of resources, in bytes: an estimate.
    virtual uint64_t retained_bytes() const { return 0; }

protected:
    /// Nothing refers to it any longer.
    virtual void last_released() const { delete this; }
    /// Makes it a new object with a count of one, which no batch has used.
    void renew() {
        serial_ = next_serial();
        last_batch_ = {};
        count_.store(1, std::memory_order_relaxed);
    }

private:
    static uint64_t next_serial() {
        static std::atomic<uint64_t> last{0};
        return last.fetch_add(1, std::memory_order_relaxed) + 1;
    }
    uint64_t serial_ = next_serial();
    mutable std::atomic<uint32_t> count_{1};
    mutable std::array<uint64_t, context_slot_entries> last_batch_{};
};

/// An owning intrusive pointer. A new object starts with a count of one: wrap it with `adopt`.
template <class T>
class Ref {
public:
    Ref() = default;
    explicit Ref(T* shared) : object_(shared) {
        if (object_)
            object_->retain();
    }
    Ref(const Ref& other) : Ref(other.object_) {}
    Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    template <class U>
    Ref(Ref<U> other) noexcept : object_(other.leak()) {}
    ~Ref() { reset(); }
    Ref& operator=(Ref other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }

    static Ref adopt(T* fresh) {
        Ref ref;
        ref.object_ = fresh;
        return ref;
    }
    T* leak() { return std::exchange(object_, nullptr); }
    void reset() {
        if (T* old = std::exchange(object_, nullptr))
            old->release();
    }
    T* get() const { return object_; }
    T* operator->() const { return object_; }
    T& operator*() const { return *object_; }
    explicit operator bool() const { return object_ != nullptr; }

private:
    T* object_ = nullptr;
};

template <class T, class... Args>
Ref<T> make_ref(Args&&... args) {
    return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

} // namespace kobalt::render
