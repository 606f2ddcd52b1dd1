// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "nir.h" // before the headers that only name its types

#include "mesa_program.h"

#include <algorithm>
#include <cstring>

#include "ast.h"
#include "builtin_functions.h"
#include "gl_nir.h"
#include "gl_nir_linker.h"
#include "glsl_parser_extras.h"
#include "glsl_to_nir.h"
#include "linker_util.h"
#include "standalone_scaffolding.h"

#include "main/mtypes.h"
#include "main/shader_types.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace kobalt::corpus {

namespace {

constexpr unsigned desktop_version = 46, es_version = 32; ///< of the context, times 10

/// Limits of a GL 4.6 implementation, which also suit tests that need less.
void set_limits(gl_context& ctx) {
    gl_constants& limits = ctx.Const;
    limits.MaxClipPlanes = 8;
    limits.MaxDrawBuffers = 8;
    limits.MaxDualSourceDrawBuffers = 1;
    limits.MinProgramTexelOffset = -8;
    limits.MaxProgramTexelOffset = 7;
    limits.MinProgramTextureGatherOffset = -8;
    limits.MaxProgramTextureGatherOffset = 7;
    limits.MaxProgramTextureGatherComponents = 4;
    limits.MaxLights = 8;
    limits.MaxTextureCoordUnits = 8;
    limits.MaxTextureUnits = 8;
    limits.MaxUniformBufferBindings = 84;
    limits.MaxCombinedUniformBlocks = 84;
    limits.MaxUniformBlockSize = 65536;
    limits.MaxVertexStreams = 4;
    limits.MaxViewports = 16;
    limits.MaxSamples = 8;
    limits.MaxTransformFeedbackBuffers = 4;
    limits.MaxTransformFeedbackInterleavedComponents = 128;
    limits.MaxTransformFeedbackSeparateComponents = 128;
    limits.MaxCombinedTextureImageUnits = 192;
    limits.MaxGeometryOutputVertices = 256;
    limits.MaxGeometryTotalOutputComponents = 1024;
    limits.MaxGeometryShaderInvocations = 32;
    limits.MaxVarying = 32;
    limits.MaxPatchVertices = 32;
    limits.MaxTessGenLevel = 64;
    limits.MaxTessPatchComponents = 120;
    limits.MaxTessControlTotalOutputComponents = 4096;
    limits.MaxAtomicBufferBindings = 8;
    limits.MaxAtomicBufferSize = 65536;
    limits.MaxCombinedAtomicBuffers = 8 * MESA_SHADER_STAGES;
    limits.MaxCombinedAtomicCounters = 4096;
    limits.MaxShaderStorageBufferBindings = 96;
    limits.MaxCombinedShaderStorageBlocks = 96;
    limits.MaxShaderStorageBlockSize = 1u << 27;
    limits.MaxImageUnits = 96;
    limits.MaxCombinedImageUniforms = 96;
    limits.MaxImageSamples = 8;
    limits.MaxCombinedShaderOutputResources = 200;
    limits.MaxComputeSharedMemorySize = 32768;
    limits.MaxComputeWorkGroupInvocations = 1024;
    limits.ShaderSubgroupSupportedStages = limits.ShaderSubgroupSupportedFeatures = ~0u;
    limits.ShaderSubgroupQuadAllStages = true;
    limits.MaxUserAssignableUniformLocations = 4 * MESA_SHADER_STAGES * MAX_UNIFORMS;
    for (auto& stage : limits.Program) {
        stage.MaxAttribs = 32;
        stage.MaxTextureImageUnits = 32;
        stage.MaxUniformComponents = stage.MaxCombinedUniformComponents = 16384;
        stage.MaxUniformBlocks = 15;
        stage.MaxInputComponents = stage.MaxOutputComponents = 128;
        stage.MaxAtomicBuffers = 8;
        stage.MaxAtomicCounters = 4096;
        stage.MaxImageUniforms = 16;
        stage.MaxShaderStorageBlocks = 16;
    }
    limits.NativeIntegers = true;
    limits.PackedDriverUniformStorage = true;
    limits.AllowGLSLCompatShaders = true;
    // As Kobalt's driver sets them.
    limits.GLSLHasHalfFloatPacking = true;
    limits.GLSLFragCoordIsSysVal = true;
    limits.GLSLPointCoordIsSysVal = true;
    limits.GLSLFrontFacingIsSysVal = true;
}

void set_up(gl_context& ctx, const ShaderTest& test, const spirv::Target& target) {
    const gl_api api = test.es                                     ? API_OPENGLES2
                       : test.version > 130 && !test.compatibility ? API_OPENGL_CORE
                                                                   : API_OPENGL_COMPAT;
    initialize_context_to_defaults(&ctx, api);
    // Enables all extensions that Mesa's compiler knows; the translator has to refuse what it
    // doesn't support.
    std::memset(&ctx.Extensions, 1, offsetof(gl_extensions, extension_sentinel));
    ctx.Extensions.Version = GLubyte(test.es ? es_version : desktop_version);
    ctx.Version = test.es ? es_version : desktop_version;
    ctx.Const.GLSLVersion = ctx.Const.GLSLVersionCompat = 460;
    set_limits(ctx);
    for (int stage = 0; stage < MESA_SHADER_STAGES; stage++)
        ctx.Const.ShaderCompilerOptions[stage].NirOptions =
            spirv::compiler_options(gl_shader_stage(stage), target);
}

GLenum shader_type(gl_shader_stage stage) {
    switch (stage) {
    case MESA_SHADER_VERTEX:
        return GL_VERTEX_SHADER;
    case MESA_SHADER_TESS_CTRL:
        return GL_TESS_CONTROL_SHADER;
    case MESA_SHADER_TESS_EVAL:
        return GL_TESS_EVALUATION_SHADER;
    case MESA_SHADER_GEOMETRY:
        return GL_GEOMETRY_SHADER;
    case MESA_SHADER_COMPUTE:
        return GL_COMPUTE_SHADER;
    default:
        return GL_FRAGMENT_SHADER;
    }
}

bool has_64_bits(const nir_instr* instr) {
    bool has = false;
    const auto look = [](nir_def* def, void* found) {
        *static_cast<bool*>(found) = *static_cast<bool*>(found) || def->bit_size == 64;
        return true;
    };
    nir_foreach_def(const_cast<nir_instr*>(instr), look, &has);
    nir_foreach_src(
        const_cast<nir_instr*>(instr),
        [](nir_src* source, void* found) {
            *static_cast<bool*>(found) = *static_cast<bool*>(found) || source->ssa->bit_size == 64;
            return true;
        },
        &has);
    return has;
}

/// Mesa's functions for doubles. Its stand-alone compiler forgets the shader that it clones them
/// from (_mesa_delete_shader in standalone_scaffolding.cpp frees no NIR): the leak is Mesa's.
nir_shader* double_functions(gl_context* ctx, const nir_shader_compiler_options* options) {
#ifdef __SANITIZE_ADDRESS__
    const __lsan::ScopedDisabler forgotten;
#endif
    return glsl_float64_funcs_to_nir(ctx, options);
}

/// Lowers doubles and 64-bit integers where the device has none, as the state tracker does: doubles
/// become calls of Mesa's functions in GLSL.
void lower_wide_types(gl_context* ctx, nir_shader* nir) {
    const nir_shader_compiler_options& options = *nir->options;
    if (!((nir->info.bit_sizes_int | nir->info.bit_sizes_float) & 64) ||
        (!options.lower_doubles_options && !options.lower_int64_options))
        return;
    if (options.lower_doubles_options) {
        if (!ctx->SoftFP64)
            ctx->SoftFP64 = double_functions(ctx, &options);
        NIR_PASS(
            _, nir, nir_lower_alu_to_scalar,
            [](const nir_instr* instr, const void*) { return has_64_bits(instr); }, nullptr);
        NIR_PASS(_, nir, nir_lower_phis_to_scalar, false);
        NIR_PASS(_, nir, nir_lower_frexp);
        NIR_PASS(_, nir, nir_lower_doubles, ctx->SoftFP64, options.lower_doubles_options);
    }
    if (options.lower_int64_options)
        NIR_PASS(_, nir, nir_lower_int64);
    NIR_PASS(_, nir, nir_opt_vectorize, nullptr, nullptr);
    gl_nir_opts(nir);
}

/// The state tracker's passes between linking and the driver, as far as shaders alone need them.
void finish(gl_context* ctx, nir_shader* nir, gl_shader_program* program) {
    nir_shader_gather_info(nir, nir_shader_get_entrypoint(nir));
    NIR_PASS(_, nir, gl_nir_lower_buffers, program);
    NIR_PASS(_, nir, nir_lower_system_values);
    const nir_lower_compute_system_values_options compute{};
    NIR_PASS(_, nir, nir_lower_compute_system_values, &compute);
    NIR_PASS(_, nir, gl_nir_lower_atomics, program, true);
    lower_wide_types(ctx, nir);
    NIR_PASS(_, nir, nir_lower_atomics_to_ssbo, 0);
    int location = 0;
    nir_foreach_variable_with_modes(variable, nir, nir_var_uniform) {
        const bool bindless = variable->data.bindless;
        if (glsl_type_is_sampler(glsl_without_array(variable->type)) && !bindless)
            continue;
        variable->data.driver_location = unsigned(location);
        location += int(glsl_count_dword_slots(variable->type, bindless) + 3) & ~3;
    }
    nir->num_uniforms = unsigned(location + 3) / 4;
    unsigned image = 0;
    nir_foreach_variable_with_modes(variable, nir, nir_var_image) {
        if (variable->data.bindless)
            continue;
        variable->data.driver_location = image;
        image += glsl_type_get_image_count(variable->type);
    }
    const auto dwords = [](const glsl_type* type, bool bindless) {
        return int(glsl_count_dword_slots(type, bindless));
    };
    NIR_PASS(_, nir, nir_lower_io, nir_var_uniform, dwords, nir_lower_io_options(0));
    NIR_PASS(_, nir, nir_lower_uniforms_to_ubo, true, false);
    NIR_PASS(_, nir, gl_nir_lower_samplers, program);
    NIR_PASS(_, nir, gl_nir_lower_images, false);
    nir_shader_gather_info(nir, nir_shader_get_entrypoint(nir));
}

/// The first line of Mesa's log that is an error; warnings come before it.
std::string first_error(const char* log) {
    const std::string text = log ? log : "";
    const size_t error = text.find("error");
    const size_t newline = error == std::string::npos ? error : text.rfind('\n', error);
    const size_t start = newline == std::string::npos ? 0 : newline + 1;
    return text.substr(start, text.find('\n', start) - start);
}

} // namespace

void MesaProgram::Free::operator()(gl_context* context) const {
    ralloc_free(context->SoftFP64);
    delete context;
}

void MesaProgram::Free::operator()(gl_shader_program* program) const {
    standalone_destroy_shader_program(program);
}

std::expected<MesaProgram, std::string> MesaProgram::link(const ShaderTest& test,
                                                          std::span<const Source> sources,
                                                          bool separable,
                                                          const spirv::Target& target) {
    MesaProgram result;
    result.context_.reset(new gl_context);
    gl_context* ctx = result.context_.get();
    set_up(*ctx, test, target);
    result.program_.reset(standalone_create_shader_program());
    gl_shader_program* program = result.program_.get();
    for (const Source& source : sources) {
        gl_shader* shader = standalone_add_shader_source(ctx, program, shader_type(source.stage),
                                                         source.text.c_str());
        _mesa_glsl_compile_shader(ctx, shader, nullptr, false, false, true);
        if (!shader->CompileStatus)
            return std::unexpected(first_error(shader->InfoLog));
    }
    program->SeparateShader = separable;
    _mesa_clear_shader_program_data(ctx, program);
    program->data->LinkStatus = LINKING_SUCCESS;
    link_shaders_init(ctx, program);
    if (!gl_nir_link_glsl(ctx, program) || !program->data->LinkStatus)
        return std::unexpected(first_error(program->data->InfoLog));
    for (int stage = 0; stage < MESA_SHADER_STAGES; stage++) {
        if (gl_linked_shader* linked = program->_LinkedShaders[stage]) {
            result.shaders_[size_t(stage)] = linked->Program->nir;
            finish(ctx, linked->Program->nir, program);
        }
    }
    // As in the state tracker: the control stage gets the evaluation stage's primitive mode.
    nir_shader* control = result.shaders_[MESA_SHADER_TESS_CTRL];
    const nir_shader* evaluation = result.shaders_[MESA_SHADER_TESS_EVAL];
    if (control && evaluation) {
        control->info.tess._primitive_mode = evaluation->info.tess._primitive_mode;
        control->info.tess.spacing = evaluation->info.tess.spacing;
    }
    return result;
}

} // namespace kobalt::corpus
