#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
// Vertices captured by capture.vert: the first component is the corner.
layout(location = 0) in vec4 captured;
layout(location = 0) out vec4 v_color;
void main() {
    int corner = int(captured.x);
    gl_Position = vec4(corner == 1 ? 3 : -1, corner == 2 ? 3 : -1, 0, 1);
    v_color = vec4(0, captured.yzw);
}
