// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#version 450
layout(push_constant) uniform Constants { vec4 scale; } constants;
layout(location = 0) out vec4 tone;
void main() {
    const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(3, -1), vec2(-1, 3));
    vec4 t = corners[gl_VertexIndex].xyyx * vec4(0.31, 0.52, 0.73, 0.14);
    t = sin(t.yzwx * 3.1) * vec4(0.4, -0.7, 0.2, 0.9);
    t = mix(t, t.wzyx, vec4(0.3, 0.6, 0.2, 0.8));
    if (t.x > 0.1)
        t = t.zwxy * 0.7;
    else
        t = t.xzyw - 0.5 * t;
    for (int i = 0; i < int(2.0 + t.x); ++i)
        t = fract(abs(t.yxwz) * 2.7 + 0.4);
    tone = t + 0.123456789 + constants.scale;
    gl_Position = vec4(corners[gl_VertexIndex], 0.0, 1.0);
}
