// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <vector>

#include "programs.h"

namespace kobalt::sso {

/// Separable programs, some of each stage, and one program pipeline that takes a choice of them.
class SeparablePrograms {
public:
    /// Makes all programs, queries nothing, and binds the pipeline with no program in use.
    SeparablePrograms(const Driver& driver, std::uint64_t seed, const Counts& counts)
        : counts_(counts), texts_(driver, seed, counts, ShaderTexts::Linkage::Separable) {
        for (size_t stage = 0; stage < kStages; ++stage) {
            for (int number = 0; number < counts[stage]; ++number) {
                const auto kind = static_cast<Stage>(stage);
                programs_[stage].push_back(separable_program(kind, texts_.text(kind, number)));
            }
        }
        gl::UseProgram(0);
        gl::GenProgramPipelines(1, &pipeline_);
        gl::BindProgramPipeline(pipeline_);
        if (counts[static_cast<size_t>(Stage::Control)] > 0) {
            ext::PatchParameteri(GL_PATCH_VERTICES, 3);
            primitive_ = GL_PATCHES;
        }
    }

    /// Puts the chosen stages into the pipeline.
    void choose(const Choice& choice) const { put(pipeline_, choice); }
    void put(GLuint pipeline, const Choice& choice) const {
        constexpr std::array<GLbitfield, kStages> bits{
            GL_VERTEX_SHADER_BIT, GL_TESS_CONTROL_SHADER_BIT, GL_TESS_EVALUATION_SHADER_BIT,
            GL_GEOMETRY_SHADER_BIT, GL_FRAGMENT_SHADER_BIT};
        for (size_t stage = 0; stage < kStages; ++stage) {
            if (counts_[stage] > 0) {
                gl::UseProgramStages(pipeline, bits[stage],
                                     programs_[stage][static_cast<size_t>(choice[stage])]);
            }
        }
    }
    void draw() const { gl::DrawArrays(primitive_, 0, 3); }

    Choice choice(int number) const { return choice_of(counts_, number); }
    int choices() const { return number_of_choices(counts_); }
    Colour colour(const Choice& choice) const { return texts_.colour(choice); }

    /// Fails where the driver refused a program, which would explain a wrong picture.
    Outcome all_linked() const {
        for (const auto& programs : programs_) {
            if (Outcome good = linked(programs); !good) {
                return good;
            }
        }
        return {};
    }

private:
    Counts counts_;
    ShaderTexts texts_;
    std::array<std::vector<GLuint>, kStages> programs_;
    GLuint pipeline_ = 0;
    GLenum primitive_ = GL_TRIANGLES;
};

} // namespace kobalt::sso
