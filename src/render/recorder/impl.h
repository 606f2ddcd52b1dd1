// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "render/bindless/residency.h"
#include "render/descriptors/binder.h"
#include "render/descriptors/pushed_descriptors.h"
#include "render/pipelines/pipeline_store.h"
#include "render/pipelines/program_table.h"
#include "render/recorder/bound_state.h"
#include "render/recorder/capture.h"
#include "render/recorder/draw_condition.h"
#include "render/recorder/fetch_state.h"
#include "render/recorder/hazards.h"
#include "render/recorder/kept_aspects.h"
#include "render/recorder/pending_clears.h"
#include "render/recorder/recorded_state.h"
#include "render/recorder/recorder.h"
#include "render/recorder/watch.h"
#include "render/sync/run_ahead.h"

// The recorder's state, shared by the files that implement it. Not for other users.

namespace kobalt::render {

/// In masks of attachments: the bit after those of all colours.
inline constexpr uint32_t depth_stencil_bit = 1u << max_color_attachments;

struct Recorder::Impl {
    // The members that each draw reads (see goes_on()) stand together, in few cache lines.
    Recorder& recorder;
    Engine& engine;
    const vulkan::DeviceDispatch& vk;
    std::function<void()> failure_listener;
    const Paths& paths;
    std::unique_ptr<Batch> batch;
    std::unique_ptr<DescriptorBinder> binder;
    uint32_t dirty = dirty_all;
    uint32_t stages_dirty = all_graphics_stages;          ///< bit Stage: its set may be outdated
    uint32_t stages_pending_access = all_graphics_stages; ///< those whose accesses have to be added
    // Masks of bindings of the pushed set:
    uint32_t bound_pushes = 0; ///< those that the bound shaders use
    /// Bindings whose recorded value differs from the bound one.
    uint32_t outdated_pushes = all_pushed_bindings;
    /// Bindings whose resource differs from that of the last draw that used them. A new range of
    /// the same buffer needs no new access: the pass is still open, so nothing wrote the buffer.
    uint32_t pushes_pending_access = 0;
    VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    uint32_t patch_vertices = 0; ///< 0: no patches are drawn
    bool primitive_restart = false;
    bool accesses_added = false; ///< the bound state's, for the open pass
    Capture capture;
    DrawCondition condition;
    Program* program = nullptr;                         ///< of the bound stages
    GraphicsPipeline* pipeline = nullptr;               ///< of `link`
    VkPipeline bound_pipeline = VK_NULL_HANDLE;         ///< null: none, or shader objects
    GraphicsPipeline* bound_objects = nullptr;          ///< the link whose shader objects are bound
    uint64_t run_began = 0;                             ///< tally.draws when they were bound
    const PipelineLayoutEntry* wanted_layout = nullptr; ///< of `pipeline`'s sets
    const PipelineLayoutEntry* bound_layout = nullptr;
    uint64_t store_generation = 0;
    /// Counted here and added to the engine's counters once a batch, so that a draw needs no
    /// atomic.
    struct Tally {
        uint64_t draws = 0, dispatches = 0, passes = 0, barriers = 0, descriptors = 0,
                 descriptor_writes = 0, descriptor_binds = 0, bindless_binds = 0, copies = 0,
                 clears = 0,
                 pipelines = 0; ///< binds, each counted as RunAheadLimits::commands_of_pipeline
        uint64_t commands() const {
            return draws + dispatches + passes + copies + clears + pipelines;
        }
    } tally;

    Ref<BatchToken> last_token;
    /// What the batch being recorded waits for and signals.
    struct {
        std::vector<vulkan::SemaphorePoint> waits, signals;
    } semaphores;
    const ContextSlot context_slot; ///< this recorder's entry in the resources that it uses
    bool broken = false;            ///< no command buffer was available: everything is skipped

    PushedDescriptors pushes;
    DescriptorName pushed_texture;         ///< of the pushed texture; no object: unknown
    const VkDeviceSize most_uniform_bytes; ///< of a descriptor
    std::array<StageState, stage_count> stages;
    /// By SetForm and ShaderStage::id.
    std::array<std::unordered_map<uint64_t, ShaderSet>, set_form_count> sets;
    std::array<const StageSet*, set_count> bound_sets{}; ///< by set number
    ComputeState compute;
    static_assert(push_constant_bytes == 4 * 32);
    std::array<uint32_t, 32> push_constants{};
    uint32_t outdated_words = ~0u; ///< mask of push_constants' words that are not recorded

    FetchState fetch;

    const RasterizerState* rasterizer = nullptr;
    const DepthStencilState* depth_stencil = nullptr;
    const BlendState* blend = nullptr;
    std::array<float, 4> blend_constants{};
    uint32_t stencil_front = 0, stencil_back = 0;
    uint32_t sample_mask = ~0u;
    SampleLocations sample_locations;
    DiscardRectangles discard;
    std::array<VkViewport, max_viewports> viewports{};
    std::array<VkRect2D, max_viewports> scissors{};
    uint32_t viewport_count = 1;
    RecordedState recorded; ///< in the batch's command buffer

    Framebuffer framebuffer;
    ImageView* fetched_depth = nullptr; ///< of the framebuffer's depth attachment, one aspect each
    ImageView* fetched_stencil = nullptr;
    uint32_t blendable = 0; ///< mask of colour attachments whose format can blend
    PendingClears clears;
    KeptAspects kept; ///< by the open pass
    /// The open pass's attachments have writes that nothing orders before the fetches of the next
    /// draw: those of a clear, a draw that doesn't fetch, or a draw before the app's barrier.
    bool attachments_written = false;
    std::vector<PassQuery*> pass_queries;
    class DispatchQueries;
    bool discard_forbidden = false; ///< by one of the pass queries

    Ref<ImageView> predicate_image; ///< one texel, in which write_predicate() merges its queries

    Residency residency;
    ProgramTable programs;
    Program::Traits state_traits; ///< those that `pipeline_state` was filled for
    bool shader_depth = false;    ///< of `program`: its fragment shader writes depths
    GraphicsKey pipeline_state;   ///< all of the key but the stages
    uint32_t pipeline_state_number = 0;
    Program::Link* link = nullptr;               ///< of `program`, for that state
    VkPipeline wanted_pipeline = VK_NULL_HANDLE; ///< what a draw binds, retained by `link`
    std::array<VkShaderEXT, graphics_stage_count> bound_shaders{}; ///< valid if `shaders_bound`
    bool shaders_bound = false; ///< not a pipeline: the objects' state was recorded
    SetForm graphics_form = SetForm::of_pipelines; ///< of the last draw's sets
    uint64_t store_endings = 0;
    std::unordered_map<VkFormat, bool> format_blends;

    Tally reported; ///< the part that the engine's counters have
    SlowPaths slow_paths;
    std::unique_ptr<Watch> watch; ///< null: nothing is watched

    RunAhead run_ahead;
    Hazards hazards;
    bool stored_to_attachment = false;           ///< some shader did, in this epoch
    std::vector<DescriptorData> descriptor_data; ///< scratch of place_set(); keeps its memory
    VkDeviceSize descriptor_bytes = 0;           ///< written into the ring in this batch

    Impl(Recorder& owner, Engine& shared);

    VkCommandBuffer commands() {
        batch->has_commands = true;
        return batch->commands();
    }
    StageState& state(Stage stage) { return stages[static_cast<size_t>(stage)]; }
    // what changed since the last draw (recorder_marks.h)
    /// Marks the stage's set as possibly outdated.
    void mark_set(Stage stage);
    /// Does the same, and marks the accesses to the set's resources as pending.
    void mark(Stage stage);
    /// Mask of bindings that a draw of the program has to push.
    uint32_t pushes_needed() const { return outdated_pushes & program->pushed_bindings(); }
    /// Notes that a binding point got something else; `time` is its entry in SlotTimes.
    void mark_slot(Stage stage, uint64_t& time);
    /// Marks all that the stage uses as possibly changed since the last draw.
    void mark_all(Stage stage);
    /// Like mark_slot(), for another range of a uniform buffer: where the bound shader gets the
    /// buffer pushed, its set stays as it is.
    void mark_range(Stage stage, uint32_t slot);
    /// Like mark_range(), for another buffer.
    void mark_buffer(Stage stage, uint32_t slot);
    /// Like mark_slot(), for a texture.
    void mark_texture(Stage stage, uint32_t slot);
    /// Reports a draw or dispatch that can't be recorded. Always false.
    bool fail() const {
        if (failure_listener)
            failure_listener();
        return false;
    }
    bool begin_batch();
    /// Whether the batch has grown to its limits.
    bool batch_full() const;
    /// Called before each command that an app can issue without end: submits the batch where it has
    /// grown to its limits. False: no batch could be begun, so nothing can be recorded.
    [[nodiscard]] bool bound_batch();
    /// Retains a buffer that is being bound; `batch` retains all that are bound. Another context
    /// may replace a buffer's storage without telling this one, which then goes on with the old
    /// storage.
    void retain(const Buffer* buffer) {
        if (buffer && batch)
            batch->retain(*buffer);
    }
    void retain_bound(Batch& in) const;
    void report_tally();
    void mark_everything_dirty();

    // barriers (barrier.cpp)
    /// Adds the read of a uniform block by the stage.
    void add_uniform_read(Stage stage, uint32_t slot);
    void initialize(Image& image);
    /// Records a release to VK_QUEUE_FAMILY_EXTERNAL, or the acquisition from there.
    void transfer_external(Resource& resource, bool release);
    template <class To, class From>
    VkCommandBuffer begin_copy(To& to, From* from, const ByteRange& part = {});
    template <class To, class From>
    bool may_run_first(const To& to, const ByteRange& part, const From* from) const;
    bool attached(const Image& image) const;
    enum class Accesses : uint8_t { changed, all };
    void add_stage_accesses(Stage stage, bool in_pass, Accesses which);
    void add_push_accesses(bool in_pass);
    void add_binding_access(Stage stage, const StageBinding& binding, bool in_pass);
    /// Adds the read of a sampled image. False: the open pass renders to it, so it isn't added now.
    bool add_sampled_read(Image& image, VkPipelineStageFlags2 where, bool in_pass);
    void add_fetch_accesses(bool indexed, Accesses which);
    void add_resident_accesses(VkPipelineStageFlags2 stages, bool in_pass);
    void note_attachment_writes() {
        attachments_written = true;
        dirty |= dirty_fetches;
    }
    void order_fetches();
    void record_barrier(const Hazard& needed, VkDependencyFlags flags = 0);
    void flush_barriers();
    /// Makes what the batch wrote visible to the host, before the batch ends.
    void make_visible_to_host();

    // passes (pass.cpp)
    /// `written`: the aspects of depth and stencil that the pass's first command may write.
    /// `left_out`: attachments that nothing in the pass draws to, a mask as of outdated_samples().
    void begin_pass(VkImageAspectFlags written, uint32_t left_out = 0);
    /// Notes the accesses to the depth and stencil attachment, which `kept` is known of.
    void attach_depth_stencil(Image& image, VkAttachmentLoadOp load, bool fetches);
    /// Ends the open pass where it keeps aspects that the next command may write.
    void leave_kept(VkImageAspectFlags written);
    /// The layout in which a pass attaches an image. `anew`: the pass needs no former contents.
    /// GPUs clear quickly in layouts for attachments, and passes that load the image go on there;
    /// to enter one only to load would cost a barrier.
    VkImageLayout attachment_layout(const Image& image, bool anew) const;
    void note_pass_queries();
    /// Opens the pass for a clear inside it. False: nothing can be recorded.
    [[nodiscard]] bool enter_pass_to_clear();
    void end_pass();
    bool wants_stream_output();

    // attachments of more samples than their textures (samples.cpp)
    /// Whether the attachment has its samples only inside the pass.
    bool resolves_inside(const ImageView* attachment) const {
        return attachment && framebuffer.samples > 1 &&
               attachment->image().storage().samples() == VK_SAMPLE_COUNT_1_BIT;
    }
    bool resolves_inside() const;
    void resolve(const ImageView& attachment, const ResolveTarget& target,
                 VkRenderingAttachmentInfo& info, VkResolveModeFlagBits mode);
    /// A mask of the attachments whose samples are older than their resolve target.
    uint32_t outdated_samples() const;
    /// Notes that the samples of these attachments match their resolve targets.
    void note_resolved(uint32_t attachments);
    /// Whether all of depth and stencil is cleared when the next pass begins.
    bool clears_depth_stencil() const;
    /// The attachments that a pass for the pending clears alone may not write.
    uint32_t kept_from_clears() const;

    // conditions (condition.cpp)
    bool create_predicate_image();
    void merge_predicate(Buffer& predicate, size_t words);

    // pipelines and state (pipeline.cpp, state.cpp)
    bool update_pipeline();
    bool choose_pipeline();
    /// Switches the stages' sets to that form.
    void take_sets(SetForm form);
    /// Whether the next draw binds another pipeline or other objects than the last one.
    bool binding_changes() const {
        return wanted_pipeline != bound_pipeline || (!wanted_pipeline && bound_objects != pipeline);
    }
    void bind_objects();
    /// Ends the run of draws with `bound_objects`: other draws follow, or none in this batch.
    void end_run();
    void emit_object_state();
    void fill_pipeline_state();
    /// Whether the shader writes the alpha of the first colour, which may become coverage.
    static bool writes_alpha(const ShaderStage* fragment) {
        return fragment && fragment->source().fragment_outputs & 1;
    }
    /// Vulkan needs an alpha to make coverage of (VUID-vkCmdDraw-alphaToCoverageEnable-08919); in
    /// GL the coverage is undefined where the shader writes none.
    bool alpha_to_coverage() const {
        return blend->alpha_to_coverage && framebuffer.samples > 1 &&
               writes_alpha(stages[static_cast<size_t>(Stage::fragment)].shader.get());
    }
    void fill_coverage(GraphicsKey& key) const; // coverage.cpp
    void emit_coverage();
    GraphicsPipeline* make_pipeline();
    void emit_state();
    void emit_dynamic_state();
    /// Called when other stages are bound, which read these words: what was recorded for the
    /// previous stages may not reach them.
    void forget_push_constants(uint32_t read) {
        if (paths.forgets_pushed_constants)
            outdated_words |= read;
    }
    void record_push_constants(const PipelineLayoutEntry& layout, uint32_t read);
    void emit_vertex_input();
    void emit_vertex_buffers();
    void emit_topology();
    bool clamps_offset_depth() const;
    void emit_rasterizer();
    void emit_rasterizer3(const RasterizerState& now, const Changes<RasterizerState>& changed);
    void emit_stencil(VkStencilFaceFlags faces, VkStencilOpState DepthStencilState::*face);
    void emit_depth_stencil();
    void emit_blend();
    void emit_samples();
    void emit_viewports();

    // descriptors (descriptors.cpp)
    bool update_descriptors();
    void forget_sets();
    // pushed descriptors (push.cpp)
    /// At least one of the mask.
    void push(uint32_t bindings);
    void push_several(uint32_t bindings);
    void fill_pushed_block(uint32_t binding);
    /// False: the command buffer has the same already.
    bool fill_pushed_texture();
    void record_pushes(std::span<const VkWriteDescriptorSet> writes);
    void forget_pushes();

    BindlessBind bind_bindless(VkPipelineBindPoint point, const PipelineLayoutEntry& layout);
    /// Brings the set of a stage's shader up to date.
    bool write_stage(Stage stage);
    /// Places the set where the GPU reads it, or finds it there. `numbers`: the binding numbers of
    /// a shader object's descriptors; null: they are in the order of the shader's bindings.
    bool place_set(const StageState& bound, ShaderSet& own, const SetLayout& layout,
                   const uint32_t* numbers);

    // what descriptors name (descriptor_data.cpp)
    void retain_bound(const StageState& bound, const StageBinding& binding);
    /// The attachment that a fragment shader fetches: a colour by its number, or depth or stencil.
    ImageView* attachment(uint32_t slot) const;
    DescriptorName name_of(const StageState& stage, const StageBinding& binding) const;
    void fill_descriptor(const StageState& stage, const StageBinding& binding,
                         DescriptorData& data);
    /// What a descriptor of a texture names. No view: a null descriptor.
    void name_texture(const StageState& stage, const StageBinding& binding, VkImageView& view,
                      VkSampler& sampler) const;
    /// What a descriptor of `range` names: as much of it as the buffer has and `limit` allows, or,
    /// where that is nothing, the engine's null buffer. Returns the buffer named.
    const Buffer& name_range(const BufferRange& range, VkDeviceSize limit,
                             VkDescriptorBufferInfo& named) const {
        const VkDeviceSize end = range.buffer ? range.buffer->size() : 0;
        if (end <= range.offset || !range.size) [[unlikely]]
            return name_null_buffer(limit, named);
        // Member by member: to load whole what was stored in halves stalls the processor.
        named.buffer = range.buffer->handle();
        named.offset = range.offset;
        named.range = std::min({range.size, end - range.offset, limit});
        return *range.buffer;
    }
    const Buffer& name_null_buffer(VkDeviceSize limit, VkDescriptorBufferInfo& named) const;

    // checks of what descriptors name, and breadcrumbs (watch.cpp): for `watch`
    void check_stage(Stage stage);
    void watch_draw();
    void watch_dispatch();
    void watch_pass();

    void note_primitive_restart(bool restart) {
        if (primitive_restart != restart)
            dirty |= dirty_topology;
        primitive_restart = restart;
    }
    bool has_state() const { return rasterizer && depth_stencil && blend; }
    bool goes_on(const DrawParametersInfo& info) const;
    bool update(const DrawParametersInfo& info);
    bool update_changes(const DrawParametersInfo& info);
    void bind_index_buffer();
    bool prepare_draw(const DrawParametersInfo& info);
    void draw_many(const DrawParametersInfo& info, std::span<const DrawCall> calls);
    bool prepare_dispatch();
    bool bind_compute(const ShaderStage& shader);
};

} // namespace kobalt::render

#include "render/recorder/marks.h" // IWYU pragma: export
