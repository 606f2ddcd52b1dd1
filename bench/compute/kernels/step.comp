// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#version 450
// A small dispatch that needs what the one before it wrote.
layout(local_size_x = 64) in;
layout(std140, binding = 0) uniform Parameters { uint count; uint width; uint height; float scale; };
layout(std430, binding = 1) buffer State { uint state[]; };
void main() {
    const uint id = gl_GlobalInvocationID.x;
    state[id] = state[id] * width + height;
}
