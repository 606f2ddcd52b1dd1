// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// System values: NIR's load_* intrinsics for values that are neither interface nor resource.

#include <spirv/unified1/GLSL.std.450.h>

#include "spirv/push_constants.h"
#include "spirv/translator.h"

namespace kobalt::spirv {

Id Translator::builtin_input(spv::BuiltIn builtin, Id type) {
    Id& id = builtins_[uint32_t(builtin)];
    if (id)
        return id;
    id = b_.variable(spv::StorageClass::Input, type);
    b_.decorate(id, spv::Decoration::BuiltIn, {uint32_t(builtin)});
    const bool integer = type == b_.type_int(32, false) || builtin == spv::BuiltIn::SampleMask;
    if (nir_->info.stage == MESA_SHADER_FRAGMENT && integer)
        b_.decorate(id, spv::Decoration::Flat);
    return id;
}

Id Translator::load_builtin(spv::BuiltIn builtin, Id type) {
    return b_.load(type, builtin_input(builtin, type));
}

bool Translator::emit_system_value(const nir_intrinsic_instr* intr) {
    const Id uint32 = b_.type_int(32, false);
    const Id float32 = b_.type_float(32);
    const auto result = [&](Kind kind, Id id) {
        set(&intr->def, kind, id);
        return true;
    };
    const auto integer = [&](spv::BuiltIn builtin) {
        return result(Kind::uint, load_builtin(builtin, uint32));
    };
    const auto draw_parameter = [&](spv::BuiltIn builtin) {
        if (!target_.draw_parameters)
            return u32(0);
        b_.capability(spv::Capability::DrawParameters);
        return load_builtin(builtin, uint32);
    };
    const auto boolean = [&](Id id) {
        return result(intr->def.bit_size == 1 ? Kind::boolean : Kind::uint,
                      intr->def.bit_size == 1 ? id : cast(id, Kind::boolean, Kind::uint, 32, 1));
    };

    switch (intr->intrinsic) {
    // Vertices. VertexIndex counts from the base vertex, as gl_VertexID does; InstanceIndex counts
    // from the base instance, as gl_InstanceID does not.
    case nir_intrinsic_load_vertex_id:
        return integer(spv::BuiltIn::VertexIndex);
    case nir_intrinsic_load_vertex_id_zero_base: {
        const Id index = load_builtin(spv::BuiltIn::VertexIndex, uint32);
        return result(Kind::uint, b_.emit(spv::Op::OpISub, uint32,
                                          {index, draw_parameter(spv::BuiltIn::BaseVertex)}));
    }
    case nir_intrinsic_load_instance_id: {
        const Id index = load_builtin(spv::BuiltIn::InstanceIndex, uint32);
        return result(Kind::uint, b_.emit(spv::Op::OpISub, uint32,
                                          {index, draw_parameter(spv::BuiltIn::BaseInstance)}));
    }
    case nir_intrinsic_load_first_vertex:
        return result(Kind::uint, draw_parameter(spv::BuiltIn::BaseVertex));
    case nir_intrinsic_load_base_vertex: {
        const Id base = draw_parameter(spv::BuiltIn::BaseVertex);
        const Id mask = load_push_constant(offsetof(DrawParameters, draw_is_indexed));
        return result(Kind::uint, b_.emit(spv::Op::OpBitwiseAnd, uint32, {base, mask}));
    }
    case nir_intrinsic_load_base_instance:
        return result(Kind::uint, draw_parameter(spv::BuiltIn::BaseInstance));
    case nir_intrinsic_load_is_indexed_draw:
        return result(Kind::uint, load_push_constant(offsetof(DrawParameters, draw_is_indexed)));
    case nir_intrinsic_load_draw_id: {
        const Id first = load_push_constant(offsetof(DrawParameters, draw_id));
        return result(Kind::uint, b_.emit(spv::Op::OpIAdd, uint32,
                                          {first, draw_parameter(spv::BuiltIn::DrawIndex)}));
    }

    case nir_intrinsic_load_push_constant: // emitted by the driver's own NIR passes to read
                                           // DrawParameters
        if (!nir_src_is_const(intr->src[0]) || intr->def.num_components != 1)
            return false;
        return result(Kind::uint,
                      load_push_constant(nir_intrinsic_base(intr) + nir_src_as_uint(intr->src[0])));

    case nir_intrinsic_shader_clock: {
        if (!target_.shader_clock)
            fail_instruction("a clock, which the device does not have:", &intr->instr);
        b_.capability(spv::Capability::ShaderClockKHR);
        b_.extension("SPV_KHR_shader_clock");
        const Id pair = b_.emit(spv::Op::OpReadClockKHR, b_.type_vector(uint32, 2),
                                {u32(uint32_t(spv::Scope::Subgroup))});
        return result(Kind::uint, pair);
    }

    // Primitives
    case nir_intrinsic_load_primitive_id:
        if (nir_->info.stage == MESA_SHADER_FRAGMENT)
            b_.capability(spv::Capability::Geometry);
        return integer(spv::BuiltIn::PrimitiveId);
    case nir_intrinsic_load_invocation_id:
        return integer(spv::BuiltIn::InvocationId);
    case nir_intrinsic_load_layer_id:
        b_.capability(spv::Capability::Geometry);
        return integer(spv::BuiltIn::Layer);
    case nir_intrinsic_load_view_index:
        if (!target_.multiview)
            return result(Kind::uint, u32(0));
        b_.capability(spv::Capability::MultiView);
        return integer(spv::BuiltIn::ViewIndex);

    // Tessellation
    case nir_intrinsic_load_patch_vertices_in:
        // The value differs from the patch's own number of vertices where a passthrough control
        // shader for any size is used.
        if (nir_->info.stage == MESA_SHADER_TESS_EVAL)
            return result(Kind::uint,
                          load_push_constant(offsetof(DrawParameters, vertices_per_patch)));
        return integer(spv::BuiltIn::PatchVertices);
    case nir_intrinsic_load_tess_coord:
        return result(Kind::floating,
                      load_builtin(spv::BuiltIn::TessCoord, b_.type_vector(float32, 3)));
    case nir_intrinsic_load_tess_level_outer:
        return result(Kind::floating, load_tess_levels(true, intr->def.num_components));
    case nir_intrinsic_load_tess_level_inner:
        return result(Kind::floating, load_tess_levels(false, intr->def.num_components));
    case nir_intrinsic_load_tess_level_outer_default:
    case nir_intrinsic_load_tess_level_inner_default: {
        const bool outer = intr->intrinsic == nir_intrinsic_load_tess_level_outer_default;
        const uint32_t offset = outer ? offsetof(DrawParameters, default_tess_level_outer)
                                      : offsetof(DrawParameters, default_tess_level_inner);
        std::vector<Id> members;
        for (uint32_t i = 0; i < (outer ? 4 : 2); i++)
            members.push_back(load_push_constant(offset + 4 * i));
        return result(Kind::uint, compose(uint32, members));
    }

    // Fragments
    case nir_intrinsic_load_frag_coord:
        return result(Kind::floating,
                      load_builtin(spv::BuiltIn::FragCoord, b_.type_vector(float32, 4)));
    case nir_intrinsic_load_point_coord: {
        // GL_POINT_SPRITE_COORD_ORIGIN and upside-down windows: t or 1 - t, beyond the point's edge
        // too, where helper invocations are: (flip - t) * (2 * flip - 1), exact for both.
        const Id point = load_builtin(spv::BuiltIn::PointCoord, b_.type_vector(float32, 2));
        const Id s = b_.emit(spv::Op::OpCompositeExtract, float32, {point, 0});
        const Id t = b_.emit(spv::Op::OpCompositeExtract, float32, {point, 1});
        const Id flip = b_.emit(spv::Op::OpBitcast, float32,
                                {load_push_constant(offsetof(DrawParameters, point_coord_flip))});
        const Id sign =
            b_.emit(spv::Op::OpFSub, float32,
                    {b_.emit(spv::Op::OpFAdd, float32, {flip, flip}), b_.constant_float(1)});
        const Id turned =
            b_.emit(spv::Op::OpFMul, float32, {b_.emit(spv::Op::OpFSub, float32, {flip, t}), sign});
        return result(Kind::floating, b_.emit(spv::Op::OpCompositeConstruct,
                                              b_.type_vector(float32, 2), {s, turned}));
    }
    case nir_intrinsic_load_front_face:
        return boolean(load_builtin(spv::BuiltIn::FrontFacing, b_.type_bool()));
    case nir_intrinsic_load_front_face_fsign:
        return result(Kind::floating,
                      b_.emit(spv::Op::OpSelect, float32,
                              {load_builtin(spv::BuiltIn::FrontFacing, b_.type_bool()),
                               b_.constant_float(1), b_.constant_float(-1)}));
    case nir_intrinsic_load_sample_id:
        b_.capability(spv::Capability::SampleRateShading);
        out_.uses_sample_shading = true;
        return integer(spv::BuiltIn::SampleId);
    case nir_intrinsic_load_sample_pos:
    case nir_intrinsic_load_sample_pos_or_center:
        b_.capability(spv::Capability::SampleRateShading);
        out_.uses_sample_shading = true;
        return result(Kind::floating,
                      load_builtin(spv::BuiltIn::SamplePosition, b_.type_vector(float32, 2)));
    case nir_intrinsic_load_sample_mask_in: {
        const Id variable = builtin_input(spv::BuiltIn::SampleMask, b_.type_array(uint32, 1));
        return result(Kind::uint, b_.load(uint32, b_.access_chain(spv::StorageClass::Input, uint32,
                                                                  variable, {u32(0)})));
    }
    case nir_intrinsic_load_helper_invocation:
        return boolean(load_builtin(spv::BuiltIn::HelperInvocation, b_.type_bool()));
    case nir_intrinsic_is_helper_invocation:
        if (!target_.demote)
            return boolean(load_builtin(spv::BuiltIn::HelperInvocation, b_.type_bool()));
        b_.capability(spv::Capability::DemoteToHelperInvocationEXT);
        b_.extension("SPV_EXT_demote_to_helper_invocation");
        return boolean(b_.emit(spv::Op::OpIsHelperInvocationEXT, b_.type_bool(), {}));
    default:
        return false;
    }
}

} // namespace kobalt::spirv
