// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#version 450
// Sixteen chains of four operations an invocation: a shift, an exclusive or, a multiplication, an addition.
layout(local_size_x = 256) in;
layout(std140, binding = 0) uniform Parameters { uint count; uint width; uint height; float scale; };
layout(std430, binding = 1) writeonly buffer Result { uint result[]; };
uvec4 mixed(uvec4 x) {
    return (x ^ (x >> 15u)) * width + height;
}
void main() {
    const uint id = gl_GlobalInvocationID.x;
    uvec4 a = uvec4(id) + uvec4(0u, 1u, 2u, 3u), b = a + 4u, c = a + 8u, d = a + 12u;
    for (uint i = 0u; i < count; ++i) {
        a = mixed(a), b = mixed(b), c = mixed(c), d = mixed(d);
        a = mixed(a), b = mixed(b), c = mixed(c), d = mixed(d);
        a = mixed(a), b = mixed(b), c = mixed(c), d = mixed(d);
        a = mixed(a), b = mixed(b), c = mixed(c), d = mixed(d);
    }
    const uvec4 sum = a + b + c + d;
    result[id] = sum.x + sum.y + sum.z + sum.w;
}
