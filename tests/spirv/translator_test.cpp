// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Tests the translator on generated shaders: large ones, deeply nested ones, and ones that it must
// refuse.

#include <algorithm>
#include <chrono>
#include <functional>

#include <pthread.h>

#include "translator_fixture.h"

namespace kobalt::corpus {
namespace {

class Translator : public TranslatorTest {};

std::string repeat(unsigned count, const std::function<std::string(unsigned)>& text) {
    std::string all;
    for (unsigned i = 0; i < count; i++)
        all += text(i);
    return all;
}

double best_of_three_seconds(const std::function<void()>& work) {
    double best = 1e9;
    for (int i = 0; i < 3; i++) {
        const auto start = std::chrono::steady_clock::now();
        work();
        best = std::min(
            best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

/// Runs `work` in a thread with a small stack.
void with_stack(size_t bytes, std::function<void()> work) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
    pthread_t thread;
    const auto run = [](void* data) -> void* {
        (*static_cast<std::function<void()>*>(data))();
        return nullptr;
    };
    ASSERT_EQ(pthread_create(&thread, &attributes, run, &work), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
}

/// `count` independent statements that nothing folds, each with a constant of its own.
std::string straight_line(unsigned count) {
    return "uniform sampler2D t; in vec4 a; out vec4 color;\nvoid main() {\n vec4 v = a;\n" +
           repeat(count,
                  [](unsigned i) {
                      return " v = sin(v * " + std::to_string(i) + ".5 + texture(t, v.xy + " +
                             std::to_string(i) + ".25));\n";
                  }) +
           " color = v;\n}\n";
}

TEST_F(Translator, TimeGrowsWithTheShaderAndNotWithItsSquare) {
    nir_shader* small = fragment(straight_line(1000));
    nir_shader* large = fragment(straight_line(8000));
    ASSERT_TRUE(small && large);
    size_t words = 0;
    const double one = best_of_three_seconds([&] { (void)spirv::translate(small, target_); });
    const double eight = best_of_three_seconds(
        [&] { words = spirv::translate(large, target_).value().words.size(); });
    EXPECT_GT(words, 8000u * 10);
    EXPECT_LT(eight, 30 * one); // linear time gives 8, quadratic 64
}

TEST_F(Translator, ManyExitsOfOneLoop) {
    const auto source = [](unsigned exits) {
        return "uniform int n; in vec4 a; out vec4 color;\nvoid main() {\n vec4 v = a; int k = 0;\n"
               " for (int i = 0; i < n; i++) {\n" +
               repeat(exits,
                      [](unsigned i) {
                          return "  v = sin(v * " + std::to_string(i) + ".5); if (v.x > " +
                                 std::to_string(i) + ".75) { k = " + std::to_string(i) +
                                 "; break; }\n";
                      }) +
               " }\n color = v + float(k);\n}\n";
    };
    nir_shader* nir = fragment(source(400));
    ASSERT_TRUE(nir);
    const auto result = spirv::translate(nir, target_);
    ASSERT_TRUE(result.has_value()) << result.error().what;
    EXPECT_EQ(validation(result->words), "");
}

TEST_F(Translator, DeepNestingFitsASmallStack) {
    constexpr unsigned depth = 100; // spirv-val's time is cubic in the depth
    const std::string source =
        "uniform float u[100]; in vec4 a; out vec4 color;\nvoid main() {\n vec4 v = a;\n" +
        repeat(depth,
               [](unsigned i) {
                   const std::string n = std::to_string(i);
                   return " if (sin(v.x * u[" + n + "]) > 0.5) { v = cos(v * " + n +
                          ".5); for (int i" + n + " = 0; i" + n + " < int(u[" + n + "]); i" + n +
                          "++) { v += sin(v);\n";
               }) +
        repeat(depth, [](unsigned) { return std::string("}}\n"); }) + " color = v;\n}\n";
    nir_shader* nir = fragment(source);
    ASSERT_TRUE(nir);
    std::expected<spirv::Translation, spirv::TranslateError> result;
    with_stack(256 << 10, [&] { result = spirv::translate(nir, target_); });
    ASSERT_TRUE(result.has_value()) << result.error().what;
    EXPECT_EQ(validation(result->words), "");
}

TEST_F(Translator, LargeIndexedArray) {
    nir_shader* nir = fragment("in vec4 a; flat in int i; out vec4 color;\nvoid main() {\n"
                               " vec4 t[512];\n for (int k = 0; k < 512; k++) t[k] = a * float(k);"
                               "\n color = t[i & 511] + t[(i * 7) & 511];\n}\n");
    ASSERT_TRUE(nir);
    const auto result = spirv::translate(nir, target_);
    ASSERT_TRUE(result.has_value()) << result.error().what;
    EXPECT_EQ(validation(result->words), "");
    EXPECT_LT(result->words.size(), 40000u);
}

TEST_F(Translator, EqualShadersGiveEqualModules) {
    nir_shader* one = fragment(straight_line(20));
    nir_shader* two = fragment(straight_line(20));
    ASSERT_TRUE(one && two);
    EXPECT_EQ(spirv::translate(one, target_).value().words,
              spirv::translate(two, target_).value().words);
}

// Only the indexed block is read: the others may be large, or not bound.
TEST_F(Translator, BlocksUnderAnIndexAreASwitch) {
    target_.float64 = target_.int64 = true;
    for (const char* type : {"vec4", "float", "dvec4"}) {
        SCOPED_TRACE(type);
        nir_shader* nir = fragment("layout(std140) uniform Block { " + std::string(type) +
                                       " first, second; } blocks[4];\nuniform int i;\n"
                                       "out vec4 color;\nvoid main() {\n"
                                       " color = vec4(blocks[i].second);\n}\n",
                                   400);
        ASSERT_TRUE(nir);
        const auto result = spirv::translate(nir, target_);
        ASSERT_TRUE(result.has_value()) << result.error().what;
        EXPECT_EQ(validation(result->words), "");
        auto counts = instructions(result->words);
        EXPECT_EQ(counts[spv::Op::OpSwitch], 1u);
        EXPECT_EQ(counts[spv::Op::OpSelect], 0u);
    }
}

// GL lets blocks and images share memory unless they are `restrict` (GLSL 4.60, 4.10). So a
// variable that is only read can change where another one is written.
TEST_F(Translator, MemoryThatMayBeShared) {
    const auto aliased = [&](const std::string& qualifier, const std::string& code) -> int {
        nir_shader* nir =
            fragment(qualifier + " buffer A { uint a; };\n" + qualifier +
                         " buffer B { uint b; };\nlayout(r32ui) uniform " + qualifier +
                         " uimage2D image;\nout uvec4 color;\n" + "void main() {\n" + code + "}\n",
                     430);
        if (!nir)
            return -1;
        const auto result = spirv::translate(nir, target_);
        if (!result)
            return -1;
        EXPECT_EQ(validation(result->words), "");
        return static_cast<int>(decorations(result->words, spv::Decoration::Aliased));
    };
    EXPECT_EQ(aliased("", "uint t = a; b = 5u; color = uvec4(t);"), 2);
    EXPECT_EQ(aliased("", "uint t = a; imageStore(image, ivec2(0), uvec4(5)); color = uvec4(t);"),
              2);
    EXPECT_EQ(aliased("", "color = uvec4(a, b, 0, imageLoad(image, ivec2(0)).x);"), 0);
    EXPECT_EQ(aliased("restrict", "uint t = a; b = 5u; color = uvec4(t);"), 0);
}

// Not every driver makes one access of several words.
TEST_F(Translator, AlignedVectorsOfBuffersAreStoredAtOnce) {
    const auto stores = [&](const std::string& members, const std::string& code) -> unsigned {
        nir_shader* nir = fragment("layout(std430) buffer A { " + members + " };\n" +
                                       "uniform int i;\nvoid main() { " + code + " }\n",
                                   430);
        if (!nir)
            return 0;
        const auto result = spirv::translate(nir, target_);
        if (!result)
            return 0;
        EXPECT_EQ(validation(result->words), "");
        return instructions(result->words)[spv::Op::OpStore];
    };
    EXPECT_EQ(stores("vec4 a[];", "a[i] = vec4(i);"), 1u);
    EXPECT_EQ(stores("vec2 a[];", "a[i] = vec2(i);"), 1u);
    EXPECT_EQ(stores("vec3 a[];", "a[i] = vec3(i);"), 3u);
    EXPECT_EQ(stores("vec4 a[];", "a[i].xyw = vec3(i);"), 3u);
    EXPECT_EQ(stores("mat4x3 a[];", "a[i][1] = vec3(i);"), 3u);
    EXPECT_EQ(stores("vec4 a; vec2 b; vec2 c[];", "a = vec4(i); b = c[i];"), 2u);
}

TEST_F(Translator, OneMessageNamesStageAndCause) {
    nir_shader* nir = fragment("#extension GL_ARB_gpu_shader_fp64 : require\n"
                               "uniform dvec4 u, v; out vec4 color;\n"
                               "void main() { color = vec4(u * v + u / v); }\n",
                               400);
    ASSERT_TRUE(nir);
    const auto result = spirv::translate(nir, target_);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().what,
              "fragment shader: no SPIR-V for a 64-bit integer, which the device "
              "does not have"); // emulated doubles need 64-bit integers
}

} // namespace
} // namespace kobalt::corpus
