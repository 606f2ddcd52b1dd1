#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
layout(local_size_x = 64) in;
layout(set = 1, binding = 0) readonly buffer From { uint from[]; };
layout(set = 1, binding = 1) writeonly buffer To { uint to[]; };
layout(push_constant) uniform Push { uint add; };
void main() { to[gl_GlobalInvocationID.x] = 2 * from[gl_GlobalInvocationID.x] + add; }
