// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/screen/successor.h"

#include <algorithm>

#include "gallium/screen/screen.h"
#include "present/window_system.h"
#include "vulkan/device/device.h"
#include "vulkan/instance/physical_device.h"

namespace kobalt::gallium {

namespace {

vulkan::Result<std::unique_ptr<Screen>> make_successor(Screen& lost) {
    const vulkan::Device& device = lost.device();
    auto devices = vulkan::enumerate_physical_devices(*lost.instance);
    if (!devices)
        return std::unexpected(devices.error());
    const auto same =
        std::ranges::find(*devices, device.physical(), &vulkan::PhysicalDevice::handle);
    if (same == devices->end())
        return vulkan::fail(VK_ERROR_INITIALIZATION_FAILED, "finding the device again",
                            device.properties().name());
    auto made = begin_screen(lost.instance, *same, lost.gem_handles.drm_fd());
    if (!made)
        return made;
    (*made)->dual_source_by_location = lost.dual_source_by_location;
    (*made)->winsys = lost.winsys;
    fill_screen(**made);
    return made;
}

} // namespace

Successor::Successor() = default;
Successor::~Successor() = default;

Screen* Successor::get(Screen& lost) {
    const std::lock_guard lock(mutex_);
    if (screen_)
        return screen_.get();
    lost.windows->close();
    auto made = make_successor(lost);
    if (made) {
        screen_ = std::move(*made);
        made_.store(screen_.get(), std::memory_order_release);
        screen_->device().log().info("the device was lost: a new one was made for this context");
        return screen_.get();
    }
    const std::string why = made.error().to_string();
    if (told_ != why)
        lost.device().log().error("the device \"" + lost.device().properties().name() +
                                  "\" was lost, and no new one can be made: " + why +
                                  "; making another context later tries again");
    told_ = why;
    return nullptr;
}

void Successor::reset() {
    made_.store(nullptr, std::memory_order_release);
    screen_.reset();
}

Screen& living_screen(Screen& screen) {
    Screen* living = &screen;
    // A child of fork() makes nothing of its parent's.
    while (living->device().lost() && !living->device().status().belongs_to_parent()) {
        Screen* const next = living->successor.get(*living);
        if (!next)
            break;
        living = next;
    }
    return *living;
}

Screen& newest_screen(Screen& screen) {
    Screen* newest = &screen;
    while (Screen* const next = newest->successor.peek())
        newest = next;
    return *newest;
}

bool has_contexts(const Screen& screen) {
    for (const Screen* each = &screen; each; each = each->successor.peek())
        if (each->live_contexts.load(std::memory_order_acquire))
            return true;
    return false;
}

} // namespace kobalt::gallium
