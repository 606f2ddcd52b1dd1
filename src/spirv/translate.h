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

/// NIR -> SPIR-V: a pure function of one shader and what the device allows. It uses no Vulkan
/// object and no Gallium state, so each stage can be translated alone and in any thread.
namespace kobalt::spirv {

/// The type of a descriptor, with Vulkan's names (the caller maps it to VkDescriptorType).
enum class DescriptorKind : uint8_t {
    uniform_buffer,
    combined_image_sampler,
    uniform_texel_buffer,
    storage_buffer,
    storage_image,
    storage_texel_buffer,
    input_attachment,
};

/// The type that the shader reads or writes an image's texels as.
enum class ImageTexels : uint8_t { floating, sint, uint, depth };

/// The image behind a sampler or image, as the shader declares it.
struct ImageShape {
    glsl_sampler_dim dimension = GLSL_SAMPLER_DIM_2D;
    bool array = false;
    ImageTexels texels = ImageTexels::floating; ///< depth: a shadow sampler
    bool operator==(const ImageShape&) const = default;
};

/// Set and bindings of the descriptor arrays that the lower halves of handles index.
inline constexpr uint32_t bindless_set = 0;
inline constexpr uint32_t bindless_textures = 0;      ///< combined image samplers
inline constexpr uint32_t bindless_texel_buffers = 1; ///< uniform texel buffers
inline constexpr uint32_t bindless_images = 2;        ///< storage images
inline constexpr uint32_t bindless_image_texels = 3;  ///< storage texel buffers

/// One descriptor that the shader uses. Successive entries with the same binding number are the
/// elements of one array of descriptors, in order.
struct Binding {
    uint32_t binding;    ///< binding number inside its set
    DescriptorKind kind; ///< type of the descriptor
    uint32_t slot;       ///< Gallium slot: constant buffer, sampler, shader buffer or image index
    ImageShape image{};  ///< samplers, images and texel buffers only
    /// The shader applies GL's swizzle to comparisons by itself (DrawParameters::shadow_swizzles):
    /// the view must return the depth in its first channel, without a swizzle.
    bool swizzles_comparison = false;
    bool writes = false; ///< storage buffers and images: the shader may write them
    bool pushed = false; ///< in Target::pushed_set instead of the stage's own set

    bool operator==(const Binding&) const = default;
};

/// The atomic operations, beyond those on 32-bit integers, that the device has an instruction for:
/// on buffers, on shared memory, and on images. Missing float operations on buffers and shared
/// memory become loops around a compare-and-swap.
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
    /// `pushed_slots`, is binding `first_pushed` + n of `pushed_set`. 0 slots: there is no such
    /// set.
    uint32_t pushed_set = 0, first_pushed = 0, pushed_slots = 0;
    /// The binding in pushed_set for the texture of a stage that has only one texture; none: the
    /// texture is in the stage's own set.
    std::optional<uint32_t> pushed_texture;
    uint32_t max_uniform_buffer_size = 65536; ///< declared size of each uniform buffer, bytes
    bool demote = true;                       ///< shaderDemoteToHelperInvocation
    bool draw_parameters = true;              ///< shaderDrawParameters
    /// When false, the last stage before the rasteriser maps z' = (z + w) / 2 where
    /// DrawParameters::depth_negative_one_to_one is not zero.
    bool depth_clip_control = true;
    /// False for a stage that another vertex-processing stage follows. The work of the last stage
    /// (the z map above, the clip distance mask) is then left out.
    bool last_vertex_stage = true;
    /// Clip distances that are disabled in DrawParameters::clip_distance_enable are written as 0,
    /// so that glEnable(GL_CLIP_DISTANCEi) needs no variant. False: every written distance clips.
    bool clip_distance_mask = false;
    /// The number of Locations that every stage may read and write beside built-in variables.
    /// Compatibility varyings have Locations below it. The same for all stages of a device, since
    /// Locations follow from slots.
    uint32_t varying_locations = 30;
    /// The number of Locations that stages may write, at most 32. Those from varying_locations on
    /// are for transform feedback only.
    uint32_t output_locations = 32;
    /// minTexelGatherOffset and maxTexelGatherOffset. GL leaves offsets beyond these undefined
    /// (OpenGL 4.6, 8.14.1); Vulkan forbids such constants.
    int32_t least_gather_offset = -8, most_gather_offset = 7;
    /// Varying Locations that a later stage reads and this one doesn't write: declared and written
    /// as zeros, because Vulkan requires an output for each input while GL leaves the value
    /// undefined.
    uint32_t extra_outputs = 0;
    uint32_t extra_integer_outputs =
        0; ///< those extra outputs that the later stage reads as integers
    uint32_t extra_patch_outputs = 0; ///< the same for varyings of the patch
    uint32_t extra_patch_integers = 0;
    /// Counts of the previous stage's distances, where it writes cull distances. Mesa numbers both
    /// kinds consecutively, and only the writing stage knows where cull distances begin; without
    /// these counts all are read as clip distances.
    uint32_t input_clip_distances = 0, input_cull_distances = 0;
    /// shaderTessellationAndGeometryPointSize: without it, points of tessellation and geometry
    /// stages are 1 pixel wide.
    bool geometry_point_size = true;
    bool default_point_size = false; ///< maintenance5: points without a size are 1 pixel wide
    uint32_t geometry_output_components = 1024; ///< maxGeometryTotalOutputComponents
    bool shader_stencil_export = false;         ///< VK_EXT_shader_stencil_export
    bool viewport_layer_output = true;          ///< shaderOutputLayer and shaderOutputViewportIndex
    bool viewport_mask = false; ///< VK_NV_viewport_array2: several viewports at once
    bool multiview = false;     ///< render passes may have several views
    bool float16 = false;
    bool float64 = false;
    bool int8 = false;
    bool int16 = false;
    bool int64 = false;
    bool bindless = false; ///< texture handles, which may differ among invocations
    bool multisampled_attachments =
        false; ///< attachments that a fragment shader fetches from are multisampled
    /// Bit n: stage n (gl_shader_stage) has subgroups. In other stages each invocation is a
    /// subgroup of its own.
    uint32_t subgroup_stages = 0;
    AtomicSupport atomics;
    /// workgroupMemoryExplicitLayout: shared memory can be declared as words and as another type at
    /// once.
    bool workgroup_explicit_layout = false;
    bool shader_clock = false; ///< shaderSubgroupClock
    /// shaderSignedZeroInfNanPreserveFloat32 and 64: the driver's optimiser then preserves these
    /// values.
    bool preserve_special_float32 = false, preserve_special_float64 = false;
    /// Workgroup size of compute shaders that leave it to the dispatch
    /// (GL_ARB_compute_variable_group_size).
    std::array<uint32_t, 3> workgroup_size{64, 1, 1};
    /// False: one-dimensional textures are declared as two-dimensional ones of height 1.
    bool one_dimensional_textures = true;
    bool image_formatless_read = true;  ///< shaderStorageImageReadWithoutFormat
    bool image_formatless_write = true; ///< shaderStorageImageWriteWithoutFormat
    bool debug_names = false;           ///< emit OpName where NIR knows a name
    /// Kinds of which an array of descriptors may be indexed dynamically (bit n: DescriptorKind n):
    /// by the same value in all invocations, and by any value. Arrays of other kinds have a binding
    /// for each element, and a dynamic index becomes a switch over the elements.
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
    uint32_t integer_outputs_mask_locations = 0; ///< those of the outputs that are integers
    /// The same for varyings of a patch, which have Locations of their own.
    uint32_t patch_inputs_read_mask = 0, patch_outputs_written_mask = 0;
    uint32_t integer_patch_inputs_mask = 0; ///< patch inputs read as integers
    bool reads_handles = false; ///< textures or images are accessed through the bindless set
    bool reads_texel_handles =
        false; ///< buffer textures or buffer images are accessed through the bindless set
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
    uint32_t fetched_attachments = 0;  ///< bit n: colour attachment n is read; also the bits below
    uint32_t clip_distance_count = 0;
    uint32_t cull_distance_count = 0;
    /// Number of the previous stage's clip and cull distances, counted together, up to the last
    /// that is read.
    uint32_t distances_read = 0;
    uint32_t xfb_buffer_mask = 0;
    std::array<uint32_t, 4> xfb_stride = {}; ///< bytes, per transform feedback buffer
    uint32_t xfb_stream_mask = 0;            ///< bit n: vertex stream n is captured
};

/// Framebuffer contents other than colours that fragment shaders fetch (bits of
/// Translation::fetched_attachments, and slots of their bindings).
inline constexpr uint32_t fetched_depth = 8;
inline constexpr uint32_t fetched_stencil = 9;

/// Why a shader can't be translated; names the NIR instruction that has no mapping.
struct TranslateError {
    std::string what;
};

/// The number of Locations for varyings of a patch, which are separate from those of vertices.
/// Vulkan guarantees no more (maxTessellationControlPerPatchOutputComponents is at least 120), and
/// GL asks for no more.
inline constexpr uint32_t patch_locations = 30;

/// The Location that compatibility varyings leave free, for varyings between the driver's own
/// stages. Generic varyings reach it only where a program uses nearly all Locations of the device.
uint32_t spare_location(const Target& target);

/// The options of what Mesa lowers before a shader reaches prepare(). They live as long as the
/// process.
const nir_shader_compiler_options* compiler_options(gl_shader_stage stage, const Target& target);

/// Brings a finalised GL shader (its inputs and outputs still variables, or intrinsics already)
/// into the form that translate() takes. Call it once for each shader.
void prepare(nir_shader* nir, const Target& target);

/// Translates a prepared shader. The words pass `spirv-val --target-env vulkan1.3`.
std::expected<Translation, TranslateError> translate(const nir_shader* nir, const Target& target);

} // namespace kobalt::spirv
