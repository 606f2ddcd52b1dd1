// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <span>

#include "gallium/context/context.h"

// The functions that the folders of src/gallium call in each other. Each is defined in the folder
// of its subject. They are declared here, so that no folder includes the headers of one above it.

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

/// The driver's own context behind `context`; null: it belongs to another driver, or wraps ours.
Context* own_context(pipe_context* context);

/// A draw or a dispatch is skipped, because memory is out or the device refused its shaders.
/// Reports it to the app as GL_OUT_OF_MEMORY and by a KHR_debug message.
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
void init_list_functions(Context& context);
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

/// Wraps the threaded context's functions for shaders. Contexts share shaders: one may delete a
/// shader that the queue of another names, so a queued bind has a reference of its own. A queue may
/// also hold thousands of programs that were linked, drawn with and deleted before the driver's
/// thread executes that: the app waits for that thread where more than a few deletes are queued.
/// Called once, on a context that was just wrapped.
void queue_shaders(Context& context, pipe_context* wrapped);
/// The shader that pipe_context::bind_*_state gets, with the reference that the queue took, or a
/// new one where the driver itself binds it. Null for null.
render::Ref<Shader> take_bound_shader(void* handle);
/// Called when the driver's thread deletes a shader.
void note_executed_delete(Context& context, const Shader& shader);

/// Makes pipe_context::resource_commit of a wrapped context return the driver's result.
void answer_commits(pipe_context* wrapped);

/// pipe_context::flush, which wraps the threaded context's own.
void flush_threaded(pipe_context* context, pipe_fence_handle** fence, unsigned flags);

/// Called between two passes: submits the open batch if the GPU is idle, so that it doesn't wait
/// for the end of the app's frame.
void submit_early(Context& context);
/// Whether the render condition passes, for commands that Vulkan doesn't make conditional (copies,
/// blits, clears of images). May wait for a query's result.
bool condition_passes(Context& context);
/// Whether to record a draw, dispatch or clear of the framebuffer: false where the render condition
/// is known to fail. Waits only where the device can't decide.
inline bool condition_lets_record(Context& context) {
    return !context.condition.query || context.condition.on_device || condition_passes(context);
}
/// Saves the state that u_blitter changes in operations that read no texture; call before each.
/// The saved state has references, which only an operation that changes it releases. So the
/// constant buffer, which the stencil fallback alone changes, is not saved here, and textures are
/// not.
void save_for_blitter(Context& context);
/// The same with the textures, for operations that read one.
void save_for_blitted_textures(Context& context);
/// Whether the texture's image lacks one of these uses and can be replaced by one that has them.
/// For the driver's thread.
bool needs_move(const Resource& resource, ImageUses uses);
/// The same for any thread.
bool needs_move(Screen& screen, const Resource& resource, ImageUses uses);
/// Moves the texture to an image with these uses, if it needs that. Where the device can't make
/// such an image, or memory is out, the texture stays as it is.
void allow_image_uses(Context& context, Resource& resource, ImageUses uses);
/// Replaces the texture's image, with its contents, and lets texture and image handles name the new
/// one. The caller holds Screen::storage_mutex.
void move_image(Context& context, Resource& resource, render::Ref<render::Image> to);
/// Replaces the storage of a texture that an EGLImage was made of, with its contents, by memory
/// that can be exported (EGL_MESA_image_dma_buf_export). Where that isn't possible the texture
/// stays as it is, and the export itself reports why.
void make_exportable(Context& context, Resource& resource);
/// Rebinds textures whose image was replaced since the last call, by any context, wherever they are
/// bound in this context.
void rebind_replaced_images(Context& context);
/// Replaces a buffer's storage by `fresh`, whose contents are undefined, and rebinds the buffer
/// wherever it is bound in this context. Other contexts do so before their next draw.
void replace_storage(Context& context, Resource& resource, render::Ref<render::Buffer> fresh);
/// Lets every context rebind the buffer, whose contents no longer lie where they did.
void rebind_everywhere(Context& context, Resource& resource);
/// Moves the contents of a buffer into its storage, if they aren't there (kept_contents.h). Called
/// before anything but uniform and vertex buffer bindings uses the storage. For the driver's
/// thread.
inline void settle(Context& context, Resource& resource) {
    if (!resource.kept.empty()) [[unlikely]]
        settle_kept(context, resource);
}
/// The storage with the contents in it, and a reference.
inline render::Ref<render::Buffer> settled_storage(Context& context, pipe_resource* buffer) {
    settle(context, *Resource::from(buffer));
    return Resource::from(buffer)->storage.hold();
}
/// Rebinds buffers and textures whose storage other contexts replaced since the last call.
void rebind_replaced_storage(Context& context);
inline void rebind_if_storage_replaced(Context& context) {
    if (context.storage_generation !=
        context.kobalt_screen().storage_generation.load(std::memory_order_acquire))
        rebind_replaced_storage(context);
}
/// Attachments with more samples than their textures have (emulation/multisampled_images.h):
/// replaces them in `framebuffer` by multisampled images, where those are needed.
void attach_samples(Context& context, render::Framebuffer& framebuffer);
void fill_samples(Context& context);
/// Called before a draw to attachments whose samples exist only inside of a pass. If its fragment
/// shader fetches them, this context keeps all samples in images from now on: samples that exist
/// only in a pass have no view.
void make_samples_fetchable(Context& context);
/// Called before a draw to the framebuffer or a partial clear of it. In an open pass the
/// multisampled images are up to date already.
inline void load_samples(Context& context) {
    if (context.attaches_samples && !context.recorder.in_pass() &&
        context.recorder.samples_outdated())
        fill_samples(context);
}
/// The app has invalidated the texture's contents, so its samples needn't be kept.
void give_up_samples(Context& context, Resource& texture);
/// Makes shaders fetch depth and stencil from the multisampled image. False: none is attached as
/// depth, so they are fetched from the bound surface.
bool fetch_samples(Context& context);
/// Buffers whose storage was replaced: `one`, or if that is null, every buffer replaced since
/// Screen::storage_generation was `since`.
struct ReplacedBuffers {
    pipe_resource* one = nullptr;
    uint32_t since = 0;
    bool has(pipe_resource* bound) const {
        if (one)
            return bound == one;
        return bound && bound->target == PIPE_BUFFER &&
               static_cast<int32_t>(Resource::from(bound)->storage_generation - since) > 0;
    }
};
/// Rebinds those buffers, with their present storage, wherever they are bound.
void rebind_buffers(Context& context, const ReplacedBuffers& replaced);

// Parts of init_state_functions and init_binding_functions.
void init_blend_functions(Context& context);
void init_rasterizer_functions(Context& context);
void init_depth_stencil_functions(Context& context);
void init_sampler_functions(Context& context);
void init_vertex_element_functions(Context& context);
void init_image_functions(Context& context);
void init_viewport_functions(Context& context);
void init_coverage_functions(Context& context);

/// Passes the blend state for the bound framebuffer to the recorder.
void apply_blend(Context& context);
/// Translates rasteriser state that has one polygon mode for both faces.
std::unique_ptr<RasterizerObject> make_rasterizer(const vulkan::Device& device,
                                                  const pipe_rasterizer_state& gl);
/// Passes the rasteriser state for the bound viewports to the recorder.
void apply_rasterizer(Context& context);
/// Passes views of the depth attachment's aspects to the recorder, for a shader that fetches them.
void apply_fetched_depth_stencil(Context& context);
/// Passes the app's sample locations to the recorder, if the bound framebuffer allows them.
void apply_sample_locations(Context& context);
/// Passes window rectangles to the recorder: at most as many as the screen offers.
void apply_window_rectangles(Context& context, bool inclusive,
                             std::span<const pipe_scissor_state> rectangles);
/// Recomputes the viewports' depth ranges after the clip volume changed.
void update_viewport_depth(Context& context);
/// A sampler of GL's state. Null after one message in Mesa's log.
render::Ref<render::Sampler> make_sampler(vulkan::Device& device, const pipe_sampler_state& state);
/// Translates vertex elements, as pipe_context::create_vertex_elements_state.
std::unique_ptr<VertexElements> make_vertex_elements(Screen& screen,
                                                     std::span<const pipe_vertex_element> elements);
/// Passes vertex buffers to the recorder, in the order that the bound vertex elements need. Where
/// it has a display list's vertices, the vertex elements as well.
void apply_vertex_buffers(Context& context);
/// Creates the view of a bound image, anew after its buffer's storage was replaced.
void apply_image(Context& context, unsigned stage, unsigned slot);
/// Binds a storage buffer's range, or nothing.
void apply_shader_buffer(Context& context, unsigned stage, unsigned slot);
/// Binds a sampler view's image or buffer, or nothing.
void apply_sampler_view(Context& context, unsigned stage, unsigned slot);
/// Notes how the buffer texture in that slot is stored, for the variants of shaders that read it.
/// Null: none is there.
void note_legacy_texels(Context& context, unsigned stage, unsigned slot,
                        const pipe_sampler_view* texels);
/// Binds the new storage of stream output buffers; captures continue at the previous offset.
void rebind_stream_output(Context& context, const ReplacedBuffers& replaced);
/// Captures into the bound stream outputs again, appending to their contents.
void continue_stream_output(Context& context);
/// Sets the strides of the bound stream output targets, as the program that writes them has them.
void apply_stream_output_strides(Context& context);
/// Waits for the shaders of the next draw, and lets its fragment shader fetch multisampled
/// attachments. Must run before anything that looks at the shaders' properties.
void prepare_stages(Context& context);
/// Binds the stages of the next draw: variants for the primitives of `mode` that reach the
/// rasteriser. False: a stage is missing or has failed to translate, so nothing is drawn; the
/// latter is noted as a lost draw.
bool apply_stages(Context& context, mesa_prim mode);
/// Fills the push constants for a draw, and passes them to the recorder if a bound stage reads
/// them.
void apply_parameters(Context& context, bool indexed, uint32_t draw_id);
/// Releases everything that is bound; the recorder isn't used afterwards.
void release_bindings(Context& context);
/// Uploads GL's polygon stipple pattern for shaders that test it.
void apply_polygon_stipple(Context& context);

} // namespace kobalt::gallium
