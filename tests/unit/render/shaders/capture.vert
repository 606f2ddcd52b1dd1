#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
layout(push_constant) uniform Push { vec4 color; };
layout(xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0, location = 0) out vec4 v_color;
void main() {
    gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1);
    v_color = vec4(float(gl_VertexIndex), color.yzw);
}
