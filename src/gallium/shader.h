// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "gallium/screen.h"
#include "render/stage.h"
#include "spirv/translate.h"

namespace kobalt::gallium {

/// The uniform buffer slot that holds the polygon stipple pattern: 32 words, row 0 first. GL's own
/// buffers never reach it, as one slot less than Gallium's limit is offered.
inline constexpr uint32_t stipple_buffer_slot = PIPE_MAX_CONSTANT_BUFFERS - 1;

/// What GL state changes in a shader's code. The default key is what is compiled at creation.
struct VariantKey {
    uint8_t sprite_coordinates = 0; ///< fragment: mask of texture coordinates that sprites replace
    bool point_smooth = false;      ///< fragment: alpha is multiplied by a round point's coverage
    bool polygon_stipple = false;   ///< fragment: the stipple pattern discards
    bool other_position = false;    ///< vertex, evaluation: not where info.next_stage puts it

    uint32_t extra_outputs = 0; ///< vertex work: Locations that only the next stage knows

    bool operator==(const VariantKey&) const = default;
};

/// One GL shader: compiled when created, never in a draw unless GL state asks for a variant. Shared
/// by contexts.
struct Shader {
    ~Shader();
    /// The stage for `key`, compiled at the first use of that key (`in_draw`: counted as a hitch).
    /// Null: it can't be translated.
    render::ShaderStage* variant(Screen& screen, const VariantKey& key, bool in_draw = true);

    gl_shader_stage stage = MESA_SHADER_VERTEX;
    std::string name;
    render::Ref<render::ShaderStage> base; ///< null: the translation failed
    spirv::Translation facts;              ///< of `base`, without its words
    bool last_vertex_stage = true;         ///< as `base` was compiled
    bool cares_for_position = false; ///< its code differs when it is not the last vertex stage
    bool uses_draw_id = false;
    uint64_t outputs_written = 0;              ///< mask of gl_varying_slot
    uint8_t texture_coordinates = 0;           ///< fragment: mask of gl_TexCoord[n] that it reads
    std::atomic<bool> reads_parameters{false}; ///< push constants
    mesa_prim output_primitive = MESA_PRIM_COUNT; ///< geometry and evaluation: what it emits
    std::vector<uint8_t> prepared;                ///< serialised NIR that variants start from

private:
    struct Variant {
        VariantKey key;
        render::Ref<render::ShaderStage> stage;
    };
    std::mutex variants_mutex_; ///< guards variants_
    std::vector<Variant> variants_;
};

/// Translates prepared NIR for `key` and compiles it. Null after one message in Mesa's log. `facts`
/// gets what the translation found out.
render::Ref<render::ShaderStage> compile_stage(Screen& screen, const Shader& shader,
                                               nir_shader* nir, const VariantKey& key,
                                               spirv::Translation& facts);

/// What a vertex, evaluation or geometry shader has to become where `reader` (null: none) is the
/// next stage. `last`: no other vertex work follows.
VariantKey vertex_variant(const Shader& shader, bool last, const Shader* reader);

/// Changes a prepared fragment shader as `key` asks.
void lower_fragment_variant(nir_shader* nir, const VariantKey& key);

/// Takes `nir` over, prepares and compiles it. Never null; Shader::base is null when that failed.
std::unique_ptr<Shader> create_shader(Screen& screen, nir_shader* nir);

} // namespace kobalt::gallium
