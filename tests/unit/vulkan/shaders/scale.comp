// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1) writeonly buffer Target { uint target[]; };
layout(push_constant) uniform Push { uint count; uint factor; uint addend; };

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i < count)
        target[i] = source[i] * factor + addend;
}
