#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
layout(push_constant) uniform Push { vec4 color; };
layout(location = 0) out vec4 v_color;
void main() {
    gl_Position = vec4(0, 0, 0, 1);
    gl_PointSize = 1;
    v_color = color;
}
