// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "spirv/module_builder.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>
#include <spirv/unified1/GLSL.std.450.h>

namespace kobalt::spirv {
namespace {

constexpr uint32_t version_1_6 = 0x00010600;

/// The instructions of a module with the given opcode, each as its words.
std::vector<std::vector<uint32_t>> instructions(const std::vector<uint32_t>& words, spv::Op op) {
    std::vector<std::vector<uint32_t>> found;
    for (size_t i = 5; i < words.size(); i += words[i] >> spv::WordCountShift)
        if ((words[i] & spv::OpCodeMask) == uint32_t(op))
            found.emplace_back(words.begin() + long(i),
                               words.begin() + long(i + (words[i] >> spv::WordCountShift)));
    return found;
}

std::vector<uint32_t> finish_empty_main(ModuleBuilder& builder) {
    builder.capability(spv::Capability::Shader);
    builder.begin_block(builder.make_id());
    builder.emit_void(spv::Op::OpReturn, {});
    return builder.finish(version_1_6, spv::ExecutionModel::Vertex);
}

TEST(ModuleBuilder, TypesAreDeduplicated) {
    ModuleBuilder builder;
    EXPECT_EQ(builder.type_int(32, false), builder.type_int(32, false));
    EXPECT_NE(builder.type_int(32, false), builder.type_int(32, true));
    const Id vec4 = builder.type_vector(builder.type_float(32), 4);
    EXPECT_EQ(vec4, builder.type_vector(builder.type_float(32), 4));
    EXPECT_EQ(builder.type_vector(vec4, 1), vec4);
    EXPECT_EQ(builder.type_pointer(spv::StorageClass::Input, vec4),
              builder.type_pointer(spv::StorageClass::Input, vec4));
    EXPECT_NE(builder.type_pointer(spv::StorageClass::Input, vec4),
              builder.type_pointer(spv::StorageClass::Output, vec4));
}

TEST(ModuleBuilder, ArraysOfDifferentStrideAreDifferentTypes) {
    ModuleBuilder builder;
    const Id uint = builder.type_int(32, false);
    EXPECT_EQ(builder.type_array(uint, 8, 4), builder.type_array(uint, 8, 4));
    EXPECT_NE(builder.type_array(uint, 8, 4), builder.type_array(uint, 8));
    EXPECT_NE(builder.type_array(uint, 8, 4), builder.type_array(uint, 8, 16));
    EXPECT_EQ(instructions(finish_empty_main(builder), spv::Op::OpTypeArray).size(), 3u);
}

TEST(ModuleBuilder, BlocksAreApartFromStructures) {
    ModuleBuilder builder;
    const Id array = builder.type_runtime_array(builder.type_int(32, false), 4);
    EXPECT_EQ(array, builder.type_runtime_array(builder.type_int(32, false), 4));
    const Id block = builder.type_block(array);
    EXPECT_EQ(block, builder.type_block(array));
    const Id uint = builder.type_int(32, false);
    EXPECT_EQ(builder.type_struct({uint, uint}), builder.type_struct({uint, uint}));
    EXPECT_NE(builder.type_struct({uint}), builder.type_block(uint));
    const auto words = finish_empty_main(builder);
    EXPECT_EQ(instructions(words, spv::Op::OpTypeRuntimeArray).size(), 1u);
    EXPECT_EQ(instructions(words, spv::Op::OpTypeStruct).size(), 4u);
    // One stride for the array, one Block for each of the two blocks, one Offset for their members.
    EXPECT_EQ(instructions(words, spv::Op::OpDecorate).size(), 3u);
    EXPECT_EQ(instructions(words, spv::Op::OpMemberDecorate).size(), 2u);
}

TEST(ModuleBuilder, ImagesDifferInWhatTheyHold) {
    ModuleBuilder builder;
    const auto image = [&](uint32_t sampled, spv::ImageFormat format) {
        return builder.type_image(builder.type_float(32), spv::Dim::Dim2D, false, false, false,
                                  sampled, format);
    };
    EXPECT_EQ(image(1, spv::ImageFormat::Unknown), image(1, spv::ImageFormat::Unknown));
    EXPECT_NE(image(1, spv::ImageFormat::Unknown), image(2, spv::ImageFormat::Unknown));
    EXPECT_NE(image(2, spv::ImageFormat::R32f), image(2, spv::ImageFormat::Unknown));
}

TEST(ModuleBuilder, ConstantsAreDeduplicatedByTypeAndBits) {
    ModuleBuilder builder;
    EXPECT_EQ(builder.constant_uint(1), builder.constant_uint(1));
    EXPECT_NE(builder.constant_uint(1), builder.constant_int(1));
    EXPECT_NE(builder.constant_float(0.0f), builder.constant_float(-0.0f));
    const Id float32 = builder.type_float(32);
    EXPECT_EQ(builder.constant_splat(float32, builder.constant_float(2), 3),
              builder.constant_splat(float32, builder.constant_float(2), 3));
    EXPECT_EQ(builder.constant_splat(float32, builder.constant_float(2), 1),
              builder.constant_float(2));
}

TEST(ModuleBuilder, DecorationsCapabilitiesAndModesAppearOnce) {
    ModuleBuilder builder;
    const Id variable = builder.variable(spv::StorageClass::Output, builder.type_float(32));
    builder.decorate(variable, spv::Decoration::Location, {3});
    builder.decorate(variable, spv::Decoration::Location, {3});
    builder.capability(spv::Capability::ImageQuery);
    builder.capability(spv::Capability::ImageQuery);
    builder.execution_mode(spv::ExecutionMode::Xfb);
    builder.execution_mode(spv::ExecutionMode::Xfb);
    const auto words = finish_empty_main(builder);
    EXPECT_EQ(instructions(words, spv::Op::OpDecorate).size(), 1u);
    EXPECT_EQ(instructions(words, spv::Op::OpCapability).size(), 2u);
    EXPECT_EQ(instructions(words, spv::Op::OpExecutionMode).size(), 1u);
}

TEST(ModuleBuilder, HeaderAndEntryPoint) {
    ModuleBuilder builder;
    const Id variable = builder.variable(spv::StorageClass::Input, builder.type_float(32));
    const auto words = finish_empty_main(builder);
    EXPECT_EQ(words[0], spv::MagicNumber);
    EXPECT_EQ(words[1], version_1_6);
    EXPECT_GT(words[3], variable); // the bound is above every id
    const auto entry = instructions(words, spv::Op::OpEntryPoint);
    ASSERT_EQ(entry.size(), 1u);
    EXPECT_EQ(entry[0][3], 0x6e69616du); // "main"
    EXPECT_EQ(entry[0][4], 0u);
    EXPECT_EQ(entry[0].back(), variable); // part of the interface
    EXPECT_EQ(instructions(words, spv::Op::OpExtInstImport).size(), 0u);
}

TEST(ModuleBuilder, FunctionVariablesStandFirstInTheEntryBlock) {
    ModuleBuilder builder;
    builder.capability(spv::Capability::Shader);
    builder.begin_block(builder.make_id());
    const Id float32 = builder.type_float(32);
    builder.emit_extended(GLSLstd450Sin, float32, {builder.constant_float(1)});
    const Id local = builder.function_variable(float32);
    builder.store(local, builder.constant_float(2));
    builder.emit_void(spv::Op::OpReturn, {});
    const auto words = builder.finish(version_1_6, spv::ExecutionModel::Fragment);
    std::vector<uint32_t> order;
    for (size_t i = 5; i < words.size(); i += words[i] >> spv::WordCountShift)
        order.push_back(words[i] & spv::OpCodeMask);
    const auto at = std::ranges::find(order, uint32_t(spv::Op::OpLabel));
    ASSERT_NE(at, order.end());
    EXPECT_EQ(*(at + 1), uint32_t(spv::Op::OpVariable));
    EXPECT_EQ(*(at + 2), uint32_t(spv::Op::OpExtInst));
    EXPECT_EQ(instructions(words, spv::Op::OpExtInstImport).size(), 1u);
}

TEST(ModuleBuilder, PhiIsPatched) {
    ModuleBuilder builder;
    builder.capability(spv::Capability::Shader);
    const Id entry = builder.make_id();
    builder.begin_block(entry);
    const Id header = builder.make_id();
    builder.emit_void(spv::Op::OpBranch, {header});
    builder.begin_block(header);
    size_t position = 0;
    const Id phi = builder.emit_phi_placeholder(builder.type_int(32, false), 2, &position);
    builder.emit_void(spv::Op::OpReturn, {});
    const std::array edges{std::pair{builder.constant_uint(1), entry},
                           std::pair{builder.constant_uint(2), header}};
    builder.patch_phi(position, edges);
    const auto found =
        instructions(builder.finish(version_1_6, spv::ExecutionModel::Vertex), spv::Op::OpPhi);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0][2], phi);
    EXPECT_EQ(found[0][3], edges[0].first);
    EXPECT_EQ(found[0][4], entry);
    EXPECT_EQ(found[0][5], edges[1].first);
    EXPECT_EQ(found[0][6], header);
}

} // namespace
} // namespace kobalt::spirv
