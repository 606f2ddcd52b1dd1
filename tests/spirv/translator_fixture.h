// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "nir.h" // before the headers that only name its types

#include <spirv/unified1/spirv.hpp11>

#include "mesa_program.h"
#include "spirv/translate.h"

namespace kobalt::corpus {

/// A variable of a module that has a Location.
struct LocatedVariable {
    spv::StorageClass storage{};
    uint32_t location = 0;
    std::set<spv::Decoration> decorations; ///< without those that have a value
};

/// Links shaders with Mesa and prepares them for the translator.
class TranslatorTest : public testing::Test {
protected:
    static void SetUpTestSuite();

    /// Links `sources`, separable or as one whole program, and prepares each stage. Returns the
    /// shaders in the order of `sources`; the fixture owns them. Empty after a failure.
    std::vector<nir_shader*> linked(std::vector<Source> sources, unsigned version, bool separable);
    /// The shader of the last source.
    nir_shader* prepared(std::vector<Source> sources, unsigned version) {
        const std::vector<nir_shader*> all = linked(std::move(sources), version, true);
        return all.empty() ? nullptr : all.back();
    }
    nir_shader* fragment(const std::string& text, unsigned version = 330) {
        return prepared({{MESA_SHADER_FRAGMENT, text}}, version);
    }

    /// A fragment shader's translation, after it was validated; empty where there is none.
    spirv::Translation translated(const std::string& text, unsigned version = 330);

    /// spirv-val's messages about a module; empty if it is valid.
    static std::string validation(const std::vector<uint32_t>& words);
    static std::vector<LocatedVariable> located_variables(const std::vector<uint32_t>& words);
    /// How many decorations of this kind there are, with this value where it has one.
    static unsigned decorations(const std::vector<uint32_t>& words, spv::Decoration decoration,
                                int value = -1);
    /// How many instructions of each kind a module has.
    static std::map<spv::Op, unsigned> instructions(const std::vector<uint32_t>& words);

    spirv::Target target_;

private:
    std::vector<std::unique_ptr<ShaderTest>> tests_;
    std::vector<MesaProgram> programs_;
};

} // namespace kobalt::corpus
