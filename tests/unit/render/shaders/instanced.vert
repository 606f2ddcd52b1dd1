#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
layout(location = 0) in vec2 position;
layout(location = 1) in vec4 color;   // per instance
layout(location = 2) in vec2 offset;  // per instance
layout(location = 0) out vec4 v_color;
void main() {
    gl_Position = vec4(position + offset, 0, 1);
    v_color = color;
}
