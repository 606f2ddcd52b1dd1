// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/shader/descriptor_names.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "gallium/context/operations.h"

#include "nir.h"

namespace kobalt::gallium {
namespace {

using Names = render::StageNames;

/// The program's name: the linker names a GLSL program's shaders after its number.
std::string program_name(const nir_shader& nir) {
    const std::string_view name = nir.info.name ? nir.info.name : "(no name)";
    constexpr std::string_view glsl = "GLSL";
    std::string text = "program ";
    text += name.starts_with(glsl) ? name.substr(glsl.size()) : name;
    if (nir.info.label)
        text += std::string(" \"") + nir.info.label + "\"";
    return text;
}

/// The size of a block by its declaration; 0 where its members' offsets aren't known.
VkDeviceSize declared_bytes(const glsl_type* block) {
    for (unsigned i = 0; i < glsl_get_length(block); ++i)
        if (glsl_get_struct_field_offset(block, i) < 0)
            return 0;
    return glsl_get_explicit_size(block, false);
}

unsigned elements(const glsl_type* type) {
    return glsl_type_is_array(type) ? glsl_get_aoa_size(type) : 1;
}

std::string element_name(const std::string& array, unsigned count, unsigned i) {
    return count > 1 ? array + "[" + std::to_string(i) + "]" : array;
}

void add(Names& names, const Names::Binding& binding) {
    const bool known = std::ranges::any_of(names.bindings, [&](const Names::Binding& one) {
        return one.kind == binding.kind && one.slot == binding.slot;
    });
    if (!known) // each member of a block without an instance name is a variable of it
        names.bindings.push_back(binding);
}

/// The type's name. SPIR-V shaders need not have names.
std::string type_name(const glsl_type* type) {
    const char* name = glsl_get_type_name(type);
    return name ? name : "(no name)";
}

void add_block(Names& names, const nir_variable& variable) {
    const auto first = static_cast<int>(variable.data.driver_location);
    if (first < 0 || !variable.interface_type)
        return; // nothing reads it
    const bool storage = variable.data.mode == nir_var_mem_ssbo;
    if (!storage && first == 0)
        return; // the buffer that holds the default block
    const std::string name = type_name(variable.interface_type);
    // An array of blocks, as opposed to an array inside a block.
    const bool array = glsl_type_is_array(variable.type) &&
                       glsl_without_array(variable.type) == variable.interface_type;
    const unsigned count = array ? elements(variable.type) : 1;
    for (unsigned i = 0; i < count; ++i)
        add(names, {storage ? Names::Kind::storage_buffer : Names::Kind::uniform_buffer,
                    static_cast<uint32_t>(first) + i, element_name(name, count, i),
                    // The last member of a storage block may be of any length.
                    storage ? 0 : declared_bytes(variable.interface_type)});
}

void add_opaque(Names& names, const nir_variable& variable) {
    const glsl_type* type = glsl_without_array(variable.type);
    const bool image = glsl_type_is_image(type);
    if (variable.data.bindless ||
        !(image || glsl_type_is_sampler(type) || glsl_type_is_texture(type)))
        return;
    const unsigned count = elements(variable.type);
    const std::string name = variable.name ? variable.name : "(no name)";
    for (unsigned i = 0; i < count; ++i)
        add(names,
            {image ? Names::Kind::image : Names::Kind::texture,
             static_cast<uint32_t>(variable.data.binding) + i, element_name(name, count, i)});
}

/// The constant slot and offset of a load from a uniform buffer.
struct UniformOffset {
    uint32_t slot;
    uint32_t offset; ///< bytes
};

std::optional<UniformOffset> uniform_offset(const nir_def* value, unsigned component) {
    const nir_instr* made = value->parent_instr;
    while (made->type == nir_instr_type_alu) {
        const nir_alu_instr* alu = nir_instr_as_alu(made);
        if (alu->op != nir_op_mov && alu->op != nir_op_unpack_64_2x32_split_x)
            return std::nullopt;
        component = alu->src[0].swizzle[component];
        value = alu->src[0].src.ssa;
        made = value->parent_instr;
    }
    if (made->type != nir_instr_type_intrinsic)
        return std::nullopt;
    const nir_intrinsic_instr* load = nir_instr_as_intrinsic(made);
    if (load->intrinsic != nir_intrinsic_load_ubo || !nir_src_is_const(load->src[0]) ||
        !nir_src_is_const(load->src[1]))
        return std::nullopt;
    return UniformOffset{static_cast<uint32_t>(nir_src_as_uint(load->src[0])),
                         static_cast<uint32_t>(nir_src_as_uint(load->src[1])) +
                             component * value->bit_size / 8};
}

/// The uniform of the default block at that offset; uniforms are packed into words.
std::string uniform_at(const nir_shader* nir, uint32_t offset) {
    nir_foreach_variable_with_modes(variable, nir, nir_var_uniform) {
        const unsigned count = elements(variable->type);
        const unsigned first = variable->data.driver_location * 4;
        if (variable->data.bindless && variable->name && offset >= first &&
            offset < first + 8 * count)
            return element_name(variable->name, count, (offset - first) / 8);
    }
    return "byte " + std::to_string(offset) + " of the default block";
}

std::string member_at(const nir_shader* nir, const UniformOffset& uniform) {
    nir_foreach_variable_with_modes(variable, nir, nir_var_mem_ubo) {
        const glsl_type* block = variable->interface_type;
        const auto first = static_cast<int>(variable->data.driver_location);
        const bool array =
            glsl_type_is_array(variable->type) && glsl_without_array(variable->type) == block;
        const int count = array ? static_cast<int>(elements(variable->type)) : 1;
        const int slot = static_cast<int>(uniform.slot);
        if (!block || first < 0 || slot < first || slot >= first + count)
            continue;
        std::string name = type_name(block);
        int nearest = -1;
        const char* member = nullptr;
        for (unsigned i = 0; i < glsl_get_length(block); ++i) {
            const int at = glsl_get_struct_field_offset(block, i);
            if (at > nearest && at <= static_cast<int>(uniform.offset)) {
                nearest = at;
                member = glsl_get_struct_elem_name(block, i);
            }
        }
        if (member)
            name += std::string(".") + member;
        return name + " (byte " + std::to_string(uniform.offset) + ")";
    }
    return "byte " + std::to_string(uniform.offset) + " of uniform block " +
           std::to_string(uniform.slot);
}

void add_handle(Names& names, const nir_shader* nir, const nir_tex_instr* tex) {
    const int source = nir_tex_instr_src_index(tex, nir_tex_src_texture_handle);
    if (source < 0)
        return;
    const std::optional<UniformOffset> uniform = uniform_offset(tex->src[source].src.ssa, 0);
    if (!uniform || uniform->slot >= PIPE_MAX_CONSTANT_BUFFERS)
        return;
    const bool known = std::ranges::any_of(names.handles, [&](const Names::Handle& one) {
        return one.slot == uniform->slot && one.offset == uniform->offset;
    });
    if (!known)
        names.handles.push_back(
            {uniform->slot, uniform->offset,
             uniform->slot == 0 ? uniform_at(nir, uniform->offset) : member_at(nir, *uniform)});
}

} // namespace

std::shared_ptr<const Names> descriptor_names(const nir_shader* nir) {
    auto names = std::make_shared<Names>();
    names->program = program_name(*nir);
    names->has_default_block = nir->info.first_ubo_is_default_ubo;
    nir_foreach_variable_with_modes(variable, nir, nir_var_mem_ubo | nir_var_mem_ssbo)
        add_block(*names, *variable);
    nir_foreach_variable_with_modes(variable, nir, nir_var_uniform | nir_var_image)
        add_opaque(*names, *variable);
    nir_foreach_function_impl(impl, nir) {
        nir_foreach_block(block, impl) {
            nir_foreach_instr(instr, block) {
                if (instr->type == nir_instr_type_tex)
                    add_handle(*names, nir, nir_instr_as_tex(instr));
            }
        }
    }
    return names;
}

void name_bound_stages(Context& context, bool compute) {
    const unsigned first = compute ? MESA_SHADER_COMPUTE : MESA_SHADER_VERTEX;
    const unsigned last = compute ? MESA_SHADER_COMPUTE : MESA_SHADER_FRAGMENT;
    for (unsigned stage = first; stage <= last; ++stage) {
        const Shader* shader = context.bound.stages[stage].shader;
        // Shaders that Mesa makes for itself have no names that the app knows.
        const bool named = shader && shader->origin == Origin::program;
        context.recorder.name_stage(render_stage(stage),
                                    named ? shader->descriptor_names : nullptr);
    }
}

} // namespace kobalt::gallium
