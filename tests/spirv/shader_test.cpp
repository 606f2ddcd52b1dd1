// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "shader_test.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>

namespace kobalt::corpus {

namespace {

std::optional<gl_shader_stage> stage_of_section(const std::string& section) {
    static const std::map<std::string, gl_shader_stage> stages{
        {"[vertex shader]", MESA_SHADER_VERTEX},
        {"[vertex shader passthrough]", MESA_SHADER_VERTEX},
        {"[tessellation control shader]", MESA_SHADER_TESS_CTRL},
        {"[tessellation evaluation shader]", MESA_SHADER_TESS_EVAL},
        {"[geometry shader]", MESA_SHADER_GEOMETRY},
        {"[fragment shader]", MESA_SHADER_FRAGMENT},
        {"[compute shader]", MESA_SHADER_COMPUTE},
    };
    const auto found = stages.find(section);
    return found == stages.end() ? std::nullopt : std::optional(found->second);
}

/// Why a section that is not GLSL source makes the test ineligible; empty where it doesn't.
std::string reason_of_section(const std::string& section) {
    const auto contains = [&](const char* word) { return section.find(word) != std::string::npos; };
    if (contains("spirv"))
        return "SPIR-V source";
    if (contains("program"))
        return "assembly program (ARB_vertex_program, ARB_fragment_program)";
    if (contains("shader"))
        return "a section " + section;
    return {};
}

void note_version(ShaderTest& test, const std::string& line) {
    unsigned version = 0;
    char profile[32] = "";
    const size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos ||
        std::sscanf(line.c_str() + hash, "#version %u %31s", &version, profile) < 1)
        return;
    test.version = std::max(test.version, version);
    test.es = version == 100 || std::strcmp(profile, "es") == 0;
    test.compatibility = std::strcmp(profile, "compatibility") == 0;
}

void note_requirement(ShaderTest& test, const std::string& line) {
    float required = 0;
    if (std::sscanf(line.c_str(), "GLSL >= %f", &required) == 1 ||
        std::sscanf(line.c_str(), "GLSL ES >= %f", &required) == 1) {
        test.version = unsigned(required * 100 + 0.5f);
        test.es = line.starts_with("GLSL ES");
    }
    if (line.starts_with("SSO"))
        test.separable = true;
    if (line.starts_with("SPIRV ONLY"))
        test.not_eligible = "SPIR-V source";
    if (line.starts_with("GL COMPAT"))
        test.compatibility = true;
    if (line.starts_with("link error"))
        test.expects_link_error = true;
}

/// As in piglit's shader_runner: a source without #version gets the version of [require].
void add_version(const ShaderTest& test, std::string& text) {
    if (text.find("#version") == std::string::npos)
        text = "#version " + std::to_string(test.version) +
               (test.es && test.version >= 300 ? " es\n" : "\n") + text;
}

} // namespace

ShaderTest read_shader_test(const std::string& path) {
    ShaderTest test;
    std::ifstream file(path);
    if (!file)
        test.not_eligible = "a file that can't be read";
    std::string line;
    bool in_source = false;
    std::vector<size_t> passthrough;
    while (std::getline(file, line)) {
        if (line.starts_with("[")) {
            const size_t end = line.find(']');
            const std::string section = line.substr(0, end == std::string::npos ? end : end + 1);
            const auto stage = stage_of_section(section);
            in_source = stage.has_value();
            if (stage) {
                test.sources.push_back({*stage, {}});
                if (section.find("passthrough") != std::string::npos)
                    passthrough.push_back(test.sources.size() - 1);
            } else if (const std::string reason = reason_of_section(section); !reason.empty()) {
                test.not_eligible = reason;
            }
        } else if (in_source) {
            test.sources.back().text += line + "\n";
            note_version(test, line);
        } else {
            note_requirement(test, line);
        }
    }
    const bool modern = test.version >= (test.es ? 300 : 130);
    for (const size_t index : passthrough)
        test.sources[index].text =
            std::string(modern ? "in" : "attribute") +
            " vec4 piglit_vertex;\nvoid main() { gl_Position = piglit_vertex; }\n";
    for (Source& source : test.sources)
        add_version(test, source.text);
    if (test.sources.empty() && test.not_eligible.empty())
        test.not_eligible = "no shader at all (fixed function)";
    return test;
}

} // namespace kobalt::corpus
