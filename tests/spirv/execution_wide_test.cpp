// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Tests doubles on a device without them: Mesa emulates them with integers, and the results must
// still be those of IEEE 754.

#include <bit>
#include <cmath>
#include <cstring>

#include "execution_fixture.h"

namespace kobalt::corpus {
namespace {

using vulkan::Capability;

class WithoutDoubles : public Execution {
protected:
    void SetUp() override {
        Execution::SetUp();
        if (IsSkipped() || HasFatalFailure())
            return;
        KOBALT_NEEDS(Capability::shader_int64);
        changed_ = target();
        changed_->float64 = false;
    }
};

double as_double(const std::vector<uint32_t>& words, size_t index) {
    return std::bit_cast<double>(uint64_t{words[2 * index]} | uint64_t{words[2 * index + 1]} << 32);
}

// Each operation is a function of some hundred instructions, and drivers would take minutes to
// compile more of them.
TEST_F(WithoutDoubles, Arithmetic) {
    const auto out = run(R"(
        layout(local_size_x = 1) in;
        layout(std430) buffer Out { double d[8]; uint flags; };
        void main() {
            double a = d[0], b = d[1];
            d[2] = a + b; d[3] = a * b; d[4] = mix(a, b, 0.25LF); d[5] = floor(-a);
            d[6] = packDouble2x32(unpackDouble2x32(a)); d[7] = double(int(-a));
            flags = uint(a == b) | uint(a >= b) << 1 | uint(isinf(b)) << 2;
        })",
                         {17}, 1, [](std::vector<uint32_t*>& memory) {
                             const double in[] = {10.1, 3.3};
                             std::memcpy(memory[0], in, sizeof in);
                         });
    const double a = 10.1, b = 3.3;
    const double expected[] = {a + b, a * b, a * .75 + b * .25, -11, a, -10};
    for (size_t i = 0; i < std::size(expected); i++)
        EXPECT_NEAR(as_double(out[0], 2 + i), expected[i], 1e-13) << "d[" << 2 + i << "]";
    EXPECT_EQ(out[0][16], 2u);
}

/// frexp() and ldexp() undo each other (GLSL 4.60, 8.3).
TEST_F(WithoutDoubles, Exponents) {
    const auto out = run(R"(
        layout(local_size_x = 4) in;
        layout(std430) buffer Out { double in_[4]; double scaled[4]; double again[4]; };
        void main() {
            uint i = gl_LocalInvocationIndex;
            int exponent;
            double significand = frexp(in_[i], exponent);
            again[i] = ldexp(significand, exponent);
            scaled[i] = ldexp(in_[i], 3 - int(i) * 40);
        })",
                         {24}, 1, [](std::vector<uint32_t*>& memory) {
                             const double in[] = {10.1, -0.3, 1e300, 0.0};
                             std::memcpy(memory[0], in, sizeof in);
                         });
    const double expected[] = {10.1, -0.3, 1e300, 0.0};
    for (size_t i = 0; i < 4; i++) {
        EXPECT_EQ(as_double(out[0], 4 + i), std::ldexp(expected[i], 3 - int(i) * 40)) << i;
        EXPECT_EQ(as_double(out[0], 8 + i), expected[i]) << i;
    }
}

TEST_F(WithoutDoubles, LoopsBranchesAndArrays) {
    const auto out = run(R"(
        layout(local_size_x = 4) in;
        layout(std430) buffer Out { double d[4]; };
        shared double together[4];
        void main() {
            double sum = 0.0LF, table[5];
            for (int i = 0; i < 5; i++) table[i] = double(i) + 0.125LF;
            for (uint i = 0u; i <= gl_LocalInvocationIndex; i++)
                sum += i % 2u == 0u ? table[i + 1u] : -0.5LF;
            together[gl_LocalInvocationIndex] = sum;
            barrier();
            d[gl_LocalInvocationIndex] = together[3u - gl_LocalInvocationIndex];
        })",
                         {8});
    const double expected[] = {3.25, 3.75, 0.625, 1.125};
    for (size_t i = 0; i < 4; i++)
        EXPECT_EQ(as_double(out[0], i), expected[i]) << i;
}

} // namespace
} // namespace kobalt::corpus
