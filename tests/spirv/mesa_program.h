// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <expected>
#include <memory>
#include <span>
#include <string>

#include "nir.h"

#include "shader_test.h"
#include "spirv/translate.h"

struct gl_context;
struct gl_shader_program;

namespace kobalt::corpus {

/// GLSL sources compiled and linked by Mesa for a context with all extensions, without GL and
/// without a driver; the shaders are as the state tracker would pass them to the driver.
class MesaProgram {
public:
    /// The error is Mesa's first error message.
    static std::expected<MesaProgram, std::string> link(const ShaderTest& test,
                                                        std::span<const Source> sources,
                                                        bool separable,
                                                        const spirv::Target& target);

    /// The linked shader of a stage, or nullptr. It lives as long as the program.
    nir_shader* shader(gl_shader_stage stage) const { return shaders_[stage]; }

private:
    struct Free {
        void operator()(gl_context* context) const;
        void operator()(gl_shader_program* program) const;
    };
    std::unique_ptr<gl_context, Free> context_;
    std::unique_ptr<gl_shader_program, Free> program_; ///< owns the shaders
    std::array<nir_shader*, MESA_SHADER_STAGES> shaders_{};
};

} // namespace kobalt::corpus
