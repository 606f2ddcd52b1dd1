// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <vector>

#include "gallium/context.h"
#include "gallium/objects.h"
#include "gallium/shader.h"
#include "spirv/push_constants.h"

namespace kobalt::gallium {

/// What the state, binding and draw functions keep beside the bindings that all of the front sees.
struct FrontState : Context {
    explicit FrontState(Screen& screen) : Context(screen) {}
    ~FrontState();
    static FrontState& from(pipe_context* context) {
        return *static_cast<FrontState*>(static_cast<Context*>(context));
    }

    /// The storage image views of bound images: made when bound, kept here while they are.
    struct Image {
        render::Ref<render::ImageView> view;
        render::Ref<render::BufferView> texels;
    };
    struct PerStage {
        uint32_t constant_buffers = 0; ///< mask of bound slots
        uint32_t shader_buffers = 0;
        uint32_t texel_views = 0; ///< sampler view slots that hold a buffer
        uint64_t image_buffers = 0;
        std::array<Image, PIPE_MAX_SHADER_IMAGES> images;
    };
    std::array<PerStage, MESA_SHADER_STAGES> per_stage;

    float tess_inner[2] = {1, 1};
    float tess_outer[4] = {1, 1, 1, 1};
    uint32_t patch_vertices = 3;

    VariantKey fragment_key;         ///< of the fragment shader that the recorder has
    uint32_t sprite_coordinates = 0; ///< gl_TexCoord[n] that the next draw's points replace
    /// DrawParameters::shadow_swizzles, kept as views are bound.
    std::array<std::array<uint8_t, spirv::shadow_swizzle_slots>, 2> shadow_swizzles{};
    bool drawable = false;              ///< all stages that a draw needs are there
    bool reads_parameters = false;      ///< some bound stage reads the push constants
    bool parameters_dirty = true;       ///< something that DrawParameters holds changed
    spirv::DrawParameters parameters{}; ///< those that the recorder has
    bool stages_dirty = true;           ///< some stage was bound since the last draw
    bool stipple_dirty = true;          ///< polygon_stipple changed since it was uploaded
    bool half_z_viewport = false;       ///< the viewports ask for RasterizerObject::state_half_z
    uint32_t viewport_count = 1;        ///< viewports that were ever set
    uint32_t whole_pixel_samples =
        0; ///< samples of each pixel, drawn one by one; see whole_pixels.h
    bool draws_whole_pixels = false;        ///< the next draw is made so: its primitive asks for it
    std::array<float, 2> viewport_offset{}; ///< what viewports are moved by, pixels
    uint32_t opaque_attachments = 0; ///< colour attachments without alpha that are stored with it

    struct Passthrough {
        uint64_t outputs; ///< of the vertex shader
        uint32_t patch_vertices;
        std::unique_ptr<Shader> shader;
    };
    std::vector<Passthrough> passthrough; ///< control shaders for programs that have none

    std::vector<render::DrawCall> calls; ///< scratch of a multi-draw; keeps its memory
};

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

// Parts of init_state_functions and init_binding_functions.
void init_blend_functions(FrontState& state);
void init_rasterizer_functions(FrontState& state);
void init_depth_stencil_functions(FrontState& state);
void init_sampler_functions(FrontState& state);
void init_vertex_element_functions(FrontState& state);
void init_image_functions(FrontState& state);
void init_viewport_functions(FrontState& state);

/// Hands the blend state that fits the bound framebuffer to the recorder.
void apply_blend(FrontState& state);
/// A rasteriser state that isn't bound, for both faces alike.
std::unique_ptr<RasterizerObject> make_rasterizer(const vulkan::Device& device,
                                                  const pipe_rasterizer_state& gl);
/// Hands the rasteriser state that fits the bound viewports to the recorder.
void apply_rasterizer(FrontState& state);
/// Works the viewports' depth ranges out again, after the clip volume changed.
void update_viewport_depth(FrontState& state);
/// Hands vertex buffers to the recorder, in the order that the bound vertex elements ask for.
void apply_vertex_buffers(FrontState& state);
/// Makes the view of a bound image again, after its buffer was replaced.
void apply_image(FrontState& state, unsigned stage, unsigned slot);
/// Binds a sampler view's image or buffer, or nothing.
void apply_sampler_view(FrontState& state, unsigned stage, unsigned slot);
/// Binds a stream output buffer's new storage; what was captured so far is kept where it is.
void rebind_stream_output(FrontState& state, const Resource& resource);
/// Captures into the bound stream outputs again, behind what they hold.
void continue_stream_output(FrontState& state);
/// Tells the bound stream output targets the strides of the program that writes them.
void apply_stream_output_strides(FrontState& state);
/// Binds the stages that the next draw runs: variants for `primitive` (the reduced kind that
/// reaches the rasteriser). False: a stage is missing or has failed to translate, so nothing is
/// drawn.
bool apply_stages(FrontState& state, mesa_prim mode);
/// The control shader for a bound evaluation shader without one. Its `base` is null on failure.
Shader* passthrough_tess_control(FrontState& state);
/// Fills the push constants for a draw and hands them over where a bound stage reads them.
void apply_parameters(FrontState& state, bool indexed, uint32_t draw_id);
/// Drops everything that is bound; the recorder isn't used afterwards.
void release_bindings(FrontState& state);
/// Uploads GL's polygon stipple pattern for shaders that test it.
void apply_polygon_stipple(FrontState& state);

} // namespace kobalt::gallium
