// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/engine/engine.h"

#include <unistd.h>

#include "render/bindless/heap.h"
#include "render/commands/batch.h"
#include "render/commands/query_pool.h"
#include "render/descriptors/null_views.h"
#include "render/engine/choose_paths.h"
#include "render/engine/counter_log.h"
#include "render/engine/counter_names.h"
#include "render/layouts/layout_cache.h"
#include "render/pipelines/disk_cache.h"
#include "render/pipelines/pipeline_store.h"
#include "vulkan/base/file.h"
#include "vulkan/base/variable_access.h"

namespace kobalt::render {

Engine::Engine(std::unique_ptr<vulkan::Device> device, const Paths& paths)
    : core_(std::move(device), paths) {}

vulkan::Result<std::unique_ptr<Engine>> Engine::create(std::unique_ptr<vulkan::Device> device) {
    const Paths paths = choose_paths(*device);
    std::unique_ptr<Engine> engine(new Engine(std::move(device), paths));
    if (const auto folder = vulkan::environment::text(vulkan::Variable::stats))
        engine->stats_path_ = *folder + "/" + std::to_string(getpid()) + ".tsv";
    engine->counter_log_ = CounterLog::create(*engine);
    // The layer's objects are destroyed by exit handlers of its own, whichever thread is in it.
    const bool validation = engine->device().instance().validation();
    engine->compiler_ =
        std::make_unique<CompilerService>(validation ? 0 : CompilerService::default_threads());
    if (engine->device().properties().core.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
        CompilerService::note_cpu_device();
    // A program may exit in the middle of a frame. A CPU device's threads then still draw, and
    // compile for it, with objects that the exit handlers of its libraries destroy. NVIDIA's exit
    // handlers wait for a GPU without end. So the exit waits for both. The validation layer can't
    // be called any more by then, so with it nothing waits.
    if (!validation)
        engine->compiler_->set_last_wait([owner = engine.get()] {
            vulkan::Timeline& timeline = owner->device().graphics().timeline();
            timeline.wait_to_destroy(timeline.submitted());
            if (owner->device().given_up())
                CompilerService::note_hanging_device();
            if (owner->disk_cache_)
                owner->disk_cache_->save();
        });
    engine->buffers_ = std::make_unique<BufferCache>(engine->device());
    engine->query_pools_ = std::make_unique<QueryPools>(engine->device());
    engine->disk_cache_ = std::make_unique<DiskCache>(vulkan::PipelineCache::open(engine->device()),
                                                      *engine->compiler_);
    engine->command_pools_ =
        std::make_unique<vulkan::CommandPools>(engine->device(), engine->device().graphics());
    engine->layouts_ = std::make_unique<LayoutCache>(engine->core_);
    if (auto ready = engine->layouts_->init(); !ready)
        return std::unexpected(ready.error());
    engine->batches_ = std::make_unique<BatchPool>(
        engine->core_, *engine->command_pools_, [owner = engine.get()] { owner->write_stats(); });
    if (engine->paths().bindless)
        engine->bindless_ =
            std::make_unique<BindlessHeap>(engine->core_, *engine->layouts_, *engine->batches_);
    engine->pipelines_ = std::make_unique<PipelineStore>(engine->core_, *engine->layouts_,
                                                         *engine->compiler_, *engine->disk_cache_);
    if (auto ready = engine->pipelines_->init(); !ready)
        return std::unexpected(ready.error());
    if (auto ready = engine->create_null_objects(); !ready)
        return std::unexpected(ready.error());
    return engine;
}

Engine::~Engine() {
    compiler_->halt();
    // Batches first: they wait for the GPU and release what they retain.
    batches_.reset();
    if (device().given_up())
        CompilerService::note_hanging_device();
    counter_log_.reset(); // while all that it counts is there
    bindless_.reset();
    null_views_.reset();
    null_sampler_.reset();
    null_buffer_.reset();
    pipelines_.reset();
    layouts_.reset();
    command_pools_.reset();
    disk_cache_.reset();
    query_pools_.reset();
    buffers_.reset();
}

void Engine::note_frame() {
    if (counter_log_)
        counter_log_->frame();
}

void Engine::write_stats() {
    if (counter_log_)
        counter_log_->submission();
    if (stats_path_.empty())
        return;
    std::string text;
    const auto names = counter_names();
    for (size_t i = 0; i < names.size(); ++i)
        text.append(names[i])
            .append("\t")
            .append(std::to_string(counter_value(*this, i)))
            .append("\n");
    std::string ignored; // a missing folder was reported; for a full disk the next one may do
    (void)vulkan::write_file_atomically(stats_path_, std::as_bytes(std::span(text)), ignored,
                                        vulkan::Durability::process);
}

} // namespace kobalt::render
