// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform Values { uvec4 values; };
layout(set = 0, binding = 1) uniform sampler2D image;
layout(set = 0, binding = 2) uniform usamplerBuffer texels;
layout(set = 0, binding = 3) writeonly buffer Target { uint target[]; };

void main() {
    target[0] = values.z;
    target[1] = uint(texelFetch(image, ivec2(1, 0), 0).g * 255.0 + 0.5);
    target[2] = texelFetch(texels, 2).x;
    target[3] = 0x600dcafe;
}
