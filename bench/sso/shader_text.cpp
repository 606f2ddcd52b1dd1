// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "shader_text.h"

#include <cstdio>

#include "random.h"

namespace kobalt::sso {

namespace {

constexpr size_t index(Stage stage) {
    return static_cast<size_t>(stage);
}

std::string constant(Random& random, double low, double high) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.7f", random.between(low, high));
    return text.data();
}

std::string vector(Random& random, double low, double high) {
    std::string text = "vec4(";
    for (int i = 0; i < 4; ++i) {
        text += (i == 0 ? "" : ", ") + constant(random, low, high);
    }
    return text + ")";
}

std::string swizzle(Random& random) {
    constexpr std::array<const char*, 6> all{"yzwx", "wzyx", "zwxy", "yxwz", "wxyz", "xzyw"};
    return all[static_cast<size_t>(random.below(static_cast<int>(all.size())))];
}

/// One statement that maps `t`, whose components are in -1 to 1, to that range again.
std::string statement(Random& random) {
    switch (random.below(10)) {
    case 0:
        return "t = sin(t." + swizzle(random) + " * " + constant(random, 1, 9) + ").x * " +
               vector(random, -1, 1) + ";";
    case 1:
        return "t = mix(t, t." + swizzle(random) + ", " + vector(random, 0.1, 0.9) + ");";
    case 2:
        return "t = fract(abs(t) * " + constant(random, 1, 5) + " + " + vector(random, 0, 1) + ");";
    case 3:
        return "t = sqrt(abs(t) * " + vector(random, 0.2, 1) + ");";
    case 4:
        return "if (t.x > " + constant(random, -0.5, 0.5) + ") { t = t." + swizzle(random) + " * " +
               constant(random, 0.5, 1) + "; } else { t = t." + swizzle(random) + " - 0.5 * t * " +
               vector(random, 0, 1) + "; t *= 0.6; }";
    case 5:
        return "for (int i = 0; i < int(2.0 + t.x); ++i) { t = fract(abs(t." + swizzle(random) +
               ") * " + constant(random, 1, 4) + " + " + constant(random, 0, 1) + "); }";
    case 6:
        return "t *= 0.25 * dot(t, " + vector(random, -1, 1) + ");";
    case 7:
        return "t = clamp(t * t." + swizzle(random) + " * " + constant(random, 1, 3) + ", " +
               vector(random, -1, -0.5) + ", " + vector(random, 0.5, 1) + ");";
    case 8:
        return "t = max(t, " + vector(random, -1, 0) + ") * min(t." + swizzle(random) + ", " +
               vector(random, 0, 1) + ");";
    default:
        return "t = t.w > t." + std::string(random.below(2) == 0 ? "x" : "y") + " ? t - t * " +
               vector(random, 0, 1) + " : t." + swizzle(random) + ";";
    }
}

std::string body(Random& random, const std::string& input, int least) {
    std::string text = "    vec4 t = clamp(" + input + " * " + vector(random, 0.01, 0.9) +
                       ", vec4(-1.0), vec4(1.0));\n";
    for (int left = least + random.below(least + 2); left > 0; --left) {
        text += "    " + statement(random) + "\n";
    }
    return text;
}

std::string written(const Colour& colour) {
    std::array<char, 96> text{};
    std::snprintf(text.data(), text.size(), "vec4(%.6f, %.6f, %.6f, %.6f)", colour[0], colour[1],
                  colour[2], colour[3]);
    return text.data();
}

} // namespace

ShaderTexts::ShaderTexts(const Driver& driver, std::uint64_t seed, const Counts& counts,
                         Linkage linkage)
    : driver_(&driver), seed_(seed), counts_(counts), linkage_(linkage) {}

std::string ShaderTexts::head() const {
    if (driver_->is_at_least(4, 1)) {
        return "#version 410 core\n";
    }
    std::string text = "#version 330 core\n";
    if (driver_->separable()) {
        text += "#extension GL_ARB_separate_shader_objects : require\n";
    }
    if (counts_[index(Stage::Control)] > 0) {
        // Not required: NVIDIA's compiler refuses to have it required in a vertex shader.
        text += "#extension GL_ARB_tessellation_shader : enable\n";
    }
    return text;
}

Colour ShaderTexts::share(Stage stage, int number) const {
    const auto step = [&](Stage of) { return 0.9F / static_cast<float>(counts_[index(of)]); };
    const auto at = static_cast<float>(number) + 0.5F;
    switch (stage) {
    case Stage::Vertex:
        // The control stage also adds to red, in finer steps.
        return {step(stage) * static_cast<float>(number), 0.05F, 0.05F, 0};
    case Stage::Control:
        return {step(Stage::Vertex) / static_cast<float>(counts_[index(stage)]) * at, 0, 0, 0};
    case Stage::Evaluation:
        return {0, step(stage) * at, 0, 0};
    case Stage::Geometry:
        return {0, 0, step(stage) * at, 0};
    default:
        return {0, 0, 0, step(stage) * at};
    }
}

Colour ShaderTexts::colour(const Choice& choice) const {
    Colour sum{};
    for (size_t stage = 0; stage < kStages; ++stage) {
        if (counts_[stage] == 0) {
            continue;
        }
        const Colour part = share(static_cast<Stage>(stage), choice[stage]);
        for (size_t channel = 0; channel < sum.size(); ++channel) {
            sum[channel] += part[channel];
        }
    }
    return sum;
}

std::string ShaderTexts::text(Stage stage, int number, int shade) const {
    Random random(seed_ ^ (static_cast<std::uint64_t>(number) * kStages + index(stage) + 1) *
                              0x2545f4914f6cdd1dU);
    const bool separable = linkage_ == Linkage::Separable;
    // Whole programs are made by the thousand; a CPU device takes 100 ms for a dozen statements.
    const int least = separable ? 3 : 1;
    // Separable programs must redeclare the members of gl_PerVertex that they use (GLSL 4.10, 7.1).
    const std::string block = "gl_PerVertex { vec4 gl_Position; }";
    const std::string blocks_in = separable ? "in " + block + " gl_in[];\n" : "";
    const std::string block_out = separable ? "out " + block + ";\n" : "";
    const std::string location = separable ? "layout(location = 0) " : "";
    // Whole programs match varyings by name, and their only stage before the fragment stage is the
    // first one.
    const std::string in = separable ? "received" : "tone";
    const std::string added = written(share(stage, shade)) + " + 0.0008 * t";
    switch (stage) {
    case Stage::Vertex:
        return head() + "layout(location = 0) in vec2 corner;\n" + block_out + location +
               "out vec4 tone;\nvoid main() {\n" + body(random, "vec4(corner, corner.yx)", least) +
               "    tone = " + added + ";\n    gl_Position = vec4(corner, 0.0, 1.0);\n}\n";
    case Stage::Control: {
        const std::string level = std::to_string(1 + random.below(3)) + ".0";
        return head() + "layout(vertices = 3) out;\n" + blocks_in + "out " + block +
               " gl_out[];\n" + location + "in vec4 " + in + "[];\n" + location +
               "out vec4 tone[];\nvoid main() {\n" +
               body(random, "gl_in[gl_InvocationID].gl_Position.xyxy", least) +
               "    tone[gl_InvocationID] = " + in + "[gl_InvocationID] + " + added +
               ";\n    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
               "    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = " +
               level + ";\n    gl_TessLevelInner[0] = " + level + ";\n}\n";
    }
    case Stage::Evaluation:
        return head() + "layout(triangles, equal_spacing, ccw) in;\n" + blocks_in + block_out +
               location + "in vec4 " + in + "[];\n" + location +
               "out vec4 tone;\n"
               "void main() {\n" +
               body(random, "gl_TessCoord.xyzx", least) + "    tone = gl_TessCoord.x * " + in +
               "[0] + gl_TessCoord.y * " + in + "[1] + gl_TessCoord.z * " + in + "[2] + " + added +
               ";\n    gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * "
               "gl_in[1].gl_Position + gl_TessCoord.z * gl_in[2].gl_Position;\n}\n";
    case Stage::Geometry:
        return head() + "layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n" +
               blocks_in + block_out + location + "in vec4 " + in + "[];\n" + location +
               "out vec4 tone;\n"
               "void main() {\n" +
               body(random, "gl_in[1].gl_Position.xyxy", least) +
               "    for (int corner = 0; corner < 3; ++corner) {\n        tone = " + in +
               "[corner] + " + added +
               ";\n        gl_Position = gl_in[corner].gl_Position;\n        EmitVertex();\n"
               "    }\n    EndPrimitive();\n}\n";
    default:
        return head() + location + "in vec4 " + in +
               ";\nlayout(location = 0) out vec4 result;\nvoid main() {\n" +
               body(random, "gl_FragCoord.xyyx", least) + "    result = " + in + " + " + added +
               ";\n}\n";
    }
}

Choice choice_of(const Counts& counts, int number) {
    Choice choice{};
    for (size_t stage = 0; stage < kStages; ++stage) {
        if (counts[stage] > 0) {
            choice[stage] = number % counts[stage];
            number /= counts[stage];
        }
    }
    return choice;
}

int number_of_choices(const Counts& counts) {
    int product = 1;
    for (const int count : counts) {
        product *= count > 0 ? count : 1;
    }
    return product;
}

} // namespace kobalt::sso
