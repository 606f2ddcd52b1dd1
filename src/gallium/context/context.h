// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <unordered_map>
#include <vector>

#include "gallium/context/commands.h"
#include "gallium/context/deferred_releases.h"
#include "gallium/context/handles.h"
#include "gallium/context/objects.h"
#include "gallium/context/resource.h"
#include "gallium/context/shader.h"
#include "gallium/screen/mesa.h"
#include "gallium/screen/screen.h"
#include "render/recorder/recorder.h"
#include "spirv/push_constants.h"

struct blitter_context;
struct primconvert_context;

namespace kobalt::render {
class QueryStreams;
class Timestamps;
} // namespace kobalt::render

namespace kobalt::gallium {

struct Query;
class ConvertedVertices;
class MultisampledImages;
class PlaceholderAttachment;

/// The bound state. It holds references to what is bound, so that the recorder's plain pointers
/// stay valid. u_blitter's state is saved from here, and replaced buffers are rebound from here.
struct Bindings {
    struct PerStage {
        render::Ref<Shader> bound_shader; ///< retained: the shader that Gallium bound
        Shader* shader = nullptr; ///< `bound_shader`, or the one that an emulation draws with
        std::array<pipe_constant_buffer, PIPE_MAX_CONSTANT_BUFFERS> constant_buffers{};
        /// How many references to each buffer this context has beyond the one that it needs.
        std::array<int, PIPE_MAX_CONSTANT_BUFFERS> deferred_releases{};
        std::array<pipe_sampler_view*, PIPE_MAX_SAMPLERS> views{};
        std::array<void*, PIPE_MAX_SAMPLERS> samplers{};
        std::array<pipe_shader_buffer, PIPE_MAX_SHADER_BUFFERS> shader_buffers{};
        std::array<pipe_image_view, PIPE_MAX_SHADER_IMAGES> images{};
        uint32_t view_count = 0, sampler_count = 0;
        uint32_t writable_shader_buffers = 0;
    };
    std::array<PerStage, MESA_SHADER_STAGES> stages;
    std::array<pipe_vertex_buffer, PIPE_MAX_ATTRIBS> vertex_buffers{};
    uint32_t vertex_buffer_count = 0;
    VertexElements* vertex_elements = nullptr;
    void* blend = nullptr;
    void* depth_stencil_alpha = nullptr;
    RasterizerObject* rasterizer = nullptr;
    pipe_framebuffer_state framebuffer{};
    std::array<pipe_viewport_state, PIPE_MAX_VIEWPORTS> viewports{};
    std::array<pipe_scissor_state, PIPE_MAX_VIEWPORTS> scissors{};
    pipe_blend_color blend_color{};
    pipe_stencil_ref stencil_ref{};
    pipe_poly_stipple polygon_stipple{};
    /// GL_ARB_sample_locations, encoded as for pipe_context::set_sample_locations; empty: the
    /// device's default locations.
    std::vector<uint8_t> sample_locations;
    /// GL_EXT_window_rectangles. Inclusive without any rectangle is stored as one empty rectangle.
    struct {
        bool inclusive = false;
        uint32_t count = 0;
        std::array<pipe_scissor_state, PIPE_MAX_WINDOW_RECTANGLES> rectangles{};
    } window;
    unsigned sample_mask = ~0u;
    unsigned min_samples = 1;
    std::array<pipe_stream_output_target*, PIPE_MAX_SO_BUFFERS> stream_outputs{};
    uint32_t stream_output_count = 0;
};

/// The condition of pipe_context::render_condition.
struct RenderCondition {
    Query* query = nullptr;
    bool inverted = false;
    bool on_device = false; ///< the device evaluates it, in the recorder (query_condition.cpp)
    pipe_render_cond_flag mode = PIPE_RENDER_COND_WAIT;
};

/// pipe_context: translates Gallium's state and commands into the recorder's.
struct Context : pipe_context {
    explicit Context(Screen& screen);
    ~Context();
    static Context* from(pipe_context* context) { return static_cast<Context*>(context); }
    Screen& kobalt_screen() { return *Screen::from(screen); }

    std::unique_ptr<render::QueryStreams>
        query_streams; ///< declared before the recorder, whose destructor still calls them
    /// Created when first needed. Declared before the recorder, which points into it.
    std::unique_ptr<MultisampledImages> samples;
    std::unique_ptr<PlaceholderAttachment> placeholder; ///< the same
    render::Recorder recorder;
    std::unique_ptr<render::Timestamps> timestamps;

    // --- what each draw reads, in one cache line
    bool stages_dirty = true;      ///< some stage was bound since the last draw
    bool drawable = false;         ///< all stages that a draw needs are bound
    bool attaches_samples = false; ///< the framebuffer attaches images of `samples`
    /// Robust access, whatever enables it: draws are clipped to the end of the index buffer.
    bool clips_indices = false;
    /// The recorder has a display list's vertices (draw_list.cpp) in place of the bound ones.
    bool list_vertices = false;
    /// Samples of each pixel, drawn one by one; see whole_pixels.h.
    uint32_t whole_pixel_samples = 0;
    /// Mask of vertex buffer slots that the device can't fetch from as they are
    /// (vertex_conversion.h).
    uint32_t converted_slots = 0;
    uint32_t read_parameters = 0; ///< mask of DrawParameters' words that some bound stage reads
    /// The Screen::storage_generation up to which this context has rebound replaced storage.
    uint32_t storage_generation = 0;

    Bindings bound;
    uint32_t image_generation = 0; ///< likewise, of Screen::image_generation
    FreedBufferIds freed_buffer_ids;
    DeferredIndexReleases deferred_index_releases;
    DeferredViewReleases deferred_view_releases;
    /// The shaders that u_blitter binds again after its own: nothing else retains them meanwhile.
    std::array<render::Ref<Shader>, MESA_SHADER_STAGES> saved_shaders;
    RenderCondition condition;
    /// External images that the next glSignalSemaphoreEXT releases to their other owners.
    std::vector<render::Ref<render::Resource>> leaving;
    struct threaded_context* threaded = nullptr; ///< null where the app asked for no threading
    /// The threaded context's own pipe_context::flush, which flush_threaded() wraps.
    decltype(pipe_context::flush) queue_flush = nullptr;
    /// Its functions that bind and delete shaders, by stage, which queue_shaders() wraps.
    std::array<void (*)(pipe_context*, void*), MESA_SHADER_STAGES> queue_bind{}, queue_delete{};
    QueueHandles queue_handles;
    std::atomic<int32_t> queued_deletes{0}; ///< shaders whose deletion waits in its queue
    blitter_context* blitter = nullptr;
    primconvert_context* primconvert = nullptr;
    u_upload_mgr* index_uploader = nullptr; ///< for ConvertedIndices
    u_upload_mgr* kept_uploader = nullptr;  ///< for KeptContents
    slab_child_pool transfer_pool;
    pipe_device_reset_callback reset_callback{};
    util_debug_callback debug_callback{};
    Commands commands{}; ///< the real functions, set again when a frontend_noop ends
    /// When submit_early() last submitted a batch; 0: not since the app's flush.
    int64_t early_submit_time_ns = 0;
    /// A draw was skipped (note_lost_draw) and glGetError has not reported it yet.
    std::atomic<bool> out_of_memory{false};
    /// The device reset was reported to the app.
    std::atomic<bool> reset_reported = false;

    // --- what the state, binding and draw functions keep beside `bound`
    // -----------------------------------------------------------------------------
    /// The storage image views of a bound image: created when it is bound, retained until unbound.
    struct Image {
        render::Ref<render::ImageView> view;
        render::Ref<render::BufferView> texels;
    };
    struct StageMasks {
        uint32_t constant_buffers = 0; ///< mask of bound slots
        uint32_t shader_buffers = 0;
        uint32_t texel_views = 0; ///< sampler view slots that hold a buffer
        LegacyTexels legacy_texels;
        uint64_t image_buffers = 0;
        std::array<Image, PIPE_MAX_SHADER_IMAGES> images;
    };
    std::array<StageMasks, MESA_SHADER_STAGES> per_stage;

    /// GL_CONTEXT_FLAG_ROBUST_ACCESS_BIT, on devices where each pipeline enables robustness
    /// itself. Elsewhere the device is robust for all pipelines or for none.
    bool robust = false;
    float tess_inner[2] = {1, 1};
    float tess_outer[4] = {1, 1, 1, 1};
    uint32_t patch_vertices = 3;
    /// Patches use a control shader for any size until the one for their size is compiled.
    bool awaits_patch_size = false;

    VariantKey fragment_key;         ///< key of the fragment shader that the recorder has
    uint32_t sprite_coordinates = 0; ///< gl_TexCoord[n] that the next draw's points replace
    uint32_t primitive_shift = 0;    ///< DrawParameters::primitive_shift of the next draw
    /// DrawParameters::shadow_swizzles, updated as views are bound.
    std::array<std::array<uint8_t, spirv::shadow_swizzle_slots>, 2> shadow_swizzles{};
    uint32_t outdated_parameters = spirv::all_parameters; ///< mask: changed since `parameters`
    spirv::DrawParameters parameters{};                   ///< as the recorder has them
    std::unique_ptr<Shader> sum_shader; ///< for query buffers (query/sum_shader.h), once needed
    bool compute_dirty = true;        ///< another compute shader was bound since the last dispatch
    bool fetches_attachments = false; ///< the recorder's fragment shader fetches attachments
    bool own_locations = false;       ///< the recorder has sample locations set by the app
    bool clipped_blit = false;        ///< a blit has window rectangles of its own (ClippedBlit)
    bool stipple_dirty = true;        ///< polygon_stipple changed since it was uploaded
    bool samples_in_pass = false;     ///< some attachments' samples exist only inside of a pass
    bool keeps_samples = false;       ///< samples are always in images (make_samples_fetchable)
    bool half_z_viewport = false;     ///< the viewports ask for RasterizerObject::state_half_z
    uint32_t viewport_count = 1;      ///< viewports that were ever set
    const ConvertedVertices* conversion = nullptr; ///< of the draw that is being made
    uint32_t shifted_instances = 0;  ///< base instance that ShiftedInstances adds to buffer offsets
    bool draws_whole_pixels = false; ///< the next draw is made sample by sample (whole_pixels.h)
    std::array<float, 2> viewport_offset{}; ///< added to viewports, pixels
    uint32_t opaque_attachments = 0;        ///< mask: GL's format has no alpha, but its storage has

    /// Copies of the vertex elements of VertexStates, for display lists that are drawn as bound
    /// vertices: conversions of vertices are kept in them.
    std::unordered_map<const VertexElements*, std::unique_ptr<VertexElements>> list_elements;
    std::vector<render::DrawCall> calls; ///< scratch of a multi-draw; keeps its memory
};

} // namespace kobalt::gallium
