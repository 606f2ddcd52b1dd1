// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Tests atomic operations on floats and on 64-bit integers, each with the device's instruction
// where it has one, and as the loop that replaces it.

#include <bit>
#include <cmath>

#include "execution_fixture.h"

namespace kobalt::corpus {
namespace {

using vulkan::Capability;

uint32_t bits_of(float value) {
    return std::bit_cast<uint32_t>(value);
}

class Atomics : public Execution {
protected:
    /// Runs `check` with the device's instructions, then with loops.
    void both(const std::function<void()>& check) {
        {
            SCOPED_TRACE("as the device has them");
            changed_.reset();
            check();
        }
        SCOPED_TRACE("as loops");
        changed_ = target();
        changed_->atomics.buffer_float_add = changed_->atomics.buffer_float_min_max = false;
        changed_->atomics.shared_float_add = changed_->atomics.shared_float_min_max = false;
        check();
    }
};

TEST_F(Atomics, FloatsInBuffers) {
    both([&] {
        const auto out = run(R"(
            #extension GL_NV_shader_atomic_float : require
            #extension GL_INTEL_shader_atomic_float_minmax : require
            layout(local_size_x = 32) in;
            layout(std430) buffer Out { float old[6]; float sum; float v[5]; uint words; };
            void main() {
                atomicAdd(sum, 0.5);
                atomicMin(v[0], float(gl_LocalInvocationIndex) - 7.0);
                atomicMax(v[1], float(gl_LocalInvocationIndex));
                if (gl_LocalInvocationIndex == 0u) {
                    old[0] = atomicExchange(v[2], 2.5);
                    old[1] = atomicCompSwap(v[3], 0.0, 8.0);
                    old[2] = atomicCompSwap(v[4], 1.0, 9.0);
                    words = atomicAdd(words, 3u) + 1u;
                }
            })",
                             {13}, 2, [](std::vector<uint32_t*>& memory) {
                                 memory[0][7] = memory[0][8] = bits_of(3);
                                 memory[0][9] = bits_of(1.25f);
                                 memory[0][10] = bits_of(-0.0f); // equals 0 as a float
                                 memory[0][11] = bits_of(NAN);   // equals nothing
                             });
        ASSERT_EQ(out[0].size(), 13u);
        const auto at = [&](size_t i) { return std::bit_cast<float>(out[0][i]); };
        EXPECT_EQ(at(6), 32.0f);
        EXPECT_EQ(at(7), -7.0f);
        EXPECT_EQ(at(8), 31.0f);
        EXPECT_EQ(at(9), 2.5f);
        EXPECT_EQ(at(10), 8.0f);
        EXPECT_TRUE(std::isnan(at(11)));
        EXPECT_TRUE(at(0) == 1.25f || at(0) == 2.5f); // from whichever workgroup came last
        EXPECT_TRUE(std::isnan(at(2)));
    });
}

TEST_F(Atomics, FloatsOfAnArrayOfBlocks) {
    both([&] {
        const auto out = run(R"(
            #extension GL_NV_shader_atomic_float : require
            layout(local_size_x = 8) in;
            layout(std430) buffer Block { uint before; float sum; } blocks[3];
            void main() { atomicAdd(blocks[gl_WorkGroupID.x].sum, 1.0 + gl_WorkGroupID.x); })",
                             {2, 2, 2}, 3);
        for (uint32_t i = 0; i < 3; i++)
            EXPECT_EQ(out[i][1], bits_of(8.0f * float(1 + i))) << i;
    });
}

TEST_F(Atomics, FloatsInSharedMemory) {
    both([&] {
        const auto out = run(R"(
            #extension GL_NV_shader_atomic_float : require
            #extension GL_INTEL_shader_atomic_float_minmax : require
            layout(local_size_x = 32) in;
            layout(std430) buffer Out { float v[3]; uint count; };
            shared float sum, least, most;
            shared uint counted;
            void main() {
                if (gl_LocalInvocationIndex == 0u) { sum = 1.0; least = most = 4.0; counted = 0u; }
                barrier();
                atomicAdd(sum, 0.25);
                atomicMin(least, -float(gl_LocalInvocationIndex));
                atomicMax(most, float(gl_LocalInvocationIndex));
                atomicAdd(counted, 2u);
                barrier();
                if (gl_LocalInvocationIndex == 0u) {
                    v[0] = sum; v[1] = least; v[2] = most; count = counted;
                }
            })",
                             {4});
        EXPECT_EQ(out[0][0], bits_of(9));
        EXPECT_EQ(out[0][1], bits_of(-31));
        EXPECT_EQ(out[0][2], bits_of(31));
        EXPECT_EQ(out[0][3], 64u);
    });
}

TEST_F(Atomics, WideIntegers) {
    const spirv::Target has = target();
    if (!has.atomics.buffer_int64 || !has.atomics.shared_int64)
        GTEST_SKIP() << "no 64-bit atomic operations on this device";
    const auto out = run(R"(
        #extension GL_NV_shader_atomic_int64 : require
        #extension GL_ARB_gpu_shader_int64 : require
        layout(local_size_x = 16) in;
        layout(std430) buffer Out { int64_t sum, u[3]; int64_t i; int64_t fromShared; uint word; };
        shared int64_t wide;
        shared uint narrow;
        void main() {
            if (gl_LocalInvocationIndex == 0u) { wide = 1l << 40; narrow = 5u; }
            barrier();
            atomicAdd(sum, 1l << 32);
            atomicMax(i, -int64_t(gl_LocalInvocationIndex) - 3l);
            atomicAdd(wide, 1l << 33);
            atomicAdd(narrow, 1u);
            barrier();
            if (gl_LocalInvocationIndex == 0u) {
                u[0] = atomicExchange(u[1], 77l);
                u[2] = atomicCompSwap(u[1], 77l, 0x500000006l);
                fromShared = wide;
                word = narrow;
            }
        })",
                         {13}, 1, [](std::vector<uint32_t*>& memory) {
                             memory[0][4] = 11;
                             memory[0][5] = 12;
                             memory[0][8] = 0;
                             memory[0][9] = 0x80000000;
                         });
    const auto at = [&](size_t i) {
        return uint64_t{out[0][2 * i]} | uint64_t{out[0][2 * i + 1]} << 32;
    };
    EXPECT_EQ(at(0), uint64_t{16} << 32);
    EXPECT_EQ(at(1), uint64_t{12} << 32 | 11);
    EXPECT_EQ(at(2), 0x500000006u);
    EXPECT_EQ(at(3), 77u);
    EXPECT_EQ(int64_t(at(4)), -3);
    EXPECT_EQ(at(5), (uint64_t{1} << 40) + (uint64_t{16} << 33));
    EXPECT_EQ(out[0][12], 21u);
}

TEST_F(Atomics, WorkgroupsOfTheDispatchsSize) {
    changed_ = target();
    changed_->workgroup_size = {5, 3, 1};
    const auto out = run(R"(
        #extension GL_ARB_compute_variable_group_size : require
        layout(local_size_variable) in;
        layout(std430) buffer Out { uint size; uint sum; uint last; };
        void main() {
            size = gl_LocalGroupSizeARB.x * 100 + gl_LocalGroupSizeARB.y * 10 +
                   gl_LocalGroupSizeARB.z;
            atomicAdd(sum, 1u);
            atomicMax(last, gl_GlobalInvocationID.x * 100 + gl_LocalInvocationIndex);
        })",
                         {3}, 2);
    EXPECT_EQ(out[0][0], 531u);
    EXPECT_EQ(out[0][1], 30u);
    EXPECT_EQ(out[0][2], 914u);
}

TEST_F(Atomics, InfinitiesAndSignedZerosStay) {
    const auto out = run(R"(
        layout(local_size_x = 1) in;
        layout(std430) buffer Out { float in0, in1; uint v[6]; };
        void main() {
            v[0] = floatBitsToUint(1.0 / in0);
            v[1] = floatBitsToUint(1.0 / -in0);
            v[2] = floatBitsToUint(-in0 * in1);
            v[3] = floatBitsToUint(in0 - in1 * in0);
            v[4] = uint(isinf(in1 / in0));
            v[5] = uint(isnan(in0 / in0));
        })",
                         {8}, 1, [](std::vector<uint32_t*>& memory) { memory[0][1] = bits_of(2); });
    EXPECT_EQ(out[0][2], bits_of(INFINITY));
    EXPECT_EQ(out[0][3], bits_of(-INFINITY));
    EXPECT_EQ(out[0][4], bits_of(-0.0f));
    EXPECT_EQ(out[0][5], 0u);
    EXPECT_EQ(out[0][6], 1u);
    EXPECT_EQ(out[0][7], 1u);
}

} // namespace
} // namespace kobalt::corpus
