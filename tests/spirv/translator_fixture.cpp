// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "translator_fixture.h"

#include <spirv-tools/libspirv.hpp>

#include "ast.h"
#include "builtin_functions.h"

#include "instructions.h"

namespace kobalt::corpus {

void TranslatorTest::SetUpTestSuite() {
    glsl_type_singleton_init_or_ref();
    _mesa_glsl_builtin_functions_init_or_ref();
}

std::vector<nir_shader*> TranslatorTest::linked(std::vector<Source> sources, unsigned version,
                                                bool separable) {
    tests_.push_back(std::make_unique<ShaderTest>());
    ShaderTest& test = *tests_.back();
    test.version = version;
    test.sources = std::move(sources);
    for (Source& source : test.sources)
        source.text = "#version " + std::to_string(version) + "\n" + source.text;
    auto program = MesaProgram::link(test, test.sources, separable, target_);
    EXPECT_TRUE(program.has_value()) << program.error();
    if (!program)
        return {};
    std::vector<nir_shader*> shaders;
    for (const Source& source : test.sources) {
        shaders.push_back(program->shader(source.stage));
        spirv::prepare(shaders.back(), target_);
    }
    programs_.push_back(std::move(*program));
    return shaders;
}

spirv::Translation TranslatorTest::translated(const std::string& text, unsigned version) {
    nir_shader* nir = fragment(text, version);
    EXPECT_NE(nir, nullptr);
    if (!nir)
        return {};
    auto result = spirv::translate(nir, target_);
    EXPECT_TRUE(result) << result.error().what;
    if (!result)
        return {};
    EXPECT_EQ(validation(result->words), "");
    return std::move(*result);
}

std::string TranslatorTest::validation(const std::vector<uint32_t>& words) {
    spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
    spvtools::ValidatorOptions options;
    options.SetUniformBufferStandardLayout(true);
    std::string message;
    tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t&,
                                 const char* text) { message += text; });
    return tools.Validate(words.data(), words.size(), options) ? "" : message;
}

std::vector<LocatedVariable> TranslatorTest::located_variables(const std::vector<uint32_t>& words) {
    std::map<uint32_t, LocatedVariable> by_id;
    std::set<uint32_t> located;
    for_each_instruction(words, [&](spv::Op op, std::span<const uint32_t> operands) {
        if (op == spv::Op::OpVariable) {
            by_id[operands[1]].storage = spv::StorageClass(operands[2]);
        } else if (op == spv::Op::OpDecorate) {
            const auto decoration = spv::Decoration(operands[1]);
            if (decoration == spv::Decoration::Location) {
                by_id[operands[0]].location = operands[2];
                located.insert(operands[0]);
            } else if (operands.size() == 2) {
                by_id[operands[0]].decorations.insert(decoration);
            }
        }
    });
    std::vector<LocatedVariable> result;
    for (const uint32_t id : located)
        result.push_back(by_id[id]);
    return result;
}

unsigned TranslatorTest::decorations(const std::vector<uint32_t>& words, spv::Decoration decoration,
                                     int value) {
    unsigned count = 0;
    for_each_instruction(words, [&](spv::Op op, std::span<const uint32_t> operands) {
        count += op == spv::Op::OpDecorate && spv::Decoration(operands[1]) == decoration &&
                 (value < 0 || operands[2] == uint32_t(value));
    });
    return count;
}

std::map<spv::Op, unsigned> TranslatorTest::instructions(const std::vector<uint32_t>& words) {
    std::map<spv::Op, unsigned> counts;
    for_each_instruction(words, [&](spv::Op op, std::span<const uint32_t>) { counts[op]++; });
    return counts;
}

} // namespace kobalt::corpus
