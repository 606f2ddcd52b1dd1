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
#include "render/pipelines/shader_stage.h"
#include "render/shaders/compiler_service.h"
#include "render/shaders/stage_names.h"
#include "spirv/translate.h"

namespace kobalt::gallium {

struct Context;

/// The uniform buffer slot that holds the polygon stipple pattern: 32 words, row 0 first. GL's own
/// buffers never reach it, as one slot less than Gallium's limit is offered.
inline constexpr uint32_t stipple_buffer_slot = PIPE_MAX_CONSTANT_BUFFERS - 1;

/// Sampler slots of buffer textures whose channels are stored elsewhere than GL reads them; a
/// buffer view has no swizzle. One mask for each kind of format; no slot is in two of them.
struct LegacyTexels {
    uint32_t alpha = 0, luminance = 0, intensity = 0, luminance_alpha = 0;

    uint32_t all() const { return alpha | luminance | intensity | luminance_alpha; }
    bool operator==(const LegacyTexels&) const = default;
};

/// The GL state that changes a shader's code. The default key is compiled at creation.
struct VariantKey {
    bool point_smooth = false;    ///< fragment: alpha is multiplied by a round point's coverage
    bool polygon_stipple = false; ///< fragment: the stipple pattern discards
    bool at_samples = false;      ///< fragment: runs for each sample, as if at the pixel's centre
    bool per_sample = false;      ///< fragment: runs for each sample, with inputs at the sample
    bool alpha_to_one = false;    ///< fragment: every alpha is 1
    bool robust = false;          ///< for a robust context, where Shader::robust is false
    bool fetches_samples = false; ///< fragment: the attachments that it fetches are multisampled
    /// Vertex, evaluation: the last vertex stage though info.next_stage says otherwise, or reverse.
    bool other_position = false;

    bool coverage_dither = false;  ///< fragment: the covered samples differ from pixel to pixel
    bool dual_by_location = false; ///< fragment: Location 1 is the second source of blending

    uint32_t coverage_samples = 0;    ///< fragment: number of samples that alpha selects from
    uint32_t extra_outputs = 0;       ///< vertex work: Locations that only the next stage has
    uint32_t extra_integers = 0;      ///< the extra_outputs that it reads as integers
    uint32_t extra_patch_outputs = 0; ///< control: the same for varyings of the patch
    uint32_t extra_patch_integers = 0;
    /// Distances that the previous stage writes, if this one reads distances and some of them cull.
    uint32_t input_clip_distances = 0, input_cull_distances = 0;
    /// Compute with a variable group size: the dispatch's; zeros: spirv::Target's default.
    std::array<uint32_t, 3> workgroup_size{};
    LegacyTexels texels; ///< slots that the shader reads

    bool operator==(const VariantKey&) const = default;
};

/// The creator of a shader.
enum class Origin : uint8_t {
    start,   ///< a context's creation, or this driver itself
    program, ///< a program of the app's: made when it was linked, else a variant for other state
    blit,    ///< u_blitter, for a blit or a clear (and the HUD, which makes its own as it does)
    helper,  ///< the state tracker's own: clears, bitmaps, pixel transfers
    fixed,   ///< fixed-function, or a program in assembly
};

/// A variant that a draw needed, and that can't be known when the program is linked.
struct DrawNeed {
    VariantKey key;
    bool outline = false; ///< the replacement of the shader in OutlineStages

    bool operator==(const DrawNeed&) const = default;
};

/// One GL shader. The compiler service compiles it from its creation on; a draw compiles only
/// variants for new GL state. Variants that draws needed are listed in Mesa's disk cache, so the
/// next process builds them at creation. Contexts share shaders: one may delete a shader that
/// another has bound, so each context retains its bound shaders.
///
/// Until complete() returns only `stage`, `name`, `complete`, `compiled` and deletion may be used.
struct Shader : render::RefCounted {
    ~Shader() override;
    /// Waits for the job that compiles the shader, and for the job that compiles it together with
    /// the other stages of its program. Returns whether it had to wait.
    bool complete();
    /// Whether complete() would not wait.
    bool compiled() const;
    /// `job` compiles the shader together with others. complete() waits for this job only, which
    /// follows last_link().
    void add_link(render::Ref<render::CompileJob> job);
    render::Ref<render::CompileJob> last_link() const;
    /// Why draws with the shader are skipped, for the program's info log; empty: they aren't, or
    /// the shader isn't compiled() yet.
    const std::string& refusal() const;
    /// The app has deleted the shader: nothing has to be compiled for its program any more.
    void withdraw_link();
    /// The stage for `key`, compiled at the first use of that key (`drawing`: by a draw of that
    /// context, counted as a hitch and remembered; null: by no draw). Null: it can't be translated.
    render::ShaderStage* variant(Screen& screen, const VariantKey& key, Context* drawing);
    /// Remembers a draw's need that doesn't go through variant(), if it is new.
    void note_need(Screen& screen, const DrawNeed& need);
    /// Builds the variants that draws needed in earlier processes, as listed in the disk cache.
    void build_remembered(Screen& screen);

    gl_shader_stage stage = MESA_SHADER_VERTEX;
    std::string name;
    render::Ref<render::ShaderStage> base; ///< null: it can't be translated, or the device refused
    std::string base_refusal;              ///< why `base` is null
    /// Why the stages of its program that are compiled together can't be built. Written by the job
    /// of add_link() alone.
    std::string link_refusal;
    spirv::Translation facts;        ///< the translation of `base`, without its words
    bool last_vertex_stage = true;   ///< as `base` was compiled
    bool cares_for_position = false; ///< its code differs when it is not the last vertex stage
    bool uses_draw_id = false;
    bool reads_base_instance = false;
    bool reads_vertex_ids = false; ///< vertex: gl_VertexID or gl_BaseVertex
    bool robust = false; ///< `base` catches accesses out of bounds: a robust context created it
    bool variable_workgroup = false; ///< compute: each dispatch sets the group size
    bool varies_in_pixel = false;    ///< fragment: see varies_in_pixel()
    bool tells_lines_apart = false;  ///< fragment: see tells_lines_apart()
    uint64_t inputs_read = 0;        ///< evaluation: mask of gl_varying_slot
    uint64_t outputs_written = 0;    ///< mask of gl_varying_slot
    uint8_t texture_coordinates = 0; ///< fragment: mask of gl_TexCoord[n] that it reads
    bool reads_primitive_id = false; ///< fragment
    mesa_prim output_primitive = MESA_PRIM_COUNT; ///< geometry and evaluation: what it emits
    /// Control: vertices of its output patch. Evaluation: vertices of the patches that its domain
    /// is mostly drawn with.
    uint32_t patch_vertices = 0;
    /// Evaluation: the sizes of passed-through patches for which the control shader and the stages
    /// compiled together with it are built, and the sizes that draws have asked for (bit n: n
    /// vertices; bit 0: any number).
    std::atomic<uint64_t> linked_patch_sizes{0}, asked_patch_sizes{0};
    /// Evaluation: its program has a vertex shader too, which therefore always precedes it.
    std::atomic<bool> linked_with_vertex{false};
    std::vector<uint8_t> prepared; ///< serialised NIR that variants start from
    /// The replacement of this vertex or fragment shader in OutlineStages, and the geometry shader
    /// that follows the vertex shader; null until their first use.
    std::unique_ptr<Shader> outline, outline_geometry;
    std::once_flag outline_made;
    render::Ref<render::CompileJob> build; ///< null: it was compiled when it was created
    /// The app's names of the resources that it reads; null without KOBALT_DEBUG=descriptors.
    std::shared_ptr<const render::StageNames> descriptor_names;
    bool delete_queued = false; ///< see queue_shaders()
    Origin origin = Origin::start;
    std::atomic<bool> begun{true};    ///< false: begin_shader() is left to the first bind or link
    std::atomic<bool> settled{false}; ///< a link included it, or settle() has counted it
    std::atomic<bool> late{false};    ///< no link included it; valid once it is settled

private:
    struct Variant {
        std::once_flag made;
        render::Ref<render::ShaderStage> stage;
        VariantKey key;
    };
    Variant& find_or_add(const VariantKey& key);
    void compile(Screen& screen, Variant& variant, Context* drawing);
    void remember(Screen& screen, const DrawNeed& need); ///< under variants_mutex_

    std::mutex variants_mutex_;   ///< guards variants_ and needs_; not held during compilation
    std::list<Variant> variants_; ///< a list, so that references to elements stay valid
    std::atomic<bool> complete_{false};    ///< complete() has nothing to wait for any more
    mutable std::mutex link_mutex_;        ///< guards link_
    render::Ref<render::CompileJob> link_; ///< the last job that add_link() got
    std::vector<DrawNeed> needs_;          ///< the disk cache's list for this shader
};

/// Translates prepared NIR for `key` and compiles it. `facts` gets the translation's properties.
/// On failure returns the reason, which is in Mesa's log already.
std::expected<render::Ref<render::ShaderStage>, std::string>
compile_stage(Screen& screen, const Shader& shader, nir_shader* nir, const VariantKey& key,
              spirv::Translation& facts);

/// The shaders that draw together, by gl_shader_stage; null: absent.
using BoundShaders = std::array<Shader*, MESA_SHADER_COMPUTE>;
/// The variant of the vertex stage `stage` that fits `shaders`: it writes each input that the next
/// stage reads, and only the last vertex stage does the work that precedes the rasteriser.
VariantKey linked_variant(const BoundShaders& shaders, unsigned stage);
/// Sets the part of such a key that depends on the previous stage alone.
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

/// Whether the results of a prepared fragment shader depend on the position inside of the pixel.
bool varies_in_pixel(nir_shader* nir);

/// Changes a prepared fragment shader as `key` asks.
void lower_fragment_variant(nir_shader* nir, const VariantKey& key);

/// Makes a prepared shader swizzle the channels of such buffer textures as GL wants.
void lower_legacy_texels(nir_shader* nir, const LegacyTexels& texels);
/// The bound legacy buffer textures that the shader reads.
LegacyTexels read_legacy_texels(const Context& context, const Shader& shader);
/// The slots of the buffer textures that the shader reads.
uint32_t texel_slots(const Shader& shader);

/// Shader::refusal() of a shader that `screen` created, if the screen is ours; null: draws run with
/// the shader, or the outcome isn't known yet.
const char* refusal_of(const pipe_screen* screen, const void* shader);

/// The screen, if it is Kobalt's; null: it belongs to another driver, or wraps ours.
Screen* own_screen(pipe_screen* screen);

/// Takes ownership of `nir`, prepares and compiles it. Never null; Shader::base is null on failure.
std::unique_ptr<Shader> create_shader(Screen& screen, nir_shader* nir);
/// The same without the compilation, which begin_shader() or the first user of the shader starts.
std::unique_ptr<Shader> new_shader(Screen& screen, nir_shader* nir, bool robust);
/// Makes the compiler service compile a shader of new_shader(), once; doesn't wait for it.
void begin_shader(Screen& screen, Shader& shader);
/// Makes the compiler service build what the stages of a program, or of a program pipeline, need
/// together: the variants for interfaces that don't match, and the libraries of stages that Vulkan
/// compiles together.
void begin_link(Screen& screen, const BoundShaders& stages);
/// A draw with patches of that size uses a control shader for any size: makes the compiler service
/// build the fitting one, once. Shader::linked_patch_sizes has its bit when it is built.
void begin_patch_size(Screen& screen, const BoundShaders& shaders, uint32_t patch_vertices);
/// Called when a shader is bound that is not settled: counts it as made outside of a link.
void settle(Context& context, Shader& shader);
/// Called before a draw or dispatch reads the bound shaders: waits for those of `stages` (mask of
/// gl_shader_stage) that are still being compiled, and counts the wait.
void complete_bound_shaders(Context& context, uint32_t stages);

} // namespace kobalt::gallium
