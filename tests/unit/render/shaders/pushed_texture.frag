#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
// The texture of the set that all graphics stages share (render/stage.h).
layout(set = 6, binding = 10) uniform sampler2D image;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(image, ivec2(gl_FragCoord.xy) % textureSize(image, 0), 0); }
