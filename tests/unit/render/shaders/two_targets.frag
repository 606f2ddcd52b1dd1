#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
layout(location = 0) in vec4 v_color;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
void main() {
    first = v_color;
    second = vec4(1) - v_color;
}
