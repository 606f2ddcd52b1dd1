#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
layout(location = 0) in vec4 v_color;
layout(location = 0) out vec4 result;
void main() { result = v_color; }
