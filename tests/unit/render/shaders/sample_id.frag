#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
layout(location = 0) out vec4 result;
void main() { result = vec4(gl_SampleID == 0 ? 1 : 0, gl_SampleID == 1 ? 1 : 0, 0, 1); }
