#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
// Triangles pass with another colour: a push constant's blue, and what a buffer adds.
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(push_constant) uniform Push { vec4 color; };
layout(set = 5, binding = 0) uniform Tint { vec4 tint; };
layout(location = 0) in vec4 v_color[];
layout(location = 0) out vec4 g_color;
void main() {
    for (int i = 0; i < 3; ++i) {
        gl_Position = gl_in[i].gl_Position;
        g_color = vec4(v_color[i].rg, color.b, 1) + tint;
        EmitVertex();
    }
    EndPrimitive();
}
