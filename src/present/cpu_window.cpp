// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/cpu_window.h"

#include <utility>

#include "present/rectangles.h"
#include "present/x11.h"

namespace kobalt::present {

namespace {

/// How long a swap waits for a slot. Longer than any picture takes. A program that has grabbed the
/// X server blocks the window's thread, so frames are dropped then.
constexpr std::chrono::seconds longest_wait{10};
/// How long a window that is closed waits for its last picture.
constexpr std::chrono::seconds longest_farewell{1};

VkExtent2D extent_of(const render::Image& image) {
    return {image.storage().extent().width, image.storage().extent().height};
}

/// The part of the hint that is in the frame. Without a hint, the whole frame.
VkRect2D clip(const std::optional<VkRect2D>& damage, VkExtent2D extent) {
    if (!damage)
        return {{0, 0}, extent};
    return intersection(*damage, {{0, 0}, extent});
}

} // namespace

CpuWindow::CpuWindow(vulkan::Device& device, vulkan::CommandPools& pools,
                     std::unique_ptr<FrameSink> sink, const WindowInfo& info)
    : device_(device), pools_(pools), info_(info), sink_(std::move(sink)), interval_(info.interval),
      download_(device), clock_(sink_->refresh_rate()) {
    for (FrameSlot& slot : slots_)
        idle_.push_back(&slot);
    thread_ = std::thread([this] { run(); });
}

CpuWindow::~CpuWindow() {
    {
        std::unique_lock lock(queue_mutex_);
        ending_ = true;
        changed_.notify_all();
        if (!changed_.wait_for(lock, longest_farewell, [this] { return ended_; }))
            sink_->interrupt();
    }
    thread_.join();
    // The thread may have ended before the GPU wrote the last frame into its slot.
    device_.graphics().timeline().wait_to_destroy(last_value_);
}

std::optional<VkExtent2D> CpuWindow::size() {
    if (lost() || !info_.surface.is_xcb())
        return std::nullopt;
    // Asked over the program's own connection, so that the answer includes a resize that is still
    // queued there.
    const auto size = x11_window_size(info_.surface.xcb_connection(), info_.surface.xcb_window());
    if (!size)
        lost_.store(true, std::memory_order_release);
    return size && size->width && size->height ? size : std::nullopt;
}

Shown CpuWindow::present(const Frame& frame) {
    const std::scoped_lock lock(present_mutex_);
    if (lost() || device_.lost())
        return Shown::lost;
    const VkFormat format = frame.image->storage().format();
    if (!std::exchange(layout_chosen_, true))
        sink_->choose_layout(format);
    if (!can_download(device_, format, sink_->layout()))
        return fail({VK_ERROR_FORMAT_NOT_SUPPORTED, "converting frames to the window's pixels",
                     "VkFormat " + std::to_string(format) + " to " +
                         std::to_string(sink_->layout().format)});
    const int interval = interval_.load(std::memory_order_acquire);
    const int64_t swap = frame.swap ? info_.counters->begin_swap() : 0;
    const VkRect2D damage = clip(frame.damage, extent_of(*frame.image));
    FrameSlot* slot = take_slot(interval);
    if (!slot) {
        miss(damage);
        info_.counters->end_swap(swap);
        return lost() ? Shown::lost : Shown::skipped;
    }
    slot->interval = interval;
    slot->swap = swap;
    slot->damage = damage;
    if (const auto filled = fill(*slot, frame.image); !filled) {
        miss(damage);
        info_.counters->end_swap(swap);
        give_back(*slot);
        return fail(filled.error());
    }
    {
        const std::scoped_lock queue_lock(queue_mutex_);
        queued_.push_back(slot);
        changed_.notify_all();
    }
    if (frame.swap)
        ages_.shown(frame.buffer);
    return Shown::yes;
}

/// Null: the window is lost, or blocked for too long.
FrameSlot* CpuWindow::take_slot(int interval) {
    std::unique_lock lock(queue_mutex_);
    if (idle_.empty() && interval == 0 && !queued_.empty()) {
        // The GPU may still write the frame that is given up. The next copy comes after it.
        return drop_oldest();
    }
    if (!changed_.wait_for(lock, longest_wait, [this] { return !idle_.empty() || lost(); }))
        return nullptr;
    if (lost())
        return nullptr;
    FrameSlot* slot = idle_.back();
    idle_.pop_back();
    return slot;
}

/// Its damage goes to the next picture. queue_mutex_ is held.
FrameSlot* CpuWindow::drop_oldest() {
    FrameSlot* oldest = queued_.front();
    queued_.pop_front();
    missed_ = united(missed_, oldest->damage);
    return oldest;
}

/// A frame with that damage isn't shown.
void CpuWindow::miss(const VkRect2D& damage) {
    const std::scoped_lock lock(queue_mutex_);
    missed_ = united(missed_, damage);
}

void CpuWindow::give_back(FrameSlot& slot) {
    const std::scoped_lock lock(queue_mutex_);
    idle_.push_back(&slot);
    changed_.notify_all();
}

vulkan::Result<void> CpuWindow::fill(FrameSlot& slot, const render::Ref<render::Image>& frame) {
    vulkan::Queue& queue = device_.graphics();
    slot.extent = extent_of(*frame);
    const PixelLayout& layout = sink_->layout();
    const size_t bytes = size_t{layout.stride(slot.extent.width)} * slot.extent.height;
    if (!slot.holds(bytes))
        if (const auto idle = queue.timeline().wait(slot.value); !idle)
            return std::unexpected(idle.error());
    if (const auto reserved = slot.reserve(device_, *sink_, bytes); !reserved)
        return std::unexpected(reserved.error());

    auto pool = pools_.acquire();
    if (!pool)
        return std::unexpected(pool.error());
    const auto record = [&]() -> vulkan::Result<uint64_t> {
        const auto commands = (*pool)->begin();
        if (!commands)
            return std::unexpected(commands.error());
        if (const auto done = download_.record(*commands, *frame, slot.buffer(), layout); !done)
            return std::unexpected(done.error());
        if (const auto ended = (*pool)->end(*commands); !ended)
            return std::unexpected(ended.error());
        const std::array<VkCommandBuffer, 1> buffers = {*commands};
        return queue.submit(buffers);
    };
    const auto value = record();
    pools_.release(std::move(*pool), value ? *value : 0);
    if (!value)
        return std::unexpected(value.error());
    slot.value = last_value_ = *value;
    queue.deferred().defer(*value, render::Ref<render::Image>(frame));
    queue.deferred().collect();
    return {};
}

Shown CpuWindow::fail(const vulkan::Error& error) {
    if (device_.lost() || error.result == VK_ERROR_SURFACE_LOST_KHR)
        lost_.store(true, std::memory_order_release);
    complain("the window's frames can't be shown: " + error.to_string());
    return lost() ? Shown::lost : Shown::failed;
}

/// A closed window is no error, and a lost device has been reported already.
void CpuWindow::complain(const std::string& what) {
    if (!lost() && !complained_.exchange(true))
        device_.log().error(what);
}

void CpuWindow::run() {
    while (FrameSlot* slot = next_frame()) {
        // The device's loss counts as completion; present() reports it.
        const auto written = device_.graphics().timeline().wait(slot->value);
        if (written && !lost()) {
            wait_for_turn(*slot);
            show(*slot);
        }
        info_.counters->end_swap(slot->swap);
        give_back(*slot);
    }
    const std::scoped_lock lock(queue_mutex_);
    ended_ = true;
    changed_.notify_all();
}

/// The frame whose turn it is. Null: the window is closed, and shows its last frame.
FrameSlot* CpuWindow::next_frame() {
    std::unique_lock lock(queue_mutex_);
    changed_.wait(lock, [this] { return !queued_.empty() || ending_; });
    while (ending_ && queued_.size() > 1)
        idle_.push_back(drop_oldest());
    if (queued_.empty())
        return nullptr;
    FrameSlot* slot = queued_.front();
    queued_.pop_front();
    // A frame of another size moves everything.
    const bool whole =
        slot->extent.width != last_extent_.width || slot->extent.height != last_extent_.height;
    last_extent_ = slot->extent;
    const VkRect2D all = {{0, 0}, slot->extent};
    slot->damage = whole ? all : intersection(united(slot->damage, missed_), all);
    missed_ = {};
    return slot;
}

void CpuWindow::wait_for_turn(const FrameSlot& slot) {
    const auto now = FrameClock::Clock::now();
    const auto at = clock_.show_at(now, slot.interval);
    if (at <= now)
        return;
    std::unique_lock lock(queue_mutex_);
    changed_.wait_until(lock, at, [this] { return ending_; });
}

void CpuWindow::show(const FrameSlot& slot) {
    Picture picture = slot.picture(sink_->layout());
    if (!info_.translucent)
        make_opaque(picture.damaged_rows(sink_->layout()), sink_->layout());
    const Put put = is_empty(picture.damage) ? Put::yes : sink_->put(picture);
    if (put != Put::yes)
        miss({{0, 0}, slot.extent});
    if (put == Put::yes)
        pictures_.fetch_add(1, std::memory_order_acq_rel);
    else if (put == Put::lost)
        lost_.store(true, std::memory_order_release);
    else
        complain(
            std::string("the window's frames can't be shown: the window system refuses them (") +
            sink_->name() + ")");
}

} // namespace kobalt::present
