// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "spirv/translator.h"

#include <algorithm>
#include <bit>

#include "spirv/push_constants.h"

#include <spirv/unified1/GLSL.std.450.h>

namespace kobalt::spirv {
namespace {

/// Whether a geometry shader may have the point size among its outputs, by the limits that every
/// device guarantees (Vulkan 1.3, table "Required Limits": maxGeometryOutputComponents, …Total…).
bool has_room_for_point_size(const shader_info& info) {
    if (info.outputs_written & BITFIELD64_BIT(VARYING_SLOT_PSIZ))
        return true;
    const unsigned components =
        4 * static_cast<unsigned>(std::popcount(uint64_t{info.outputs_written})) + 1;
    return components <= 64 && components * info.gs.vertices_out <= 1024;
}

} // namespace

const char* stage_name(gl_shader_stage stage) {
    return _mesa_shader_stage_to_string(stage);
}

void Translator::fail(std::string what) {
    if (!error_)
        error_ = TranslateError{std::string(stage_name(nir_->info.stage)) +
                                " shader: no SPIR-V for " + what};
}

void Translator::fail_instruction(const char* what, const nir_instr* instr) {
    std::string name;
    switch (instr->type) {
    case nir_instr_type_alu:
        name = nir_op_infos[nir_instr_as_alu(instr)->op].name;
        break;
    case nir_instr_type_intrinsic:
        name = nir_intrinsic_infos[nir_instr_as_intrinsic(instr)->intrinsic].name;
        break;
    case nir_instr_type_tex:
        name = "texop " + std::to_string(nir_instr_as_tex(instr)->op);
        break;
    default:
        name = "instruction type " + std::to_string(instr->type);
        break;
    }
    fail(std::string(what) + " " + name);
}

void Translator::emit_instruction(const nir_instr* instr) {
    switch (instr->type) {
    case nir_instr_type_alu:
        emit_alu(nir_instr_as_alu(instr));
        return;
    case nir_instr_type_intrinsic:
        emit_intrinsic(nir_instr_as_intrinsic(instr));
        return;
    case nir_instr_type_tex:
        emit_texture(nir_instr_as_tex(instr));
        return;
    case nir_instr_type_load_const: // emitted at their uses
    case nir_instr_type_undef:
    case nir_instr_type_debug_info:
        return;
    default:
        fail_instruction("instruction", instr);
        return;
    }
}

/// Where the device has no depth clip control, maps z from GL's -w..w to Vulkan's 0..w.
void Translator::reset_depth_range() {
    if (target_.depth_clip_control || !target_.last_vertex_stage)
        return;
    const auto position = outputs_.find(VARYING_SLOT_POS);
    if (position == outputs_.end() || position->second[2] < 0)
        return;
    const InterfaceVariable variable = variables_[size_t(position->second[2])];
    const Id float32 = b_.type_float(32);
    const Id z_pointer = pointer_to(variable, 2, 0, 0);
    const Id z = b_.load(float32, z_pointer);
    const Id w = b_.load(float32, pointer_to(variable, 3, 0, 0));
    const Id sum = b_.emit(spv::Op::OpFAdd, float32, {z, w});
    const Id half = b_.emit(spv::Op::OpFMul, float32, {sum, b_.constant_float(0.5f)});
    b_.decorate(sum, spv::Decoration::NoContraction);
    b_.decorate(half, spv::Decoration::NoContraction);
    const Id flag = load_push_constant(offsetof(DrawParameters, depth_negative_one_to_one));
    const Id wanted = b_.emit(spv::Op::OpINotEqual, b_.type_bool(), {flag, u32(0)});
    b_.store(z_pointer, b_.emit(spv::Op::OpSelect, float32, {wanted, half, z}));
}

/// glEnable(GL_CLIP_DISTANCEi) without variants: disabled distances are set to 0 just before the
/// vertex is emitted, after transform feedback has captured what the shader wrote.
void Translator::mask_clip_distances() {
    if (!clip_distance_[1] || !target_.clip_distance_mask || !target_.last_vertex_stage)
        return;
    const Id float32 = b_.type_float(32);
    const Id enabled = load_push_constant(offsetof(DrawParameters, clip_distance_enable));
    for (size_t i = 0; i < variables_.size(); i++) {
        const InterfaceVariable variable = variables_[i];
        if (!variable.scalar_array || variable.id != clip_distance_[1])
            continue;
        const Id pointer = pointer_to(variable, variable.first, 0, 0);
        const Id bit = b_.emit(spv::Op::OpBitwiseAnd, b_.type_int(32, false),
                               {enabled, u32(1u << variable.array_base)});
        const Id on = b_.emit(spv::Op::OpINotEqual, b_.type_bool(), {bit, u32(0)});
        b_.store(pointer, b_.emit(spv::Op::OpSelect, float32,
                                  {on, b_.load(float32, pointer), b_.constant_float(0)}));
    }
}

/// Whether a geometry shader's outputs and a point size exceed the device's limit, with whole slots
/// or `trimmed` to the written components. (NVIDIA's GPU hangs on such a shader.)
bool Translator::exceeds_with_point_size(bool trimmed) const {
    uint32_t components = 1;
    for (const auto& [slot, use] : output_uses_)
        if (slot != VARYING_SLOT_PSIZ)
            components += (trimmed ? width_of(use) : 4u) * use.array_slots;
    return components * nir_->info.gs.vertices_out > target_.geometry_output_components;
}

/// Whether a geometry shader omits the point size, because there is no room for it.
bool Translator::omits_point_size() const {
    return target_.default_point_size &&
           !(nir_->info.outputs_written & BITFIELD64_BIT(VARYING_SLOT_PSIZ)) &&
           exceeds_with_point_size(true);
}

/// glPointSize and GL_PROGRAM_POINT_SIZE without variants: the last vertex stage writes the size in
/// the push constant, or else its own. This applies where points reach the rasteriser, or polygons,
/// whose corners glPolygonMode may draw as points.
bool Translator::sets_point_size() const {
    const shader_info& info = nir_->info;
    if (!target_.last_vertex_stage)
        return false;
    switch (info.stage) {
    case MESA_SHADER_VERTEX:
        return true;
    case MESA_SHADER_TESS_EVAL:
        return target_.geometry_point_size &&
               (info.tess.point_mode || info.tess._primitive_mode != TESS_PRIMITIVE_ISOLINES);
    case MESA_SHADER_GEOMETRY:
        return target_.geometry_point_size &&
               ((info.gs.output_primitive == MESA_PRIM_POINTS && !omits_point_size()) ||
                (info.gs.output_primitive == MESA_PRIM_TRIANGLE_STRIP &&
                 has_room_for_point_size(info)));
    default:
        return false;
    }
}

void Translator::finish_point_size() {
    const auto size = outputs_.find(VARYING_SLOT_PSIZ);
    if (!sets_point_size() || size == outputs_.end() || size->second[0] < 0)
        return;
    const InterfaceVariable variable = variables_[size_t(size->second[0])];
    const Id float32 = b_.type_float(32);
    const Id pointer = pointer_to(variable, 0, 0, 0);
    const Id own =
        output_uses_[VARYING_SLOT_PSIZ].mask ? b_.load(float32, pointer) : b_.constant_float(1);
    const Id wanted = b_.emit(spv::Op::OpBitcast, float32,
                              {load_push_constant(offsetof(DrawParameters, point_size))});
    const Id zero = b_.constant_float(0);
    const Id given = b_.emit(spv::Op::OpFOrdGreaterThan, b_.type_bool(), {wanted, zero});
    const Id whole = b_.emit(spv::Op::OpFOrdLessThan, b_.type_bool(), {wanted, zero});
    const Id rounded = b_.emit_extended(
        GLSLstd450FMax, float32,
        {b_.constant_float(1),
         b_.emit_extended(GLSLstd450Ceil, float32,
                          {b_.emit(spv::Op::OpFAdd, float32, {own, b_.constant_float(-0.5f)})})});
    const Id written = b_.emit(spv::Op::OpSelect, float32, {whole, rounded, own});
    b_.store(pointer, b_.emit(spv::Op::OpSelect, float32, {given, wanted, written}));
}

/// Replaces outputs before the vertex is emitted; transform feedback captures what the shader
/// wrote.
void Translator::finish_vertex() {
    mask_clip_distances();
    finish_point_size();
    reset_depth_range();
}

void Translator::epilogue() {
    if (nir_->info.stage != MESA_SHADER_VERTEX && nir_->info.stage != MESA_SHADER_TESS_EVAL)
        return;
    write_capture_copies(-1);
    finish_vertex();
}

/// GL_ARB_fragment_shader_interlock: which fragments exclude each other, and in what order.
void Translator::interlock_modes() {
    using enum spv::ExecutionMode;
    const auto& fs = nir_->info.fs;
    const bool pixel = fs.pixel_interlock_ordered || fs.pixel_interlock_unordered;
    const bool sample = fs.sample_interlock_ordered || fs.sample_interlock_unordered;
    if (!pixel && !sample)
        return;
    b_.extension("SPV_EXT_fragment_shader_interlock");
    b_.capability(pixel ? spv::Capability::FragmentShaderPixelInterlockEXT
                        : spv::Capability::FragmentShaderSampleInterlockEXT);
    b_.execution_mode(fs.pixel_interlock_ordered     ? PixelInterlockOrderedEXT
                      : fs.pixel_interlock_unordered ? PixelInterlockUnorderedEXT
                      : fs.sample_interlock_ordered  ? SampleInterlockOrderedEXT
                                                     : SampleInterlockUnorderedEXT);
}

/// Vulkan runs a fragment shader per sample if it declares a built-in variable such as SampleId
/// (Vulkan 1.3, "Sample Shading"), so one is declared where the code reads none any more. Shaders
/// that fetch attachments read one already where the attachments are multisampled.
void Translator::run_at_samples() {
    if (nir_->info.stage != MESA_SHADER_FRAGMENT || !nir_->info.fs.uses_sample_shading ||
        out_.uses_sample_shading || out_.fetched_attachments)
        return;
    b_.capability(spv::Capability::SampleRateShading);
    builtin_input(spv::BuiltIn::SampleId, b_.type_int(32, false));
    out_.uses_sample_shading = true;
}

void Translator::execution_modes() {
    using enum spv::ExecutionMode;
    const shader_info& info = nir_->info;
    switch (info.stage) {
    case MESA_SHADER_FRAGMENT:
        b_.execution_mode(OriginUpperLeft);
        if (info.fs.early_fragment_tests) {
            b_.execution_mode(EarlyFragmentTests);
            out_.early_fragment_tests = true;
        }
        if (info.fs.post_depth_coverage) {
            b_.capability(spv::Capability::SampleMaskPostDepthCoverage);
            b_.extension("SPV_KHR_post_depth_coverage");
            b_.execution_mode(PostDepthCoverage);
        }
        if (out_.writes_depth) {
            if (info.fs.depth_layout == FRAG_DEPTH_LAYOUT_GREATER)
                b_.execution_mode(DepthGreater);
            else if (info.fs.depth_layout == FRAG_DEPTH_LAYOUT_LESS)
                b_.execution_mode(DepthLess);
            else if (info.fs.depth_layout == FRAG_DEPTH_LAYOUT_UNCHANGED)
                b_.execution_mode(DepthUnchanged);
        }
        interlock_modes();
        break;
    case MESA_SHADER_GEOMETRY: {
        b_.capability(spv::Capability::Geometry);
        b_.execution_mode(
            info.gs.input_primitive == MESA_PRIM_POINTS            ? InputPoints
            : info.gs.input_primitive == MESA_PRIM_LINES           ? InputLines
            : info.gs.input_primitive == MESA_PRIM_LINES_ADJACENCY ? InputLinesAdjacency
            : info.gs.input_primitive == MESA_PRIM_TRIANGLES       ? Triangles
                                                                   : InputTrianglesAdjacency);
        b_.execution_mode(info.gs.output_primitive == MESA_PRIM_POINTS       ? OutputPoints
                          : info.gs.output_primitive == MESA_PRIM_LINE_STRIP ? OutputLineStrip
                                                                             : OutputTriangleStrip);
        b_.execution_mode(OutputVertices, {std::max<uint32_t>(info.gs.vertices_out, 1)});
        b_.execution_mode(Invocations, {std::max<uint32_t>(info.gs.invocations, 1)});
        if (info.gs.active_stream_mask & ~1u)
            b_.capability(spv::Capability::GeometryStreams);
        break;
    }
    case MESA_SHADER_TESS_CTRL:
    case MESA_SHADER_TESS_EVAL:
        tessellation_modes();
        break;
    case MESA_SHADER_COMPUTE:
        compute_modes();
        break;
    default:
        break;
    }
    float_modes();
}

/// GLSL 4.60, 4.7.1: infinities and signed zeros follow IEEE 754, and NaNs are kept where
/// generated. Without these modes Vulkan lets the device's compiler assume that none occur.
void Translator::float_modes() {
    const auto preserve = [&](bool offered, uint32_t bits) {
        if (!offered)
            return;
        b_.capability(spv::Capability::SignedZeroInfNanPreserve);
        b_.extension("SPV_KHR_float_controls");
        b_.execution_mode(spv::ExecutionMode::SignedZeroInfNanPreserve, {bits});
    };
    preserve(target_.preserve_special_float32, 32);
    preserve(target_.preserve_special_float64 && nir_->info.bit_sizes_float & 64, 64);
}

std::expected<Translation, TranslateError> Translator::run() {
    spv::ExecutionModel model{};
    switch (nir_->info.stage) {
    case MESA_SHADER_VERTEX:
        model = spv::ExecutionModel::Vertex;
        break;
    case MESA_SHADER_TESS_CTRL:
        model = spv::ExecutionModel::TessellationControl;
        break;
    case MESA_SHADER_TESS_EVAL:
        model = spv::ExecutionModel::TessellationEvaluation;
        break;
    case MESA_SHADER_COMPUTE:
        model = spv::ExecutionModel::GLCompute;
        break;
    case MESA_SHADER_GEOMETRY:
        model = spv::ExecutionModel::Geometry;
        break;
    case MESA_SHADER_FRAGMENT:
        model = spv::ExecutionModel::Fragment;
        break;
    default:
        fail("this stage");
        return std::unexpected(*error_);
    }
    if (nir_->info.bit_sizes_float & 64 && !target_.float64) {
        fail("64-bit floats, which the device does not have");
        return std::unexpected(*error_);
    }
    b_.capability(spv::Capability::Shader);
    scan_shader();
    if (sets_point_size())
        output_uses_[VARYING_SLOT_PSIZ].as_float = true;
    scan_captures();
    begin_transform_feedback();
    declare_interface();
    execution_modes();
    if (!error_) {
        b_.begin_block(b_.make_id());
        if (nir_->info.stage != MESA_SHADER_GEOMETRY)
            store_default_outputs();
        emit_body(nir_shader_get_entrypoint(const_cast<nir_shader*>(nir_)));
        run_at_samples();
    }
    if (error_)
        return std::unexpected(*error_);
    std::ranges::stable_sort(out_.bindings, {}, &Binding::binding); // elements stay in order
    // From SPIR-V 1.6 on, a module's subgroups may vary in size (Vulkan 1.3, SubgroupSize); GL has
    // one size for all, GL_SUBGROUP_SIZE_KHR.
    const bool sized = builtins_.contains(uint32_t(spv::BuiltIn::SubgroupSize));
    constexpr uint32_t version_1_5 = 0x00010500;
    out_.words = b_.finish(
        sized ? std::min(target_.spirv_version, version_1_5) : target_.spirv_version, model);
    return std::move(out_);
}

std::expected<Translation, TranslateError> translate(const nir_shader* nir, const Target& target) {
    return Translator(nir, target).run();
}

} // namespace kobalt::spirv
