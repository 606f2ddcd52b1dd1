// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GLSL 4.60, section 4.5: each varying is interpolated as its own qualifiers say, whatever shares a
// slot with it. Where w runs from 1 to 4 across a rectangle, what runs from 0 to 1 is 0.2 at its
// middle with perspective and 0.5 without.
#include <algorithm>
#include <cmath>

#include "separable.h"

namespace kobalt::gltest {
namespace {

enum class Place { Pixel, Centroid, Sample };

struct Qualifier {
    const char* text;
    bool flat;
    bool perspective;
    Place place = Place::Pixel;
};

constexpr std::array<Qualifier, 9> kQualifiers{{
    {"smooth", false, true},
    {"flat", true, false},
    {"noperspective", false, false},
    {"smooth centroid", false, true, Place::Centroid},
    {"flat centroid", true, false, Place::Centroid},
    {"noperspective centroid", false, false, Place::Centroid},
    {"smooth sample", false, true, Place::Sample},
    {"flat sample", true, false, Place::Sample},
    {"noperspective sample", false, false, Place::Sample},
}};
constexpr size_t kWithoutSample = 6;

enum class Path { Vertex, Geometry, Separable };

struct Shape {
    const char* name;
    int first, second; ///< components of the two varyings
    Path path;
    friend void PrintTo(const Shape& value, std::ostream* out) { *out << value.name; }
};

/// What the qualifier makes of a share `s` of the way from w = 1 to w = `far_w`.
float expected_at(const Qualifier& qualifier, float s, float far_w) {
    if (qualifier.flat) {
        return 1; // the last vertex of both triangles lies at the far end
    }
    return qualifier.perspective ? s / (far_w + (1 - far_w) * s) : s;
}

std::string type_of(int components) {
    return components == 1 ? "float" : "vec" + std::to_string(components);
}

/// start + 1, start + 2, …: a number of its own for each component.
std::string numbers(int components, int start) {
    std::string text = type_of(components) + "(";
    for (int i = 0; i < components; ++i) {
        text += (i ? ", " : "") + std::to_string(start + i + 1) + ".0";
    }
    return text + ")";
}

/// An expression of how far the components behind the first are from it.
std::string spread(const std::string& name, int components) {
    std::string text = "0.0";
    const std::string channels = "xyzw";
    for (int i = 1; i < components; ++i) {
        text += " + abs(" + name + "." + channels[static_cast<size_t>(i)] + " - " + name + ".x)";
    }
    return text;
}

class InterpolationTest : public GlTest, public testing::WithParamInterface<Shape> {
protected:
    Missing missing() const override {
        return GetParam().path == Path::Separable ? lacks(4, 1, "GL_ARB_separate_shader_objects")
                                                  : Missing();
    }
    void prepare() override {
        if (has_version(4, 0)) {
            header_ = "#version 400 core\n";
            qualifiers_ = kQualifiers.size();
        } else if (has_extension("GL_ARB_gpu_shader5")) {
            header_ += "#extension GL_ARB_gpu_shader5 : enable\n";
            qualifiers_ = kQualifiers.size();
        }
    }

    /// Calls `use` with every pair of qualifiers that the context knows.
    template <typename Use>
    void for_each_pair(const Use& use) {
        for (size_t a = 0; a < qualifiers_; ++a) {
            for (size_t b = a; b < qualifiers_; ++b) {
                const bool turned = (a + b) % 2; // which of both is declared first
                const Qualifier& first = kQualifiers[turned ? b : a];
                const Qualifier& second = kQualifiers[turned ? a : b];
                SCOPED_TRACE(std::string(first.text) + " beside " + second.text);
                use(first, second);
            }
        }
    }

    /// Draws from the column `left` to the right end with `result` of `a` and `b`, which run from 0
    /// to 1 in every component.
    void draw(const Qualifier& first, const Qualifier& second, const std::string& result,
              float left, float far_w) {
        const Shape& shape = GetParam();
        const std::string a = type_of(shape.first) + " varying_a;\n";
        const std::string b = type_of(shape.second) + " varying_b;\n";
        const std::string outputs =
            std::string(first.text) + " out " + a + second.text + " out " + b;
        const std::string inputs = std::string(first.text) + " in " + a + second.text + " in " + b;
        const std::string assign = "varying_a = " + numbers(shape.first, 0) +
                                   " + t; varying_b = " + numbers(shape.second, 10) + " + t;";
        const std::string place = "float w = 1.0 + t * " + std::to_string(far_w - 1) +
                                  "; gl_Position = vec4(p * w, 0, w);";
        const std::string attribute = "layout(location = 0) in vec3 corner;\n";
        const std::string fragment =
            header_ + inputs + "out vec4 result;\nvoid main() { " + type_of(shape.first) +
            " a = varying_a - " + numbers(shape.first, 0) + "; " + type_of(shape.second) +
            " b = varying_b - " + numbers(shape.second, 10) + "; result = " + result + "; }";
        const std::string vertex = attribute + outputs +
                                   "void main() { vec2 p = corner.xy; float t = corner.z; " +
                                   place + assign + " }";
        switch (shape.path) {
        case Path::Vertex:
            gl::UseProgram(
                link({{GL_VERTEX_SHADER, header_ + vertex}, {GL_FRAGMENT_SHADER, fragment}}));
            break;
        case Path::Geometry:
            gl::UseProgram(
                link({{GL_VERTEX_SHADER,
                       header_ + attribute + "out vec3 point; void main() { point = corner; }"},
                      {GL_GEOMETRY_SHADER,
                       header_ +
                           "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
                           "in vec3 point[];\n" +
                           outputs +
                           "void main() { for (int i = 0; i < 3; ++i) { vec2 p = point[i].xy; "
                           "float t = point[i].z; " +
                           place + assign + " EmitVertex(); } }"},
                      {GL_FRAGMENT_SHADER, fragment}}));
            break;
        case Path::Separable: {
            const std::string extension = "#extension GL_ARB_separate_shader_objects : enable\n"
                                          "out gl_PerVertex { vec4 gl_Position; };\n";
            bind_pipeline(
                {{GL_VERTEX_SHADER_BIT,
                  separable_of({{GL_VERTEX_SHADER, header_ + extension + vertex}})},
                 {GL_FRAGMENT_SHADER_BIT, separable_of({{GL_FRAGMENT_SHADER, fragment}})}});
            break;
        }
        }
        const float x = 2 * left / kWidth - 1;
        bind_new_vao();
        make_buffer(GL_ARRAY_BUFFER, std::vector<float>{x, -1, 0, x, 1, 0, 1, -1, 1, //
                                                        1, -1, 1, x, 1, 0, 1, 1, 1});
        gl::VertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
        gl::EnableVertexAttribArray(0);
        gl::ClearColor(0, 0, 0, 0);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::DrawArrays(GL_TRIANGLES, 0, 6);
    }

    std::string first_component(const std::string& name) const {
        return (name == "a" ? GetParam().first : GetParam().second) == 1 ? name : name + ".x";
    }
    std::string both_and_spread() const {
        return "vec4(" + first_component("a") + ", " + first_component("b") + ", " +
               spread("a", GetParam().first) + " + " + spread("b", GetParam().second) + ", 1.0)";
    }

    /// Resolves the multisampled target that was drawn to, and reads the middle pixel.
    static Float4 resolved_middle(const Target& target) {
        const Target resolved = make_target({kWidth, kHeight, GL_RGBA32F});
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, target.framebuffer);
        gl::BlitFramebuffer(0, 0, kWidth, kHeight, 0, 0, kWidth, kHeight, GL_COLOR_BUFFER_BIT,
                            GL_NEAREST);
        resolved.bind();
        return pixel_float(kWidth / 2, kHeight / 2);
    }
    /// Where the samples of the bound target lie in a pixel, from left to right.
    static std::vector<float> sample_columns() {
        GLint samples = 0;
        gl::GetIntegerv(GL_SAMPLES, &samples);
        std::vector<float> columns;
        for (GLuint i = 0; i < static_cast<GLuint>(samples); ++i) {
            std::array<GLfloat, 2> position{};
            gl::GetMultisamplefv(GL_SAMPLE_POSITION, i, position.data());
            columns.push_back(position[0]);
        }
        std::ranges::sort(columns);
        return columns;
    }

    static constexpr int kWidth = 9; // odd: a pixel's centre is the middle
    static constexpr int kHeight = 3;

private:
    std::string header_ = "#version 330 core\n";
    size_t qualifiers_ = kWithoutSample;
};

TEST_P(InterpolationTest, EveryPairAtTheMiddle) {
    make_target({kWidth, kHeight, GL_RGBA32F});
    for_each_pair([&](const Qualifier& first, const Qualifier& second) {
        draw(first, second, both_and_spread(), 0, 4);
        expect_near(pixel_float(kWidth / 2, kHeight / 2),
                    {expected_at(first, 0.5F, 4), expected_at(second, 0.5F, 4), 0, 1}, 1e-4F);
    });
}

/// w is the same everywhere here: llvmpipe divides the values at other places of a pixel by the w
/// of its centre.
class InterpolationPlaceTest : public InterpolationTest {};

TEST_P(InterpolationPlaceTest, EveryPairAtAnEdgeBetweenSamples) {
    const Target target = make_target({kWidth, kHeight, GL_RGBA32F, GL_NONE, 4});
    const std::vector<float> columns = sample_columns();
    ASSERT_FALSE(columns.empty());
    if (columns.back() <= 0.55F) {
        GTEST_SKIP() << "no sample lies to the right of the pixel's centre";
    }
    // The left edge lies between the pixel's centre and its last sample.
    const float pixel_left = kWidth / 2;
    const float left = pixel_left + (0.5F + columns.back()) / 2;
    const auto share = [&](float x) { return (x - left) / (kWidth - left); };
    for_each_pair([&](const Qualifier& first, const Qualifier& second) {
        target.bind();
        draw(first, second, both_and_spread(), left, 1);
        const Float4 sum = resolved_middle(target);
        ASSERT_GT(sum[3], 0.1F);
        const std::array<const Qualifier*, 2> both{&first, &second};
        for (size_t i = 0; i < both.size(); ++i) {
            // Without centroid and sample a value may be that of any place in the pixel.
            const bool inside = both[i]->place != Place::Pixel;
            const float from = expected_at(*both[i], inside ? 0 : share(pixel_left), 1);
            const float to = expected_at(*both[i], share(pixel_left + 1), 1);
            EXPECT_GE(sum[i] / sum[3], from - 1e-4F) << both[i]->text;
            EXPECT_LE(sum[i] / sum[3], to + 1e-4F) << both[i]->text;
        }
        EXPECT_NEAR(sum[2], 0, 1e-3F);
    });
}

class SampleInterpolationTest : public InterpolationPlaceTest {
protected:
    Missing missing() const override {
        return first_of({InterpolationPlaceTest::missing(), lacks(4, 0, "GL_ARB_gpu_shader5")});
    }
};

TEST_P(SampleInterpolationTest, SamplesHaveTheirOwnValues) {
    const Target target = make_target({kWidth, kHeight, GL_RGBA32F, GL_NONE, 4});
    const std::vector<float> columns = sample_columns();
    ASSERT_FALSE(columns.empty());
    const auto right = static_cast<float>(
        std::ranges::count_if(columns, [](float column) { return column > 0.5F; }));
    const float expected = right / static_cast<float>(columns.size());
    for_each_pair([&](const Qualifier& first, const Qualifier& second) {
        if (first.place != Place::Sample && second.place != Place::Sample) {
            return;
        }
        // The share of samples that lie behind the pixel's centre.
        const auto behind = [&](const char* name, const Qualifier& qualifier) {
            return "step(" + std::to_string(expected_at(qualifier, 0.5F, 1)) + ", " +
                   first_component(name) + ")";
        };
        target.bind();
        draw(first, second, "vec4(" + behind("a", first) + ", " + behind("b", second) + ", 0, 1)",
             0, 1);
        const Float4 sum = resolved_middle(target);
        if (first.place == Place::Sample && !first.flat) {
            EXPECT_NEAR(sum[0], expected, 1e-3F);
        }
        if (second.place == Place::Sample && !second.flat) {
            EXPECT_NEAR(sum[1], expected, 1e-3F);
        }
    });
}

const auto name_of = [](const auto& info) { return std::string(info.param.name); };

INSTANTIATE_TEST_SUITE_P(Shapes, InterpolationTest,
                         testing::Values(Shape{"ScalarsThatShareASlot", 1, 1, Path::Vertex},
                                         Shape{"VectorAndScalarThatShareASlot", 3, 1, Path::Vertex},
                                         Shape{"PairsThatShareASlot", 2, 2, Path::Vertex},
                                         Shape{"ASlotEach", 4, 4, Path::Vertex},
                                         Shape{"ScalarsBehindGeometry", 1, 1, Path::Geometry},
                                         Shape{"VectorsBehindGeometry", 4, 3, Path::Geometry},
                                         Shape{"ScalarsOfSeparablePrograms", 1, 1, Path::Separable},
                                         Shape{"VectorsOfSeparablePrograms", 4, 3,
                                               Path::Separable}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Shapes, InterpolationPlaceTest,
                         testing::Values(Shape{"PairsThatShareASlot", 2, 2, Path::Vertex},
                                         Shape{"ASlotEach", 4, 4, Path::Vertex},
                                         Shape{"ScalarsBehindGeometry", 1, 1, Path::Geometry},
                                         Shape{"ScalarsOfSeparablePrograms", 1, 1,
                                               Path::Separable}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Shapes, SampleInterpolationTest,
                         testing::Values(Shape{"PairsThatShareASlot", 2, 2, Path::Vertex}),
                         name_of);

/// GLSL 4.60, section 4.4.1: components of one location have the same interpolation.
class LocationAliasingTest : public GlTest {};

TEST_F(LocationAliasingTest, ComponentsShareTheirInterpolation) {
    if (!has_version(4, 4) && !has_extension("GL_ARB_enhanced_layouts")) {
        GTEST_SKIP() << "GL_ARB_enhanced_layouts is not offered";
    }
    const std::string header = "#version 330 core\n#extension GL_ARB_enhanced_layouts : enable\n"
                               "#extension GL_ARB_separate_shader_objects : enable\n";
    const auto links = [&](const char* first, const char* second) {
        const std::string source = header + "layout(location = 1, component = 0) " + first +
                                   " in float a;\nlayout(location = 1, component = 1) " + second +
                                   " in float b;\nout vec4 result;\n"
                                   "void main() { result = vec4(a, b, 0, 1); }";
        const char* text = source.c_str();
        GLint good = 0;
        gl::GetProgramiv(gl::CreateShaderProgramv(GL_FRAGMENT_SHADER, 1, &text), GL_LINK_STATUS,
                         &good);
        return good == GL_TRUE;
    };
    EXPECT_TRUE(links("noperspective", "noperspective"));
    EXPECT_FALSE(links("smooth", "noperspective"));
    EXPECT_FALSE(links("flat", "smooth"));
    EXPECT_FALSE(links("centroid", "smooth"));
}

} // namespace
} // namespace kobalt::gltest
