#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
// More descriptors than a pushed set may have.
layout(set = 2, binding = 0) uniform Zero { vec4 zero; };
layout(set = 2, binding = 1) uniform One { vec4 one; };
layout(set = 2, binding = 2) uniform Two { vec4 two; };
layout(set = 2, binding = 3) uniform Three { vec4 three; };
layout(set = 2, binding = 4) uniform Four { vec4 four; };
layout(set = 2, binding = 5) uniform Five { vec4 five; };
layout(set = 2, binding = 6) uniform Six { vec4 six; };
layout(set = 2, binding = 7) uniform Seven { vec4 seven; };
layout(set = 2, binding = 8) uniform Eight { vec4 eight; };
layout(location = 0) out vec4 result;
void main() { result = zero + one + two + three + four + five + six + seven + eight; }
