// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#version 450
// Sixteen chains of multiplications with additions an invocation.
layout(local_size_x = 256) in;
layout(std140, binding = 0) uniform Parameters { uint count; uint width; uint height; float scale; };
layout(std430, binding = 1) writeonly buffer Result { float result[]; };
void main() {
    const uint id = gl_GlobalInvocationID.x;
    const vec4 shift = vec4(1.0 + float(id & 255u) / 256.0);
    const vec4 factor = vec4(scale);
    vec4 a = vec4(0.0, 1.0, 2.0, 3.0), b = a + 4.0, c = a + 8.0, d = a + 12.0;
    for (uint i = 0u; i < count; ++i) {
        a = fma(a, factor, shift), b = fma(b, factor, shift), c = fma(c, factor, shift), d = fma(d, factor, shift);
        a = fma(a, factor, shift), b = fma(b, factor, shift), c = fma(c, factor, shift), d = fma(d, factor, shift);
        a = fma(a, factor, shift), b = fma(b, factor, shift), c = fma(c, factor, shift), d = fma(d, factor, shift);
        a = fma(a, factor, shift), b = fma(b, factor, shift), c = fma(c, factor, shift), d = fma(d, factor, shift);
    }
    result[id] = dot(a + b + c + d, vec4(1.0));
}
