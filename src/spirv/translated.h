// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <bit>

#include "spirv/module_builder.h"
#include "spirv/translate.h"

// The translator's descriptions of a shader's values, interface slots, textures, images and memory.

namespace kobalt::spirv {

/// How a value is typed in SPIR-V. NIR values are untyped bits, so a value keeps the type of the
/// instruction that made it and is bitcast where another is wanted. Signed integers exist only at
/// interfaces and image types; SPIR-V's signed instructions take unsigned operands as well.
enum class Kind : uint8_t { boolean, uint, floating, sint };

/// The kind the kind of an image's texels for an instruction with this type of result or source.
Kind texel_kind(nir_alu_type type);
ImageTexels texels_of(Kind kind);

/// A range of components of one slot that one interface variable holds.
struct InterfaceVariable {
    Id id = 0;
    spv::StorageClass storage = spv::StorageClass::Input;
    Kind kind = Kind::floating;
    uint8_t first = 0;         ///< first component of the slot
    uint8_t count = 4;         ///< components; for an array of scalars: its length
    bool scalar_array = false; ///< ClipDistance and SampleMask: an array indexed by component
    uint8_t array_base = 0;    ///< for scalar_array: index of the slot's component 0
    uint8_t slots = 1;         ///< more than 1: an array of slots, indexed dynamically
    uint8_t slot_index = 0;    ///< index of this slot in that array
    uint32_t vertices = 0;     ///< not 0: outermost array of this many vertices
    bool wide_bool = false;    ///< FrontFacing: SPIR-V's boolean where NIR may want 32 bits
};

/// What the shader does with one input or output slot.
struct SlotUse {
    uint8_t mask = 0; ///< components touched
    bool as_float = false, as_int = false, as_uint = false;
    bool flat = false, interpolated = false;
    bool pixel = false, centroid = false, sample = false, interpolate_at = false;
    bool perspective = false, no_perspective = false;
    bool per_vertex = false, invariant = false;
    uint8_t array_slots = 1; ///< largest dynamically indexed range that starts here
    uint8_t streams = 0;     ///< 2 bits a component
};

/// The components that a slot's variable needs; arrays of slots have whole ones.
inline unsigned width_of(const SlotUse& use) {
    return use.array_slots > 1 || !use.mask ? 4 : unsigned(std::bit_width(use.mask));
}

/// The kind of an attribute or a colour. It must match a format, so the sign is kept.
inline Kind formatted_kind(const SlotUse& use) {
    if (use.as_float || (!use.as_int && !use.as_uint))
        return Kind::floating;
    return use.as_uint ? Kind::uint : Kind::sint;
}

/// The texture of one tex instruction: its variable and its SPIR-V types.
struct TextureVariable {
    Id variable = 0;
    Id image_type = 0;
    Id sampled_type = 0; ///< 0 for a texel buffer
    Id component_type = 0;
    Kind kind = Kind::floating;
    bool non_uniform = false; ///< the descriptor may differ among invocations
};

/// The slot of a texture that is accessed by handle.
inline constexpr uint32_t no_slot = ~0u;

/// Identifies a resource of its kind: the one of `slot`, or, with an `index`, that element of the
/// array of descriptors that begins at `slot`.
struct DescriptorElement {
    uint32_t slot;
    Id index = 0;
    bool non_uniform = false; ///< the index may differ among invocations
};

/// A range of slots that is one binding, an array of descriptors.
struct DescriptorArray {
    DescriptorKind kind;
    uint32_t first, count;
};

/// Whether all invocations see the same value, as far as the instructions that compute it show.
bool is_uniform(const nir_def* def, unsigned depth = 8);

/// The type that memory is declared as. An array of words serves every load and store; atomic
/// operations need elements of their own type. Vectors of 2 and 4 words are loaded and stored as a
/// whole: not every driver makes one access of several words.
enum class MemoryView : uint8_t { words, float32, uint64, pairs, vectors };

/// How a shader uses the memory behind a storage buffer or an image.
struct MemoryUse {
    bool read = false, written = false, coherent = false, is_volatile = false, aliased = false;
    uint8_t views = 0;      ///< mask of MemoryView, of a storage buffer
    Kind kind = Kind::uint; ///< of an image's texels

    void add(unsigned access); ///< bits of gl_access_qualifier
    void add(MemoryView view);
};

/// An image that is read and written.
struct StorageImage {
    Id variable = 0;
    Id image_type = 0;
    Id component_type = 0;
    Kind kind = Kind::uint;
    bool buffer = false;
    bool non_uniform = false; ///< accessed by a handle that may differ among invocations
};

} // namespace kobalt::spirv
