// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "render/commands/batch.h"
#include "render/engine/engine.h"
#include "render/pipelines/shader_stage.h"
#include "render/pipelines/state.h"
#include "render/recorder/pass.h"

namespace kobalt::render {

class BindlessHandle;
class DescriptorBinder;
class ExternalSemaphore;
struct StageNames;

struct BufferRange {
    Buffer* buffer = nullptr; ///< nullptr: unbound
    VkDeviceSize offset = 0;  ///< bytes
    VkDeviceSize size = 0;    ///< bytes
};

/// Where the attributes of one binding begin.
struct VertexBuffer {
    Buffer* buffer;      ///< nullptr: unbound
    VkDeviceSize offset; ///< bytes
    VkDeviceSize size;   ///< bytes from there that may be read: the buffer may end in padding
    bool operator==(const VertexBuffer&) const = default;
};

struct DrawCall {
    uint32_t first = 0; ///< first vertex, or first index
    uint32_t count = 0;
    int32_t vertex_offset = 0; ///< indexed draws only
    uint32_t draw_id = 0;      ///< gl_DrawID
};

struct DrawParametersInfo {
    VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    uint32_t instance_count = 1;
    uint32_t first_instance = 0;
    uint32_t patch_vertices = 0;
    bool primitive_restart = false;
    bool indexed = false;
    /// Shaders read gl_DrawID, which is the same in all calls: Vulkan would count those of one
    /// command.
    bool same_draw_id = false;
};

/// One transform feedback buffer binding. The counter keeps the append position across passes.
struct StreamOutputTarget : RefCounted {
    Ref<Buffer> buffer;
    VkDeviceSize offset = 0; ///< bytes
    VkDeviceSize size = 0;   ///< bytes
    Ref<Buffer> counter;     ///< 4 bytes: bytes written so far
    uint32_t stride = 0;     ///< bytes a vertex, of the last program that wrote it
    bool counter_valid = false;
};

/// The work that a query is begun around.
enum class Counted : uint8_t { pass, dispatch };

/// Something that counts draws of a pass: Vulkan queries can't span passes, so the recorder starts
/// it in each pass and ends it with the pass.
class PassQuery {
public:
    virtual ~PassQuery() = default;
    virtual void pass_begin(VkCommandBuffer commands, Counted counted) = 0;
    virtual void pass_end(VkCommandBuffer commands) = 0;
    /// Whether it may not be active while primitives are discarded (VUID-vkCmdDraw-
    /// primitivesGeneratedQueryWithRasterizerDiscard-06708): an empty scissor is used instead.
    virtual bool forbids_discard() const { return false; }
    /// Whether it counts dispatches as well: outside of passes it is begun for each of them.
    virtual bool counts_dispatches() const { return false; }
};

/// A query that has ended, in commands recorded before.
struct QueryWord {
    VkQueryPool pool = VK_NULL_HANDLE;
    uint32_t index = 0;
    uint32_t values = 1; ///< vulkan::QueryPool::values_per_query()
};

/// The size of the buffer that write_predicate() wants, in bytes.
constexpr VkDeviceSize predicate_bytes(size_t queries) {
    return 4 * (queries > 1 ? queries + 1 : 1);
}

/// Records one context's commands: state in, Vulkan commands out. Not thread-safe. It has plain
/// pointers to bound objects: the state tracker keeps them alive and rebinds replaced ones. The
/// recorder itself retains bound buffers, since another context may replace the storage of a shared
/// one.
class Recorder {
public:
    explicit Recorder(Engine& engine);
    ~Recorder();

    Engine& engine() { return engine_; }
    Batch& batch() { return *batch_; }
    /// Adds what was counted since the last batch to the engine's counters.
    void report_counters();
    /// Counts an operation that is slower than the app may expect; reports it once (SlowPaths).
    void slow_path(SlowPath kind, std::string_view detail = {});
    void set_slow_path_listener(SlowPaths::Listener listener);
    /// KOBALT_DEBUG=breadcrumbs: the app's marker, which names what is recorded from here on.
    void mark(std::string_view name);
    /// KOBALT_DEBUG=descriptors: bindings are checked before each draw and dispatch, as far as the
    /// stages have names (DescriptorCheck). Without it the next two functions do nothing.
    bool checks_descriptors() const;
    /// Sets the names of the shader bound to the stage from now on; null: it isn't the app's.
    void name_stage(Stage stage, std::shared_ptr<const StageNames> names);
    void set_descriptor_listener(std::function<void(const char* text)> listener);
    /// Called for each draw and dispatch that is left out because memory for its pipeline or its
    /// descriptors is out, or the device refused a pipeline.
    void set_failure_listener(std::function<void()> listener);

    // --- shader stages and their resources
    // --------------------------------------------------------
    void bind_stage(Stage stage, ShaderStage* shader);
    /// Some programs do this for each draw: the range is passed in registers, not in memory.
    void set_uniform_buffer(Stage stage, uint32_t slot, Buffer* buffer, VkDeviceSize offset,
                            VkDeviceSize size);
    void set_uniform_buffer(Stage stage, uint32_t slot, const BufferRange& range) {
        set_uniform_buffer(stage, slot, range.buffer, range.offset, range.size);
    }
    void set_storage_buffer(Stage stage, uint32_t slot, const BufferRange& range);
    /// Exactly one of view and texel buffer is set; both null unbinds.
    /// `compared`: a view of the same image for the bindings that compare (StageBinding::compares);
    /// nullptr: `view` serves them too.
    void set_texture(Stage stage, uint32_t slot, ImageView* view, BufferView* texel_buffer,
                     ImageView* compared = nullptr);
    void set_sampler(Stage stage, uint32_t slot, Sampler* sampler);
    void set_storage_image(Stage stage, uint32_t slot, ImageView* view, BufferView* texel_buffer);
    /// Draws whose stages read through handles may read this one from now on, and store through
    /// it where it `writes`.
    void make_resident(Ref<BindlessHandle> handle, bool writes = false);
    void make_nonresident(uint64_t handle);
    /// Called when handles may name other images than before (BindlessHeap::move_handles).
    void rename_residents();
    /// Push constants of all stages; the offset and the size are multiples of 4 bytes.
    void set_push_constants(uint32_t offset, std::span<const std::byte> data);

    // --- vertex fetch
    // -----------------------------------------------------------------------------
    void set_vertex_layout(const VertexLayout* layout);
    void set_vertex_buffers(uint32_t first, std::span<const VertexBuffer> buffers);
    /// Binds the buffer from the offset to its end.
    void set_vertex_buffer(uint32_t slot, Buffer* buffer, VkDeviceSize offset) {
        const VertexBuffer one{buffer, offset, buffer ? buffer->size() - offset : 0};
        set_vertex_buffers(slot, {&one, 1});
    }
    void set_index_buffer(Buffer* buffer, VkDeviceSize offset, VkIndexType type);

    // --- fixed function; pointers stay valid until another is set
    // -----------------------------------
    void set_rasterizer(const RasterizerState* state);
    void set_depth_stencil(const DepthStencilState* state);
    void set_blend(const BlendState* state);
    void set_blend_constants(const float rgba[4]);
    void set_stencil_reference(uint32_t front, uint32_t back);
    void set_sample_mask(uint32_t mask);
    /// Applies to framebuffers of that many samples. Needs Capability::sample_locations.
    void set_sample_locations(SampleLocations locations);
    /// Needs Capability::discard_rectangles, and a device that allows so many.
    void set_discard_rectangles(const DiscardRectangles& rectangles);
    void set_viewports(uint32_t first, std::span<const VkViewport> viewports);
    void set_scissors(uint32_t first, std::span<const VkRect2D> scissors);

    // --- passes
    // -----------------------------------------------------------------------------------
    void set_framebuffer(const Framebuffer& framebuffer);
    /// The app needs the contents of the image no more: the next pass that draws to it need not
    /// load them.
    void invalidate(Image& image);
    /// Views of one aspect each of the framebuffer's depth attachment, for stages that fetch from
    /// it. Null: nothing is there to be fetched.
    void set_fetched_depth_stencil(ImageView* depth, ImageView* stencil);
    /// The framebuffer that was set last.
    const Framebuffer& framebuffer() const;
    /// Clears an attachment of the bound framebuffer: folded into the pass's load where the pass
    /// has not begun and `rect` is the whole of it, recorded in the pass otherwise.
    void clear_color(uint32_t index, const VkClearColorValue& value, const VkRect2D& rect);
    void clear_depth_stencil(VkImageAspectFlags aspects, float depth, uint32_t stencil,
                             const VkRect2D& rect);
    /// Whether a clear of that image's colours waits for a pass to begin with.
    bool clear_waits(const Image& image) const;
    /// Whether some attachment's samples have to be filled before they are drawn to, or a part of
    /// them is cleared (ResolveTarget).
    bool samples_outdated() const;
    /// Ends the pass if one is open (flushing deferred clears), for commands that are illegal
    /// inside.
    void leave_pass();
    bool in_pass() const { return pass_open_; }
    /// glTextureBarrier: what earlier draws rendered to bound textures is visible to later draws.
    void texture_barrier();
    /// glFramebufferFetchBarrierEXT, glBlendBarrier: later draws fetch from the framebuffer's
    /// attachments what earlier draws wrote there. The pass goes on.
    void attachment_barrier();
    /// glMemoryBarrier: what shaders stored before is visible to everything after (see
    /// barrier.cpp). Records nothing by itself.
    void memory_barrier();
    /// Everything before is visible to everything after.
    void full_barrier();

    // --- draws
    // ------------------------------------------------------------------------------------
    void draw(const DrawParametersInfo& info, std::span<const DrawCall> calls);
    void draw_indirect(const DrawParametersInfo& info, Buffer& arguments, VkDeviceSize offset,
                       uint32_t draw_count, uint32_t stride, Buffer* count_buffer,
                       VkDeviceSize count_offset);
    /// glDrawTransformFeedback: the vertex count is the target's counter divided by its stride.
    void draw_stream_output(const DrawParametersInfo& info, StreamOutputTarget& target);
    void dispatch(uint32_t x, uint32_t y, uint32_t z);
    void dispatch_indirect(Buffer& arguments, VkDeviceSize offset);

    // --- transform feedback; `append` keeps the counter, otherwise writing starts at the offset
    // -----
    void set_stream_output_targets(std::span<StreamOutputTarget* const> targets,
                                   uint32_t append_mask);

    // --- queries and conditions
    // ---------------------------------------------------------------------
    void add_pass_query(PassQuery* query);
    void remove_pass_query(PassQuery* query);
    /// Writes to the first word of `predicate` whether any of the queries counted something: not 0
    /// if so. Only the device waits for them; the caller keeps their pools alive. The buffer needs
    /// the usages CONDITIONAL_RENDERING, TRANSFER_DST and predicate_bytes(). False: no memory,
    /// nothing was recorded. Needs Capability::conditional_rendering.
    bool write_predicate(std::span<const QueryWord> queries, Buffer& predicate);
    /// Copies the values of queries, 64 bits each and consecutive, into a buffer with the usage
    /// TRANSFER_DST and room for them. Only the device waits for them; the caller keeps their pools
    /// alive. False: nothing was recorded.
    bool copy_query_values(std::span<const QueryWord> queries, Buffer& into);
    /// From now on draws, dispatches and clears of the framebuffer happen only where the first word
    /// of `predicate` isn't 0 (`inverted`: is 0) when the device gets there. nullptr: always.
    void set_condition(Buffer* predicate, bool inverted);

    // --- copies (each leaves the pass and takes care of barriers)
    // -----------------------------------
    void copy_buffer(Buffer& from, Buffer& to, std::span<const VkBufferCopy> regions);
    void fill_buffer(Buffer& to, VkDeviceSize offset, VkDeviceSize size, uint32_t value);
    void copy_image(Image& from, Image& to, std::span<const VkImageCopy> regions);
    void copy_buffer_to_image(Buffer& from, Image& to, std::span<const VkBufferImageCopy> regions);
    void copy_image_to_buffer(Image& from, Buffer& to, std::span<const VkBufferImageCopy> regions);
    void blit_image(Image& from, Image& to, std::span<const VkImageBlit> regions, VkFilter filter);
    void resolve_image(Image& from, Image& to, std::span<const VkImageResolve> regions);
    void clear_image(Image& to, const VkClearColorValue& value,
                     std::span<const VkImageSubresourceRange> ranges);
    void clear_image(Image& to, const VkClearDepthStencilValue& value,
                     std::span<const VkImageSubresourceRange> ranges);

    // --- sparse and shared memory
    // -----------------------------------------------------------------------------------------
    /// Backs the pages of a sparse buffer or image with memory, or takes it away, after the
    /// commands recorded so far. False: the device refused, and nothing changed.
    bool commit(Buffer& buffer, VkDeviceSize offset, VkDeviceSize size, bool backed);
    bool commit(Image& image, uint32_t level, const vulkan::TexelBox& box, bool backed);
    /// Commands from here on wait for the semaphore.
    void wait_for_semaphore(Ref<ExternalSemaphore> semaphore);
    /// Submits, and signals the semaphore after all commands so far.
    void signal_semaphore(Ref<ExternalSemaphore> semaphore);
    /// Gives an image or buffer whose memory is shared to its other users, or takes it back
    /// (Vulkan 1.3, "Queue Family Ownership Transfer"); others are left alone.
    void release_external(Resource& resource);
    void acquire_external(Resource& resource);

    /// For the caller's own commands (timestamps): leaves the pass if `outside_pass`.
    VkCommandBuffer commands(bool outside_pass);
    /// Retains `object` until the current batch has completed.
    void retain(const RefCounted& object);
    /// Adds an access outside the bound state and records its barrier (leaves the pass when
    /// needed).
    void add_access(Resource& resource, VkPipelineStageFlags2 stages, VkAccessFlags2 access,
                    bool write);

    // --- submission
    // ---------------------------------------------------------------------------------
    /// Submits what was recorded; the token completes when the GPU is past it. Waits only where the
    /// GPU is too far behind (RunAhead). Commands flush by themselves where the batch has grown
    /// large.
    Ref<BatchToken> flush();
    /// True when nothing was recorded since the last flush.
    bool empty() const;
    /// Draws in the batch being recorded.
    uint64_t draws_in_batch() const;
    /// The token of the batch being recorded (for unflushed fences).
    Ref<BatchToken> current_token() const;
    /// Set once the device is lost or a submission failed.
    bool device_lost() const;
    /// Whether it can record. A new one can't where there is no memory for descriptors or commands.
    bool works() const;

private:
    struct Impl;
    void set_other_uniform_buffer(Stage stage, uint32_t slot, const BufferRange& range);
    Engine& engine_;
    // Before impl_, whose construction begins the first batch.
    Batch* batch_ = nullptr;
    bool pass_open_ = false;
    std::unique_ptr<Impl> impl_;
};

} // namespace kobalt::render
