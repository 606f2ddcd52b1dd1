// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "present/swapchain_window.h"

namespace kobalt::present {

/// A window with a swapchain, until no swapchain can be made for it; then one of another kind.
class FallbackWindow final : public Window {
public:
    /// Makes the other kind, because of an error. Fails where there is none.
    using MakeOther =
        std::function<vulkan::Result<std::unique_ptr<Window>>(const vulkan::Error& why)>;

    /// `log` gets a line where neither kind works.
    FallbackWindow(std::shared_ptr<SwapchainWindow> first, const WindowInfo& info,
                   MakeOther make_other, vulkan::Log log);

    Shown present(const Frame& frame) override;
    std::optional<VkExtent2D> size() override { return current()->size(); }
    bool lost() const override { return current()->lost(); }
    void close() override;
    void set_interval(int interval) override;
    int buffer_age(const void* buffer) const override { return current()->buffer_age(buffer); }
    void forget(const void* buffer) override { current()->forget(buffer); }
    SyncCounters& counters() override { return *counters_; }
    const SurfaceInfo& native() const override { return native_; }

    /// The window that shows frames now (for tests).
    std::shared_ptr<Window> current() const;

private:
    const SurfaceInfo native_;
    const std::shared_ptr<SyncCounters> counters_; ///< of both kinds
    const MakeOther make_other_;
    const vulkan::Log log_;
    std::mutex present_mutex_; ///< one present() at a time; guards the following members
    std::shared_ptr<SwapchainWindow> swapchain_; ///< null: the window is of the other kind
    bool complained_ = false;

    mutable std::mutex mutex_; ///< guards the following members
    std::shared_ptr<Window> current_;
};

} // namespace kobalt::present
