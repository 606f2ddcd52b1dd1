// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vulkan/base/vk.h"

namespace kobalt::render {

enum class Stage : uint8_t { vertex, fragment, tess_control, tess_evaluation, geometry, compute };
inline constexpr uint32_t stage_count = 6;
inline constexpr uint32_t graphics_stage_count = 5;

/// The binding points of a stage: of uniform buffers, of storage buffers and of textures.
inline constexpr uint32_t max_slots = 32;
inline constexpr uint32_t max_image_slots = 64;

/// The descriptor set of a stage; set 0 is the bindless set in every layout.
constexpr uint32_t descriptor_set_of(Stage stage) {
    return stage == Stage::compute ? 1 : 1 + static_cast<uint32_t>(stage);
}
VkShaderStageFlagBits shader_stage_bit(Stage stage);
VkPipelineStageFlags2 pipeline_stage_bit(Stage stage);

/// The type that a shader reads an image's texels as.
enum class Texels : uint8_t { floating, sint, uint, depth };

/// What a shader declares of the image behind a descriptor: the view has to match.
struct ViewShape {
    VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D;
    Texels texels = Texels::floating; ///< depth: a shadow sampler
    bool multisampled = false;
    bool operator==(const ViewShape&) const = default;
};

/// The first uniform buffers of each graphics stage: GL's default block, and the program's first.
inline constexpr uint32_t pushed_slots = 2;
/// The set of these buffers, after the sets of the stages.
inline constexpr uint32_t pushed_set = 6;
/// The binding of slot 0's buffer in `pushed_set`; the others follow.
constexpr uint32_t first_pushed_binding(Stage stage) {
    return static_cast<uint32_t>(stage) * pushed_slots;
}

/// The bit of a uniform buffer that is pushed for shaders that use it; 0: it is never pushed.
constexpr uint32_t pushed_buffer_bit(Stage stage, uint32_t slot) {
    return slot < pushed_slots && stage != Stage::compute
               ? 1u << (first_pushed_binding(stage) + slot)
               : 0;
}

/// The binding of the fragment shader's texture, if it has only one (Paths::pushed_texture).
inline constexpr uint32_t pushed_texture_binding =
    first_pushed_binding(static_cast<Stage>(graphics_stage_count));
inline constexpr uint32_t pushed_bindings_count = pushed_texture_binding + 1;
inline constexpr uint32_t all_pushed_bindings = (1u << pushed_bindings_count) - 1;
/// A mask of what is pushed for a graphics stage.
constexpr uint32_t pushed_bindings_of(Stage stage) {
    return ((1u << pushed_slots) - 1) << first_pushed_binding(stage) |
           (stage == Stage::fragment ? 1u << pushed_texture_binding : 0u);
}

/// How many descriptors the sets of a shader object hold (ShaderObjects). Objects that are bound
/// together have one size: drivers keep something of each descriptor with each object, and few
/// shaders have many.
enum class ObjectSize : uint8_t {
    small,
    full ///< as many as a stage can have
};
inline constexpr size_t object_size_count = 2;

/// Which layout the set of a stage has: its own, or that of shader objects of a size. Content
/// written for one form is useless for another: drivers may sort a set's descriptors by kind.
enum class SetForm : uint8_t { of_pipelines, of_small_objects, of_full_objects };
inline constexpr size_t set_form_count = 1 + object_size_count;
constexpr SetForm set_form(ObjectSize size) {
    return size == ObjectSize::small ? SetForm::of_small_objects : SetForm::of_full_objects;
}

/// One descriptor that a shader uses: `slot` is the state tracker's binding point of that kind.
/// Consecutive ones with the same binding number are an array of descriptors.
struct StageBinding {
    uint32_t binding;
    VkDescriptorType type;
    uint32_t slot;
    ViewShape shape{}; ///< images only
    /// It uses the view for comparisons where there is one (Recorder::set_texture).
    bool compares = false;
    /// Storage buffers and images: the shader may write it. Readers need no barrier between them
    /// where no shader writes.
    bool writes = true;
    /// In the set that all graphics stages share (Paths::pushed_blocks): a uniform buffer at
    /// first_pushed_binding() + slot, or the texture of slot 0.
    bool pushed = false;
    bool operator==(const StageBinding&) const = default;
};

struct StageSource {
    Stage stage = Stage::vertex;
    std::vector<uint32_t> words; ///< SPIR-V
    std::vector<StageBinding> bindings;
    bool reads_handles = false;         ///< through the bindless set
    bool reads_texel_handles = false;   ///< also handles of texel buffers
    uint32_t push_constant_words = ~0u; ///< mask of the words that it reads
    bool robust = false;         ///< accesses out of a buffer's bounds are caught (KHR_robustness)
    bool sample_shading = false; ///< fragment: runs once a sample by itself
    bool writes_depth = false;   ///< fragment
    uint32_t stream_output_buffers = 0; ///< mask of transform feedback buffers that it writes
    uint32_t view_mask = 0;             ///< vertex: of the passes that it is meant for
    uint32_t fragment_outputs = 0;      ///< mask of colour locations
    /// It may draw together with stages that were linked without it
    /// (GL_ARB_separate_shader_objects).
    bool separable = false;
    std::string name; ///< for debug names and messages
};

} // namespace kobalt::render
