// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <functional>
#include <memory>

#include "render/base/core.h"
#include "render/resources/buffer_cache.h"
#include "render/resources/resource.h"
#include "render/shaders/compiler_service.h"
#include "vulkan/commands/command_pool.h"
#include "vulkan/device/device.h"

namespace kobalt::render {

class BatchPool;
class BindlessHeap;
class CounterLog;
class DiskCache;
class LayoutCache;
class NullViews;
class QueryPools;
class PipelineStore;

/// Everything that the contexts of one screen share. Thread-safe.
class Engine {
public:
    static vulkan::Result<std::unique_ptr<Engine>> create(std::unique_ptr<vulkan::Device> device);
    ~Engine();

    Core& core() { return core_; }
    vulkan::Device& device() { return core_.device(); }
    const Paths& paths() const { return core_.paths(); }
    /// KOBALT_DEBUG=descriptors: recorders check what is bound (DescriptorCheck).
    bool checks_descriptors() const {
        return core_.device().instance().environment().has_debug("descriptors");
    }
    Counters& counters() { return core_.counters(); }
    CompilerService& compiler() { return *compiler_; }
    LayoutCache& layouts() { return *layouts_; }
    PipelineStore& pipelines() { return *pipelines_; }
    BatchPool& batches() { return *batches_; }
    /// Null without Capability::bindless.
    BindlessHeap* bindless() { return bindless_.get(); }
    BufferCache& buffers() { return *buffers_; }
    QueryPools& query_pools() { return *query_pools_; }
    /// Vulkan's pipeline cache, kept on disk; VK_NULL_HANDLE where there is none.
    vulkan::CommandPools& command_pools() { return *command_pools_; }

    /// Substitutes for unbound slots: zero-filled, and read as GL specifies for incomplete textures
    /// and buffers.
    Buffer& null_buffer() { return *null_buffer_; }
    NullViews& null_views() { return *null_views_; }
    Sampler& null_sampler() { return *null_sampler_; }

    /// KOBALT_STATS=DIR: writes the counters as DIR/<process id>.tsv, one `name<TAB>value` a line.
    /// Called after each submission, because many programs never destroy their context.
    void write_stats();
    /// A frame was presented (KOBALT_CSV).
    void note_frame();

private:
    Engine(std::unique_ptr<vulkan::Device> device, const Paths& paths);
    vulkan::Result<void> create_null_objects();

    Core core_;
    std::string stats_path_;                  ///< empty: not asked for
    std::unique_ptr<CounterLog> counter_log_; ///< KOBALT_CSV; null: not asked for
    std::unique_ptr<CompilerService> compiler_;
    std::unique_ptr<BufferCache> buffers_;
    std::unique_ptr<QueryPools> query_pools_;
    std::unique_ptr<DiskCache> disk_cache_;
    std::unique_ptr<vulkan::CommandPools> command_pools_;
    std::unique_ptr<LayoutCache> layouts_;
    std::unique_ptr<PipelineStore> pipelines_;
    std::unique_ptr<BindlessHeap> bindless_;
    std::unique_ptr<BatchPool> batches_;
    Ref<Buffer> null_buffer_;
    std::unique_ptr<NullViews> null_views_;
    Ref<Sampler> null_sampler_;
};

} // namespace kobalt::render
