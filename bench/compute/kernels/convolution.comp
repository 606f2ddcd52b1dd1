// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#version 450
// A filter of 7 x 7 over a picture of `width` x `height`, multiples of 16, that has a border of three more on each side.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std140, binding = 0) uniform Parameters { uint count; uint width; uint height; float scale; };
layout(std430, binding = 1) writeonly buffer Result { float result[]; };
layout(std430, binding = 2) readonly buffer Picture { float picture[]; };
layout(std430, binding = 3) readonly buffer Weights { float weights[49]; };
shared float tile[22][22];
void main() {
    const uint stride = width + 6u;
    const uvec2 corner = gl_WorkGroupID.xy * 16u;
    for (uint i = gl_LocalInvocationIndex; i < 22u * 22u; i += 256u) {
        tile[i / 22u][i % 22u] = picture[(corner.y + i / 22u) * stride + corner.x + i % 22u];
    }
    barrier();
    const uvec2 at = gl_LocalInvocationID.xy;
    float sum = 0.0;
    for (uint y = 0u; y < 7u; ++y) {
        for (uint x = 0u; x < 7u; ++x) {
            sum = fma(weights[7u * y + x], tile[at.y + y][at.x + x], sum);
        }
    }
    result[gl_GlobalInvocationID.y * width + gl_GlobalInvocationID.x] = sum;
}
