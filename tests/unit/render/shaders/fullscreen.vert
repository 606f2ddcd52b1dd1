#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
// One triangle that covers the viewport; colour and depth come from the push constants.
layout(push_constant) uniform Push {
    vec4 color;
    float depth;
};
layout(location = 0) out vec4 v_color;
void main() {
    gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, depth, 1);
    v_color = color;
}
