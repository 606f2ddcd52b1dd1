// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#version 450
// The product of two square matrices of `width` rows, a multiple of 64: a work group makes 64 x 64 elements of it, each
// invocation 4 x 4 of these.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std140, binding = 0) uniform Parameters { uint count; uint width; uint height; float scale; };
layout(std430, binding = 1) writeonly buffer Result { float result[]; };
layout(std430, binding = 2) readonly buffer Left { float left[]; };
layout(std430, binding = 3) readonly buffer Right { float right[]; };
shared float left_tile[16][64 + 1]; // a column more, so that the threads of a warp write to different banks
shared float right_tile[16][64];
void main() {
    const uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y;
    const uint row = gl_WorkGroupID.y * 64u, column = gl_WorkGroupID.x * 64u;
    const uint index = gl_LocalInvocationIndex;
    vec4 sum[4] = vec4[](vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
    for (uint begin = 0u; begin < width; begin += 16u) {
        for (uint i = 0u; i < 4u; ++i) {
            left_tile[x][y + 16u * i] = left[(row + y + 16u * i) * width + begin + x];
            right_tile[index / 64u + 4u * i][index % 64u] = right[(begin + index / 64u + 4u * i) * width + column + index % 64u];
        }
        barrier();
        for (uint k = 0u; k < 16u; ++k) {
            const vec4 b = vec4(right_tile[k][x], right_tile[k][x + 16u], right_tile[k][x + 32u], right_tile[k][x + 48u]);
            sum[0] = fma(vec4(left_tile[k][y]), b, sum[0]);
            sum[1] = fma(vec4(left_tile[k][y + 16u]), b, sum[1]);
            sum[2] = fma(vec4(left_tile[k][y + 32u]), b, sum[2]);
            sum[3] = fma(vec4(left_tile[k][y + 48u]), b, sum[3]);
        }
        barrier();
    }
    for (uint i = 0u; i < 4u; ++i) {
        for (uint j = 0u; j < 4u; ++j) {
            result[(row + y + 16u * i) * width + column + x + 16u * j] = sum[i][j];
        }
    }
}
