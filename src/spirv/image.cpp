// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Images: loads, stores, atomics and queries of storage images and storage texel buffers.

#include "spirv/image_format.h"
#include "spirv/translator.h"

namespace kobalt::spirv {

namespace {

/// The image access as its bound variant, also for access by handle; num_intrinsics: not an image
/// access.
nir_intrinsic_op image_access(nir_intrinsic_op op) {
    switch (op) {
    case nir_intrinsic_image_load:
    case nir_intrinsic_bindless_image_load:
        return nir_intrinsic_image_load;
    case nir_intrinsic_image_sparse_load:
        return nir_intrinsic_image_sparse_load;
    case nir_intrinsic_image_store:
    case nir_intrinsic_bindless_image_store:
        return nir_intrinsic_image_store;
    case nir_intrinsic_image_atomic:
    case nir_intrinsic_bindless_image_atomic:
        return nir_intrinsic_image_atomic;
    case nir_intrinsic_image_atomic_swap:
    case nir_intrinsic_bindless_image_atomic_swap:
        return nir_intrinsic_image_atomic_swap;
    case nir_intrinsic_image_size:
    case nir_intrinsic_bindless_image_size:
        return nir_intrinsic_image_size;
    case nir_intrinsic_image_samples:
    case nir_intrinsic_bindless_image_samples:
        return nir_intrinsic_image_samples;
    default:
        return nir_num_intrinsics;
    }
}

DescriptorKind image_descriptor(const nir_intrinsic_instr* intr) {
    return nir_intrinsic_image_dim(intr) == GLSL_SAMPLER_DIM_BUF
               ? DescriptorKind::storage_texel_buffer
               : DescriptorKind::storage_image;
}

} // namespace

namespace {

/// Whether the texels of the image's type match the access's type; a query matches any.
bool fits_texels(const nir_intrinsic_instr* intr, const glsl_type* type) {
    nir_alu_type accessed = nir_type_invalid;
    if (nir_intrinsic_has_dest_type(intr))
        accessed = nir_intrinsic_dest_type(intr);
    else if (nir_intrinsic_has_src_type(intr))
        accessed = nir_intrinsic_src_type(intr);
    const auto result = static_cast<glsl_base_type>(glsl_get_sampler_result_type(type));
    return accessed == nir_type_invalid ||
           nir_alu_type_get_base_type(accessed) ==
               nir_alu_type_get_base_type(nir_get_nir_type_for_glsl_base_type(result));
}

} // namespace

/// The slots that an index can select: one, or those of all arrays whose type matches the access.
std::vector<uint32_t> Translator::image_slots(const nir_intrinsic_instr* intr) const {
    if (nir_src_is_const(intr->src[0]))
        return {uint32_t(nir_src_as_uint(intr->src[0]))};
    std::vector<uint32_t> slots;
    nir_foreach_variable_with_modes(variable, const_cast<nir_shader*>(nir_), nir_var_image) {
        const glsl_type* type = glsl_without_array(variable->type);
        if (!glsl_type_is_array(variable->type) || !glsl_type_is_image(type) ||
            glsl_get_sampler_dim(type) != nir_intrinsic_image_dim(intr) ||
            glsl_sampler_type_is_array(type) != nir_intrinsic_image_array(intr) ||
            variable->data.image.format != nir_intrinsic_format(intr) || !fits_texels(intr, type))
            continue;
        for (unsigned i = 0; i < glsl_get_aoa_size(variable->type); i++)
            slots.push_back(variable->data.driver_location + i);
    }
    if (slots.empty())
        slots.push_back(0); // no array matches, so there is nothing to index
    return slots;
}

/// Adds the instruction's access to the image's use.
void Translator::add_image_use(MemoryUse& use, const nir_intrinsic_instr* intr) {
    const nir_intrinsic_op op = image_access(intr->intrinsic);
    const bool load = op == nir_intrinsic_image_load || op == nir_intrinsic_image_sparse_load;
    const bool store = op == nir_intrinsic_image_store;
    const bool query = op == nir_intrinsic_image_size || op == nir_intrinsic_image_samples;
    use.read = use.read || (!store && !query);
    use.written = use.written || (!load && !query);
    use.add(nir_intrinsic_access(intr));
    if (load)
        use.kind = texel_kind(nir_intrinsic_dest_type(intr));
    else if (store)
        use.kind = texel_kind(nir_intrinsic_src_type(intr));
}

void Translator::scan_image(const nir_intrinsic_instr* intr) {
    const nir_intrinsic_op access = image_access(intr->intrinsic);
    writes_memory_ |= access == nir_intrinsic_image_store || access == nir_intrinsic_image_atomic ||
                      access == nir_intrinsic_image_atomic_swap;
    if (access != intr->intrinsic)
        return; // by handle, or not an image access
    const std::vector<uint32_t> slots = image_slots(intr);
    // Where the access may be to several arrays, each element keeps its own binding. A query may
    // match arrays with different texels, so only reads and writes determine which slots form an
    // array.
    const auto count = static_cast<uint32_t>(slots.size());
    const bool query = intr->intrinsic == nir_intrinsic_image_size ||
                       intr->intrinsic == nir_intrinsic_image_samples;
    if (!query && slots.back() - slots.front() == count - 1)
        add_array(image_descriptor(intr), slots.front(), count);
    for (const uint32_t slot : slots) {
        image_count_ = std::max(image_count_, slot + 1);
        add_image_use(image_uses_[slot], intr);
    }
}

/// The types of the instruction's image for the given use.
StorageImage Translator::image_types(const nir_intrinsic_instr* intr, const MemoryUse& use) {
    const bool array = nir_intrinsic_image_array(intr);
    bool multisampled = false;
    auto dim = spv::Dim::Dim2D;
    switch (nir_intrinsic_image_dim(intr)) {
    case GLSL_SAMPLER_DIM_1D:
        if (!target_.one_dimensional_textures)
            break; // the device's image has a second dimension of size 1
        dim = spv::Dim::Dim1D;
        b_.capability(spv::Capability::Image1D);
        break;
    case GLSL_SAMPLER_DIM_2D:
    case GLSL_SAMPLER_DIM_RECT: // Vulkan has no rectangle; images are addressed by texel anyway
    case GLSL_SAMPLER_DIM_EXTERNAL:
        break;
    case GLSL_SAMPLER_DIM_3D:
        dim = spv::Dim::Dim3D;
        break;
    case GLSL_SAMPLER_DIM_CUBE:
        dim = spv::Dim::Cube;
        if (array)
            b_.capability(spv::Capability::ImageCubeArray);
        break;
    case GLSL_SAMPLER_DIM_BUF:
        dim = spv::Dim::Buffer;
        b_.capability(spv::Capability::ImageBuffer);
        break;
    case GLSL_SAMPLER_DIM_MS:
        multisampled = true;
        b_.capability(spv::Capability::StorageImageMultisample);
        if (array)
            b_.capability(spv::Capability::ImageMSArray);
        break;
    default:
        fail_instruction("image dimension of", &intr->instr);
        break;
    }
    const ImageFormat* format = format_of(intr);
    if (format && format->extended)
        b_.capability(spv::Capability::StorageImageExtendedFormats);
    if (!format && use.read) {
        if (!target_.image_formatless_read)
            fail_instruction("a read without a format, which the device does not have:",
                             &intr->instr);
        b_.capability(spv::Capability::StorageImageReadWithoutFormat);
    }
    if (!format && use.written) {
        if (!target_.image_formatless_write)
            fail_instruction("a write without a format, which the device does not have:",
                             &intr->instr);
        b_.capability(spv::Capability::StorageImageWriteWithoutFormat);
    }
    StorageImage image;
    image.kind = format ? kind_of_format(format->spirv) : use.kind;
    image.buffer = dim == spv::Dim::Buffer;
    image.component_type = scalar_type(image.kind, 32);
    image.image_type = b_.type_image(image.component_type, dim, false, array, multisampled, 2,
                                     format ? format->spirv : spv::ImageFormat::Unknown);
    return image;
}

/// The image with a pointer to its descriptor.
StorageImage Translator::storage_image(const nir_intrinsic_instr* intr,
                                       const DescriptorElement& descriptor) {
    const DescriptorKind kind = image_descriptor(intr);
    const DescriptorArray* array = array_of(kind, descriptor.slot);
    const uint32_t slot = array ? array->first : descriptor.slot;
    const MemoryUse use = use_of(image_uses_, array, slot);
    StorageImage image = image_types(intr, use);
    const auto [it, is_new] = images_.try_emplace({slot, image.image_type}, image);
    if (is_new) {
        const Id variable =
            b_.variable(spv::StorageClass::UniformConstant, array_or(kind, slot, image.image_type));
        it->second.variable = variable;
        use_binding(variable, kind, slot,
                    {nir_intrinsic_image_dim(intr), nir_intrinsic_image_array(intr),
                     texels_of(image.kind)});
        decorate_memory(variable, use);
        if (!use.read)
            b_.decorate(variable, spv::Decoration::NonReadable);
        if (target_.debug_names)
            b_.name(variable, "image" + std::to_string(slot));
    }
    image.variable = element_pointer(kind, it->second.variable, spv::StorageClass::UniformConstant,
                                     image.image_type, descriptor);
    image.non_uniform = descriptor.non_uniform;
    return image;
}

/// The image's coordinates; a cube is addressed by x, y and face (counted over all layers).
Id Translator::image_coordinate(const nir_intrinsic_instr* intr) {
    static constexpr uint8_t identity[] = {0, 1, 2, 3};
    const unsigned count = nir_image_intrinsic_coord_components(intr);
    const Id uint32 = b_.type_int(32, false);
    const Id coordinate = get(intr->src[1], Kind::uint);
    if (!flat_line(intr))
        return swizzle(coordinate, uint32, intr->src[1].ssa->num_components, identity, count);
    std::vector<Id> members{extract(coordinate, uint32, 0), u32(0)};
    if (nir_intrinsic_image_array(intr))
        members.push_back(extract(coordinate, uint32, 1));
    return compose(uint32, members);
}

/// Whether this is a one-dimensional image that the device stores as a two-dimensional one.
bool Translator::flat_line(const nir_intrinsic_instr* intr) const {
    return nir_intrinsic_image_dim(intr) == GLSL_SAMPLER_DIM_1D &&
           !target_.one_dimensional_textures;
}

/// Emits the instruction for one image. Returns its result, if any, of kind *kind.
Id Translator::emit_image_at(const nir_intrinsic_instr* intr, const StorageImage& image,
                             Kind* kind) {
    const bool multisampled = nir_intrinsic_image_dim(intr) == GLSL_SAMPLER_DIM_MS;
    const Id uint32 = b_.type_int(32, false);
    static constexpr uint8_t identity[] = {0, 1, 2, 3};
    *kind = image.kind;
    const auto mark = [&](Id id) {
        if (image.non_uniform)
            b_.decorate(id, spv::Decoration::NonUniform);
        return id;
    };
    const auto load = [&] { return mark(b_.load(image.image_type, image.variable)); };
    const auto add_sample = [&](std::vector<uint32_t>& words) {
        if (multisampled)
            words.insert(words.end(),
                         {uint32_t(spv::ImageOperandsMask::Sample), get(intr->src[2], Kind::uint)});
    };
    switch (image_access(intr->intrinsic)) {
    case nir_intrinsic_image_load: {
        std::vector<uint32_t> words{load(), image_coordinate(intr)};
        add_sample(words);
        const Id texel =
            b_.emit(spv::Op::OpImageRead, b_.type_vector(image.component_type, 4), words);
        return swizzle(texel, image.component_type, 4, identity, intr->def.num_components);
    }
    case nir_intrinsic_image_sparse_load: {
        std::vector<uint32_t> words{load(), image_coordinate(intr)};
        add_sample(words);
        Id code = 0;
        const Id texel = emit_sparse(spv::Op::OpImageRead, b_.type_vector(image.component_type, 4),
                                     words, &code);
        const unsigned count = intr->def.num_components - 1;
        *kind = Kind::uint;
        return append_code(swizzle(texel, image.component_type, 4, identity, count), image.kind,
                           count, code);
    }
    case nir_intrinsic_image_store: {
        const Kind native = image.kind == Kind::sint ? Kind::uint : image.kind;
        const unsigned count = intr->src[3].ssa->num_components;
        const Id value = cast(get(intr->src[3], native), native, image.kind, 32, count);
        std::vector<uint32_t> words{load(), image_coordinate(intr), value};
        add_sample(words);
        b_.emit_void(spv::Op::OpImageWrite, words);
        return 0;
    }
    case nir_intrinsic_image_atomic:
    case nir_intrinsic_image_atomic_swap: {
        const bool swap = image_access(intr->intrinsic) == nir_intrinsic_image_atomic_swap;
        if (nir_intrinsic_atomic_op(intr) == nir_atomic_op_fadd && !target_.atomics.image_float_add)
            fail_instruction("an atomic addition of floats, which the device does not have:",
                             &intr->instr);
        const Id sample = multisampled ? get(intr->src[2], Kind::uint) : u32(0);
        const Id pointer = b_.emit(spv::Op::OpImageTexelPointer,
                                   b_.type_pointer(spv::StorageClass::Image, image.component_type),
                                   {image.variable, image_coordinate(intr), sample});
        mark(pointer);
        return emit_atomic(intr, pointer, image.kind, spv::Scope::Device, intr->src[swap ? 4 : 3],
                           swap ? &intr->src[3] : nullptr);
    }
    case nir_intrinsic_image_size: {
        b_.capability(spv::Capability::ImageQuery);
        *kind = Kind::uint;
        // A cube's size has no third component in SPIR-V, and NIR asks for no more than it reads.
        const bool cube = nir_intrinsic_image_dim(intr) == GLSL_SAMPLER_DIM_CUBE;
        const unsigned has = cube || flat_line(intr) ? 2u + nir_intrinsic_image_array(intr)
                                                     : nir_image_intrinsic_coord_components(intr);
        const Id size = b_.emit(spv::Op::OpImageQuerySize, b_.type_vector(uint32, has), {load()});
        const unsigned wanted = intr->def.num_components;
        if (flat_line(intr)) {
            static constexpr uint8_t without_height[] = {0, 2};
            const unsigned count = 1u + nir_intrinsic_image_array(intr);
            return swizzle(size, uint32, has, without_height, std::min(wanted, count));
        }
        if (wanted <= has)
            return swizzle(size, uint32, has, identity, wanted);
        std::vector<Id> members;
        for (unsigned i = 0; i < wanted; i++)
            members.push_back(i >= has ? u32(1) : has == 1 ? size : extract(size, uint32, i));
        return compose(uint32, members);
    }
    default:
        b_.capability(spv::Capability::ImageQuery);
        *kind = Kind::uint;
        return b_.emit(spv::Op::OpImageQuerySamples, uint32, {load()});
    }
}

bool Translator::emit_image_intrinsic(const nir_intrinsic_instr* intr) {
    const nir_intrinsic_op op = image_access(intr->intrinsic);
    if (op == nir_num_intrinsics)
        return false;
    const bool has_result = op != nir_intrinsic_image_store;
    if ((has_result ? intr->def.bit_size : intr->src[3].ssa->bit_size) != 32) {
        fail_instruction("64-bit image access", &intr->instr);
        return true;
    }
    if (op != intr->intrinsic) {
        emit_image_by_handle(intr, has_result);
        return true;
    }
    const std::vector<uint32_t> slots = image_slots(intr);
    const Id type = has_result ? value_type(Kind::uint, 32, intr->def.num_components) : 0;
    const Id id =
        at_index(image_descriptor(intr), intr->src[0].ssa, 0, slots, type,
                 [&](const DescriptorElement& descriptor) {
                     Kind kind = Kind::uint;
                     const Id result = emit_image_at(intr, storage_image(intr, descriptor), &kind);
                     return has_result && result
                                ? cast(result, kind, Kind::uint, 32, intr->def.num_components)
                                : result;
                 });
    if (has_result)
        set(&intr->def, Kind::uint, id);
    return true;
}

} // namespace kobalt::spirv
