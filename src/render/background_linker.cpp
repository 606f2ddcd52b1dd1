// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/background_linker.h"

#include <cstdlib>
#include <memory>
#include <set>

#include "render/engine.h"
#include "vulkan/pipelines/pipeline_library.h"

namespace kobalt::render {

namespace {

/// The linkers whose thread runs. Many programs call exit() while a context lives: the thread must
/// not be in Vulkan then, whose libraries' exit handlers take apart what it uses. Ours is
/// registered with the first thread, later than theirs, so it runs before them.
class RunningLinkers {
public:
    static RunningLinkers& get() {
        // Never destroyed: a linker may outlive any order of exit handlers.
        static auto& linkers = *std::make_unique<RunningLinkers>().release();
        return linkers;
    }
    RunningLinkers() {
        std::atexit([] { get().halt_all(); });
    }
    void add(BackgroundLinker& linker) {
        const std::lock_guard lock(mutex_);
        linkers_.insert(&linker);
    }
    void remove(BackgroundLinker& linker) {
        const std::lock_guard lock(mutex_);
        linkers_.erase(&linker);
    }

private:
    void halt_all() {
        const std::lock_guard lock(mutex_);
        for (BackgroundLinker* linker : linkers_)
            linker->halt();
    }
    std::mutex mutex_; ///< guards linkers_, and keeps those in it alive
    std::set<BackgroundLinker*> linkers_;
};

} // namespace

BackgroundLinker::~BackgroundLinker() {
    RunningLinkers::get().remove(*this);
    halt();
}

void BackgroundLinker::halt() {
    std::thread ended;
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
        for (GraphicsPipeline* pipeline : queue_)
            pipeline->queued = false;
        queue_.clear();
        ended.swap(thread_);
    }
    changed_.notify_all();
    if (ended.joinable())
        ended.join();
}

void BackgroundLinker::enqueue(GraphicsPipeline& pipeline) {
    std::call_once(registered_, [this] { RunningLinkers::get().add(*this); });
    {
        const std::lock_guard lock(mutex_);
        if (stop_)
            return;
        queue_.push_back(&pipeline);
        pipeline.queued = true;
        if (!thread_.joinable())
            thread_ = std::thread([this] { run(); });
    }
    changed_.notify_all();
}

void BackgroundLinker::cancel(const GraphicsPipeline& pipeline) {
    std::unique_lock lock(mutex_);
    if (pipeline.queued)
        std::erase(queue_, &pipeline);
    changed_.wait(lock, [&] { return building_ != &pipeline; });
}

void BackgroundLinker::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return stop_ || !queue_.empty(); });
        if (stop_)
            return;
        GraphicsPipeline* pipeline = queue_.front();
        queue_.pop_front();
        pipeline->queued = false;
        building_ = pipeline;
        lock.unlock();
        const VkPipelineCreateFlags flags =
            engine_.paths().descriptor_buffer ? VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0;
        auto optimized = vulkan::link_pipeline(
            engine_.device(), pipeline->libraries, pipeline->layout->layout.get(),
            vulkan::LinkMode::optimized, flags, engine_.disk_cache());
        if (optimized) {
            pipeline->optimized = std::move(*optimized);
            pipeline->current.store(pipeline->optimized.get(), std::memory_order_release);
            engine_.counters().optimized_links.fetch_add(1, std::memory_order_relaxed);
        }
        lock.lock();
        building_ = nullptr;
        changed_.notify_all();
    }
}

} // namespace kobalt::render
