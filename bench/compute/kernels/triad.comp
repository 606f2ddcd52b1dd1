// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#version 450
// Two streams from memory and one to it.
layout(local_size_x = 256) in;
layout(std140, binding = 0) uniform Parameters { uint count; uint width; uint height; float scale; };
layout(std430, binding = 1) writeonly buffer Result { vec4 result[]; };
layout(std430, binding = 2) readonly buffer First { vec4 first[]; };
layout(std430, binding = 3) readonly buffer Second { vec4 second[]; };
void main() {
    const uint id = gl_GlobalInvocationID.x;
    result[id] = first[id] + scale * second[id];
}
