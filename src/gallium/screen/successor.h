// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

namespace kobalt::gallium {

struct Screen;

/// The screen that takes the place of one whose device was lost: for the same physical device, with
/// a VkDevice of its own. Mesa knows the display's first screen alone, and gets contexts of the
/// others (PIPE_CONTEXT_ANY_SCREEN). Thread-safe.
class Successor {
public:
    Successor();
    ~Successor();
    Successor(const Successor&) = delete;
    Successor& operator=(const Successor&) = delete;

    /// The successor of `lost`, which the first call makes. It closes the windows of `lost`, which
    /// can't be opened by both. Null: no device can be made now. That is logged, each reason once,
    /// and the next call tries again.
    Screen* get(Screen& lost);
    /// Null: none was made yet. Never waits.
    Screen* peek() const { return made_.load(std::memory_order_acquire); }
    void reset();

private:
    std::atomic<Screen*> made_{nullptr}; ///< `screen_`, once it can be used
    std::mutex mutex_;                   ///< guards what follows; held while a device is made
    std::unique_ptr<Screen> screen_;
    std::string told_; ///< why none could be made
};

/// `screen`, or the last of its successors where the device was lost, which this makes if need be.
/// Its device is lost only where none can be made.
Screen& living_screen(Screen& screen);
/// `screen`, or the last of the successors that were made.
Screen& newest_screen(Screen& screen);
/// Whether the screen or one of its successors has a context.
bool has_contexts(const Screen& screen);

} // namespace kobalt::gallium
