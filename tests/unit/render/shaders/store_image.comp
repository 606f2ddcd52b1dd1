#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 1, binding = 0, rgba8) uniform writeonly image2D pixels;
layout(push_constant) uniform Push { vec4 color; };
void main() { imageStore(pixels, ivec2(gl_GlobalInvocationID.xy), color); }
