#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
layout(set = 2, binding = 0) uniform Block { vec4 value; };
layout(set = 2, binding = 1) uniform sampler2D image;
layout(set = 2, binding = 2) uniform samplerBuffer texels;
layout(set = 2, binding = 3) buffer Storage { vec4 stored; };
layout(set = 2, binding = 4, rgba8) uniform readonly image2D pixels;
layout(set = 2, binding = 5, rgba8) uniform readonly imageBuffer elements;
layout(location = 0) out vec4 result;
void main() {
    vec4 sum = value + texelFetch(image, ivec2(0), 0) + texelFetch(texels, 0) + stored;
    sum += vec4(imageLoad(pixels, ivec2(0)).rgb, 0) + vec4(imageLoad(elements, 0).rgb, 0);
    result = vec4(sum.rgb, 1);
}
