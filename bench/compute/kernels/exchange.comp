// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#version 450
// A small dispatch out of one buffer into another, which are exchanged behind it. Each invocation needs what another one
// wrote.
layout(local_size_x = 64) in;
layout(std140, binding = 0) uniform Parameters { uint count; uint width; uint height; float scale; };
layout(std430, binding = 1) writeonly buffer After { uint after[]; };
layout(std430, binding = 2) readonly buffer Before { uint before[]; };
void main() {
    const uint id = gl_GlobalInvocationID.x;
    after[id] = before[(id + 1u) % count] * width + height;
}
