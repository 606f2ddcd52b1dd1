// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <memory>

namespace kobalt::gallium {

/// An object that is made when it is first asked for, for parts that few owners need: a pointer
/// costs owners that come and go with each draw less than the part. Thread-safe.
template <class T>
class Lazy {
public:
    Lazy() = default;
    ~Lazy() { delete there(); }
    Lazy(const Lazy&) = delete;
    Lazy& operator=(const Lazy&) = delete;

    /// Null: nobody has asked for it.
    T* there() const { return object_.load(std::memory_order_acquire); }
    T& get() {
        T* const object = there();
        return object ? *object : make();
    }
    /// Calls the object's own clear(), if it was made.
    void clear() {
        if (T* const object = there())
            object->clear();
    }

private:
    [[gnu::noinline]] T& make() {
        auto fresh = std::make_unique<T>();
        T* first = nullptr;
        if (object_.compare_exchange_strong(first, fresh.get(), std::memory_order_acq_rel,
                                            std::memory_order_acquire))
            return *fresh.release();
        return *first;
    }

    std::atomic<T*> object_{nullptr};
};

} // namespace kobalt::gallium
