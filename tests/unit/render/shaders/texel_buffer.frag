#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
layout(set = 2, binding = 0) uniform samplerBuffer texels;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(texels, int(gl_FragCoord.x) % 4); }
