// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Tests the locations and the interpolation of varyings in the modules.

#include <algorithm>
#include <array>

#include "translator_fixture.h"

#include "nir_xfb_info.h"

namespace kobalt::corpus {
namespace {

using Decorations = std::set<spv::Decoration>;

class Varyings : public TranslatorTest {
protected:
    std::vector<LocatedVariable> variables(nir_shader* nir, spv::StorageClass storage) {
        if (!nir)
            return {};
        const auto result = spirv::translate(nir, target_);
        EXPECT_TRUE(result.has_value()) << result.error().what;
        if (!result)
            return {};
        EXPECT_EQ(validation(result->words), "");
        std::vector<LocatedVariable> all = located_variables(result->words);
        std::erase_if(all, [&](const LocatedVariable& one) { return one.storage != storage; });
        return all;
    }
};

struct Qualifier {
    const char* text;
    Decorations decorations;
};

const std::array<Qualifier, 9>& qualifiers() {
    using enum spv::Decoration;
    static const std::array<Qualifier, 9> all{{
        {"smooth", {}},
        {"noperspective", {NoPerspective}},
        {"flat", {Flat}},
        {"smooth centroid", {Centroid}},
        {"noperspective centroid", {NoPerspective, Centroid}},
        {"flat centroid", {Flat}},
        {"smooth sample", {Sample}},
        {"noperspective sample", {NoPerspective, Sample}},
        {"flat sample", {Flat}},
    }};
    return all;
}

// Mesa packs the varyings of a whole program; varyings of different qualifiers mustn't share a
// slot.
TEST_F(Varyings, EachIsInterpolatedAsItSays) {
    for (const Qualifier& a : qualifiers()) {
        for (const Qualifier& b : qualifiers()) {
            for (const char* type : {"float", "vec2", "vec3", "vec4"}) {
                SCOPED_TRACE(std::string(a.text) + " beside " + b.text + ", " + type);
                const auto declare = [&](const char* direction) {
                    const std::string tail = std::string(direction) + type;
                    return a.text + tail + " a; " + b.text + tail + " b;\n";
                };
                const std::vector<nir_shader*> shaders = linked(
                    {{MESA_SHADER_VERTEX, "in vec4 x; in vec4 y;\n" + declare(" out ") +
                                              "void main() { a = " + type + "(x); b = " + type +
                                              "(y); gl_Position = x; }\n"},
                     {MESA_SHADER_FRAGMENT,
                      declare(" in ") + "out vec4 color;\nvoid main() { color = vec4(a" +
                          (type == std::string("float") ? "" : ".x") + ") * vec4(b" +
                          (type == std::string("float") ? "" : ".x") + "); }\n"}},
                    400, false);
                ASSERT_EQ(shaders.size(), 2u);
                std::set<Decorations> found, expected{a.decorations, b.decorations};
                for (const LocatedVariable& one : variables(shaders[1], spv::StorageClass::Input))
                    found.insert(one.decorations);
                EXPECT_EQ(found, expected);
            }
        }
    }
}

// GL_ARB_gpu_shader5: one input may be interpolated at other places, too.
TEST_F(Varyings, OtherPlacesOfOneInputAreExplicit) {
    for (const char* qualifier : {"smooth", "noperspective", "centroid", "sample"}) {
        SCOPED_TRACE(qualifier);
        nir_shader* nir = fragment(std::string(qualifier) +
                                       " in vec2 a; in vec2 b; out vec4 color;\nvoid main() {\n"
                                       " color = vec4(a + interpolateAtOffset(a, b),\n"
                                       "  interpolateAtCentroid(a) + interpolateAtSample(a, 1));"
                                       "\n}\n",
                                   400);
        ASSERT_TRUE(nir);
        const auto result = spirv::translate(nir, target_);
        ASSERT_TRUE(result.has_value()) << result.error().what;
        EXPECT_EQ(validation(result->words), "");
        EXPECT_GE(instructions(result->words)[spv::Op::OpExtInst], 2u);
    }
}

std::string compatibility_vertex_shader() {
    std::string text =
        "void main() {\n gl_Position = gl_Vertex;\n gl_FrontColor = gl_BackColor = gl_Color;\n"
        " gl_FrontSecondaryColor = gl_BackSecondaryColor = gl_SecondaryColor;\n"
        " gl_FogFragCoord = gl_Vertex.z;\n";
    for (int i = 0; i < 8; i++)
        text += " gl_TexCoord[" + std::to_string(i) + "] = gl_MultiTexCoord" + std::to_string(i) +
                " * 2.0;\n";
    return text + "}\n";
}

// VUID-RuntimeSpirv-Location-06272: a Location is below a quarter of the stage's components. The
// least that Vulkan allows is 64 of them, of which some are for built-in variables.
TEST_F(Varyings, CompatibilityVaryingsFitTheDevice) {
    nir_shader* nir = prepared({{MESA_SHADER_VERTEX, compatibility_vertex_shader()}}, 120);
    for (const uint32_t locations : {14u, 22u, 27u, 30u}) {
        SCOPED_TRACE(locations);
        target_.varying_locations = target_.output_locations = locations;
        std::set<uint32_t> taken;
        for (const LocatedVariable& one : variables(nir, spv::StorageClass::Output)) {
            EXPECT_LT(one.location, locations);
            EXPECT_NE(one.location, spirv::spare_location(target_));
            taken.insert(one.location);
        }
        EXPECT_EQ(taken.size(), 13u);
    }
}

TEST_F(Varyings, CapturedCopiesFitTheDevice) {
    nir_shader* nir = prepared({{MESA_SHADER_VERTEX, "layout(location = 0) in vec4 x;\n"
                                                     "layout(location = 0) out vec4 a;\n"
                                                     "void main() { gl_Position = a = x; }\n"}},
                               450);
    ASSERT_TRUE(nir);
    // A part of gl_Position can only be captured as a copy.
    auto* info = static_cast<nir_xfb_info*>(rzalloc_size(nir, nir_xfb_info_size(1)));
    info->output_count = 1;
    info->outputs[0].location = VARYING_SLOT_POS;
    info->outputs[0].component_mask = 3;
    info->buffers[0].stride = 8;
    info->buffers_written = info->streams_written = 1;
    nir->xfb_info = info;
    for (const uint32_t locations : {16u, 29u, 32u}) {
        SCOPED_TRACE(locations);
        target_.output_locations = locations;
        const std::vector<LocatedVariable> all = variables(nir, spv::StorageClass::Output);
        EXPECT_EQ(all.size(), 2u);
        for (const LocatedVariable& one : all)
            EXPECT_LT(one.location, locations);
    }
}

// The limit is on built-in components as well.
TEST_F(Varyings, CapturedCopiesLeaveRoomForBuiltIns) {
    nir_shader* nir =
        prepared({{MESA_SHADER_VERTEX, "layout(location = 0) in vec4 x;\n"
                                       "out float gl_ClipDistance[8];\n"
                                       "void main() {\n gl_Position = x;\n"
                                       " for (int i = 0; i < 8; ++i)\n"
                                       "  gl_ClipDistance[i] = x.y + float(i);\n}\n"}},
                 450);
    ASSERT_TRUE(nir);
    // Eight components in two copies: distances are captured as ordinary outputs.
    auto* info = static_cast<nir_xfb_info*>(rzalloc_size(nir, nir_xfb_info_size(2)));
    info->output_count = 2;
    for (unsigned i = 0; i < 2; i++) {
        info->outputs[i].location = uint8_t(VARYING_SLOT_CLIP_DIST0 + i);
        info->outputs[i].component_mask = 0xf;
        info->outputs[i].offset = uint16_t(16 * i);
    }
    info->buffers[0].stride = 32;
    info->buffers_written = info->streams_written = 1;
    nir->xfb_info = info;
    constexpr uint32_t position = 4, distances = 8;
    for (const uint32_t locations : {16u, 29u, 32u}) {
        SCOPED_TRACE(locations);
        target_.output_locations = locations;
        std::set<uint32_t> taken;
        for (const LocatedVariable& one : variables(nir, spv::StorageClass::Output)) {
            EXPECT_LE(4 * (one.location + 1) + position + distances, 4 * locations);
            taken.insert(one.location);
        }
        EXPECT_EQ(taken.size(), 2u);
    }
    // Too few Locations for both: a Location at the end is better than none.
    target_.output_locations = 5;
    EXPECT_EQ(variables(nir, spv::StorageClass::Output).size(), 2u);
}

TEST_F(Varyings, PointSizesFitTheDevice) {
    nir_shader* nir = prepared(
        {{MESA_SHADER_VERTEX, "out gl_PerVertex { vec4 gl_Position; };\n"
                              "void main() { gl_Position = vec4(0); }\n"},
         {MESA_SHADER_GEOMETRY, "layout(points) in; layout(points, max_vertices = 204) out;\n"
                                "in gl_PerVertex { vec4 gl_Position; } gl_in[];\n"
                                "out gl_PerVertex { vec4 gl_Position; };\n"
                                "layout(location = 0) out float a;\n"
                                "void main() { for (int i = 0; i < 204; ++i) { a = 1.0; "
                                "gl_Position = vec4(i); EmitVertex(); } }\n"}},
        410);
    ASSERT_TRUE(nir);
    target_.last_vertex_stage = true;
    const auto sized = [&](bool optional, uint32_t components) {
        target_.default_point_size = optional;
        target_.geometry_output_components = components;
        const auto result = spirv::translate(nir, target_);
        return result && result->writes_point_size;
    };
    // Five components per vertex are 1,020 in all, and six would be 1,224.
    EXPECT_FALSE(sized(true, 1024));
    EXPECT_TRUE(sized(true, 1224));
    EXPECT_TRUE(sized(false, 1024)) << "points need a size there";
}

} // namespace
} // namespace kobalt::corpus
