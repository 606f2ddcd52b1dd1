#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
layout(set = 1, binding = 0) uniform Tint { vec4 tint; };
layout(location = 0) out vec4 v_color;
void main() {
    gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1);
    v_color = tint;
}
