#version 450
// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Green where every missing texture reads as (0, 0, 0, 1) in its own type.
layout(set = 2, binding = 0) uniform sampler1D line;
layout(set = 2, binding = 1) uniform sampler1DArray lines;
layout(set = 2, binding = 2) uniform sampler2DArray planes;
layout(set = 2, binding = 3) uniform sampler3D volume;
layout(set = 2, binding = 4) uniform samplerCube cube;
layout(set = 2, binding = 5) uniform samplerCubeArray cubes;
layout(set = 2, binding = 6) uniform sampler2DMS samples;
layout(set = 2, binding = 7) uniform sampler2DMSArray layered_samples;
layout(set = 2, binding = 8) uniform usampler2D numbers;
layout(set = 2, binding = 9) uniform isampler3D signed_volume;
layout(set = 2, binding = 10) uniform usamplerBuffer words;
layout(set = 2, binding = 11) uniform sampler2DShadow depth;
layout(location = 0) out vec4 result;
void main() {
    const vec4 black = vec4(0, 0, 0, 1);
    bool right = textureLod(line, 0.5, 0) == black && textureLod(lines, vec2(0.5, 0), 0) == black;
    right = right && textureLod(planes, vec3(0.5, 0.5, 0), 0) == black && textureLod(volume, vec3(0.5), 0) == black;
    right = right && textureLod(cube, vec3(0, -1, 0), 0) == black && textureLod(cubes, vec4(0, -1, 0, 0), 0) == black;
    right = right && texelFetch(samples, ivec2(0), 1) == black && texelFetch(layered_samples, ivec3(0), 1) == black;
    right = right && textureLod(numbers, vec2(0.5), 0) == uvec4(0, 0, 0, 1);
    right = right && textureLod(signed_volume, vec3(0.5), 0) == ivec4(0, 0, 0, 1);
    right = right && texelFetch(words, 0) == uvec4(0) && textureLod(depth, vec3(0.5, 0.5, 0.5), 0) == 0;
    right = right && textureSize(cubes, 0) == ivec3(1) && textureSize(volume, 0) == ivec3(1);
    result = vec4(right ? 0 : 1, right ? 1 : 0, 0, 1);
}
