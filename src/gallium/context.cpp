// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context.h"

#include "gallium/fence.h"
#include "gallium/front_state.h"
#include "gallium/query.h"
#include "gallium/whole_pixels.h"

#include "indices/u_primconvert.h"
#include "util/u_blitter.h"
#include "util/u_debug_cb.h"
#include "util/u_framebuffer.h"

namespace kobalt::gallium {
namespace {

void destroy(pipe_context* context) {
    std::unique_ptr<FrontState>{&FrontState::from(context)};
}

void set_debug_callback(pipe_context* context, const util_debug_callback* callback) {
    u_default_set_debug_callback(context, callback);
    Context::from(context)->debug_callback = context->debug;
}

void get_sample_position(pipe_context*, unsigned count, unsigned index, float* out) {
    const auto [x, y] = standard_sample_location(count, index);
    out[0] = x;
    out[1] = y;
}

bool create_helpers(FrontState& state) {
    state.stream_uploader = u_upload_create_default(&state);
    state.const_uploader = u_upload_create_default(&state);
    if (!state.stream_uploader || !state.const_uploader || !state.primconvert)
        return false;
    state.blitter = util_blitter_create(&state);
    return state.blitter != nullptr;
}

} // namespace

Context::Context(Screen& kobalt_screen) : pipe_context{}, recorder(*kobalt_screen.engine) {
    screen = &kobalt_screen;
    kobalt_screen.live_contexts.fetch_add(1, std::memory_order_relaxed);
    slab_create_child(&transfer_pool, &kobalt_screen.transfer_pool);
}

Context::~Context() {
    slab_destroy_child(&transfer_pool);
    kobalt_screen().live_contexts.fetch_sub(1, std::memory_order_release);
}

FrontState::~FrontState() {
    // Everything recorded goes out while what it uses is still bound.
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
    if (stream_uploader)
        u_upload_destroy(stream_uploader);
}

pipe_context* create_context(pipe_screen* pscreen, void* priv, unsigned flags) {
    Screen& screen = *Screen::from(pscreen);
    auto context = std::make_unique<FrontState>(screen);
    FrontState& state = *context;
    state.priv = priv;
    state.destroy = destroy;
    state.set_debug_callback = set_debug_callback;
    state.get_sample_position = get_sample_position;

    init_state_functions(state);
    init_binding_functions(state);
    init_framebuffer_functions(state);
    init_shader_functions(state);
    init_stream_output_functions(state);
    init_compute_functions(state);
    init_transfer_functions(state);
    init_view_functions(state);
    init_blit_functions(state);
    init_clear_functions(state);
    init_query_functions(state);
    init_flush_functions(state);
    init_draw_functions(state);
    if (!create_helpers(state)) {
        mesa_loge("kobalt: out of memory while creating a context");
        return nullptr;
    }
    if (!(flags & PIPE_CONTEXT_PREFER_THREADED) || (flags & PIPE_CONTEXT_COMPUTE_ONLY))
        return context.release();

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
    };
    struct threaded_context* threaded = nullptr; // a function of Mesa's has the same name
    FrontState* raw = context.release(); // destroyed by the threaded context, on failure too
    pipe_context* wrapped = threaded_context_create(raw, &screen.transfer_pool,
                                                    replace_buffer_storage, &options, &threaded);
    if (threaded) {
        raw->threaded = threaded;
        raw->queue_flush = wrapped->flush;
        wrapped->flush = flush_threaded;
        threaded_context_init_bytes_mapped_limit(threaded, 4);
    }
    return wrapped;
}

void init_state_functions(Context& context) {
    auto& state = static_cast<FrontState&>(context);
    init_blend_functions(state);
    init_rasterizer_functions(state);
    init_depth_stencil_functions(state);
    init_sampler_functions(state);
    init_vertex_element_functions(state);
}

} // namespace kobalt::gallium
