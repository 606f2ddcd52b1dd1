// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace kobalt::render {

/// Base of objects that batches keep alive while the GPU may use them. The count is touched when an
/// object is first used by a batch, not at each draw.
class RefCounted {
public:
    RefCounted() = default;
    RefCounted(const RefCounted&) = delete;
    RefCounted& operator=(const RefCounted&) = delete;
    virtual ~RefCounted() = default;

    void retain() const { count_.fetch_add(1, std::memory_order_relaxed); }
    void release() const {
        if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            delete this;
    }

    /// True the first time it is asked for batch `id`, so that each batch holds one reference. Two
    /// contexts taking turns cost a reference each turn, never a lost one.
    bool first_use_in(uint64_t id) const { return last_batch_.exchange_relaxed(id) != id; }

private:
    struct Stamp {
        std::atomic<uint64_t> value{0};
        uint64_t exchange_relaxed(uint64_t next) {
            const uint64_t old = value.load(std::memory_order_relaxed);
            if (old != next)
                value.store(next, std::memory_order_relaxed);
            return old;
        }
    };
    mutable std::atomic<uint32_t> count_{1};
    mutable Stamp last_batch_;
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
