// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>

#include "render/buffer_cache.h"
#include "render/compiler_service.h"
#include "render/resource.h"
#include "render/slow_path.h"
#include "render/stage.h"
#include "vulkan/commands/command_pool.h"
#include "vulkan/device/device.h"
#include "vulkan/pipelines/pipeline_cache.h"

namespace kobalt::render {

class BatchPool;
class BindlessHeap;
class CounterLog;
class LayoutCache;
class NullViews;
class QueryPools;
class PipelineStore;
class StageTable;

/// What the HUD and the tests read. Relaxed atomics: exact totals, no ordering.
struct Counters {
    std::atomic<uint64_t> draws{0}, dispatches{0}, passes{0}, barriers{0}, batches{0};
    std::atomic<uint64_t> stage_compiles{0}; ///< shader compilations, all of them
    std::atomic<uint64_t> draw_compiles{0};  ///< those that a draw had to wait for
    /// Needs of an earlier run's draws beyond linking, built at link or when a shader is made. The
    /// refused needs come from a damaged or foreign cache.
    std::atomic<uint64_t> remembered_needs{0}, refused_needs{0};
    std::atomic<uint64_t> draw_waits{0}; ///< draws that waited for shaders still in the making
    /// Shaders that no glLinkProgram made: all, and by cause. The causes are blits; the state
    /// tracker's own shaders (clears, bitmaps, pixel transfers); fixed-function and assembly
    /// programs; variants of GL programs that the state tracker made for other state.
    std::atomic<uint64_t> late_shaders{0}, late_blit_shaders{0}, late_helper_shaders{0},
        late_fixed_shaders{0}, late_variants{0};
    std::atomic<uint64_t> late_waits{0}; ///< those that a draw had to wait for
    std::atomic<uint64_t> fast_links{0}, optimized_links{0};
    std::atomic<uint64_t> object_links{0}; ///< links that use shader objects instead
    /// Destroyed links: fast ones that an optimised one replaced, and optimised ones that were
    /// evicted.
    std::atomic<uint64_t> replaced_links{0}, evicted_links{0};
    std::atomic<uint64_t> descriptors{0}; ///< encoded: those of a set that changed
    std::atomic<uint64_t> descriptor_writes{0}, descriptor_binds{0};
    /// Binds of the bindless set: one for each command buffer that draws through handles, where
    /// nothing disturbs it.
    std::atomic<uint64_t> bindless_binds{0};
    std::atomic<uint64_t> descriptor_offsets{
        0}; ///< sets made current: an offset each, a set, or a push
    std::atomic<uint64_t> descriptor_rebinds{0};                     ///< descriptor buffers bound
    std::array<std::atomic<uint64_t>, slow_path_count> slow_paths{}; ///< by SlowPath
};

/// Which draws use shader objects (VK_EXT_shader_object).
enum class ObjectUse : uint8_t {
    none,
    /// Draws with geometry or tessellation stages that were linked apart, until the library that
    /// Vulkan compiles of them together is there.
    combinations,
    /// All draws that can. Pipelines are for stages that can't be objects, and draws with these.
    everything
};

/// Which paths the recorder takes; condensed from the device's capabilities once.
struct Paths {
    bool descriptor_buffer = false;
    bool pipeline_library = false;
    bool dynamic_vertex_input = false;
    bool dynamic_state3 = false;         ///< all of EDS3 that GL needs
    bool dynamic_topology_class = false; ///< dynamicPrimitiveTopologyUnrestricted
    bool dynamic_logic_op = false;
    bool dynamic_patch_size = false; ///< vertices of a patch (VK_EXT_extended_dynamic_state2)
    bool optimized_links = false;    ///< link-time optimisation in the background
    /// Fast links ask to fail where they would compile (pipelineCreationCacheControl), so that each
    /// compile inside a draw is counted.
    bool checked_links = false;
    ObjectUse objects = ObjectUse::none;
    bool objects_read_texels = true; ///< shader objects may read texel buffers
    bool null_descriptor = false;
    bool null_vertex_buffer = false; ///< an unbound vertex buffer is bound as null
    bool always_color = false;       ///< passes without colours have one null attachment
    /// Pushed constants reach only the stages bound then that read some, and no stages bound later.
    bool forgets_pushed_constants = false;
    /// What pipelines of robust stages ask for. DEVICE_DEFAULT: they can't; the device has it on
    /// for all where it has it at all.
    VkPipelineRobustnessBufferBehaviorEXT robust_buffers =
        VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT;
    bool bindless = false; ///< texture handles
    /// The bindless set and the rings share a descriptor buffer, the only one bound.
    bool shared_descriptor_buffer = false;
    bool ordered_fetches = false;       ///< fetches from attachments in the order of rasterisation
    bool ordered_depth_fetches = false; ///< of depth and stencil, the same
    bool discard_rectangles = false;
    bool transform_feedback = false;
    bool line_rasterization = false;
    bool depth_clip_control = false;
    bool depth_clip_enable = false;
    bool provoking_vertex = false;
    bool logic_op = false;
    bool line_stipple = false;
    bool alpha_to_one = false;
    bool wide_lines = false;
    bool depth_bounds = false;
    bool depth_clamp = false;
    /// Depths beyond 0 and 1 arrive in float attachments, so polygon offset needs a clamp.
    bool clamps_offset_depth = false;
    bool host_image_writes =
        false; ///< the CPU writes textures itself (vulkan/resources/host_copy.h)
    /// Beside descriptor buffers: each graphics stage's first uniform buffers, which change with
    /// nearly every draw, are pushed (`pushed_set`).
    bool pushed_blocks = false;
    /// The fragment shader's texture is pushed with them, if it has only one.
    bool pushed_texture = false;
    /// With descriptor pools: the most descriptors that a pushed set holds; 0: no set is pushed.
    uint32_t max_pushed = 0;
};

/// Everything that the contexts of one screen share. Thread-safe.
class Engine {
public:
    static vulkan::Result<std::unique_ptr<Engine>> create(std::unique_ptr<vulkan::Device> device);
    ~Engine();

    vulkan::Device& device() { return *device_; }
    const Paths& paths() const { return paths_; }
    /// KOBALT_DEBUG=descriptors: recorders check what is bound (DescriptorCheck).
    bool checks_descriptors() const {
        return device_->instance().environment().has_debug("descriptors");
    }
    Counters& counters() { return counters_; }
    CompilerService& compiler() { return *compiler_; }
    StageTable& stages() { return *stages_; }
    LayoutCache& layouts() { return *layouts_; }
    PipelineStore& pipelines() { return *pipelines_; }
    BatchPool& batches() { return *batches_; }
    /// Null without Capability::bindless.
    BindlessHeap* bindless() { return bindless_.get(); }
    BufferCache& buffers() { return *buffers_; }
    QueryPools& query_pools() { return *query_pools_; }
    /// Vulkan's pipeline cache, kept on disk; VK_NULL_HANDLE where there is none.
    VkPipelineCache disk_cache() const { return disk_cache_->handle(); }
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
    Engine() = default;
    vulkan::Result<void> create_null_objects();

    std::unique_ptr<vulkan::Device> device_;
    Paths paths_;
    std::string stats_path_; ///< empty: not asked for
    Counters counters_;
    std::unique_ptr<CounterLog> counter_log_; ///< KOBALT_CSV; null: not asked for
    std::unique_ptr<CompilerService> compiler_;
    std::unique_ptr<BufferCache> buffers_;
    std::unique_ptr<QueryPools> query_pools_;
    std::unique_ptr<vulkan::PipelineCache> disk_cache_;
    std::unique_ptr<vulkan::CommandPools> command_pools_;
    std::unique_ptr<LayoutCache> layouts_;
    std::unique_ptr<StageTable> stages_;
    std::unique_ptr<PipelineStore> pipelines_;
    std::unique_ptr<BindlessHeap> bindless_;
    std::unique_ptr<BatchPool> batches_;
    Ref<Buffer> null_buffer_;
    std::unique_ptr<NullViews> null_views_;
    Ref<Sampler> null_sampler_;
};

} // namespace kobalt::render
