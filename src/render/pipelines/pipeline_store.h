// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "render/base/attempt.h"
#include "render/base/core.h"
#include "render/layouts/layout_cache.h"
#include "render/pipelines/graphics_pipeline.h"
#include "render/pipelines/pipeline_key.h"
#include "render/pipelines/shader_stage.h"
#include "render/pipelines/stage_table.h"

namespace kobalt::render {

class CompilerService;
class DiskCache;
class PipelineInfo;
class ShaderObjects;

/// What building a pipeline needs besides its key: the objects that the key's numbers stand for.
struct GraphicsParts {
    std::array<ShaderStage*, graphics_stage_count> stages{}; ///< by Stage
    const VertexLayout* vertex_layout = nullptr;             ///< where vertex input is static
};

/// All pipelines of an engine: the stages' libraries, the links between them, and whole pipelines
/// where the device has no libraries. Thread-safe: each is made once, by the thread that asks
/// first; others that need the same one wait for it, and nobody waits for another's. Objects live
/// until the store is destroyed, or until a shader they contain is forgotten and the GPU is past
/// it.
class PipelineStore {
public:
    PipelineStore(Core& core, LayoutCache& layouts, CompilerService& compiler,
                  DiskCache& disk_cache);
    ~PipelineStore();
    Core& core() { return core_; }
    LayoutCache& layouts() { return layout_cache_; }
    StageTable& stages() { return stages_; }
    /// To be called before any other function, when the layouts are there.
    vulkan::Result<void> init();

    /// Compiles what draws with a graphics stage need and is not there yet: the library of a stage
    /// that stands alone (vertex, fragment); its shader object where objects serve all draws, or
    /// where it is separable and may draw with stages of other links, for which pipelines would
    /// have to be compiled. An error: the device refused it.
    vulkan::Result<void> prepare(ShaderStage& stage);
    /// Whether prepare() has made all objects that are wanted of the stage by now: stages created
    /// later may have made them wanted.
    bool prepared(const ShaderStage& stage) const;
    /// Compiles the pipeline of a compute stage.
    vulkan::Result<void> compile_compute(ShaderStage& stage);
    /// Called when a program is linked of these stages, so that no draw has to do what it does.
    /// Null entries are absent stages; indexed by Stage. Compiles the pre-rasterisation library of
    /// a program with several such stages (with tessellation for patches of `patch_vertices`, where
    /// their size is static). Where objects serve all draws, compiles the libraries of a program
    /// with a stage that can't be an object. An error: the device refused, and draws with these
    /// stages will be skipped.
    vulkan::Result<void> compile_program(std::span<ShaderStage* const, graphics_stage_count> stages,
                                         uint32_t patch_vertices = 0);

    /// For ShaderStage alone: object_bindings(), object_size() and object(). No binding numbers:
    /// the stage can't be an object. A null object: it can't be made, which was logged.
    std::optional<std::vector<uint32_t>> object_bindings(const ShaderStage& stage) const;
    ObjectSize object_size_of(std::span<const uint32_t> numbers) const;
    vulkan::ShaderObject make_object(const ShaderStage& stage, ObjectSize size, bool in_draw);

    /// The number of compiles inside draws by the calling thread so far: a caller that compares it
    /// before and after a draw knows whether the draw compiled.
    static uint64_t draw_compiles_of_thread();
    /// The pipeline for a draw: found, or linked in microseconds (compiled where the device has no
    /// libraries). Null: it can't be built; the reason was logged once.
    GraphicsPipeline* graphics(const GraphicsKey& key, const GraphicsParts& parts);
    /// The pipeline that draws with `pipeline` bind now; linked anew in microseconds where it was
    /// evicted. Null: that failed, which was logged once. The caller keeps the pipeline's shaders
    /// alive.
    Ref<LinkedPipeline> active(GraphicsPipeline& pipeline);
    /// Notes that a batch binds the pipeline. The caller keeps its shaders alive.
    void note_use(GraphicsPipeline& pipeline, uint64_t batch) {
        if (optimized_.note(pipeline, batch))
            optimize(pipeline);
    }
    /// Notes a run of consecutive draws with the pipeline's shader objects.
    void note_run(GraphicsPipeline& pipeline, uint64_t draws) {
        if (draws && draws_objects() && pipeline.runs.note(draws))
            optimize(pipeline);
    }
    /// Builds a pipeline for draws that use shader objects; these draws move over to it.
    void replace_objects(GraphicsPipeline& pipeline);
    /// Links the libraries of a pipeline anew, optimised: what replace() installs.
    vulkan::Result<vulkan::Pipeline> link_optimized(const GraphicsPipeline& pipeline) const;
    /// Installs the optimised pipeline. If it could not be built, draws go on with what they have.
    void replace(GraphicsPipeline& pipeline, vulkan::Result<vulkan::Pipeline> optimized);
    /// For tests, before anything is drawn.
    void limit_optimized(const OptimizedLimits& limits) { optimized_.set_limits(limits); }
    /// The pipeline of a compute stage, compiled with the stage.
    VkPipeline compute(ShaderStage& stage, const PipelineLayoutEntry*& layout);

    /// Drops everything built from `stage`, once the GPU is past it. The cost depends on what there
    /// is to drop, not on what else the store holds.
    void forget(const ShaderStage& stage);
    /// A number that equal vertex layouts share, so that the pipelines of static vertex input are
    /// few; never 0. Any thread.
    uint64_t layout_id(const VertexLayout& layout);
    /// The pre-rasterisation state of a draw with default rasteriser state, for compiling ahead.
    PreRasterKey default_pre_raster_key() const;

private:
    struct ComputePipeline {
        vulkan::Pipeline pipeline;
        const PipelineLayoutEntry* layout = nullptr;
    };
    struct Library {
        Attempt made;
        vulkan::Pipeline pipeline;
        std::atomic<bool> ready{false}; ///< the pipeline is there
    };
    /// References into it are stable, so libraries are made outside of the lock.
    template <class Key>
    using LibraryMap = std::unordered_map<Key, Library, KeyHash<Key>, KeyEqual<Key>>;

    /// What was built from a stage: the keys in the maps below.
    struct Owned {
        std::unordered_set<const GraphicsKey*> graphics;
        std::unordered_set<const PreRasterKey*> pre_rasters;
        std::vector<const FragmentKey*> fragments;
    };

    vulkan::Result<VkPipeline> vertex_input_library(const VertexInputKey& key,
                                                    const VertexLayout* layout);
    vulkan::Result<VkPipeline> pre_raster_library(const PreRasterKey& key,
                                                  const GraphicsParts& parts, bool in_draw);
    vulkan::Result<VkPipeline> fragment_library(const FragmentKey& key, ShaderStage* stage,
                                                bool in_draw);
    vulkan::Result<VkPipeline> output_library(const OutputKey& key);
    vulkan::Result<void> make(Library& library, VkGraphicsPipelineLibraryFlagsEXT part,
                              PipelineInfo& info, VkPipelineLayout layout, const char* name);
    template <class Key>
    Library& find_or_add(LibraryMap<Key>& libraries, const Key& key);
    vulkan::Result<vulkan::Pipeline> build_whole(const GraphicsKey& key, const GraphicsParts& parts,
                                                 const PipelineLayoutEntry& layout);
    vulkan::Result<void> build(GraphicsPipeline& pipeline, const GraphicsKey& key,
                               const GraphicsParts& parts);
    void estimate_bytes(GraphicsPipeline& pipeline, const GraphicsParts& parts);
    void cancel_jobs_of(const ShaderStage& stage);
    bool has_library(const PreRasterKey& key);
    bool draws_objects() const;
    /// Whether prepare() makes an object of that size, at the stage's creation or in the
    /// background.
    bool awaits_object(const ShaderStage& stage, ObjectSize size) const;
    void want(std::atomic<bool>& wanted, const ShaderStage& from);
    vulkan::Result<void> compile_library(ShaderStage& stage);
    bool takes_objects(const GraphicsKey& key, const GraphicsParts& parts);
    bool find_objects(GraphicsPipeline& pipeline, const GraphicsParts& parts);
    vulkan::Result<vulkan::Pipeline> link(GraphicsPipeline& pipeline, const GraphicsKey& key,
                                          const GraphicsParts& parts, bool in_draw);
    vulkan::Result<vulkan::Pipeline> link_fast(const GraphicsPipeline& pipeline, bool in_draw);
    void optimize(GraphicsPipeline& pipeline);
    vulkan::Result<const PipelineLayoutEntry*> layout_of(std::span<ShaderStage* const> stages);
    void count_compile(bool in_draw);
    /// Logs an error, but not twice in a row: draws may try again and again.
    void report(const vulkan::Error& error);
    /// Makes a library by `make` where that isn't done yet. A failure is reported once.
    template <class Make>
    vulkan::Result<VkPipeline> made_once(Library& library, Make&& make);

    Core& core_;
    LayoutCache& layout_cache_;
    CompilerService& compiler_;
    DiskCache& disk_cache_;
    StageTable stages_;
    std::mutex mutex_;        ///< guards all maps; not held in Vulkan calls
    std::mutex report_mutex_; ///< guards last_report_
    std::string last_report_;
    std::mutex layouts_mutex_; ///< guards layouts_ alone: a link must not delay it
    std::map<std::vector<uint32_t>, uint64_t> layouts_;
    LibraryMap<VertexInputKey> vertex_inputs_;
    LibraryMap<PreRasterKey> pre_rasters_;
    LibraryMap<FragmentKey> fragments_;
    LibraryMap<OutputKey> outputs_;
    std::unordered_map<GraphicsKey, GraphicsPipeline, KeyHash<GraphicsKey>, KeyEqual<GraphicsKey>>
        graphics_;
    std::unordered_map<uint64_t, ComputePipeline> computes_;
    std::unordered_map<uint64_t, Owned> owned_; ///< by stage
    std::unique_ptr<ShaderObjects> objects_;    ///< null: the device has none
    // What separable stages need because a stage was created that they may draw with.
    std::atomic<bool> combined_{false};  ///< objects: it is a geometry or tessellation stage
    std::atomic<bool> full_{false};      ///< objects of full size
    std::atomic<bool> libraries_{false}; ///< libraries beside objects: it can't be an object
    std::mutex active_mutex_;            ///< guards each GraphicsPipeline::active, and optimized_
    OptimizedLinks optimized_;
    std::atomic<uint64_t> endings_{0};
    std::atomic<uint64_t> generation_{1};

public:
    /// Grows whenever pipelines were dropped: recorders then look their pipeline up again.
    uint64_t generation() const { return generation_.load(std::memory_order_acquire); }
    /// Grows whenever a LinkedPipeline ended: recorders then release those that they retain.
    uint64_t endings() const { return endings_.load(std::memory_order_acquire); }
};

} // namespace kobalt::render
