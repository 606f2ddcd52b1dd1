// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#version 450
layout(push_constant) uniform Constants { vec4 scale; } constants;
layout(location = 0) in vec4 tone;
layout(location = 0) out vec4 result;
void main() {
    vec4 t = clamp(gl_FragCoord.xyyx * vec4(0.31, 0.52, 0.73, 0.14), vec4(-1.0), vec4(1.0));
    t = sqrt(abs(t) * vec4(0.4, 0.7, 0.2, 0.9));
    t = max(t, vec4(-0.4, -0.2, -0.6, -0.1)) * min(t.wxyz, vec4(0.3, 0.8, 0.6, 0.9));
    t *= 0.25 * dot(t, vec4(0.4, -0.7, 0.2, 0.9));
    t = t.w > t.y ? t - t * vec4(0.3, 0.6, 0.2, 0.8) : t.yzwx;
    for (int i = 0; i < int(2.0 + t.x); ++i)
        t = fract(abs(t.yxwz) * 1.9 + 0.3);
    result = tone + 0.0008 * t + 0.123456789 + constants.scale;
}
