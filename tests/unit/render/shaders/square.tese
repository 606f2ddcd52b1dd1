#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
// Covers the viewport with triangles that are counter-clockwise where x and y grow as u and v do.
layout(quads, equal_spacing, ccw) in;
layout(location = 0) patch in vec4 p_color;
layout(location = 0) out vec4 v_color;
void main() {
    gl_Position = vec4(gl_TessCoord.xy * 2 - 1, 0, 1);
    v_color = p_color;
}
