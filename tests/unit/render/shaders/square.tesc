#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
// A patch's colour is that of its last vertex; its red is the number of vertices.
layout(vertices = 1) out;
layout(location = 0) in vec4 v_color[];
layout(location = 0) patch out vec4 p_color;
void main() {
    p_color = vec4(gl_PatchVerticesIn / 255.0, v_color[gl_PatchVerticesIn - 1].gba);
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = 2;
    gl_TessLevelInner[0] = gl_TessLevelInner[1] = 2;
}
