// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/window.h"

namespace kobalt::present {

std::optional<VkExtent2D> Window::frame_size() {
    {
        const std::scoped_lock lock(promise_mutex_);
        if (promised_)
            return promised_;
    }
    return size();
}

int Window::promise_age(const void* buffer, VkExtent2D extent) {
    const int age = buffer_age(buffer);
    if (age == 0)
        return 0;
    const auto current = frame_size();
    // Where the frames determine the window's size, nothing resizes the buffer but the program.
    if (!current)
        return age;
    if (current->width != extent.width || current->height != extent.height)
        return 0;
    const std::scoped_lock lock(promise_mutex_);
    promised_ = extent;
    return age;
}

void Window::end_frame() {
    const std::scoped_lock lock(promise_mutex_);
    promised_.reset();
}

} // namespace kobalt::present
