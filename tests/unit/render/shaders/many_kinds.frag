#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
// Descriptors of several kinds, none of them in the order that shader objects have them in.
layout(set = 2, binding = 0) uniform samplerBuffer texels;
layout(set = 2, binding = 3) uniform sampler2D image;
layout(set = 2, binding = 4) uniform sampler2D other;
layout(set = 2, binding = 7) uniform First { vec4 first; };
layout(set = 2, binding = 8) uniform Second { vec4 second; };
layout(location = 0) in vec4 v_color;
layout(location = 0) out vec4 result;
void main() {
    result = v_color + texelFetch(texels, 0) + texelFetch(image, ivec2(0), 0) * first +
             texelFetch(other, ivec2(0), 0) * second;
}
