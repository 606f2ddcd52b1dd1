// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// The order in which shaders read and write memory (GLSL 4.60, 4.10, 8.11 and 8.16), which element
// of an array of images or blocks they reach, and the declarations of memory that are refused.
#include "compute.h"

namespace kobalt::gltest {
namespace {

const std::string kOut = "layout(std430, binding = 0) buffer Out { uint o[]; };\n";

class ShaderMemoryTest : public ComputeTest {
protected:
    /// What one invocation writes to `o`, which begins with zeros.
    static Words run(const std::string& declarations, const std::string& body, size_t count) {
        gl::UseProgram(compute("layout(local_size_x = 1) in;\n" + kOut + declarations +
                               "\nvoid main() { " + body + " }\n"));
        const GLuint out = storage(0, Words(count, 0));
        gl::MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
        gl::DispatchCompute(1, 1, 1);
        return words_of(out, count);
    }
    static bool accepts(const std::string& rest) {
        return compiles(GL_COMPUTE_SHADER,
                        "#version 430 core\nlayout(local_size_x = 1) in;\n" + rest);
    }
    /// Each of `count` holds what the one before it had.
    static Words rotated(std::uint32_t count) {
        Words words;
        for (std::uint32_t i = 0; i < count; ++i)
            words.push_back((i + count - 1) % count);
        return words;
    }
};

TEST_F(ShaderMemoryTest, SharedVariablesReadBeforeABarrier) {
    struct Case {
        std::string type, write, read;
    };
    for (const auto& [type, write, read] :
         {Case{"uint", "a[i] = i;", "a[i]"}, Case{"uvec4", "a[i] = uvec4(i);", "a[i].z"},
          Case{"mat2", "a[i] = mat2(float(i));", "uint(a[i][1][1])"},
          Case{"S", "a[i].x = i; a[i].y[1] = i;", "a[i].y[1]"}}) {
        for (const std::string barrier : {"barrier();", "memoryBarrierShared(); barrier();"}) {
            SCOPED_TRACE(type + " " + barrier);
            gl::UseProgram(compute("layout(local_size_x = 27) in;\n" + kOut +
                                   "struct S { uint x; uint y[2]; }; shared " + type +
                                   " a[27];\nvoid main() { uint i = gl_LocalInvocationIndex; " +
                                   write + barrier + type + " t = a[i]; " + barrier +
                                   " a[(i + 1u) % 27u] = t; " + barrier + " o[i] = " + read +
                                   "; }"));
            const GLuint out = storage(0, Words(27));
            gl::DispatchCompute(1, 1, 1);
            EXPECT_EQ(words_of(out, 27), rotated(27));
        }
    }
}

TEST_F(ShaderMemoryTest, OutputsReadBeforeABarrier) {
    if (get(GL_MAX_TESS_CONTROL_SHADER_STORAGE_BLOCKS) < 1)
        GTEST_SKIP() << "control shaders have no storage blocks";
    const std::string version = "#version 430 core\n";
    const GLuint program = link({{GL_VERTEX_SHADER, version + "void main() { }"},
                                 {GL_TESS_CONTROL_SHADER, version + kOut + R"(
        layout(vertices = 16) out;
        out uint v[];
        void main() {
            uint i = uint(gl_InvocationID);
            v[gl_InvocationID] = i;
            barrier();
            uint t = v[(i + 15u) % 16u];
            barrier();
            v[gl_InvocationID] = t;
            barrier();
            o[i] = v[i];
            gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 1.0;
            gl_TessLevelInner[0] = 1.0;
        })"},
                                 {GL_TESS_EVALUATION_SHADER, version + R"(
        layout(triangles) in;
        in uint v[];
        void main() { gl_Position = vec4(float(v[0])); })"}});
    const GLuint out = storage(0, Words(16));
    make_black_target();
    bind_new_vao();
    gl::Enable(GL_RASTERIZER_DISCARD);
    gl::UseProgram(program);
    gl::PatchParameteri(GL_PATCH_VERTICES, 1);
    gl::DrawArrays(GL_PATCHES, 0, 1);
    EXPECT_EQ(words_of(out, 16), rotated(16));
}

// Without restrict, blocks may have the same buffer.
TEST_F(ShaderMemoryTest, BlocksThatShareABuffer) {
    const std::string blocks = "layout(std430, binding = 1) buffer A { uint a; };"
                               "layout(std430, binding = 2) buffer B { uint b; };"
                               "struct S { uint x; uint y; };"
                               "layout(std430, binding = 1) buffer E { S s; } e;"
                               "layout(std430, binding = 2) buffer F { S s; } f;";
    struct Case {
        std::string body;
        std::uint32_t expected;
    };
    for (const auto& [body, expected] :
         {Case{"uint t = a; b = 5u; o[0] = t;", 1}, Case{"uint t = a; b = 5u; o[0] = a;", 5},
          Case{"uint t = a; b += 4u; o[0] = t + a * 16u;", 0x51},
          Case{"uint t = a * 3u; b = 5u; o[0] = t;", 3},
          Case{"S t = e.s; f.s = S(5u, 6u); o[0] = t.y;", 2},
          Case{"uint t = e.s.y; f.s.y = 5u; o[0] = t;", 2}, Case{"a = 7u; o[0] = b; a = 8u;", 7},
          Case{"a = 7u; o[0] = atomicAdd(b, 1u); a = 9u;", 7},
          Case{"uint t = a; atomicAdd(b, 1u); o[0] = t;", 1}}) {
        const GLuint shared = storage(1, {1, 2});
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, shared);
        EXPECT_EQ(run(blocks, body, 1), Words{expected}) << body;
    }
}

TEST_F(ShaderMemoryTest, AtomicsSeeTheStoreBeforeThem) {
    for (const std::string memory :
         {"layout(std430, binding = 1) buffer B { uint x; };",
          "layout(std430, binding = 1) restrict buffer B { uint x; };",
          "layout(std430, binding = 1) volatile restrict buffer B { uint x; };",
          "layout(std430, binding = 1) coherent buffer B { uvec4 v; };\n#define x v.y\n",
          "shared uint x;"}) {
        for (const std::string call :
             {"atomicAdd(x, 1u)", "atomicExchange(x, 3u)", "atomicCompSwap(x, 80u, 3u)"}) {
            storage(1, {1, 2, 3, 4});
            EXPECT_EQ(
                run(memory, "x = 80u; uint r = " + call + "; x = 96u; o[0] = r; o[1] = x;", 2),
                (Words{80, 96}))
                << memory << call;
        }
    }
}

TEST_F(ShaderMemoryTest, ArraysOfArraysOfImages) {
    const GLint units = get(GL_MAX_COMPUTE_IMAGE_UNIFORMS);
    for (GLuint unit = 0; unit < 8; ++unit) {
        const GLuint texture = new_texture(GL_TEXTURE_2D);
        gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_R32UI, 1, 1);
        const std::uint32_t texel = 100 + unit;
        gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RED_INTEGER, GL_UNSIGNED_INT, &texel);
        gl::BindImageTexture(unit, texture, 0, GL_FALSE, 0, GL_READ_ONLY, GL_R32UI);
    }
    ASSERT_GE(units, 8);
    for (const auto& [outer, inner] : {std::pair{2U, 3U}, {3U, 2U}, {2U, 4U}, {1U, 7U}, {8U, 1U}}) {
        std::string body;
        Words expected;
        for (GLuint i = outer * inner; i-- > 0;) {
            body += "o[" + std::to_string(i) + "] = imageLoad(n[" + std::to_string(i / inner) +
                    "][" + std::to_string(i % inner) + "], ivec2(0)).x; ";
            expected.insert(expected.begin(), 100 + i);
        }
        EXPECT_EQ(run("layout(r32ui, binding = 0) readonly uniform uimage2D n[" +
                          std::to_string(outer) + "][" + std::to_string(inner) + "];",
                      body, outer * inner),
                  expected)
            << outer << " x " << inner;
    }
}

TEST_F(ShaderMemoryTest, ArraysOfPackedBlocksByAnyIndex) {
    for (const std::string kind : {"buffer", "uniform"}) {
        const GLenum target = kind == "buffer" ? GL_SHADER_STORAGE_BUFFER : GL_UNIFORM_BUFFER;
        for (GLuint i = 0; i < 3; ++i)
            gl::BindBufferBase(target, 3 + i, make_buffer(target, Words(64, 10 + i)));
        const std::string block =
            "uniform int z; layout(packed, binding = 3) " + kind + " B { uint c; } x[3];";
        // The constants come first, and fall.
        EXPECT_EQ(run(block,
                      "o[0] = x[2].c; o[1] = x[1].c; o[2] = x[0].c; "
                      "o[3] = x[z].c; o[4] = x[z + 1].c; o[5] = x[z + 2].c;",
                      6),
                  (Words{12, 11, 10, 10, 11, 12}));
        EXPECT_EQ(run(block, "o[0] = x[2].c; o[1] = x[0].c;", 2), (Words{12, 10}));
        EXPECT_EQ(run(block, "o[0] = x[2].c; o[1] = x[z + 1].c;", 2), (Words{12, 11}));
    }
}

TEST_F(ShaderMemoryTest, PackedBlocksThatOnlyAtomicsUse) {
    for (GLuint i = 0; i < 3; ++i)
        storage(3 + i, Words(4, 10 + i));
    const std::string block =
        "uniform int z; layout(packed, binding = 3) buffer B { uint c; } x[3];";
    EXPECT_EQ(run(block, "o[0] = atomicAdd(x[1].c, 1u);", 1), Words{11});
    EXPECT_EQ(run(block, "o[0] = x[0].c; o[1] = atomicExchange(x[2].c, 9u);", 2), (Words{10, 12}));
    EXPECT_EQ(run(block, "o[0] = x[2].c; o[1] = atomicCompSwap(x[z + 1].c, 12u, 9u);", 2),
              (Words{9, 12}));
}

// A format is one of an image; the compiler ended where a structure's name came behind it.
TEST_F(ShaderMemoryTest, FormatsOfStructuresAreRefused) {
    const std::string main = " void main() { }";
    EXPECT_TRUE(accepts("struct X { uint k; }; uniform X x;" + main));
    EXPECT_FALSE(accepts("struct X { uint k; }; layout(r32ui) uniform X x;" + main));
    EXPECT_FALSE(accepts("struct X { uint k; }; layout(r32ui) uniform X x[2];" + main));
    EXPECT_FALSE(accepts("layout(r32ui) uniform struct X { uint k; } x;" + main));
    EXPECT_FALSE(accepts("struct X { usampler2D s; }; layout(r32ui) uniform X x;" + main));
}

TEST_F(ShaderMemoryTest, ArraysWithoutASize) {
    const std::string blocks = kOut + "layout(std430, binding = 1) buffer Q { uint q[]; };"
                                      "layout(std430, binding = 2) buffer R { uint r[]; } n;";
    const auto accepted = [&](const std::string& body) {
        return accepts(blocks + "void main() { " + body + " }");
    };
    EXPECT_TRUE(accepted("o[1] = q[2]; o[0] = uint(q.length());"));
    EXPECT_TRUE(accepts(kOut + "void main() { uint a[] = uint[](1u, 2u); uint b[2]; b = a; "
                               "if (a == b) o[0] = 1u; }"));
    EXPECT_TRUE(accepts("struct S { uint a[2]; }; uniform S s; void main() { }"));
}

TEST_F(ShaderMemoryTest, AtomicCountersSideBySide) {
    const auto accepted = [](const std::string& counters) {
        return accepts(counters + " void main() { }");
    };
    EXPECT_TRUE(accepted("layout(binding = 2, offset = 4) uniform atomic_uint;"
                         "layout(binding = 2) uniform atomic_uint a;"
                         "layout(binding = 2) uniform atomic_uint b[2], c;"
                         "layout(binding = 1, offset = 4) uniform atomic_uint d;"
                         "layout(binding = 2, offset = 0) uniform atomic_uint e;"));
}

class EsShaderMemoryTest : public EsTest {
protected:
    Missing missing() const override { return lacks(3, 2); }
};

// GLSL ES 3.20, 4.7.4.
TEST_F(EsShaderMemoryTest, ImagesOfCubeMapArraysHaveADefaultPrecision) {
    struct Case {
        std::string type, format, value;
    };
    for (const auto& [type, format, value] :
         {Case{"imageCubeArray", "rgba8", "vec4(0)"}, Case{"iimageCubeArray", "r32i", "ivec4(0)"},
          Case{"uimageCubeArray", "r32ui", "uvec4(0)"}}) {
        const std::string rest = "layout(local_size_x = 1) in; layout(" + format +
                                 ", binding = 0) uniform writeonly " + type +
                                 " im; void main() { imageStore(im, ivec3(0), " + value + "); }";
        const std::string version = "#version 320 es\n";
        EXPECT_TRUE(compiles(GL_COMPUTE_SHADER, version + "precision highp " + type + "; " + rest))
            << type;
        EXPECT_FALSE(compiles(GL_COMPUTE_SHADER, version + rest)) << type;
    }
}

TEST_F(EsShaderMemoryTest, Barriers) {
    gl::MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_ATOMIC_COUNTER_BARRIER_BIT);
    gl::MemoryBarrier(GL_ALL_BARRIER_BITS);
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
}

// Components of a block's vector by constant indices (GLSL 4.60, 5.5) are no elements of an array.
TEST_F(ShaderMemoryTest, ArraysOfTheComponentsOfABlocksVector) {
    const std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 0, 8, 9};
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, make_buffer(GL_UNIFORM_BUFFER, values));
    EXPECT_EQ(run("layout(std140, binding = 0) uniform Block { vec4 x; vec3 y; vec2 z; };",
                  "float a[4]; a[0] = x[0]; a[1] = x[1]; a[2] = x[2]; a[3] = x[3]; "
                  "float b[3]; b[0] = y[0]; b[1] = y[1]; b[2] = y[2]; "
                  "float c[2]; c[0] = z[0]; c[1] = z[1]; "
                  "for (uint i = 0u; i < uint(x.w); ++i) o[i] = uint(a[i + o[9]]); "
                  "for (uint i = 0u; i < uint(x.z); ++i) o[4u + i] = uint(b[i + o[9]]); "
                  "for (uint i = 0u; i < uint(x.y); ++i) o[7u + i] = uint(c[i + o[9]]);",
                  10),
              (Words{1, 2, 3, 4, 5, 6, 7, 8, 9, 0}));
}

} // namespace
} // namespace kobalt::gltest
