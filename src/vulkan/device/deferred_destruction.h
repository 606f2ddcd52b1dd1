// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

namespace kobalt::vulkan {

class Timeline;

/// Keeps values that the device may still use until the timeline has passed them. Thread-safe;
/// destroys nothing while its lock is held.
class DeferredDestruction {
public:
    explicit DeferredDestruction(Timeline& timeline) : timeline_(timeline) {}
    /// Destroys everything still held: the owner has waited for the queue.
    ~DeferredDestruction();
    DeferredDestruction(const DeferredDestruction&) = delete;
    DeferredDestruction& operator=(const DeferredDestruction&) = delete;

    /// Takes `object` and destroys it in a collect() after the timeline has reached `value`. With
    /// value 0, or a value known to be completed, it is destroyed at once.
    template <class T>
    void defer(uint64_t value, T&& object) {
        if (known_completed(value)) {
            [[maybe_unused]] std::decay_t<T> last(std::forward<T>(object));
            return;
        }
        push(value, Holder(std::forward<T>(object)));
    }

    /// Destroys the values that are no longer in use; returns how many.
    size_t collect();
    size_t pending() const;

private:
    /// Type-erased move-only box: inline up to 96 bytes, which every RAII value of this library
    /// fits.
    class Holder {
    public:
        // NOLINTBEGIN(bugprone-forwarding-reference-overload,misc-redundant-expression): the checks
        // see neither the constraint nor that other types have other sizes.
        template <class T>
        requires(!std::is_same_v<std::decay_t<T>, Holder>) explicit Holder(T&& object) {
            using Object = std::decay_t<T>;
            if constexpr (sizeof(Object) <= sizeof(storage_) &&
                          alignof(Object) <= alignof(std::max_align_t) &&
                          std::is_nothrow_move_constructible_v<Object>) {
                ::new (static_cast<void*>(storage_)) Object(std::forward<T>(object));
                operate_ = [](void* self, void* to) {
                    auto* from = static_cast<Object*>(self);
                    if (to)
                        ::new (to) Object(std::move(*from));
                    from->~Object();
                };
            } else {
                struct Boxed {
                    Object* object;
                };
                ::new (static_cast<void*>(storage_)) Boxed{new Object(std::forward<T>(object))};
                operate_ = [](void* self, void* to) {
                    auto* from = static_cast<Boxed*>(self);
                    if (to)
                        ::new (to) Boxed{from->object};
                    else
                        delete from->object;
                };
            }
        }
        // NOLINTEND(bugprone-forwarding-reference-overload,misc-redundant-expression)
        Holder(Holder&& other) noexcept : operate_(std::exchange(other.operate_, nullptr)) {
            if (operate_)
                operate_(other.storage_, storage_);
        }
        Holder& operator=(Holder&&) = delete;
        ~Holder() {
            if (operate_)
                operate_(storage_, nullptr);
        }

    private:
        alignas(std::max_align_t) std::byte storage_[96];
        void (*operate_)(void* self, void* move_to) = nullptr;
    };
    struct Entry {
        uint64_t value;
        Holder holder;
    };

    bool known_completed(uint64_t value) const;
    void push(uint64_t value, Holder holder);

    Timeline& timeline_;
    mutable std::mutex entries_mutex_;
    std::deque<Entry> entries_; ///< in the order of their values
};

} // namespace kobalt::vulkan
