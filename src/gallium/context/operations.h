// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <span>

#include "gallium/context/context.h"

// What the rooms of this folder do for each other. Each function stands in the room of its subject;
// they are declared here, below all of them, so that no room includes one above it.

namespace kobalt::gallium {

constexpr render::Stage render_stage(unsigned mesa_stage) {
    switch (mesa_stage) {
    case MESA_SHADER_VERTEX:
        return render::Stage::vertex;
    case MESA_SHADER_TESS_CTRL:
        return render::Stage::tess_control;
    case MESA_SHADER_TESS_EVAL:
        return render::Stage::tess_evaluation;
    case MESA_SHADER_GEOMETRY:
        return render::Stage::geometry;
    case MESA_SHADER_FRAGMENT:
        return render::Stage::fragment;
    default:
        return render::Stage::compute;
    }
}

/// The driver's own context behind `context`; null: another driver's, or one around ours.
Context* own_context(pipe_context* context);

/// A draw or a dispatch is left out for lack of memory, or since the device refused its shaders:
/// the app is told by GL_OUT_OF_MEMORY and a message of KHR_debug.
void note_lost_draw(Context& context, const char* why);

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
void init_blackhole_functions(Context& context);
void init_transfer_functions(Context& context);
void init_view_functions(Context& context);
void init_handle_functions(Context& context);
void init_blit_functions(Context& context);
void init_clear_functions(Context& context);
void init_query_functions(Context& context);
void init_flush_functions(Context& context);
void init_semaphore_functions(Context& context);
void init_sparse_functions(Context& context);

/// How shaders go through the threaded context's queue. Contexts share shaders: one may delete what
/// the queue of another names, so that a queued bind has a reference of its own. And a queue may
/// hold thousands of programs that were linked, drawn with and deleted before the driver's thread
/// has come to them: the app waits for that thread where more than a few are deleted in the queue.
/// Called once, on a context that was just wrapped.
void queue_shaders(Context& context, pipe_context* wrapped);
/// The shader that pipe_context::bind_*_state gets, with the reference that the queue took, or a
/// new one where the driver itself binds it. Null for null.
render::Ref<Shader> take_bound_shader(void* handle);
/// Called where the driver's thread deletes a shader.
void note_executed_delete(Context& context, const Shader& shader);

/// Has pipe_context::resource_commit of a wrapped context answer for what the driver did.
void answer_commits(pipe_context* wrapped);

/// pipe_context::flush in front of the threaded context's.
void flush_threaded(pipe_context* context, pipe_fence_handle** fence, unsigned flags);

/// Between two passes: hands the open batch to a GPU that has nothing else to do, so that it
/// doesn't wait for the end of the app's frame.
void submit_early(Context& context);
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
/// Moves a texture that an EGLImage was made of into memory that can be exported, contents and all
/// (EGL_MESA_image_dma_buf_export). Where that can't be, it stays as it is: asking for the export
/// tells why.
void make_exportable(Context& context, Resource& resource);
/// Binds the images of textures that were moved since the last call, by any context, wherever the
/// former ones are bound here.
void rebind_moved_images(Context& context);
/// Gives a buffer other storage, whose contents are undefined, and binds it wherever it is bound
/// here. Other contexts follow.
void replace_storage(Context& context, Resource& resource, render::Ref<render::Buffer> fresh);
/// Binds what other contexts moved since the last call.
void rebind_moved(Context& context);
inline void follow_moves(Context& context) {
    if (context.followed_moves !=
        context.kobalt_screen().storage_moves.load(std::memory_order_acquire))
        rebind_moved(context);
}
/// Attachments of more samples than their textures have (emulation/sample_images.h): images of
/// samples stand in for what is bound.
void attach_samples(Context& context, render::Framebuffer& framebuffer);
void fill_samples(Context& context);
/// Before a draw whose framebuffer has samples inside of passes alone. Where its fragment shader
/// fetches them, this context keeps all in images from now on: there is no view of the others.
void show_samples_to_fetches(Context& context);
/// Before something is drawn to the framebuffer, or a part of it is cleared. A pass that is open
/// has drawn to them.
inline void load_samples(Context& context) {
    if (context.attaches_samples && !context.recorder.in_pass() &&
        context.recorder.samples_outdated())
        fill_samples(context);
}
/// The contents of the texture are undefined by the app's will.
void give_up_samples(Context& context, Resource& texture);
/// Has shaders fetch depth and stencil from these. False: they are fetched from what is bound.
bool fetch_samples(Context& context);
/// Buffers whose storage was replaced: `one`, or where that is null all since storage_moves stood
/// at `since`.
struct MovedBuffers {
    const pipe_resource* one = nullptr;
    uint32_t since = 0;
    bool has(pipe_resource* bound) const {
        if (one)
            return bound == one;
        return bound && bound->target == PIPE_BUFFER &&
               static_cast<int32_t>(Resource::from(bound)->moved_in - since) > 0;
    }
};
/// Binds their present storage again wherever they are bound.
void rebind_buffers(Context& context, const MovedBuffers& moved);

// Parts of init_state_functions and init_binding_functions.
void init_blend_functions(Context& context);
void init_rasterizer_functions(Context& context);
void init_depth_stencil_functions(Context& context);
void init_sampler_functions(Context& context);
void init_vertex_element_functions(Context& context);
void init_image_functions(Context& context);
void init_viewport_functions(Context& context);
void init_coverage_functions(Context& context);

/// Hands the blend state that fits the bound framebuffer to the recorder.
void apply_blend(Context& context);
/// A rasteriser state that isn't bound, for both faces alike.
std::unique_ptr<RasterizerObject> make_rasterizer(const vulkan::Device& device,
                                                  const pipe_rasterizer_state& gl);
/// Hands the rasteriser state that fits the bound viewports to the recorder.
void apply_rasterizer(Context& context);
/// Hands views of the depth attachment's aspects to the recorder, for a shader that fetches them.
void apply_fetched_depth_stencil(Context& context);
/// Hands the app's sample locations to the recorder, as far as they fit the bound framebuffer.
void apply_sample_locations(Context& context);
/// Hands window rectangles to the recorder: at most as many as the screen offers.
void apply_window_rectangles(Context& context, bool inclusive,
                             std::span<const pipe_scissor_state> rectangles);
/// Works the viewports' depth ranges out again, after the clip volume changed.
void update_viewport_depth(Context& context);
/// A sampler of GL's state. Null after one message in Mesa's log.
render::Ref<render::Sampler> make_sampler(vulkan::Device& device, const pipe_sampler_state& state);
/// Hands vertex buffers to the recorder, in the order that the bound vertex elements ask for.
void apply_vertex_buffers(Context& context);
/// Makes the view of a bound image again, after its buffer was replaced.
void apply_image(Context& context, unsigned stage, unsigned slot);
/// Binds a storage buffer's range, or nothing.
void apply_shader_buffer(Context& context, unsigned stage, unsigned slot);
/// Binds a sampler view's image or buffer, or nothing.
void apply_sampler_view(Context& context, unsigned stage, unsigned slot);
/// Notes how the buffer texture in that slot is stored, for the variants of shaders that read it.
/// Null: none is there.
void note_legacy_texels(Context& context, unsigned stage, unsigned slot,
                        const pipe_sampler_view* texels);
/// Binds a stream output buffer's new storage; what was captured so far is kept where it is.
void rebind_stream_output(Context& context, const MovedBuffers& moved);
/// Captures into the bound stream outputs again, behind what they hold.
void continue_stream_output(Context& context);
/// Tells the bound stream output targets the strides of the program that writes them.
void apply_stream_output_strides(Context& context);
/// Binds the stages that the next draw runs: variants for `primitive` (the reduced kind that
/// reaches the rasteriser). False: a stage is missing or has failed to translate, so nothing is
/// drawn.
bool apply_stages(Context& context, mesa_prim mode);
/// Fills the push constants for a draw and hands them over where a bound stage reads them.
void apply_parameters(Context& context, bool indexed, uint32_t draw_id);
/// Drops everything that is bound; the recorder isn't used afterwards.
void release_bindings(Context& context);
/// Uploads GL's polygon stipple pattern for shaders that test it.
void apply_polygon_stipple(Context& context);

} // namespace kobalt::gallium
