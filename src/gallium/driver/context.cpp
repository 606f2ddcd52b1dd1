// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "gallium/context/operations.h"
#include "gallium/context/query.h"
#include "gallium/emulation/empty_framebuffer.h"
#include "gallium/emulation/multisampled_images.h"
#include "gallium/emulation/whole_pixels.h"
#include "gallium/shader/helper_shaders.h"
#include "gallium/sync/fence.h"
#include "render/sync/run_ahead.h"

#include "indices/u_primconvert.h"
#include "util/u_blitter.h"
#include "util/u_debug_cb.h"
#include "util/u_framebuffer.h"

namespace kobalt::gallium {
namespace {

void destroy(pipe_context* context) {
    std::unique_ptr<Context>{Context::from(context)};
}

void set_debug_callback(pipe_context* context, const util_debug_callback* callback) {
    u_default_set_debug_callback(context, callback);
    Context::from(context)->debug_callback = context->debug;
}

/// glDebugMessageInsert with GL_DEBUG_TYPE_MARKER, glStringMarkerGREMEDY.
void emit_string_marker(pipe_context* context, const char* text, int bytes) {
    Context::from(context)->recorder.mark({text, static_cast<size_t>(bytes)});
}

void get_sample_position(pipe_context*, unsigned count, unsigned index, float* out) {
    const auto [x, y] = standard_sample_location(count, index);
    out[0] = x;
    out[1] = y;
}

/// Of the buffers that kept indices lie in (ConvertedIndices).
constexpr unsigned index_chunk_bytes = 256 * 1024;
/// Of the buffers that KeptContents lie in. One whose contents aren't written any more retains all
/// of it.
constexpr unsigned kept_chunk_bytes = 64 * 1024;

bool create_helpers(Context& context) {
    context.stream_uploader = u_upload_create_default(&context);
    context.const_uploader = u_upload_create_default(&context);
    context.index_uploader =
        u_upload_create(&context, index_chunk_bytes, PIPE_BIND_INDEX_BUFFER, PIPE_USAGE_DEFAULT, 0);
    context.kept_uploader = u_upload_create(&context, kept_chunk_bytes, PIPE_BIND_CONSTANT_BUFFER,
                                            PIPE_USAGE_STREAM, 0);
    if (!context.kept_uploader || !context.index_uploader || !context.stream_uploader ||
        !context.const_uploader || !context.primconvert)
        return false;
    context.blitter = util_blitter_create(&context);
    return context.blitter != nullptr;
}

} // namespace

Context::Context(Screen& kobalt_screen)
    : pipe_context{}, recorder(*kobalt_screen.engine), freed_buffer_ids(kobalt_screen.buffer_ids) {
    screen = &kobalt_screen;
    kobalt_screen.live_contexts.fetch_add(1);
    slab_create_child(&transfer_pool, &kobalt_screen.transfer_pool);
}

Context::~Context() {
    // Submit everything recorded while the resources that it uses are still bound.
    recorder.flush();
    recorder.set_stream_output_targets({}, 0);
    recorder.set_framebuffer({});
    if (blitter)
        util_blitter_destroy(blitter);
    if (primconvert)
        util_primconvert_destroy(primconvert);
    release_bindings(*this);
    util_unreference_framebuffer_state(&bound.framebuffer);
    if (const_uploader)
        u_upload_destroy(const_uploader);
    if (index_uploader)
        u_upload_destroy(index_uploader);
    if (kept_uploader)
        u_upload_destroy(kept_uploader);
    if (stream_uploader)
        u_upload_destroy(stream_uploader);
    slab_destroy_child(&transfer_pool);
    kobalt_screen().live_contexts.fetch_sub(1, std::memory_order_release);
}

pipe_context* create_context(pipe_screen* pscreen, void* priv, unsigned flags) {
    Screen& first = *Screen::from(pscreen);
    if (first.device().status().lost_by_fork())
        return nullptr;
    Screen& screen = flags & PIPE_CONTEXT_ANY_SCREEN ? living_screen(first) : first;
    auto created = std::make_unique<Context>(screen);
    Context& context = *created;
    context.priv = priv;
    context.clips_indices = flags & PIPE_CONTEXT_ROBUST_BUFFER_ACCESS;
    context.robust = context.clips_indices && screen.asks_for_robustness();
    context.recorder.set_slow_path_listener([&context](const char* text) {
        if (!context.debug_callback.debug_message)
            return false;
        util_debug_message(&context.debug_callback, PERF_INFO, "%s", text);
        return true;
    });
    context.recorder.set_failure_listener(
        [&context] { note_lost_draw(context, "no pipeline or no descriptors for it"); });
    context.recorder.set_descriptor_listener([&context](const char* text) {
        util_debug_message(&context.debug_callback, ERROR, "%s", text);
    });
    context.destroy = destroy;
    context.set_debug_callback = set_debug_callback;
    context.get_sample_position = get_sample_position;
    context.emit_string_marker = emit_string_marker;

    init_state_functions(context);
    init_binding_functions(context);
    init_framebuffer_functions(context);
    init_shader_functions(context);
    init_stream_output_functions(context);
    init_compute_functions(context);
    init_transfer_functions(context);
    init_view_functions(context);
    init_handle_functions(context);
    init_blit_functions(context);
    init_clear_functions(context);
    init_query_functions(context);
    init_flush_functions(context);
    init_semaphore_functions(context);
    init_sparse_functions(context);
    init_draw_functions(context);
    init_list_functions(context);
    init_blackhole_functions(context);
    if (!context.recorder.works() || !create_helpers(context)) {
        mesa_loge("kobalt: %s while creating a context",
                  screen.device().lost() ? "the device is lost" : "out of memory");
        return nullptr;
    }
    screen.helper_shaders->build_known(screen, context.robust);
    if (!(flags & PIPE_CONTEXT_PREFER_THREADED) || (flags & PIPE_CONTEXT_COMPUTE_ONLY))
        return created.release();

    const threaded_context_options options{
        .create_fence = create_unflushed_fence,
        .is_resource_busy = is_resource_busy,
        .driver_calls_flush_notify = false,
        .unsynchronized_get_device_reset_status = true,
        .unsynchronized_create_fence_fd = false,
        .unsynchronized_texture_subdata = false,
        .parse_renderpass_info = false,
        .dsa_parse = nullptr,
        .fs_parse = nullptr,
        .keeps_contents = keeps_contents,
        .settle_contents = settle_contents,
    };
    struct threaded_context* threaded = nullptr; // a function of Mesa's has the same name
    Context* raw = created.release(); // destroyed by the threaded context, on failure too
    pipe_context* wrapped = threaded_context_create(raw, &screen.transfer_pool,
                                                    replace_buffer_storage, &options, &threaded);
    if (threaded) {
        raw->threaded = threaded;
        raw->queue_flush = wrapped->flush;
        wrapped->flush = flush_threaded;
        queue_shaders(*raw, wrapped);
        queue_handles_quickly(*raw, wrapped);
        answer_commits(wrapped);
        wrapped->evaluate_depth_buffer =
            raw->evaluate_depth_buffer; // which threaded_context doesn't wrap
        threaded_context_init_bytes_mapped_limit(threaded, 4);
        // Else the app's thread replaces large buffers until this thread's queue is full, and what
        // comes back afterwards is more than the buffer cache holds.
        threaded->bytes_replaced_limit =
            render::run_ahead_limits(screen.device().properties().core.deviceType).bytes_in_batch;
    }
    return wrapped;
}

Context* own_context(pipe_context* context) {
    if (context->flush == flush_threaded)
        return Context::from(threaded_context(context)->pipe);
    return context->destroy == destroy ? Context::from(context) : nullptr;
}

void note_lost_draw(Context& context, const char* why) {
    context.out_of_memory.store(true, std::memory_order_relaxed);
    util_debug_message(&context.debug_callback, ERROR, "a draw is left out: %s", why);
}

void init_state_functions(Context& context) {
    init_blend_functions(context);
    init_rasterizer_functions(context);
    init_depth_stencil_functions(context);
    init_sampler_functions(context);
    init_vertex_element_functions(context);
}

} // namespace kobalt::gallium
