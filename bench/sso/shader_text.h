// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "demo/offscreen/gl_api.h"
#include "driver.h"
#include "target.h"

namespace kobalt::sso {

enum class Stage { Vertex, Control, Evaluation, Geometry, Fragment };
inline constexpr size_t kStages = 5;
inline constexpr std::array<GLenum, kStages> kStageTypes{GL_VERTEX_SHADER, GL_TESS_CONTROL_SHADER,
                                                         GL_TESS_EVALUATION_SHADER,
                                                         GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER};

/// How many shaders of each stage there are; 0: the stage isn't there.
using Counts = std::array<int, kStages>;
/// One shader of each stage, by its number.
using Choice = std::array<int, kStages>;

/// Writes shaders that share nothing but their purpose: the statements differ in kind, number and
/// constants, all derived from the seed. Each stage adds its own share to a colour that is passed
/// from stage to stage at location 0, so that the picture shows which shaders drew it.
class ShaderTexts {
public:
    enum class Linkage { Separable, Whole };

    ShaderTexts(const Driver& driver, std::uint64_t seed, const Counts& counts, Linkage linkage);

    /// The text of the `number`-th shader of a stage, which adds the `shade`-th share of that
    /// stage. The corners of a triangle that covers the viewport come in as attribute 0.
    std::string text(Stage stage, int number, int shade) const;
    std::string text(Stage stage, int number) const { return text(stage, number, number); }

    /// What the stages with these shares draw.
    Colour colour(const Choice& choice) const;

private:
    Colour share(Stage stage, int number) const;
    std::string head() const;

    const Driver* driver_;
    std::uint64_t seed_;
    Counts counts_;
    Linkage linkage_;
};

/// The `number`-th choice of all combinations of shaders.
Choice choice_of(const Counts& counts, int number);
int number_of_choices(const Counts& counts);

} // namespace kobalt::sso
