// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GLX_OML_sync_control and its kin. Programs wait in threads without a context, so that windows are
// looked up by their native window here, and are kept for as long as a wait lasts.
#include "gallium/drivers/kobalt/mesa_slot.h"
#include "gallium/present/present.h"
#include "present/window_system.h"

using kobalt::gallium::Resource;
using kobalt::gallium::Screen;
using kobalt::present::SyncCounters;
using kobalt::present::Window;

namespace {

/// Null: there is no such window, or it is gone.
std::shared_ptr<Window> window_of(pipe_screen* screen, const kopper_loader_info* info) {
    Screen& newest = kobalt::gallium::newest_screen(*Screen::from(screen));
    auto window = newest.windows->visit(kobalt::gallium::window_info(*info));
    return window && !(*window)->lost() ? *window : nullptr;
}

/// Asks the window system, which tells when a window was destroyed.
SyncCounters::Exists exists(Window& window) {
    return [&window] {
        (void)window.size();
        return !window.lost();
    };
}

bool store(const std::optional<SyncCounters::Values>& from, kobalt_sync_values* to) {
    if (from)
        *to = {from->ust, from->msc, from->sbc};
    return from.has_value();
}

} // namespace

bool kobalt_present_sync_values(pipe_screen* screen, const kopper_loader_info* info,
                                kobalt_sync_values* values) {
    const auto window = window_of(screen, info);
    return window && store(window->counters().values(), values);
}

bool kobalt_present_wait_for_msc(pipe_screen* screen, const kopper_loader_info* info,
                                 int64_t target, int64_t divisor, int64_t remainder,
                                 kobalt_sync_values* values) {
    const auto window = window_of(screen, info);
    return window &&
           store(window->counters().wait_for_msc(target, divisor, remainder, exists(*window)),
                 values);
}

bool kobalt_present_wait_for_sbc(pipe_screen* screen, const kopper_loader_info* info,
                                 int64_t target, kobalt_sync_values* values) {
    const auto window = window_of(screen, info);
    return window && store(window->counters().wait_for_sbc(target, exists(*window)), values);
}

bool kobalt_present_msc_rate(pipe_screen* screen, const kopper_loader_info* info,
                             int32_t* numerator, int32_t* denominator) {
    const auto window = window_of(screen, info);
    if (!window)
        return false;
    const kobalt::present::RefreshRate rate = window->counters().rate();
    *numerator = rate.numerator;
    *denominator = rate.denominator;
    return true;
}

int64_t kobalt_present_swaps(pipe_resource* drawable) {
    const auto& window = Resource::from(drawable)->window;
    return window ? window->counters().swaps() : 0;
}
