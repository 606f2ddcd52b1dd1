// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "nir.h"

/// NIR -> SPIR-V: a pure function of one shader and what the device allows. No Vulkan object and no
/// Gallium state takes part, so each stage can be translated alone and in any thread.
namespace kobalt::spirv {

/// What a descriptor is, in Vulkan's words (the caller maps it to VkDescriptorType).
enum class DescriptorKind : uint8_t {
    uniform_buffer,
    combined_image_sampler,
    uniform_texel_buffer,
    storage_buffer,
    storage_image,
    storage_texel_buffer,
    input_attachment,
};

/// What the shader takes an image's texels for.
enum class ImageTexels : uint8_t { floating, sint, uint, depth };

/// The image behind a sampler or image, as the shader declares it.
struct ImageShape {
    glsl_sampler_dim dimension = GLSL_SAMPLER_DIM_2D;
    bool array = false;
    ImageTexels texels = ImageTexels::floating; ///< depth: a shadow sampler
    bool operator==(const ImageShape&) const = default;
};

/// Where handles lead: set and bindings of the arrays that their lower halves are indices into.
inline constexpr uint32_t bindless_set = 0;
inline constexpr uint32_t bindless_textures = 0;      ///< combined image samplers
inline constexpr uint32_t bindless_texel_buffers = 1; ///< uniform texel buffers
inline constexpr uint32_t bindless_images = 2;        ///< storage images
inline constexpr uint32_t bindless_image_texels = 3;  ///< storage texel buffers

/// One descriptor that the shader uses. Those that follow each other with the same binding number
/// are the elements of one array of descriptors, from the first.
struct Binding {
    uint32_t binding;    ///< binding number inside its set
    DescriptorKind kind; ///< type of the descriptor
    uint32_t slot;       ///< Gallium slot: constant buffer, sampler, shader buffer or image index
    ImageShape image{};  ///< samplers, images and texel buffers only
    /// The shader applies GL's swizzle to comparisons by itself (DrawParameters::shadow_swizzles):
    /// the view must show depth as it is in its first channel.
    bool swizzles_comparison = false;
    bool writes = false; ///< storage buffers and images: the shader may write it
    bool pushed = false; ///< in Target::pushed_set instead of the stage's own

    bool operator==(const Binding&) const = default;
};

/// Which atomic operations beyond those on 32-bit integers the device has an instruction for, on
/// buffers, in memory that a workgroup shares, and on images. Of floats, what is missing for the
/// first two becomes a loop around a compare-and-swap.
struct AtomicSupport {
    bool buffer_float_add = false, buffer_float_min_max = false, buffer_int64 = false;
    bool shared_float_add = false, shared_float_min_max = false, shared_int64 = false;
    bool image_float_add = false;

    bool operator==(const AtomicSupport&) const = default;
};

/// What the consuming device allows. A plain value: equal targets give equal translations.
struct Target {
    uint32_t spirv_version = 0x00010600; ///< version word of the module header
    uint32_t descriptor_set = 0;         ///< set index of this stage
    /// The first uniform buffers of the stage are in a set that all stages share: slot n, below
    /// `pushed_slots`, is binding `first_pushed` + n of `pushed_set`. 0 slots: there is none.
    uint32_t pushed_set = 0, first_pushed = 0, pushed_slots = 0;
    /// So is the texture of a stage that has no other: this binding of it; none: in its own set.
    std::optional<uint32_t> pushed_texture;
    uint32_t max_uniform_buffer_size = 65536; ///< declared size of each uniform buffer, bytes
    bool demote = true;                       ///< shaderDemoteToHelperInvocation
    bool draw_parameters = true;              ///< shaderDrawParameters
    /// When false, the last stage before the rasteriser maps z' = (z + w) / 2 where
    /// DrawParameters::depth_negative_one_to_one is not zero.
    bool depth_clip_control = true;
    /// False for a stage that another vertex-processing stage follows: what belongs to the last one
    /// (the z map above, the clip distance mask) is then left out.
    bool last_vertex_stage = true;
    /// Clip distances that DrawParameters::clip_distance_enable leaves out are written as 0, so
    /// that glEnable(GL_CLIP_DISTANCEi) needs no variant. Off: every written distance clips.
    bool clip_distance_mask = false;
    /// Compatibility varyings have Locations below this: what every stage may read and write beside
    /// built-in variables. The same for all stages of a device, since Locations follow from slots.
    uint32_t varying_locations = 30;
    /// The same for what only transform feedback takes: what stages may write, at most 32.
    uint32_t output_locations = 32;
    /// minTexelGatherOffset and maxTexelGatherOffset. GL leaves undefined what lies beyond
    /// (OpenGL 4.6, 8.14.1), Vulkan wants no constant there.
    int32_t least_gather_offset = -8, most_gather_offset = 7;
    /// Varying Locations that a later stage reads and this one doesn't write: declared and written
    /// as zeros, because Vulkan wants an output for each input while GL leaves the value undefined.
    uint32_t extra_outputs = 0;
    uint32_t extra_integer_outputs = 0; ///< those of them that the later stage reads as integers
    uint32_t extra_patch_outputs = 0;   ///< the same for varyings of the patch
    uint32_t extra_patch_integers = 0;
    /// What the stage before writes, where it writes cull distances. Mesa numbers both kinds in a
    /// row, and says to writers alone where one ends; without this all are read as clip distances.
    uint32_t input_clip_distances = 0, input_cull_distances = 0;
    /// shaderTessellationAndGeometryPointSize: without it such stages' points are 1 pixel wide.
    bool geometry_point_size = true;
    bool default_point_size = false; ///< maintenance5: points without a size are 1 pixel wide
    uint32_t geometry_output_components = 1024; ///< maxGeometryTotalOutputComponents
    bool shader_stencil_export = false;         ///< VK_EXT_shader_stencil_export
    bool viewport_layer_output = true;          ///< shaderOutputLayer and shaderOutputViewportIndex
    bool viewport_mask = false; ///< VK_NV_viewport_array2: several viewports at once
    bool multiview = false;     ///< passes may have several views
    bool float16 = false;
    bool float64 = false;
    bool int8 = false;
    bool int16 = false;
    bool int64 = false;
    bool bindless = false;                 ///< texture handles, not uniform among invocations
    bool multisampled_attachments = false; ///< those that a fragment shader fetches from
    /// Bit n: stage n (gl_shader_stage) has subgroups. In the others each invocation is one alone.
    uint32_t subgroup_stages = 0;
    AtomicSupport atomics;
    /// workgroupMemoryExplicitLayout: shared memory seen as words and as something else as well.
    bool workgroup_explicit_layout = false;
    bool shader_clock = false; ///< shaderSubgroupClock
    /// shaderSignedZeroInfNanPreserveFloat32 and 64: which the driver's optimiser then keeps.
    bool preserve_special_float32 = false, preserve_special_float64 = false;
    /// Of a compute shader that leaves it to the dispatch (GL_ARB_compute_variable_group_size).
    std::array<uint32_t, 3> workgroup_size{64, 1, 1};
    /// Off: one-dimensional textures are two-dimensional ones of height 1.
    bool one_dimensional_textures = true;
    bool image_formatless_read = true;  ///< shaderStorageImageReadWithoutFormat
    bool image_formatless_write = true; ///< shaderStorageImageWriteWithoutFormat
    bool debug_names = false;           ///< emit OpName where NIR knows a name
    /// Kinds of which an array of descriptors may be indexed by what only the running shader knows
    /// (bit n: DescriptorKind n): by the same value in all invocations, and by any. Elsewhere an
    /// array is a binding for each element, and an index of that sort a switch over them.
    uint32_t dynamic_arrays = 0, non_uniform_arrays = 0;

    bool operator==(const Target&) const = default;
};

/// A translated shader and the facts about its interface that a pipeline needs.
struct Translation {
    std::vector<uint32_t> words;
    std::vector<Binding> bindings;
    uint32_t push_constant_words = 0; ///< bit n: word n of DrawParameters is read
    /// Bit n: input Location n is read (vertex stage: attribute n; others: varying n).
    uint32_t inputs_read_mask_locations = 0;
    uint32_t integer_inputs_mask_locations = 0;  ///< those of them that are integers
    uint32_t outputs_written_mask_locations = 0; ///< bit n: varying Location n is written
    uint32_t integer_outputs_mask_locations = 0; ///< those of them that are integers
    /// The same for varyings of a patch, which have Locations of their own.
    uint32_t patch_inputs_read_mask = 0, patch_outputs_written_mask = 0;
    uint32_t integer_patch_inputs_mask = 0; ///< those that are read as integers
    bool reads_handles = false;             ///< textures through the bindless set
    bool reads_texel_handles = false;       ///< those of buffers among them, or images of buffers
    bool uses_sample_shading = false; ///< must run per sample (sample id, sample position, ...)
    bool writes_depth = false;
    bool writes_stencil = false;
    bool writes_sample_mask = false;
    bool writes_point_size = false;
    bool writes_layer = false;
    bool writes_viewport = false;
    bool uses_discard = false;
    bool early_fragment_tests = false;
    uint32_t fragment_output_mask = 0; ///< bit n: colour Location n (index 0) is written
    bool dual_source = false;          ///< Location 0, Index 1 is written
    uint32_t fetched_attachments = 0;  ///< bit n: colour attachment n is read, and below
    uint32_t clip_distance_count = 0;
    uint32_t cull_distance_count = 0;
    /// Clip and cull distances of the stage before, in a row, up to the last that is read.
    uint32_t distances_read = 0;
    uint32_t xfb_buffer_mask = 0;
    std::array<uint32_t, 4> xfb_stride = {}; ///< bytes, per transform feedback buffer
    uint32_t xfb_stream_mask = 0;            ///< bit n: vertex stream n is captured
};

/// What fragment shaders fetch of the framebuffer beside its colours (bits of
/// Translation::fetched_attachments, and slots of their bindings).
inline constexpr uint32_t fetched_depth = 8;
inline constexpr uint32_t fetched_stencil = 9;

/// Why a shader can't be translated; names the NIR instruction that has no mapping.
struct TranslateError {
    std::string what;
};

/// Varyings of a patch: so many Locations of their own. Vulkan guarantees no more
/// (maxTessellationControlPerPatchOutputComponents is at least 120), and GL asks for no more.
inline constexpr uint32_t patch_locations = 30;

/// The Location that compatibility varyings leave free: for what stages of the driver's own say to
/// each other. Generic varyings reach it only where a program uses nearly all that the device has.
uint32_t spare_location(const Target& target);

/// What Mesa should lower for us before a shader reaches prepare(). Lives as long as the process.
const nir_shader_compiler_options* compiler_options(gl_shader_stage stage, const Target& target);

/// Brings a finalised GL shader (its inputs and outputs still variables, or intrinsics already)
/// into the form that translate() takes. Call it once for each shader.
void prepare(nir_shader* nir, const Target& target);

/// Translates a prepared shader. The words pass `spirv-val --target-env vulkan1.3`.
std::expected<Translation, TranslateError> translate(const nir_shader* nir, const Target& target);

} // namespace kobalt::spirv
