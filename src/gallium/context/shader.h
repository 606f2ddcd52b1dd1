// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <expected>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "gallium/screen/screen.h"
#include "render/compiler_service.h"
#include "render/stage.h"
#include "render/stage_names.h"
#include "spirv/translate.h"

namespace kobalt::gallium {

struct Context;

/// The uniform buffer slot that holds the polygon stipple pattern: 32 words, row 0 first. GL's own
/// buffers never reach it, as one slot less than Gallium's limit is offered.
inline constexpr uint32_t stipple_buffer_slot = PIPE_MAX_CONSTANT_BUFFERS - 1;

/// Sampler slots of buffer textures whose channels GL wants elsewhere than they are stored: a view
/// of a buffer has no swizzle. Masks by what the format is; no slot is in two of them.
struct LegacyTexels {
    uint32_t alpha = 0, luminance = 0, intensity = 0, luminance_alpha = 0;

    uint32_t all() const { return alpha | luminance | intensity | luminance_alpha; }
    bool operator==(const LegacyTexels&) const = default;
};

/// What GL state changes in a shader's code. The default key is what is compiled at creation.
struct VariantKey {
    bool point_smooth = false;    ///< fragment: alpha is multiplied by a round point's coverage
    bool polygon_stipple = false; ///< fragment: the stipple pattern discards
    bool at_samples = false;      ///< fragment: runs at samples, which stand for pixels' centres
    bool per_sample = false;      ///< fragment: runs at samples, and its inputs are those there
    bool alpha_to_one = false;    ///< fragment: every alpha is 1
    bool robust = false;          ///< for a robust context; Shader::robust is not
    bool fetches_samples = false; ///< fragment: what it fetches of attachments is multisampled
    bool other_position = false;  ///< vertex, evaluation: not where info.next_stage puts it

    bool coverage_dither = false; ///< fragment: which they are differs from pixel to pixel

    uint32_t coverage_samples = 0;    ///< fragment: alpha decides how many of so many are covered
    uint32_t extra_outputs = 0;       ///< vertex work: Locations that only the next stage knows
    uint32_t extra_integers = 0;      ///< those of them that it reads as integers
    uint32_t extra_patch_outputs = 0; ///< control: the same for varyings of the patch
    uint32_t extra_patch_integers = 0;
    /// What the stage before writes, where this one reads distances and some of them cull.
    uint32_t input_clip_distances = 0, input_cull_distances = 0;
    /// Compute shaders that leave it to the dispatch; zeros: what spirv::Target starts with.
    std::array<uint32_t, 3> workgroup_size{};
    LegacyTexels texels; ///< of the slots that the shader reads

    bool operator==(const VariantKey&) const = default;
};

/// Who made a shader.
enum class Origin : uint8_t {
    start,   ///< a context's creation, or this driver itself
    program, ///< a program of the app's: made when it was linked, else a variant for other state
    blit,    ///< u_blitter, for a blit or a clear (and the HUD, which makes its own as it does)
    helper,  ///< the state tracker's own: clears, bitmaps, pixel transfers
    fixed,   ///< fixed-function, or a program in assembly
};

/// What a draw needed of a shader that linking alone doesn't tell.
struct DrawNeed {
    VariantKey key;
    bool outline = false; ///< what stands for it in OutlineStages

    bool operator==(const DrawNeed&) const = default;
};

/// One GL shader: compiled by the compiler service from its creation on, never in a draw unless GL
/// state asks for something new. What draws asked for is kept in Mesa's disk cache, so the next
/// time it is built at creation. Shared by contexts: one may delete what another has bound, so each
/// keeps what it has bound.
///
/// Until complete() returns only `stage`, `name`, `complete`, `compiled` and deletion may be used.
struct Shader : render::RefCounted {
    ~Shader() override;
    /// Waits for what compiles it, and for what compiles it together with the other stages of its
    /// program. True: it had to.
    bool complete();
    /// Whether complete() would not wait.
    bool compiled() const;
    /// `job` compiles it together with others. It is the only one that is waited for: it comes
    /// after last_link().
    void add_link(render::Ref<render::CompileJob> job);
    render::Ref<render::CompileJob> last_link() const;
    /// Why draws with it are skipped, for the program's info log; empty: they aren't, or it isn't
    /// known before it is compiled().
    const std::string& refusal() const;
    /// The app has deleted it: nothing has to be compiled for its program any more.
    void withdraw_link();
    /// The stage for `key`, compiled at the first use of that key (`drawing`: by a draw of that
    /// context, counted as a hitch and remembered; null: by no draw). Null: it can't be translated.
    render::ShaderStage* variant(Screen& screen, const VariantKey& key, Context* drawing);
    /// A draw is about to need this, which no variant() asks for: remembered when it is new.
    void note_need(Screen& screen, const DrawNeed& need);
    /// Builds what draws needed of this shader in the past, as the disk cache knows it.
    void build_remembered(Screen& screen);

    gl_shader_stage stage = MESA_SHADER_VERTEX;
    std::string name;
    render::Ref<render::ShaderStage> base; ///< null: it can't be translated, or the device refused
    std::string base_refusal;              ///< why `base` is null
    /// Why what its program is compiled to together with it can't be made. Written by the job of
    /// add_link() alone.
    std::string link_refusal;
    spirv::Translation facts;        ///< of `base`, without its words
    bool last_vertex_stage = true;   ///< as `base` was compiled
    bool cares_for_position = false; ///< its code differs when it is not the last vertex stage
    bool uses_draw_id = false;
    bool reads_base_instance = false;
    bool robust = false; ///< `base` catches accesses out of bounds: a robust context created it
    bool variable_workgroup = false; ///< compute: a dispatch says how large groups are
    bool varies_in_pixel = false;    ///< fragment: see varies_in_pixel()
    bool tells_lines_apart = false;  ///< fragment: see tells_lines_apart()
    uint64_t inputs_read = 0;        ///< evaluation: mask of gl_varying_slot
    uint64_t outputs_written = 0;    ///< mask of gl_varying_slot
    uint8_t texture_coordinates = 0; ///< fragment: mask of gl_TexCoord[n] that it reads
    bool reads_primitive_id = false; ///< fragment
    mesa_prim output_primitive = MESA_PRIM_COUNT; ///< geometry and evaluation: what it emits
    /// Control: vertices of the patch that it puts out. Evaluation: of those that its domain is
    /// mostly drawn with.
    uint32_t patch_vertices = 0;
    /// Evaluation: the sizes of passed-through patches whose control shader is there, with what
    /// its program is compiled to with it, and those that draws have asked for (bit n: n vertices;
    /// bit 0: any number).
    std::atomic<uint64_t> linked_patch_sizes{0}, asked_patch_sizes{0};
    /// Evaluation: its program has a vertex shader too, which then stands in front of it always.
    std::atomic<bool> linked_with_vertex{false};
    std::vector<uint8_t> prepared; ///< serialised NIR that variants start from
    /// What stands for this vertex or fragment shader in OutlineStages, and the geometry shader
    /// behind the former; null until their first use.
    std::unique_ptr<Shader> outline, outline_geometry;
    std::once_flag outline_made;
    render::Ref<render::CompileJob> build; ///< null: it was compiled when it was created
    /// What the app calls what it reads; null without KOBALT_DEBUG=descriptors.
    std::shared_ptr<const render::StageNames> descriptor_names;
    bool delete_queued = false; ///< see queue_shaders()
    Origin origin = Origin::start;
    std::atomic<bool> begun{true};    ///< false: begin_shader() is left to the first bind or link
    std::atomic<bool> settled{false}; ///< it came from a link, or was counted as late
    std::atomic<bool> late{false};    ///< no link made it; known once it is settled

private:
    struct Variant {
        std::once_flag made;
        render::Ref<render::ShaderStage> stage;
        VariantKey key;
    };
    Variant& place(const VariantKey& key);
    void compile(Screen& screen, Variant& variant, Context* drawing);
    void remember(Screen& screen, const DrawNeed& need); ///< under variants_mutex_

    std::mutex variants_mutex_;   ///< guards variants_ and needs_, never while something compiles
    std::list<Variant> variants_; ///< their places are stable
    std::atomic<bool> complete_{false};    ///< complete() has nothing to wait for any more
    mutable std::mutex link_mutex_;        ///< guards link_
    render::Ref<render::CompileJob> link_; ///< the last that add_link() got
    std::vector<DrawNeed> needs_;          ///< what the disk cache knows of this shader
};

/// Translates prepared NIR for `key` and compiles it. `facts` gets what the translation found out.
/// Without success: why, which is in Mesa's log already.
std::expected<render::Ref<render::ShaderStage>, std::string>
compile_stage(Screen& screen, const Shader& shader, nir_shader* nir, const VariantKey& key,
              spirv::Translation& facts);

/// The shaders that draw together, by gl_shader_stage; null: absent.
using BoundShaders = std::array<Shader*, MESA_SHADER_COMPUTE>;
/// What the vertex work `stage` has to become among `shaders`, so that Vulkan finds each input that
/// the next stage reads, and only the last one does what belongs in front of the rasteriser.
VariantKey linked_variant(const BoundShaders& shaders, unsigned stage);
/// The part of it that depends on the stage before alone.
void note_input_distances(VariantKey& key, const Shader* before, const Shader& shader);

/// Prepared NIR as Shader::prepared keeps it, and back (to be freed by ralloc_free).
std::vector<uint8_t> serialize(const nir_shader* nir);
nir_shader* prepared_nir(Screen& screen, const Shader& shader);
/// NIR with its names, and back (to be freed by ralloc_free).
std::vector<uint8_t> serialize_whole(const nir_shader* nir);
nir_shader* deserialize(Screen& screen, gl_shader_stage stage, std::span<const uint8_t> bytes);

/// Makes every texture coordinate of a fragment shader follow DrawParameters::sprite_coordinates.
void lower_sprite_coordinates(nir_shader* nir);
/// Makes gl_PrimitiveID of a fragment shader follow DrawParameters::primitive_shift. False: the
/// shader doesn't read it.
bool lower_primitive_id(nir_shader* nir);

/// Whether a prepared fragment shader sees where in its pixel it runs.
bool varies_in_pixel(nir_shader* nir);

/// Changes a prepared fragment shader as `key` asks.
void lower_fragment_variant(nir_shader* nir, const VariantKey& key);

/// Makes a prepared shader put the channels of such buffer textures right.
void lower_legacy_texels(nir_shader* nir, const LegacyTexels& texels);
/// Those that the shader reads, of what is bound.
LegacyTexels read_legacy_texels(const Context& context, const Shader& shader);
/// The slots of the buffer textures that the shader reads.
uint32_t texel_slots(const Shader& shader);

/// Shader::refusal() of what `screen` made, if it is ours; null: draws run with it, or it isn't
/// known yet.
const char* refusal_of(const pipe_screen* screen, const void* shader);

/// Null: another driver's, or one around ours.
Screen* own_screen(pipe_screen* screen);

/// Takes `nir` over, prepares and compiles it. Never null; Shader::base is null when that failed.
std::unique_ptr<Shader> create_shader(Screen& screen, nir_shader* nir);
/// The same but for the compiling, which is left to begin_shader() or to who needs it.
std::unique_ptr<Shader> new_shader(Screen& screen, nir_shader* nir, bool robust);
/// Makes the compiler service compile what new_shader() made, once: returns at once.
void begin_shader(Screen& screen, Shader& shader);
/// Makes the compiler service build what the stages of a program, or of a program pipeline, need of
/// each other: the variants for interfaces that don't match end to end, and the libraries of stages
/// that Vulkan compiles together.
void begin_link(Screen& screen, const BoundShaders& stages);
/// A draw with patches of that size goes through a control shader for any: makes the compiler
/// service build what fits, once. Shader::linked_patch_sizes tells when it is there.
void begin_patch_size(Screen& screen, const BoundShaders& shaders, uint32_t patch_vertices);
/// Called where a shader is bound that is not settled: counts it as made outside of a link.
void settle(Context& context, Shader& shader);
/// Called where a draw or dispatch is about to look at the bound shaders: waits for those `stages`
/// (mask of gl_shader_stage) that are still in the making, and counts that.
void complete_bound_shaders(Context& context, uint32_t stages);

} // namespace kobalt::gallium
