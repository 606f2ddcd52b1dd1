// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "gallium/mesa.h"
#include "gallium/resource.h"
#include "gallium/screen.h"
#include "render/recorder.h"

struct blitter_context;
struct primconvert_context;

namespace kobalt::gallium {

struct Query;
class QueryStreams;
struct Shader;
struct VertexElements;
struct RasterizerObject;

/// What is bound, with references held, so that the recorder's plain pointers stay valid; u_blitter
/// saves and restores from here, and replaced buffers are rebound from here.
struct Bindings {
    struct PerStage {
        Shader* shader = nullptr;
        std::array<pipe_constant_buffer, PIPE_MAX_CONSTANT_BUFFERS> constant_buffers{};
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
    unsigned sample_mask = ~0u;
    unsigned min_samples = 1;
    std::array<pipe_stream_output_target*, PIPE_MAX_SO_BUFFERS> stream_outputs{};
    uint32_t stream_output_count = 0;
};

/// The condition of pipe_context::render_condition.
struct RenderCondition {
    Query* query = nullptr;
    bool inverted = false;
    bool on_device = false; ///< the recorder has it: the device decides (query_condition.cpp)
    pipe_render_cond_flag mode = PIPE_RENDER_COND_WAIT;
};

/// pipe_context: GL's meaning, translated into the recorder's state.
struct Context : pipe_context {
    explicit Context(Screen& screen);
    ~Context();
    static Context* from(pipe_context* context) { return static_cast<Context*>(context); }
    Screen& kobalt_screen() { return *Screen::from(screen); }

    std::shared_ptr<QueryStreams>
        query_streams; ///< before the recorder, which calls them to its end
    render::Recorder recorder;
    Bindings bound;
    RenderCondition condition;
    struct threaded_context* threaded = nullptr; ///< null where the app asked for no threading
    /// The threaded context's own pipe_context::flush, behind ours (flush_threaded).
    decltype(pipe_context::flush) queue_flush = nullptr;
    blitter_context* blitter = nullptr;
    primconvert_context* primconvert = nullptr;
    slab_child_pool transfer_pool;
    bool queries_active = true; ///< set_active_query_state
    pipe_device_reset_callback reset_callback{};
    util_debug_callback debug_callback{};
    uint64_t draws_since_flush = 0; ///< draws in the open batch
    int64_t early_submit_time_ns =
        0; ///< of the last batch that submit_early() sent; 0: none since the app's flush
    std::atomic<bool> reset_reported =
        false; ///< get_device_reset_status has told of the lost device
};

/// pipe_screen::context_create, wrapped by the threaded context unless PIPE_CONTEXT_PREFER_THREADED
/// is off.
pipe_context* create_context(pipe_screen* screen, void* priv, unsigned flags);

// Each fills in its part of the context's function table.
void init_state_functions(Context& context);
void init_binding_functions(Context& context);
void init_framebuffer_functions(Context& context);
void init_shader_functions(Context& context);
void init_draw_functions(Context& context);
void init_stream_output_functions(Context& context);
void init_compute_functions(Context& context);
void init_transfer_functions(Context& context);
void init_view_functions(Context& context);
void init_blit_functions(Context& context);
void init_clear_functions(Context& context);
void init_query_functions(Context& context);
void init_flush_functions(Context& context);

/// pipe_context::flush in front of the threaded context's.
void flush_threaded(pipe_context* context, pipe_fence_handle** fence, unsigned flags);

/// Between two passes: hands the open batch to a GPU that has nothing else to do, so that it
/// doesn't wait for the end of the app's frame.
void submit_early(Context& context);
/// Before a draw: keeps the open batch of an app that never flushes from growing without end.
void bound_batch(Context& context);
/// Whether the render condition lets something through that the device can't decide on (copies,
/// blits, clears of images). May wait for a query's result.
bool condition_passes(Context& context);
/// Whether to record a draw, dispatch or clear of the framebuffer: false where the render condition
/// is known to fail. Waits only where the device can't decide.
inline bool condition_lets_record(Context& context) {
    return !context.condition.query || context.condition.on_device || condition_passes(context);
}
/// Saves all state that u_blitter changes; call before each util_blitter_* operation.
void save_for_blitter(Context& context);
/// Binds `resource`'s present storage again wherever it is bound (after its storage was replaced).
void rebind_buffer(Context& context, Resource& resource);

} // namespace kobalt::gallium
