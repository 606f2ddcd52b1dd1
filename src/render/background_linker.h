// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "render/pipeline_store.h"

namespace kobalt::render {

/// One thread that builds link-time-optimised pipelines, so that draws start with the fast-linked
/// ones and move over when it is done.
class BackgroundLinker {
public:
    explicit BackgroundLinker(Engine& engine) : engine_(engine) {}
    ~BackgroundLinker();

    void enqueue(GraphicsPipeline& pipeline);
    /// Takes `pipeline` out of the queue, or waits while it is being built: afterwards it is not
    /// touched any more.
    void cancel(const GraphicsPipeline& pipeline);
    /// Ends the thread, after what it is building. Nothing is built from then on.
    void halt();

private:
    void run();
    Engine& engine_;
    std::once_flag registered_; ///< among those that an exit of the process halts
    std::mutex mutex_;          ///< guards everything below
    std::condition_variable changed_;
    std::deque<GraphicsPipeline*> queue_;
    const GraphicsPipeline* building_ = nullptr;
    bool stop_ = false;
    std::thread thread_;
};

} // namespace kobalt::render
