// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// kobalt-compute [--seconds SECONDS] [--batches N] [--quick] [--no-check] [KERNEL...]
// kobalt-compute --list
//
// Runs the same SPIR-V kernels through the OpenGL that the environment selects and straight through
// Vulkan with push descriptors, on the same device, in turn, and prints their rates:
// `kernel <tab> rate <tab> unit <tab> OpenGL's <tab> Vulkan's <tab> ratio`, or `kernel <tab>
// failed|skipped <tab> - <tab> reason`. The lines that begin with # say who computed. Wrong results
// are a failure. --seconds: of a batch (default 0.2); --batches: of each kernel through each API,
// whose median counts (default 9); --quick: one short batch; --no-check is for devices that compute
// nothing.
#include <algorithm>
#include <cstdio>

#include "demo/offscreen/egl_context.h"
#include "demo/offscreen/expected_renderer.h"
#include "demo/offscreen/gl_api.h"
#include "gl_runner.h"
#include "measure.h"
#include "options.h"
#include "vulkan_runner.h"

namespace kobalt::compute {
namespace {

std::string text_of(GLenum name) {
    const auto* text = gl::GetString(name);
    return text != nullptr ? reinterpret_cast<const char*>(text) : "?";
}

int fail(const std::string& reason) {
    std::fprintf(stderr, "kobalt-compute: %s\n", reason.c_str());
    return 1;
}

/// Measures one kernel and prints it; false where it failed.
bool report(const Kind& kind, const Method& method, Runner& gl, Runner& vulkan,
            const Sizes& sizes) {
    const auto rates = measure(kind, method, gl, vulkan, sizes);
    const auto length = static_cast<int>(kind.name.size());
    if (rates) {
        std::printf("%.*s\trate\t%s\t%.6g\t%.6g\t%.4g\n", length, kind.name.data(),
                    kind.unit.data(), rates->gl, rates->vulkan, rates->ratio);
    } else {
        std::printf("%.*s\t%s\t-\t%s\n", length, kind.name.data(),
                    rates.error().skipped ? "skipped" : "failed", rates.error().reason.c_str());
    }
    std::fflush(stdout);
    return rates.has_value() || rates.error().skipped;
}

int measure_all(const Options& options) {
    const auto context =
        offscreen::Context::create({.profile = offscreen::Profile::Core, .major = 4, .minor = 5});
    if (!context) {
        return fail("no OpenGL 4.5 context: " + context.error());
    }
    const std::string renderer = text_of(GL_RENDERER);
    if (!offscreen::is_drawn_by(offscreen::expected_renderer(), renderer)) {
        return fail("'" + renderer + "' computes, not '" + offscreen::expected_renderer() + "'");
    }
    const auto gl = make_gl_runner();
    if (!gl) {
        return fail(gl.error());
    }
    const Uuid uuid = gl_device();
    const auto device = Device::open(uuid);
    if (!device) {
        return fail(device.error());
    }
    // OpenGL's own drivers on the CPU have another UUID than Vulkan's.
    if (uuid != Uuid{} && !(*device)->is_of_uuid && !(*device)->is_cpu) {
        return fail("no Vulkan device is the one that '" + renderer + "' computes on");
    }
    std::printf("# renderer\t%s\n# version\t%s\n# device\t%s\n# driver\t%s\n", renderer.c_str(),
                text_of(GL_VERSION).c_str(), (*device)->name.c_str(), (*device)->driver.c_str());
    const auto vulkan = make_vulkan_runner(**device);
    const Method method{options.seconds, options.batches, options.checked};
    const Sizes sizes{(*device)->is_cpu, std::min((*gl)->most_bytes(), vulkan->most_bytes())};
    bool good = true;
    for (const Kind& kind : options.kinds) {
        good = report(kind, method, **gl, *vulkan, sizes) && good;
    }
    return good ? 0 : 1;
}

int main_of(std::span<char* const> words) {
    const auto options = parse(words);
    if (!options) {
        std::fprintf(stderr,
                     "kobalt-compute: %s\nusage: kobalt-compute [--seconds SECONDS] [--batches N] "
                     "[--quick] [--no-check] [KERNEL...] | --list\n",
                     options.error().c_str());
        return 2;
    }
    if (options->list) {
        for (const Kind& kind : kKinds) {
            std::printf("%s\t%s\n", kind.name.data(), kind.unit.data());
        }
        return 0;
    }
    const int status = measure_all(*options);
    offscreen::terminate_display();
    return status;
}

} // namespace
} // namespace kobalt::compute

int main(int argc, char** argv) {
    return kobalt::compute::main_of({argv + 1, static_cast<std::size_t>(argc > 0 ? argc - 1 : 0)});
}
