// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
// Thirty-two chains of multiplications with additions an invocation, in pairs, as GPUs compute them.
layout(local_size_x = 256) in;
layout(std140, binding = 0) uniform Parameters { uint count; uint width; uint height; float scale; };
layout(std430, binding = 1) writeonly buffer Result { float result[]; };
void main() {
    const uint id = gl_GlobalInvocationID.x;
    const f16vec4 shift = f16vec4(1.0 + float(id & 255u) / 256.0);
    const f16vec4 factor = f16vec4(scale);
    f16vec4 a = f16vec4(0.0, 0.125, 0.25, 0.375);
    f16vec4 b = a + float16_t(0.5), c = a + float16_t(1.0), d = a + float16_t(1.5);
    f16vec4 e = a + float16_t(2.0), f = a + float16_t(2.5), g = a + float16_t(3.0), h = a + float16_t(3.5);
    for (uint i = 0u; i < count; ++i) {
        a = fma(a, factor, shift), b = fma(b, factor, shift), c = fma(c, factor, shift), d = fma(d, factor, shift);
        e = fma(e, factor, shift), f = fma(f, factor, shift), g = fma(g, factor, shift), h = fma(h, factor, shift);
        a = fma(a, factor, shift), b = fma(b, factor, shift), c = fma(c, factor, shift), d = fma(d, factor, shift);
        e = fma(e, factor, shift), f = fma(f, factor, shift), g = fma(g, factor, shift), h = fma(h, factor, shift);
    }
    const vec4 sum = vec4(a) + vec4(b) + vec4(c) + vec4(d) + vec4(e) + vec4(f) + vec4(g) + vec4(h);
    result[id] = dot(sum, vec4(1.0));
}
