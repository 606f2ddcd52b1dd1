#version 450
#extension GL_EXT_nonuniform_qualifier : require
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
// The vertex shader's colour says which slot of the bindless set to read.
layout(set = 0, binding = 1) uniform samplerBuffer texels[];
layout(location = 0) in vec4 v_color;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(texels[nonuniformEXT(uint(v_color.r + 0.5))], 0); }
