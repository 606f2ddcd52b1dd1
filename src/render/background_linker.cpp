// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/background_linker.h"

#include "render/engine.h"
#include "vulkan/pipeline_library.h"

namespace kobalt::render {

BackgroundLinker::~BackgroundLinker() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
        queue_.clear();
    }
    changed_.notify_all();
    if (thread_.joinable())
        thread_.join();
}

void BackgroundLinker::enqueue(GraphicsPipeline& pipeline) {
    {
        const std::lock_guard lock(mutex_);
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
