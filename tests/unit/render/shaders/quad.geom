#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
// A point becomes a quad that covers the viewport's left part, up to `right`.
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(set = 5, binding = 0) uniform Extent { float right; };
layout(location = 0) in vec4 v_color[];
layout(location = 0) out vec4 g_color;
void main() {
    for (int i = 0; i < 4; ++i) {
        gl_Position = vec4((i & 1) != 0 ? right : -1, (i & 2) != 0 ? 1 : -1, 0, 1);
        g_color = v_color[0];
        EmitVertex();
    }
    EndPrimitive();
}
