// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/swapchain_window.h"

#include <algorithm>
#include <array>

#include "present/copy.h"
#include "vulkan/commands/sync.h"
#include "vulkan/device/out_of_memory.h"

namespace kobalt::present {

namespace {

/// How often to recreate the swapchain for one frame. A window that is being resized may have
/// changed again each time.
constexpr int max_attempts = 4;

/// How long a swap waits for an image, in nanoseconds. Longer than any frame takes. The wait ends,
/// and frames are dropped, since a compositor may never present a hidden window, and a program that
/// has grabbed the X server blocks our connection.
constexpr uint64_t acquire_timeout = 10'000'000'000;

/// How many later frames prove that the presentations of a replaced swapchain are over, where there
/// are no fences. Presenting is a queue operation, and the later frames came after it.
constexpr uint64_t frames_to_retire = 3;
/// A value that no timeline reaches.
constexpr uint64_t never = UINT64_MAX;

bool same(VkExtent2D a, VkExtent2D b) {
    return a.width == b.width && a.height == b.height;
}

/// Whether such a failure to make a swapchain says that this window can have none. The others pass,
/// or mean that the window is gone.
bool refuses(VkResult result) {
    return result != VK_ERROR_SURFACE_LOST_KHR && result != VK_ERROR_OUT_OF_DATE_KHR;
}

VkExtent2D extent_of(const render::Image& image) {
    return {image.storage().extent().width, image.storage().extent().height};
}

} // namespace

SwapchainWindow::SwapchainWindow(vulkan::Device& device, vulkan::CommandPools& pools,
                                 std::shared_ptr<const Surface> surface, const WindowInfo& info)
    : device_(device), pools_(pools), native_(surface->info()), surface_(std::move(surface)),
      counters_(info.counters), translucent_(info.translucent),
      waits_before_presenting_(device.properties().core.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU),
      interval_(info.interval) {}

SwapchainWindow::~SwapchainWindow() {
    end_swapchains();
}

void SwapchainWindow::close() {
    const std::scoped_lock lock(frame_mutex_);
    lost_.store(true, std::memory_order_release);
    end_swapchains();
    retired_.clear();
    swapchain_.reset();
    surface_.store({});
}

/// Waits until nothing uses the swapchains, or a second for a presentation that doesn't end.
void SwapchainWindow::end_swapchains() {
    if (!swapchain_ && retired_.empty())
        return;
    // A compositor that hangs holds up all swapchains: one wait in vain is enough.
    bool over = !swapchain_ || swapchain_->wait_for_presentations();
    for (const Retired& old : retired_)
        over = over && old.swapchain->wait_for_presentations();
    // Where presentations have no fence, wait for an empty submission that follows them. A lost
    // device is idle too, so failures are ignored.
    (void)device_.graphics().submit({});
    device_.graphics().wait_to_destroy();
}

std::optional<VkExtent2D> SwapchainWindow::size() {
    if (lost())
        return std::nullopt;
    const std::shared_ptr<const Surface> surface = surface_;
    if (!surface)
        return std::nullopt;
    const auto extent = surface->size();
    if (!extent) {
        if (extent.error().result == VK_ERROR_SURFACE_LOST_KHR)
            lost_.store(true, std::memory_order_release);
        return std::nullopt;
    }
    if (extent->width == UINT32_MAX || !extent->width || !extent->height)
        return std::nullopt;
    return *extent;
}

Shown SwapchainWindow::present(const Frame& frame) {
    const std::scoped_lock lock(frame_mutex_);
    // VK_PRESENT_MODE_FIFO_KHR keeps every image on the screen for at least one refresh. So a frame
    // that is presented n times stays for n refreshes.
    const int times = std::max(interval_.load(std::memory_order_acquire), 1);
    Shown shown = Shown::yes;
    for (int i = 0; i < times && shown == Shown::yes; ++i)
        shown = show(frame.image);
    // The window that takes over a refused frame counts its swap.
    if (!frame.swap || shown == Shown::refused)
        return shown;
    // A swap is over when the frame is in the swapchain's image. Nothing tells when that is shown.
    counters_->end_swap_at(counters_->begin_swap(), device_.graphics().timeline(), last_value_);
    if (shown == Shown::yes)
        ages_.shown(frame.buffer);
    return shown;
}

Shown SwapchainWindow::show(const render::Ref<render::Image>& frame) {
    if (lost() || device_.lost())
        return Shown::lost;

    VkExtent2D tried{};
    bool resized = false;
    const auto note_outdated = [&](int attempt) {
        outdated_ = true;
        resized |= attempt > 0 && !same(tried, swapchain_->extent());
        tried = swapchain_->extent();
    };
    for (int attempt = 0; attempt < max_attempts; ++attempt) {
        const auto ready = prepare(*frame);
        if (!ready) {
            if (!refused_)
                return fail(ready.error());
            refusal_ = ready.error();
            return Shown::refused;
        }
        if (!*ready)
            return Shown::skipped;

        Acquired acquired;
        VkResult result = acquire(acquired);
        if (result == VK_ERROR_OUT_OF_DATE_KHR) {
            note_outdated(attempt);
            continue;
        }
        if (result == VK_TIMEOUT || result == VK_NOT_READY)
            return Shown::skipped;
        if (result != VK_SUCCESS && result != VK_SUBOPTIMAL_KHR)
            return fail({result, "vkAcquireNextImageKHR", {}});
        suboptimal_ |= result == VK_SUBOPTIMAL_KHR;

        // The semaphore must not be used again until a submission has waited for it.
        acquired_[acquired.semaphore].value = never;
        const auto value = submit_copy(frame, acquired);
        if (!value)
            return fail(value.error());
        acquired_[acquired.semaphore].value = last_value_ = *value;

        // vkQueuePresentKHR blocks the queue for all other threads ("Host access to queue must be
        // externally synchronized"), and CPU drivers wait for the frame inside it. Waiting here
        // instead costs this thread nothing more, and other contexts can go on submitting.
        if (waits_before_presenting_)
            (void)device_.graphics().timeline().wait(*value);
        result = swapchain_->present(device_.graphics(), acquired.index);
        if (result == VK_ERROR_OUT_OF_DATE_KHR) {
            note_outdated(attempt);
            continue;
        }
        if (result != VK_SUCCESS && result != VK_SUBOPTIMAL_KHR)
            return fail({result, "vkQueuePresentKHR", {}});
        suboptimal_ |= result == VK_SUBOPTIMAL_KHR;

        ++frames_;
        retire_old(*value);
        if (const X11Connection* connection = surface_.load()->connection())
            connection->discard_errors();
        return Shown::yes;
    }
    return resized ? Shown::skipped : fail({VK_ERROR_OUT_OF_DATE_KHR, "presenting", {}});
}

/// Makes the swapchain fit the frame and the window. False: the window has no area.
vulkan::Result<bool> SwapchainWindow::prepare(const render::Image& frame) {
    const SwapchainRequest request = {frame.storage().format(), extent_of(frame), translucent_,
                                      interval_.load(std::memory_order_acquire)};
    if (swapchain_ && !outdated_ && swapchain_->serves(request)) {
        const bool fits = same(swapchain_->extent(), request.source_extent);
        if (fits && !suboptimal_)
            return true;
        // Some swapchains stay suboptimal even when recreated, and a frame may lag behind its
        // window. So the swapchain is recreated only if the window's size changed.
        VkSurfaceCapabilitiesKHR capabilities;
        const VkResult result = surface_.load()->capabilities(capabilities);
        if (result != VK_SUCCESS)
            return vulkan::fail(result, "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
        suboptimal_ = false;
        const VkExtent2D extent = choose_extent(capabilities, request.source_extent);
        if (!extent.width || !extent.height)
            return false;
        if (same(extent, swapchain_->extent()))
            return true;
    }
    if (const auto replaced = replace_swapchain(request); !replaced)
        return std::unexpected(replaced.error());
    return swapchain_ != nullptr && !outdated_;
}

vulkan::Result<void> SwapchainWindow::replace_swapchain(const SwapchainRequest& request) {
    auto made = Swapchain::create(device_, surface_, request, swapchain_.get());
    if (!made) {
        // The call has retired the old one, although it failed.
        if (swapchain_)
            retired_.push_back({std::move(swapchain_), frames_});
        refused_ = refuses(made.error().result) && !device_.lost();
        return std::unexpected(made.error());
    }
    if (!*made) // no area: keep the old swapchain until the window has an area again
        return {};
    if (swapchain_)
        retired_.push_back({std::move(swapchain_), frames_});
    swapchain_ = std::move(*made);
    outdated_ = suboptimal_ = false;
    ++swapchains_made_;
    return {};
}

vulkan::Result<size_t> SwapchainWindow::idle_semaphore() {
    vulkan::Timeline& timeline = device_.graphics().timeline();
    for (size_t i = 0; i < acquired_.size(); ++i)
        if (timeline.reached(acquired_[i].value))
            return i;
    auto semaphore = vulkan::create_semaphore(device_, "image acquired");
    if (!semaphore)
        return std::unexpected(semaphore.error());
    acquired_.push_back({std::move(*semaphore), 0});
    return acquired_.size() - 1;
}

VkResult SwapchainWindow::acquire(Acquired& acquired) {
    const auto semaphore = idle_semaphore();
    if (!semaphore)
        return semaphore.error().result;
    acquired.semaphore = *semaphore;
    const auto call = [&] {
        return device_.vk().AcquireNextImageKHR(
            device_.handle(), swapchain_->handle(), acquire_timeout,
            acquired_[*semaphore].semaphore.get(), VK_NULL_HANDLE, &acquired.index);
    };
    return device_.status().check(vulkan::with_second_try(device_, call), "vkAcquireNextImageKHR");
}

vulkan::Result<uint64_t> SwapchainWindow::submit_copy(const render::Ref<render::Image>& frame,
                                                      const Acquired& acquired) {
    auto pool = pools_.acquire();
    if (!pool)
        return std::unexpected(pool.error());
    const auto commands = (*pool)->begin();
    if (!commands) {
        pools_.release(std::move(*pool), 0);
        return std::unexpected(commands.error());
    }
    // A frame that nothing was ever drawn to has undefined contents: present black, not old memory.
    const CopySource source = {frame->initialized ? frame->handle() : VK_NULL_HANDLE,
                               extent_of(*frame)};
    record_copy(device_, *commands, source,
                {swapchain_->image(acquired.index), swapchain_->extent(), swapchain_->blit()});
    if (const auto ended = (*pool)->end(*commands); !ended) {
        pools_.release(std::move(*pool), 0);
        return std::unexpected(ended.error());
    }

    vulkan::Queue& queue = device_.graphics();
    const std::array<VkCommandBuffer, 1> buffers = {*commands};
    const std::array<vulkan::SemaphorePoint, 1> waits = {
        {{acquired_[acquired.semaphore].semaphore.get(), 0, copy_stages}}};
    const std::array<vulkan::SemaphorePoint, 1> signals = {
        {{swapchain_->rendered(acquired.index), 0, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT}}};
    const auto value = queue.submit(buffers, waits, signals);
    pools_.release(std::move(*pool), value ? *value : 0);
    if (!value)
        return std::unexpected(value.error());
    queue.deferred().defer(*value, render::Ref<render::Image>(frame));
    queue.deferred().collect();
    return *value;
}

void SwapchainWindow::retire_old(uint64_t value) {
    std::erase_if(retired_, [&](Retired& old) {
        if (old.swapchain->tracks_presentations() ? !old.swapchain->presentations_over()
                                                  : frames_ < old.frame + frames_to_retire)
            return false;
        device_.graphics().deferred().defer(value, std::move(old.swapchain));
        return true;
    });
}

Shown SwapchainWindow::fail(const vulkan::Error& error) {
    // A failed step may have left an acquired image or a semaphore behind: recreate the swapchain
    // next time.
    outdated_ = true;
    // The surface alone is lost where the X server still has the window.
    if (error.result == VK_ERROR_SURFACE_LOST_KHR && native().is_xcb() && !device_.lost() &&
        surface_.load()->size()) {
        refusal_ = error;
        return Shown::refused;
    }
    if (error.result == VK_ERROR_SURFACE_LOST_KHR || device_.lost())
        lost_.store(true, std::memory_order_release);
    // A closed window is no error, and a lost device has been reported already.
    if (!lost() && !complained_) {
        complained_ = true;
        device_.log().error("the window's frames can't be shown: " + error.to_string() +
                            "; another swap interval or another visual may work");
    }
    return lost() ? Shown::lost : Shown::failed;
}

} // namespace kobalt::present
