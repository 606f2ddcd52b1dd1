#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
// Counts the fragments that ran.
layout(set = 2, binding = 0) buffer Counter { uint count; };
layout(location = 0) out vec4 result;
void main() {
    atomicAdd(count, 1);
    result = vec4(1);
}
