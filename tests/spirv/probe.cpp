// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// The SPIR-V corpus probe: takes piglit shader tests, compiles and links each with Mesa's GLSL
// compiler, translates every vertex, geometry and fragment shader and validates the module.
//
//   spirv_probe [--dump DIR] [--print] [--xfb] [--portable] FILE.shader_test… | -
//
// Each file runs in a process of its own, so that one crash is one failure. The last line sums up:
// `N passed, N failed, N skipped` (shaders passed, files failed, files skipped).

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <spirv-tools/libspirv.hpp>

#include "nir.h" // before the headers that only name its types

#include "ast.h"
#include "builtin_functions.h"
#include "gl_nir.h"
#include "gl_nir_linker.h"
#include "glsl_parser_extras.h"
#include "ir_optimization.h"
#include "linker_util.h"

#include "main/mtypes.h"
#include "main/shader_types.h"
#include "nir_xfb_info.h"
#include "standalone_scaffolding.h"

#include "spirv/translate.h"

namespace {

constexpr int exit_skipped = 77;

struct Options {
    std::string dump;
    bool print = false;
    bool xfb = false;      // capture pieces of every output
    bool portable = false; // for a device that has nothing optional
};

struct Source {
    gl_shader_stage stage;
    std::string text;
    bool passthrough = false;
};

struct ShaderTest {
    std::vector<Source> sources;
    unsigned version = 110;
    bool es = false, compatibility = false, supported = true, separable = false;
};

ShaderTest parse(const std::string& path) {
    static const std::map<std::string, gl_shader_stage> stages{
        {"[vertex shader]", MESA_SHADER_VERTEX},
        {"[vertex shader passthrough]", MESA_SHADER_VERTEX},
        {"[geometry shader]", MESA_SHADER_GEOMETRY},
        {"[fragment shader]", MESA_SHADER_FRAGMENT},
    };
    ShaderTest test;
    std::ifstream file(path);
    std::string line;
    Source* current = nullptr;
    while (std::getline(file, line)) {
        if (line.starts_with("[")) {
            current = nullptr;
            const size_t end = line.find(']');
            const std::string section = line.substr(0, end == std::string::npos ? end : end + 1);
            if (const auto stage = stages.find(section); stage != stages.end()) {
                test.sources.push_back({stage->second, {}});
                current = &test.sources.back();
                current->passthrough = section.find("passthrough") != std::string::npos;
            } else if (section.find("shader") != std::string::npos ||
                       section.find("program") != std::string::npos ||
                       section.find("spirv") != std::string::npos) {
                test.supported = false;
            }
            continue;
        }
        float required = 0;
        if (!current && (std::sscanf(line.c_str(), "GLSL >= %f", &required) == 1 ||
                         std::sscanf(line.c_str(), "GLSL ES >= %f", &required) == 1)) {
            test.version = unsigned(required * 100 + 0.5f);
            test.es = line.starts_with("GLSL ES");
            continue;
        }
        if (line.starts_with("SSO"))
            test.separable = true;
        if (line.starts_with("SPIRV ONLY"))
            test.supported = false;
        if (!current)
            continue;
        current->text += line + "\n";
        unsigned version = 0;
        char profile[32] = "";
        const size_t hash = line.find_first_not_of(" \t");
        if (hash != std::string::npos &&
            std::sscanf(line.c_str() + hash, "#version %u %31s", &version, profile) >= 1) {
            test.version = std::max(test.version, version);
            test.es = version == 100 || std::strcmp(profile, "es") == 0;
            test.compatibility = std::strcmp(profile, "compatibility") == 0;
        }
    }
    // As piglit's shader_runner: a source without #version gets the one of [require].
    const bool modern = test.version >= (test.es ? 300 : 130);
    for (Source& source : test.sources) {
        if (source.passthrough)
            source.text = std::string(modern ? "in" : "attribute") +
                          " vec4 piglit_vertex;\nvoid main() { gl_Position = piglit_vertex; }\n";
        if (source.text.find("#version") == std::string::npos)
            source.text = "#version " + std::to_string(test.version) +
                          (test.es && test.version >= 300 ? " es\n" : "\n") + source.text;
    }
    if (!test.es && test.version > 330)
        test.supported = false;
    if (test.es && test.version > 300)
        test.supported = false;
    if (test.sources.empty())
        test.supported = false;
    return test;
}

/// Limits of a GL 3.3 implementation.
void set_limits(gl_context& ctx, unsigned version) {
    ctx.Version = 33;
    ctx.Const.GLSLVersion = ctx.Const.GLSLVersionCompat = version;
    ctx.Const.MaxClipPlanes = 8;
    ctx.Const.MaxDrawBuffers = 8;
    ctx.Const.MaxDualSourceDrawBuffers = 1;
    ctx.Const.MinProgramTexelOffset = -8;
    ctx.Const.MaxProgramTexelOffset = 7;
    ctx.Const.MaxLights = 8;
    ctx.Const.MaxTextureCoordUnits = 8;
    ctx.Const.MaxTextureUnits = 8;
    ctx.Const.MaxUniformBufferBindings = 84;
    ctx.Const.MaxCombinedUniformBlocks = 84;
    ctx.Const.MaxUniformBlockSize = 65536;
    ctx.Const.MaxVertexStreams = 4;
    ctx.Const.MaxTransformFeedbackBuffers = 4;
    ctx.Const.MaxTransformFeedbackInterleavedComponents = 128;
    ctx.Const.MaxTransformFeedbackSeparateComponents = 128;
    ctx.Const.MaxCombinedTextureImageUnits = 96;
    ctx.Const.MaxGeometryOutputVertices = 256;
    ctx.Const.MaxGeometryTotalOutputComponents = 1024;
    ctx.Const.MaxGeometryShaderInvocations = 32;
    ctx.Const.MaxVarying = 32;
    ctx.Const.MaxUserAssignableUniformLocations = 4 * MESA_SHADER_STAGES * MAX_UNIFORMS;
    ctx.Const.NativeIntegers = true;
    ctx.Const.PackedDriverUniformStorage = true;
    for (gl_shader_stage stage : {MESA_SHADER_VERTEX, MESA_SHADER_GEOMETRY, MESA_SHADER_FRAGMENT}) {
        auto& limits = ctx.Const.Program[stage];
        limits.MaxAttribs = 16;
        limits.MaxTextureImageUnits = 32;
        limits.MaxUniformComponents = limits.MaxCombinedUniformComponents = 16384;
        limits.MaxUniformBlocks = 15;
        limits.MaxInputComponents = limits.MaxOutputComponents = 128;
    }
    ctx.Extensions.ARB_gpu_shader_fp64 = false;
    ctx.Extensions.ARB_gpu_shader_int64 = false;
    ctx.Extensions.ARB_bindless_texture = false;
    ctx.Extensions.ARB_blend_func_extended = true;
    ctx.Extensions.ARB_arrays_of_arrays = true;
    ctx.Extensions.ARB_enhanced_layouts = true;
    ctx.Extensions.ARB_shading_language_packing = true;
    ctx.Extensions.ARB_explicit_uniform_location = true;
    ctx.Extensions.ARB_transform_feedback3 = true;
    ctx.Const.AllowGLSLCompatShaders = true;
}

int type_size_dwords(const glsl_type* type, bool bindless) {
    return int(glsl_count_dword_slots(type, bindless));
}

/// What the state tracker does between linking and the driver, as far as shaders alone need it.
void finish_link(nir_shader* nir, gl_shader_program* program) {
    nir_shader_gather_info(nir, nir_shader_get_entrypoint(nir));
    NIR_PASS(_, nir, gl_nir_lower_buffers, program);
    NIR_PASS(_, nir, nir_lower_system_values);
    int location = 0;
    nir_foreach_variable_with_modes(variable, nir, nir_var_uniform) {
        if (glsl_type_is_sampler(glsl_without_array(variable->type)))
            continue;
        variable->data.driver_location = unsigned(location);
        location += int(glsl_count_dword_slots(variable->type, false) + 3) & ~3;
    }
    nir->num_uniforms = unsigned(location + 3) / 4;
    NIR_PASS(_, nir, nir_lower_io, nir_var_uniform, type_size_dwords, nir_lower_io_options(0));
    NIR_PASS(_, nir, nir_lower_uniforms_to_ubo, true, false);
    NIR_PASS(_, nir, gl_nir_lower_samplers, program);
    nir_shader_gather_info(nir, nir_shader_get_entrypoint(nir));
}

/// Transform feedback of each output: odd slots whole, even ones in two pieces.
void capture_outputs(nir_shader* nir) {
    if (nir->info.stage == MESA_SHADER_FRAGMENT)
        return;
    auto* info = static_cast<nir_xfb_info*>(rzalloc_size(nir, nir_xfb_info_size(128)));
    uint16_t offset = 0;
    u_foreach_bit64(slot, nir->info.outputs_written) {
        const bool scalar = slot == VARYING_SLOT_PSIZ || slot == VARYING_SLOT_LAYER ||
                            slot == VARYING_SLOT_VIEWPORT || slot == VARYING_SLOT_PRIMITIVE_ID;
        const auto add = [&](uint8_t mask) {
            nir_xfb_output_info& output = info->outputs[info->output_count++];
            output.offset = offset;
            output.location = uint8_t(slot);
            output.component_mask = mask;
            offset = uint16_t(offset + 4 * util_bitcount(mask));
        };
        if (scalar) {
            add(1);
        } else if (slot % 2) {
            add(0xf);
        } else {
            add(0x1);
            add(0x6);
        }
    }
    info->buffers[0].stride = offset;
    info->buffers_written = 1;
    info->streams_written = 1;
    nir->xfb_info = info;
}

void write_words(const std::string& path, const std::vector<uint32_t>& words) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(words.data()), std::streamsize(words.size() * 4));
}

/// Returns the exit status; the number of validated shaders goes through `count`.
int run(const std::string& path, const Options& options, int* count) {
    const ShaderTest test = parse(path);
    if (!test.supported)
        return exit_skipped;

    kobalt::spirv::Target target;
    target.shader_stencil_export = !options.portable;
    if (options.portable) {
        target.demote = target.draw_parameters = target.depth_clip_control = false;
        target.viewport_layer_output = false;
        target.clip_distance_mask = true;
    }
    target.debug_names = options.print;
    const auto ctx = std::make_unique<gl_context>();
    initialize_context_to_defaults(ctx.get(), test.es ? API_OPENGLES2
                                              : test.version > 130 && !test.compatibility
                                                  ? API_OPENGL_CORE
                                                  : API_OPENGL_COMPAT);
    _mesa_glsl_builtin_functions_init_or_ref();
    set_limits(*ctx, test.es ? 300 : 330);
    for (int stage = 0; stage < MESA_SHADER_STAGES; stage++)
        ctx->Const.ShaderCompilerOptions[stage].NirOptions =
            kobalt::spirv::compiler_options(gl_shader_stage(stage), target);

    gl_shader_program* program = standalone_create_shader_program();
    bool has_vertex = false, has_fragment = false;
    for (const Source& source : test.sources) {
        has_vertex = has_vertex || source.stage == MESA_SHADER_VERTEX;
        has_fragment = has_fragment || source.stage == MESA_SHADER_FRAGMENT;
        const GLenum type = source.stage == MESA_SHADER_VERTEX     ? GL_VERTEX_SHADER
                            : source.stage == MESA_SHADER_GEOMETRY ? GL_GEOMETRY_SHADER
                                                                   : GL_FRAGMENT_SHADER;
        gl_shader* shader =
            standalone_add_shader_source(ctx.get(), program, type, source.text.c_str());
        _mesa_glsl_compile_shader(ctx.get(), shader, nullptr, false, false, true);
        if (!shader->CompileStatus) {
            if (options.print)
                std::fprintf(stderr, "%s: %s\n", path.c_str(), shader->InfoLog);
            return exit_skipped;
        }
    }
    program->SeparateShader = test.separable || !has_vertex || !has_fragment;
    _mesa_clear_shader_program_data(ctx.get(), program);
    program->data->LinkStatus = LINKING_SUCCESS;
    link_shaders_init(ctx.get(), program);
    if (!gl_nir_link_glsl(ctx.get(), program) || !program->data->LinkStatus) {
        if (options.print)
            std::fprintf(stderr, "%s: %s\n", path.c_str(), program->data->InfoLog);
        return exit_skipped;
    }

    spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
    std::string message;
    tools.SetMessageConsumer(
        [&](spv_message_level_t, const char*, const spv_position_t& at, const char* text) {
            message += std::to_string(at.index) + ": " + text + "\n";
        });
    spvtools::ValidatorOptions validator_options;
    validator_options.SetUniformBufferStandardLayout(true);
    bool good = true;
    for (int stage = 0; stage < MESA_SHADER_STAGES; stage++) {
        gl_linked_shader* linked = program->_LinkedShaders[stage];
        if (!linked)
            continue;
        nir_shader* nir = linked->Program->nir;
        finish_link(nir, program);
        if (options.xfb)
            capture_outputs(nir);
        kobalt::spirv::prepare(nir, target);
        if (options.print)
            nir_print_shader(nir, stdout);
        const auto result = kobalt::spirv::translate(nir, target);
        if (!result) {
            std::printf("FAIL %s: %s\n", path.c_str(), result.error().what.c_str());
            good = false;
            continue;
        }
        if (!options.dump.empty()) {
            std::string name = path.substr(path.rfind('/') + 1);
            write_words(options.dump + "/" + name + "." +
                            _mesa_shader_stage_to_abbrev(unsigned(stage)) + ".spv",
                        result->words);
        }
        if (options.print) {
            std::string text;
            if (tools.Disassemble(result->words, &text,
                                  SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES |
                                      SPV_BINARY_TO_TEXT_OPTION_INDENT))
                std::printf("%s\n", text.c_str());
        }
        message.clear();
        if (!tools.Validate(result->words.data(), result->words.size(), validator_options)) {
            std::printf("FAIL %s: %s: %s\n", path.c_str(),
                        _mesa_shader_stage_to_abbrev(unsigned(stage)), message.c_str());
            good = false;
            continue;
        }
        (*count)++;
    }
    return good ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    std::vector<std::string> files;
    for (int i = 1; i < argc; i++) {
        const std::string argument = argv[i];
        if (argument == "--xfb")
            options.xfb = true;
        else if (argument == "--portable")
            options.portable = true;
        else if (argument == "--dump" && i + 1 < argc)
            options.dump = argv[++i];
        else if (argument == "--print")
            options.print = true;
        else if (argument == "-") // paths from standard input
            for (std::string line;
                 char* got = std::fgets(line.assign(4096, 0).data(), 4096, stdin);)
                files.emplace_back(got, std::strcspn(got, "\n"));
        else
            files.push_back(argument);
    }
    int passed = 0, failed = 0, skipped = 0;
    // One process for a batch; when it dies, the file at which it died failed and the rest goes on.
    size_t next = 0;
    glsl_type_singleton_init_or_ref();
    _mesa_glsl_builtin_functions_init_or_ref();
    while (next < files.size()) {
        int channel[2];
        if (pipe(channel))
            return 2;
        std::fflush(nullptr);
        const pid_t child = fork();
        if (child == 0) {
            close(channel[0]);
            for (size_t i = next; i < std::min(next + 200, files.size()); i++) {
                int report[2] = {0, 0};
                alarm(20);
                report[0] = run(files[i], options, &report[1]);
                std::fflush(nullptr);
                if (write(channel[1], report, sizeof report) != ssize_t(sizeof report))
                    _exit(2);
            }
            _exit(0);
        }
        close(channel[1]);
        int report[2];
        const size_t end = std::min(next + 200, files.size());
        while (read(channel[0], report, sizeof report) == ssize_t(sizeof report)) {
            passed += report[1];
            failed += report[0] == 1;
            skipped += report[0] == exit_skipped;
            next++;
        }
        close(channel[0]);
        int status = 0;
        waitpid(child, &status, 0);
        if (next < end) {
            std::printf("FAIL %s: died with signal %d\n", files[next].c_str(),
                        WIFSIGNALED(status) ? WTERMSIG(status) : 0);
            failed++;
            next++;
        }
    }
    std::printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    return failed ? 1 : 0;
}
