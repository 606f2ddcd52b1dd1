// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Dispatches intrinsics by concern. Each emit_*_intrinsic returns whether it handled the intrinsic.

#include "spirv/translator.h"

namespace kobalt::spirv {

void Translator::emit_intrinsic(const nir_intrinsic_instr* intr) {
    if (!emit_io_intrinsic(intr) && !emit_memory_intrinsic(intr) && !emit_system_value(intr) &&
        !emit_fragment_intrinsic(intr) && !emit_geometry_intrinsic(intr) && !emit_barrier(intr) &&
        !emit_storage_buffer_intrinsic(intr) && !emit_image_intrinsic(intr) &&
        !emit_compute_intrinsic(intr) && !emit_subgroup_intrinsic(intr) &&
        !emit_residency_intrinsic(intr))
        fail_instruction("intrinsic", &intr->instr);
}

bool Translator::emit_fragment_intrinsic(const nir_intrinsic_instr* intr) {
    const auto derivative = [&](spv::Op op, bool needs_control) {
        if (needs_control)
            b_.capability(spv::Capability::DerivativeControl);
        const Id source = get(intr->src[0], Kind::floating);
        const Id type = value_type(Kind::floating, intr->def.bit_size, intr->def.num_components);
        // Where the stage has no derivatives, NIR may still hold some in dead code; they become 0.
        set(&intr->def, Kind::floating,
            derives() ? b_.emit(op, type, {source}) : b_.constant_null(type));
        return true;
    };
    const auto demote = [&] {
        b_.capability(spv::Capability::DemoteToHelperInvocationEXT);
        b_.extension("SPV_EXT_demote_to_helper_invocation");
        b_.emit_void(spv::Op::OpDemoteToHelperInvocationEXT, {});
    };

    switch (intr->intrinsic) {
    case nir_intrinsic_demote:
        out_.uses_discard = true;
        if (target_.demote)
            demote();
        else
            emit_conditional_kill(b_.constant_bool(true));
        return true;
    case nir_intrinsic_demote_if: {
        out_.uses_discard = true;
        const Id condition = get(intr->src[0], Kind::boolean);
        if (!target_.demote) {
            emit_conditional_kill(condition);
            return true;
        }
        const Id yes = b_.make_id();
        const Id merge = b_.make_id();
        b_.emit_void(spv::Op::OpSelectionMerge,
                     {merge, uint32_t(spv::SelectionControlMask::MaskNone)});
        b_.emit_void(spv::Op::OpBranchConditional, {condition, yes, merge});
        b_.begin_block(yes);
        demote();
        b_.emit_void(spv::Op::OpBranch, {merge});
        b_.begin_block(merge);
        return true;
    }
    case nir_intrinsic_terminate:
        out_.uses_discard = true;
        emit_conditional_kill(b_.constant_bool(true));
        return true;
    case nir_intrinsic_terminate_if:
        out_.uses_discard = true;
        emit_conditional_kill(get(intr->src[0], Kind::boolean));
        return true;
    case nir_intrinsic_begin_invocation_interlock:
        b_.emit_void(spv::Op::OpBeginInvocationInterlockEXT, {});
        return true;
    case nir_intrinsic_end_invocation_interlock:
        b_.emit_void(spv::Op::OpEndInvocationInterlockEXT, {});
        return true;
    case nir_intrinsic_ddx:
        return derivative(spv::Op::OpDPdx, false);
    case nir_intrinsic_ddy:
        return derivative(spv::Op::OpDPdy, false);
    case nir_intrinsic_ddx_fine:
        return derivative(spv::Op::OpDPdxFine, true);
    case nir_intrinsic_ddy_fine:
        return derivative(spv::Op::OpDPdyFine, true);
    case nir_intrinsic_ddx_coarse:
        return derivative(spv::Op::OpDPdxCoarse, true);
    case nir_intrinsic_ddy_coarse:
        return derivative(spv::Op::OpDPdyCoarse, true);
    default:
        return false;
    }
}

bool Translator::emit_geometry_intrinsic(const nir_intrinsic_instr* intr) {
    switch (intr->intrinsic) {
    case nir_intrinsic_emit_vertex: {
        const unsigned stream = nir_intrinsic_stream_id(intr);
        store_default_outputs();
        write_capture_copies(int(stream));
        if (stream == 0)
            finish_vertex();
        if (nir_->info.gs.active_stream_mask & ~1u)
            b_.emit_void(spv::Op::OpEmitStreamVertex, {u32(stream)});
        else
            b_.emit_void(spv::Op::OpEmitVertex, {});
        return true;
    }
    case nir_intrinsic_end_primitive:
        if (nir_->info.gs.active_stream_mask & ~1u)
            b_.emit_void(spv::Op::OpEndStreamPrimitive, {u32(nir_intrinsic_stream_id(intr))});
        else
            b_.emit_void(spv::Op::OpEndPrimitive, {});
        return true;
    case nir_intrinsic_set_vertex_and_primitive_count:
    case nir_intrinsic_nop:
        return true;
    default:
        return false;
    }
}

} // namespace kobalt::spirv
