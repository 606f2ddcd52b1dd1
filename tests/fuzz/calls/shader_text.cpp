// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "shader_text.h"

#include <array>

namespace kobalt::fuzz {
namespace {

/// What all stages may use. Stages agree on the names and the kinds of the blocks.
const std::string kCommon = R"(#version 450 core
layout(std140, binding = 0) uniform Tints { vec4 tint[4]; uint steps; };
layout(std430, binding = 1) buffer Words { uint words[]; };
layout(binding = 0) uniform sampler2D plain;
layout(binding = 1) uniform sampler2DArray layered;
layout(binding = 2) uniform samplerCube cube;
layout(binding = 3) uniform usampler2D counted;
layout(binding = 2) uniform samplerBuffer texels;
layout(binding = 3) uniform sampler3D solid;
layout(binding = 0) uniform sampler2DShadow shadow;
layout(binding = 1) uniform sampler2DMS samples;
layout(binding = 0, rgba8) uniform image2D picture;
uniform vec4 given = vec4(0.5);
)";

const std::string kPerVertex = "out gl_PerVertex { vec4 gl_Position; float gl_PointSize; };\n";

/// An expression of a vec4 with `at` and `depth` as terms; some of them write.
std::string some_value(Random& random, bool may_write) {
    static constexpr std::array values{
        "tint[0]",
        "tint[int(steps) % 4]",
        "given",
        "textureLod(plain, at.xy, 0.0)",
        "textureLod(layered, at.xyz, 1.0)",
        "textureLod(cube, at.xyz, 0.0)",
        "vec4(texelFetch(counted, ivec2(at.xy * 8.0), 0)) / 255.0",
        "texelFetch(texels, int(at.x * 40.0))",
        "textureLod(solid, at.xyz, 0.0)",
        "vec4(textureLod(shadow, at.xyz, 0.0))",
        "texelFetch(samples, ivec2(at.xy * 4.0), 1)",
        "vec4(textureSize(plain, 0), textureQueryLevels(plain), 1)",
        "imageLoad(picture, ivec2(at.xy * 16.0))",
        "unpackUnorm4x8(words[uint(at.x * 16.0)])",
        "vec4(words.length())",
        "inversesqrt(abs(at) + 0.1)",
    };
    static constexpr std::array writing{
        "vec4(atomicAdd(words[uint(at.y * 8.0)], 1u))",
        "(imageStore(picture, ivec2(at.xy * 16.0), at), at)",
        "(words[3] = steps, at)",
    };
    return may_write && random.one_in(5) ? random.pick(writing) : random.pick(values);
}

/// Statements that leave something in `at`.
std::string some_body(Random& random, bool may_write) {
    std::string body;
    for (int lines = random.between(1, 3); lines > 0; --lines) {
        const std::string value = some_value(random, may_write);
        switch (random.below(4)) {
        case 0:
            body += "    for (uint i = 0u; i < min(steps, 5u); ++i) at += " + value + ";\n";
            break;
        case 1:
            body += "    if (at.x > 0.25) at = mix(at, " + value + ", 0.5);\n";
            break;
        default:
            body += "    at += " + value + " * 0.25;\n";
        }
    }
    return body;
}

} // namespace

std::string vertex_text(Random& random) {
    std::string text = kCommon + kPerVertex;
    text += "layout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 extra;\n"
            "layout(location = 0) out vec4 colour;\n";
    text +=
        "void main() {\n    vec4 at = abs(extra) + vec4(gl_VertexID, gl_InstanceID, 0, 1) * 0.1;\n";
    text += some_body(random, random.one_in(4));
    text += "    colour = at;\n    gl_PointSize = 3.0;\n";
    text += random.one_in(3)
                ? "    gl_Position = position;\n}\n"
                : "    gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1 & 1) * 2.0 - 1.0, "
                  "position.z * 0.01, 1.0);\n}\n";
    return text;
}

std::string fragment_text(Random& random) {
    std::string text = kCommon + "layout(location = 0) in vec4 colour;\n";
    const bool integer = random.one_in(6);
    text += integer ? "layout(location = 0) out uvec4 result;\n"
                    : "layout(location = 0) out vec4 result;\n";
    const bool second = random.one_in(3);
    if (second) {
        text += "layout(location = 1) out vec4 other;\n";
    }
    text += "void main() {\n    vec4 at = colour;\n" + some_body(random, true);
    if (random.one_in(4)) {
        text += "    if (fract(gl_FragCoord.x * 0.25) > 0.7) discard;\n";
    }
    if (random.one_in(6)) {
        text += "    gl_FragDepth = at.z;\n";
    }
    if (second) {
        text += "    other = dFdx(at);\n";
    }
    return text + (integer ? "    result = uvec4(at * 255.0);\n}\n" : "    result = at;\n}\n");
}

std::string geometry_text(Random& random) {
    return kCommon +
           "layout(triangles) in;\nlayout(triangle_strip, max_vertices = 6) out;\n"
           "in gl_PerVertex { vec4 gl_Position; float gl_PointSize; } gl_in[];\n" +
           kPerVertex +
           "layout(location = 0) in vec4 before[];\nlayout(location = 0) out vec4 colour;\n"
           "void main() {\n    for (int i = 0; i < 3; ++i) {\n        vec4 at = before[i];\n" +
           some_body(random, false) +
           "        colour = at;\n        gl_Position = gl_in[i].gl_Position;\n" +
           (random.one_in(2) ? "        gl_PointSize = 2.0;\n" : "") +
           "        EmitVertex();\n    }\n    EndPrimitive();\n}\n";
}

std::string control_text(Random& random) {
    return kCommon +
           "layout(vertices = 3) out;\n"
           "in gl_PerVertex { vec4 gl_Position; float gl_PointSize; } gl_in[gl_MaxPatchVertices];\n"
           "out gl_PerVertex { vec4 gl_Position; float gl_PointSize; } gl_out[];\n"
           "layout(location = 0) in vec4 before[];\nlayout(location = 0) out vec4 between[];\n"
           "void main() {\n    vec4 at = before[gl_InvocationID % gl_PatchVerticesIn];\n" +
           some_body(random, false) +
           "    between[gl_InvocationID] = at;\n    gl_out[gl_InvocationID].gl_Position = "
           "gl_in[gl_InvocationID % gl_PatchVerticesIn].gl_Position;\n"
           "    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 2.0;\n"
           "    gl_TessLevelInner[0] = 2.0;\n}\n";
}

std::string evaluation_text(Random& random) {
    return kCommon +
           "layout(triangles, equal_spacing) in;\n"
           "in gl_PerVertex { vec4 gl_Position; float gl_PointSize; } gl_in[];\n" +
           kPerVertex +
           "layout(location = 0) in vec4 between[];\nlayout(location = 0) out vec4 colour;\n"
           "void main() {\n    vec4 at = between[0] * gl_TessCoord.x + between[1] * "
           "gl_TessCoord.y;\n" +
           some_body(random, false) +
           "    colour = at;\n    gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + "
           "gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z;\n}\n";
}

std::string compute_text(Random& random) {
    std::string text = kCommon +
                       "layout(local_size_x = 8) in;\nshared vec4 kept[8];\nvoid main() {\n"
                       "    vec4 at = vec4(gl_GlobalInvocationID.xyz, 1) * 0.1;\n" +
                       some_body(random, true);
    if (random.one_in(2)) {
        text += "    kept[gl_LocalInvocationIndex] = at;\n    barrier();\n"
                "    at += kept[7 - gl_LocalInvocationIndex];\n";
    }
    return text + "    words[gl_GlobalInvocationID.x] = packUnorm4x8(at);\n"
                  "    imageStore(picture, ivec2(gl_GlobalInvocationID.xy), at);\n}\n";
}

} // namespace kobalt::fuzz
