// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// The SPIR-V corpus probe: takes piglit shader tests, compiles and links each with Mesa's GLSL
// compiler, translates every shader for several devices and validates each module.
//
//   kobalt-spirv-probe [--report FILE] [--dump DIR] [--print] FILE.shader_test… | -
//
// The report has a line for each file that has nothing to translate and for each module: result,
// stage, device, milliseconds, words of SPIR-V, file, reason (separated by tabs) Results: valid;
// invalid (spirv-val complains); misreported (the module's declarations differ from the
// translator's report); refused (the translator's message); skipped (nothing to compile, or Mesa
// refuses it); died (crash, out of time or memory: the reason says where). The last line sums up:
// `N passed, N failed, N skipped` (modules, modules and files, files).

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <spirv-tools/libspirv.hpp>

#include "nir.h" // before the headers that only name its types

#include "ast.h"
#include "builtin_functions.h"
#include "nir_xfb_info.h"

#include "mesa_program.h"
#include "reflection.h"
#include "shader_test.h"
#include "spirv/translate.h"

namespace kobalt::corpus {
namespace {

constexpr unsigned files_a_process = 200; ///< starting a process costs as much as a hundred shaders
constexpr unsigned seconds_a_file = 30;
/// glsl-{vs,fs}-inline-explosion call a function 2^64 times; Mesa inlines calls until it is out of
/// memory.
constexpr rlim_t memory_limit_bytes = rlim_t(1) << 30;
constexpr spv_target_env environment = SPV_ENV_VULKAN_1_3; ///< the least that Kobalt runs on

/// A device to translate for.
struct Device {
    const char* name;
    spirv::Target target;
    bool capture = false; ///< with transform feedback of every output, partly in pieces
};

std::vector<Device> devices() {
    Device full{"full", {}};
    full.target.shader_stencil_export = true;
    full.target.clip_distance_mask = true; // as in the driver
    full.target.float64 = full.target.int64 = full.target.shader_clock = true;
    full.target.subgroup_stages = ~0u;
    full.target.atomics = {true, true, true, true, true, true, true};
    full.target.workgroup_explicit_layout = true;
    full.target.bindless = full.target.viewport_mask = true;
    full.target.descriptor_set = 1; // as in the driver: handles have set 0
    full.target.preserve_special_float32 = full.target.preserve_special_float64 = true;
    Device portable{"portable", {}};
    portable.target.demote = portable.target.draw_parameters = false;
    portable.target.depth_clip_control = portable.target.viewport_layer_output = false;
    portable.target.geometry_point_size = false;
    portable.target.image_formatless_read = false;
    portable.target.clip_distance_mask = true;
    Device capture{"capture", full.target, true};
    return {full, portable, capture};
}

enum Phase : uint32_t { reading, compiling, preparing, translating, validating, phase_count };
constexpr std::array<const char*, phase_count> phase_names{
    "reading", "Mesa's compiler", "spirv::prepare", "spirv::translate", "spirv-val"};

/// Progress of the working process, in memory shared with the waiting one, so that it survives a
/// crash.
struct Shared {
    uint32_t next;  ///< index of the file being processed
    uint32_t phase; ///< Phase
    uint32_t passed, failed, skipped;
};

struct Options {
    std::string dump;
    FILE* report = nullptr;
    bool print = false;
};

/// Adds transform feedback of each output: odd slots whole, even ones in two pieces.
void capture_outputs(nir_shader* nir) {
    auto* info = static_cast<nir_xfb_info*>(rzalloc_size(nir, nir_xfb_info_size(128)));
    uint16_t offset = 0;
    // Capturing an output in pieces may need one more Location.
    const bool crowded = util_bitcount64(nir->info.outputs_written) > 28;
    u_foreach_bit64(slot, nir->info.outputs_written) {
        if (crowded && slot == VARYING_SLOT_PSIZ)
            continue;
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
        } else if (slot % 2 || crowded) {
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

bool can_capture(gl_shader_stage stage) {
    return stage == MESA_SHADER_VERTEX || stage == MESA_SHADER_TESS_EVAL ||
           stage == MESA_SHADER_GEOMETRY;
}

/// Translates and validates the shaders of one file after the other.
class Worker {
public:
    Worker(const Options& options, Shared& shared) : options_(options), shared_(shared) {
        tools_.SetMessageConsumer(
            [this](spv_message_level_t, const char*, const spv_position_t& at, const char* text) {
                if (message_.empty())
                    message_ = std::to_string(at.index) + ": " + text;
            });
        // Vulkan 1.2 makes uniformBufferStandardLayout mandatory, and Kobalt switches it on.
        validator_options_.SetUniformBufferStandardLayout(true);
    }

    void run(const std::string& path) {
        path_ = path;
        shared_.phase = reading;
        const ShaderTest test = read_shader_test(path);
        if (!test.not_eligible.empty()) {
            skip(test.not_eligible);
            return;
        }
        if (!test.separable) {
            bool has_vertex = false, has_fragment = false, compute = false;
            for (const Source& source : test.sources) {
                has_vertex = has_vertex || source.stage == MESA_SHADER_VERTEX;
                has_fragment = has_fragment || source.stage == MESA_SHADER_FRAGMENT;
                compute = compute || source.stage == MESA_SHADER_COMPUTE;
            }
            check_program(test, test.sources, !compute && (!has_vertex || !has_fragment));
            return;
        }
        for (int stage = 0; stage < MESA_SHADER_STAGES; stage++) {
            std::vector<Source> sources;
            for (const Source& source : test.sources)
                if (source.stage == stage)
                    sources.push_back(source);
            if (!sources.empty())
                check_program(test, sources, true);
        }
    }

private:
    void line(const char* result, const char* stage, const char* device, double milliseconds,
              size_t words, std::string reason) {
        for (char& c : reason)
            c = c == '\t' || c == '\n' ? ' ' : c;
        if (!options_.report)
            return;
        std::fprintf(options_.report, "%s\t%s\t%s\t%.1f\t%zu\t%s\t%s\n", result, stage, device,
                     milliseconds, words, path_.c_str(), reason.c_str());
    }

    void skip(const std::string& reason) {
        shared_.skipped++;
        line("skipped", "", "", 0, 0, reason);
    }

    void check_program(const ShaderTest& test, const std::vector<Source>& sources, bool separable) {
        shared_.phase = compiling;
        const auto program = MesaProgram::link(test, sources, separable, devices_.front().target);
        if (!program) {
            if (options_.print)
                std::fprintf(stderr, "%s: %s\n", path_.c_str(), program.error().c_str());
            skip((test.expects_link_error ? "Mesa refuses it, as the test expects: "
                                          : "Mesa refuses it: ") +
                 program.error());
            return;
        }
        for (int stage = 0; stage < MESA_SHADER_STAGES; stage++)
            if (const nir_shader* nir = program->shader(gl_shader_stage(stage)))
                for (const Device& device : devices_)
                    if (!device.capture || can_capture(nir->info.stage))
                        check_shader(nir, device);
    }

    void check_shader(const nir_shader* linked, const Device& device) {
        const auto start = std::chrono::steady_clock::now();
        nir_shader* nir = nir_shader_clone(nullptr, linked);
        nir->options = spirv::compiler_options(nir->info.stage, device.target);
        const char* stage = _mesa_shader_stage_to_abbrev(unsigned(nir->info.stage));
        if (device.capture)
            capture_outputs(nir);
        shared_.phase = preparing;
        spirv::prepare(nir, device.target);
        if (options_.print)
            nir_print_shader(nir, stdout);
        shared_.phase = translating;
        const auto result = spirv::translate(nir, device.target);
        ralloc_free(nir);
        const double milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count();
        if (!result) {
            complain("refused", stage, device, milliseconds, 0, result.error().what);
            return;
        }
        if (!options_.dump.empty())
            dump(result->words, stage, device);
        if (options_.print)
            print(result->words);
        shared_.phase = validating;
        message_.clear();
        if (!tools_.Validate(result->words.data(), result->words.size(), validator_options_)) {
            complain("invalid", stage, device, milliseconds, result->words.size(), message_);
            return;
        }
        if (const std::string what = disagreement(*result, device.target); !what.empty()) {
            complain("misreported", stage, device, milliseconds, result->words.size(), what);
            return;
        }
        shared_.passed++;
        line("valid", stage, device.name, milliseconds, result->words.size(), {});
    }

    void complain(const char* result, const char* stage, const Device& device, double milliseconds,
                  size_t words, const std::string& reason) {
        shared_.failed++;
        std::printf("FAIL %s: %s, device %s: %s: %s\n", path_.c_str(), stage, device.name, result,
                    reason.c_str());
        line(result, stage, device.name, milliseconds, words, reason);
    }

    void dump(const std::vector<uint32_t>& words, const char* stage, const Device& device) {
        const std::string name = path_.substr(path_.rfind('/') + 1);
        std::ofstream out(options_.dump + "/" + name + "." + stage + "." + device.name + ".spv",
                          std::ios::binary);
        out.write(reinterpret_cast<const char*>(words.data()), std::streamsize(words.size() * 4));
    }

    void print(const std::vector<uint32_t>& words) {
        std::string text;
        if (tools_.Disassemble(words, &text,
                               SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES |
                                   SPV_BINARY_TO_TEXT_OPTION_INDENT))
            std::printf("%s\n", text.c_str());
    }

    const Options& options_;
    Shared& shared_;
    const std::vector<Device> devices_ = devices();
    spvtools::SpirvTools tools_{environment};
    spvtools::ValidatorOptions validator_options_;
    std::string message_; ///< spirv-val's first message
    std::string path_;
};

[[noreturn]] void work(const std::vector<std::string>& files, const Options& options,
                       Shared& shared) {
    const rlimit limit{memory_limit_bytes, memory_limit_bytes};
    setrlimit(RLIMIT_AS, &limit);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    Worker worker(options, shared);
    for (unsigned i = 0; i < files_a_process && shared.next < files.size(); i++) {
        alarm(seconds_a_file);
        worker.run(files[shared.next]);
        std::fflush(nullptr);
        shared.next++;
    }
    std::fflush(nullptr);
    _exit(0);
}

/// Each process takes a batch of files. When it crashes, the current file has failed, and another
/// process goes on with the rest.
void run_all(const std::vector<std::string>& files, const Options& options, Shared& shared) {
    while (shared.next < files.size()) {
        std::fflush(nullptr);
        const pid_t child = fork();
        if (child < 0) {
            std::perror("fork");
            std::exit(2);
        }
        if (child == 0)
            work(files, options, shared);
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            continue;
        const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        const std::string where = phase_names[shared.phase];
        // Mesa's own compiler crashes when out of memory: the shader never reached the translator.
        const bool ours = shared.phase != compiling;
        const std::string reason =
            where + (signal == SIGALRM ? ": takes too long"
                                       : ": died with signal " + std::to_string(signal));
        std::printf("%s %s: %s\n", ours ? "FAIL" : "SKIP", files[shared.next].c_str(),
                    reason.c_str());
        if (options.report)
            std::fprintf(options.report, "died\t\t\t0\t0\t%s\t%s\n", files[shared.next].c_str(),
                         reason.c_str());
        (ours ? shared.failed : shared.skipped)++;
        shared.next++;
    }
}

} // namespace
} // namespace kobalt::corpus

int main(int argc, char** argv) {
    using namespace kobalt::corpus;
    Options options;
    std::vector<std::string> files;
    for (int i = 1; i < argc; i++) {
        const std::string argument = argv[i];
        if (argument == "--dump" && i + 1 < argc) {
            options.dump = argv[++i];
        } else if (argument == "--report" && i + 1 < argc) {
            options.report = std::fopen(argv[++i], "a");
            if (!options.report) {
                std::perror(argv[i]);
                return 2;
            }
        } else if (argument == "--print") {
            options.print = true;
        } else if (argument == "-") { // paths from standard input
            char line[4096];
            while (std::fgets(line, sizeof line, stdin))
                files.emplace_back(line, std::strcspn(line, "\n"));
        } else {
            files.push_back(argument);
        }
    }
    void* memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        std::perror("mmap");
        return 2;
    }
    auto& shared = *new (memory) Shared{};
    glsl_type_singleton_init_or_ref();
    _mesa_glsl_builtin_functions_init_or_ref();
    run_all(files, options, shared);
    std::printf("%u passed, %u failed, %u skipped\n", shared.passed, shared.failed, shared.skipped);
    return shared.failed ? 1 : 0;
}
