// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/fallback_window.h"

namespace kobalt::present {

FallbackWindow::FallbackWindow(std::shared_ptr<SwapchainWindow> first, const WindowInfo& info,
                               MakeOther make_other, vulkan::Log log)
    : native_(first->native()), counters_(info.counters), make_other_(std::move(make_other)),
      log_(std::move(log)), swapchain_(first), current_(std::move(first)) {}

std::shared_ptr<Window> FallbackWindow::current() const {
    const std::scoped_lock lock(mutex_);
    return current_;
}

void FallbackWindow::close() {
    // Under the lock, so that no other kind of window comes behind it.
    const std::scoped_lock lock(present_mutex_);
    current()->close();
}

void FallbackWindow::set_interval(int interval) {
    // Under the lock, so that the other kind of window doesn't miss it.
    const std::scoped_lock lock(mutex_);
    current_->set_interval(interval);
}

Shown FallbackWindow::present(const Frame& frame) {
    const std::scoped_lock lock(present_mutex_);
    const Shown shown = current()->present(frame);
    if (shown != Shown::refused || !swapchain_)
        return shown;
    auto other = make_other_(swapchain_->why_refused());
    if (!other) {
        if (!complained_)
            log_.error("the window's frames can't be shown: " + other.error().to_string() +
                       "; another swap interval or another visual may work");
        complained_ = true;
        return Shown::failed;
    }
    {
        const std::scoped_lock current_lock(mutex_);
        (*other)->set_interval(swapchain_->interval());
        current_ = std::move(*other);
    }
    swapchain_.reset();
    return current()->present(frame);
}

} // namespace kobalt::present
