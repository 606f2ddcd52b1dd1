// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

namespace kobalt::demo::shaders {

/// Frame constants, shared by every scene shader through one uniform block.
inline constexpr const char* kFrameBlock = R"(#version 330 core
layout(std140) uniform Frame {
    mat4 view_projection;
    mat4 light_matrix;
    vec4 eye;
    vec4 sun_direction;
    vec4 mirror;      // x: -1 in the reflection pass, 1 otherwise
    mat4 inverse_view_projection;
};
)";

inline constexpr const char* kSky = R"(
vec3 sky(vec3 d, float blur) {
    float up = d.y;
    vec3 zenith = vec3(0.010, 0.022, 0.075);
    vec3 dusk = vec3(0.085, 0.16, 0.40);
    vec3 glow = vec3(1.35, 0.62, 0.26);
    vec3 ground = vec3(0.015, 0.02, 0.035);
    float horizon = exp(-abs(up) * mix(5.5, 2.2, blur));
    vec3 colour = mix(ground, mix(zenith, dusk, horizon), smoothstep(-0.12 - blur, 0.06 + blur, up));
    float toward = max(dot(normalize(d.xz + vec2(1e-5)), normalize(sun_direction.xz)), 0.0);
    colour += glow * horizon * horizon * pow(toward, 3.0) * 0.85;
    float sun = max(dot(d, sun_direction.xyz), 0.0);
    float tight = mix(900.0, 24.0, blur);
    colour += vec3(1.0, 0.80, 0.55) * pow(sun, tight) * mix(26.0, 3.0, blur);
    // Two soft boxes, as in a photographer's studio, give the glaze something to reflect.
    float edge = 0.03 + 0.3 * blur;
    vec2 box = vec2(atan(d.z, d.x) - 2.3, up - 0.48);
    colour += vec3(0.75, 0.90, 1.15) * 1.7 * smoothstep(edge, -edge, abs(box.x) - 0.34) *
              smoothstep(edge, -edge, abs(box.y) - 0.17);
    box = vec2(atan(d.z, d.x) + 2.2, up - 0.55);
    colour += vec3(0.55, 0.70, 1.20) * 1.1 * smoothstep(edge, -edge, abs(box.x) - 0.12) *
              smoothstep(edge, -edge, abs(box.y) - 0.30);
    return colour;
}
)";

inline constexpr const char* kShadow = R"(
uniform sampler2DShadow shadow_map;
float sunlight(vec3 world) {
    vec4 p = light_matrix * vec4(world, 1.0);
    vec3 s = p.xyz * 0.5 + 0.5;
    float texel = 1.3 / 1024.0;
    return 0.25 * (texture(shadow_map, s + vec3(-0.4, -1.0, 0) * texel) +
                   texture(shadow_map, s + vec3(1.0, -0.4, 0) * texel) +
                   texture(shadow_map, s + vec3(0.4, 1.0, 0) * texel) +
                   texture(shadow_map, s + vec3(-1.0, 0.4, 0) * texel));
}
)";

inline constexpr const char* kSolidVertex = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 tangent;
layout(location = 3) in vec2 uv;
layout(location = 4) in mat4 model;
layout(location = 8) in vec4 tint;
out vec3 world;
out vec3 world_normal;
out vec3 world_tangent;
out vec2 texture_uv;
flat out vec4 instance_tint;
void main() {
    vec4 p = model * vec4(position, 1.0);
    world = p.xyz;
    world_normal = mat3(model) * normal;
    world_tangent = mat3(model) * tangent;
    texture_uv = uv;
    instance_tint = tint;
    gl_Position = view_projection * vec4(p.x, p.y * mirror.x, p.z, 1.0);
}
)";

inline constexpr const char* kShadowVertex = R"(
layout(location = 0) in vec3 position;
layout(location = 4) in mat4 model;
void main() { gl_Position = light_matrix * (model * vec4(position, 1.0)); }
)";

inline constexpr const char* kShadowFragment = R"(
void main() {}
)";

inline constexpr const char* kGlazeFragment = R"(
in vec3 world;
in vec3 world_normal;
in vec3 world_tangent;
in vec2 texture_uv;
uniform sampler2D colour_map;
uniform sampler2D normal_map;
out vec4 result;
void main() {
    vec4 base = texture(colour_map, texture_uv);
    vec4 bump = texture(normal_map, texture_uv);
    vec3 n = normalize(world_normal);
    vec3 t = normalize(world_tangent - n * dot(world_tangent, n));
    vec3 b = cross(n, t);
    vec3 slope = bump.xyz * 2.0 - 1.0;
    vec3 under = normalize(t * slope.x + b * slope.y + n * slope.z);
    // The glaze fills the hollows: its own surface is much smoother than what lies below.
    vec3 coat = normalize(mix(n, under, 0.35));
    vec3 v = normalize(eye.xyz - world);
    vec3 l = sun_direction.xyz;
    float lit = sunlight(world + n * 0.02);
    float metal = base.a;
    float rough = 1.0 - bump.a;
    float diffuse = max(dot(under, l), 0.0) * lit;
    vec3 ambient = sky(under, 1.0) * 0.5 + vec3(0.025, 0.045, 0.10);
    float floor_bounce = 0.5 - 0.5 * under.y;
    ambient += vec3(0.10, 0.12, 0.19) * floor_bounce;
    vec3 colour = base.rgb * (1.0 - metal) * (diffuse * vec3(3.1, 2.6, 2.1) + ambient);
    float facing = max(dot(coat, v), 0.0);
    float fresnel = 0.045 + 0.955 * pow(1.0 - facing, 5.0);
    vec3 r = reflect(-v, coat);
    vec3 tint = mix(vec3(fresnel), base.rgb * (0.75 + 0.25 * fresnel), metal);
    float blur = mix(0.06, 0.55, metal * 0.6 + rough * 0.4);
    vec3 mirrored = sky(r, blur);
    colour += mirrored * tint * mix(1.0, lit * 0.5 + 0.5, metal);
    vec3 h = normalize(l + v);
    float power = mix(700.0, 60.0, blur);
    colour += vec3(1.0, 0.85, 0.65) * tint * pow(max(dot(coat, h), 0.0), power) * lit * power * 0.035;
    // Light that enters thin glaze leaves it bluer at grazing angles.
    colour += vec3(0.01, 0.05, 0.22) * pow(1.0 - facing, 2.5) * (1.0 - metal);
    result = vec4(colour, 1.0);
}
)";

inline constexpr const char* kCrystalFragment = R"(
in vec3 world;
in vec3 world_normal;
flat in vec4 instance_tint;
out vec4 result;
void main() {
    vec3 n = normalize(world_normal);
    vec3 v = normalize(eye.xyz - world);
    float facing = max(dot(n, v), 0.0);
    float fresnel = 0.08 + 0.92 * pow(1.0 - facing, 4.0);
    vec3 inside = refract(-v, n, 0.66);
    float core = pow(max(dot(-inside, n), 0.0), 3.0);
    vec3 colour = instance_tint.rgb * (0.14 + 1.35 * core * instance_tint.a);
    colour += sky(reflect(-v, n), 0.05) * fresnel * 0.8;
    colour += instance_tint.rgb * sky(inside, 0.3) * 0.7;
    result = vec4(colour, 1.0);
}
)";

inline constexpr const char* kFloorFragment = R"(
in vec3 world;
in vec2 texture_uv;
uniform sampler2D colour_map;
uniform sampler2D normal_map;
out vec4 result;
void main() {
    vec4 base = texture(colour_map, texture_uv);
    vec4 bump = texture(normal_map, texture_uv);
    vec3 slope = bump.xyz * 2.0 - 1.0;
    vec3 n = normalize(vec3(slope.x, slope.z * 1.6, slope.y));
    vec3 v = normalize(eye.xyz - world);
    vec3 l = sun_direction.xyz;
    float lit = sunlight(world);
    vec3 ambient = sky(vec3(0, 1, 0), 1.0) * 0.5 + vec3(0.03, 0.05, 0.10);
    // The knot hides part of the sky from the floor below it.
    float near = length(world.xz);
    ambient *= 0.45 + 0.55 * smoothstep(0.2, 2.6, near);
    vec3 colour = base.rgb * (max(dot(n, l), 0.0) * lit * vec3(1.55, 1.12, 0.78) + ambient * 0.75);
    float facing = max(dot(n, v), 0.0);
    float fresnel = (0.13 + 0.87 * pow(1.0 - facing, 5.0)) * bump.a;
    vec3 h = normalize(l + v);
    colour += vec3(1.0, 0.8, 0.55) * pow(max(dot(n, h), 0.0), 300.0) * lit * bump.a * 4.0;
    // Far away the floor fades into the horizon's colour.
    float fade = 1.0 - exp(-dot(world.xz, world.xz) * 0.0045);
    vec3 haze = sky(normalize(vec3(-v.x, 0.02, -v.z)), 0.7);
    float reflectivity = clamp(fresnel * 1.25 + 0.02, 0.0, 0.85) * (1.0 - fade);
    // What is already in the framebuffer is the mirrored scene: alpha says how much of it stays.
    result = vec4(mix(colour * (1.0 - reflectivity), haze, fade), reflectivity);
}
)";

inline constexpr const char* kScreenVertex = R"(
out vec2 uv;
void main() {
    vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    uv = corner;
    gl_Position = vec4(corner * 2.0 - 1.0, 1.0, 1.0);
}
)";

inline constexpr const char* kSkyFragment = R"(
in vec2 uv;
out vec4 result;
void main() {
    vec4 p = inverse_view_projection * vec4(uv * 2.0 - 1.0, 1.0, 1.0);
    vec3 d = normalize(p.xyz / p.w - eye.xyz);
    // Below the horizon the mirrored sky shows through the floor.
    result = vec4(sky(vec3(d.x, abs(d.y), d.z), 0.12), 1.0);
}
)";

inline constexpr const char* kBrightFragment = R"(#version 330 core
in vec2 uv;
uniform sampler2D source;
out vec4 result;
void main() {
    vec2 t = 1.0 / vec2(textureSize(source, 0));
    vec3 sum = texture(source, uv + t * vec2(-1, -1)).rgb + texture(source, uv + t * vec2(1, -1)).rgb +
               texture(source, uv + t * vec2(-1, 1)).rgb + texture(source, uv + t * vec2(1, 1)).rgb;
    sum *= 0.25;
    float level = max(sum.r, max(sum.g, sum.b));
    result = vec4(min(sum, vec3(24.0)) * smoothstep(0.85, 1.9, level), 1.0);
}
)";

inline constexpr const char* kBlurFragment = R"(#version 330 core
in vec2 uv;
uniform sampler2D source;
uniform vec2 direction;
out vec4 result;
void main() {
    vec2 t = direction / vec2(textureSize(source, 0));
    vec3 sum = texture(source, uv).rgb * 0.19;
    sum += (texture(source, uv + t * 1.45).rgb + texture(source, uv - t * 1.45).rgb) * 0.24;
    sum += (texture(source, uv + t * 3.4).rgb + texture(source, uv - t * 3.4).rgb) * 0.12;
    sum += (texture(source, uv + t * 5.4).rgb + texture(source, uv - t * 5.4).rgb) * 0.045;
    result = vec4(sum, 1.0);
}
)";

inline constexpr const char* kToneFragment = R"(#version 330 core
in vec2 uv;
uniform sampler2D source;
uniform sampler2D bloom_near;
uniform sampler2D bloom_far;
out vec4 result;
vec3 film(vec3 x) {
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}
void main() {
    vec3 colour = texture(source, uv).rgb;
    colour += texture(bloom_near, uv).rgb * 0.28 + texture(bloom_far, uv).rgb * 0.42;
    vec2 centre = uv - 0.5;
    colour *= 1.0 - 0.75 * dot(centre, centre);
    vec3 mapped = film(colour * 0.95);
    mapped = pow(mapped, vec3(1.0 / 2.2));
    // A step of dither hides banding in the dusk sky.
    float grain = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453);
    result = vec4(mapped + (grain - 0.5) / 255.0, 1.0);
}
)";

} // namespace kobalt::demo::shaders
