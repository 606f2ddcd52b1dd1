// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Tests arrays of textures, blocks and images with a dynamic index: an array of descriptors where
// the device supports dynamic indexing, else a switch over bindings.

#include "translator_fixture.h"

namespace kobalt::corpus {
namespace {

struct Kind {
    const char* name;
    std::string declaration;
    std::string value; ///< with `i` for the index
    spirv::DescriptorKind kind;
    uint32_t first; ///< slot of the array
};

// A default block comes before the app's.
const Kind kKinds[] = {
    {"texture", "uniform sampler2D t[4];", "texture(t[i], vec2(0.5))",
     spirv::DescriptorKind::combined_image_sampler, 0},
    {"texel buffer", "uniform samplerBuffer t[4];", "texelFetch(t[i], 0)",
     spirv::DescriptorKind::uniform_texel_buffer, 0},
    {"uniform block", "layout(std140) uniform B { vec4 a, v; } t[4];", "t[i].v",
     spirv::DescriptorKind::uniform_buffer, 1},
    {"storage block", "layout(std430) buffer B { vec4 a, v; } t[4];", "t[i].v",
     spirv::DescriptorKind::storage_buffer, 0},
    {"image", "layout(rgba8) uniform image2D t[4];", "imageLoad(t[i], ivec2(0))",
     spirv::DescriptorKind::storage_image, 0},
};

class DescriptorArrays : public TranslatorTest, public testing::WithParamInterface<Kind> {
protected:
    /// The module of a shader whose index is `index`; `more` is added to its colour.
    std::map<spv::Op, unsigned> translated(const std::string& index, const std::string& more = {}) {
        const Kind& kind = GetParam();
        nir_shader* nir = fragment(kind.declaration + "\nuniform int u;\nflat in int f;\n" +
                                       "out vec4 color;\nvoid main() {\n int i = " + index +
                                       ";\n color = " + kind.value + more + ";\n}\n",
                                   430);
        if (!nir)
            return {};
        auto result = spirv::translate(nir, target_);
        EXPECT_TRUE(result.has_value()) << result.error().what;
        if (!result)
            return {};
        EXPECT_EQ(validation(result->words), "");
        translation_ = std::move(*result);
        return instructions(translation_.words);
    }
    std::vector<spirv::Binding> elements() const {
        std::vector<spirv::Binding> found;
        for (const spirv::Binding& binding : translation_.bindings)
            if (binding.kind == GetParam().kind && binding.slot >= GetParam().first)
                found.push_back(binding);
        return found;
    }
    bool says_non_uniform() const {
        const auto capability = static_cast<uint32_t>(spv::Capability::ShaderNonUniform);
        constexpr uint32_t op_capability = 17 | 2 << 16;
        for (size_t i = 5; i + 1 < translation_.words.size(); ++i)
            if (translation_.words[i] == op_capability && translation_.words[i + 1] == capability)
                return true;
        return false;
    }
    void expect_one_array() const {
        const auto all = elements();
        ASSERT_EQ(all.size(), 4u);
        for (uint32_t i = 0; i < 4; ++i) {
            EXPECT_EQ(all[i].slot, GetParam().first + i);
            EXPECT_EQ(all[i].binding, all[0].binding);
            EXPECT_FALSE(all[i].pushed);
        }
    }
    spirv::Translation translation_;
};

TEST_P(DescriptorArrays, AUniformIndexIsOneAccess) {
    target_.dynamic_arrays = ~0u;
    target_.pushed_slots = 2; // blocks of an array are never in a pushed set
    target_.pushed_set = 6;
    EXPECT_EQ(translated("u & 3")[spv::Op::OpSwitch], 0u);
    EXPECT_FALSE(says_non_uniform());
    expect_one_array();
}

TEST_P(DescriptorArrays, AnIndexThatMayDifferSaysSo) {
    target_.dynamic_arrays = target_.non_uniform_arrays = ~0u;
    EXPECT_EQ(translated("f & 3")[spv::Op::OpSwitch], 0u);
    EXPECT_TRUE(says_non_uniform());
    expect_one_array();
}

TEST_P(DescriptorArrays, WhereTheDeviceCantThatIsASwitch) {
    target_.dynamic_arrays = ~0u;
    EXPECT_EQ(translated("f & 3")[spv::Op::OpSwitch], 1u);
    EXPECT_FALSE(says_non_uniform());
}

TEST_P(DescriptorArrays, WithoutIndexingEachElementHasItsBinding) {
    EXPECT_EQ(translated("u & 3")[spv::Op::OpSwitch], 1u);
    const auto all = elements();
    ASSERT_EQ(all.size(), 4u);
    EXPECT_NE(all[1].binding, all[0].binding);
}

TEST_P(DescriptorArrays, KnownElementsAreOfTheSameArray) {
    target_.dynamic_arrays = ~0u;
    std::string known = GetParam().value;
    known.replace(known.find("[i]"), 3, "[2]");
    EXPECT_EQ(translated("u & 3", " + " + known)[spv::Op::OpSwitch], 0u);
    expect_one_array();
}

TEST_P(DescriptorArrays, KnownElementsAloneKeepTheirBindings) {
    target_.dynamic_arrays = target_.non_uniform_arrays = ~0u;
    translated("2");
    EXPECT_EQ(elements().size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(All, DescriptorArrays, testing::ValuesIn(kKinds), [](const auto& info) {
    std::string name = info.param.name;
    std::erase(name, ' ');
    return name;
});

} // namespace
} // namespace kobalt::corpus
