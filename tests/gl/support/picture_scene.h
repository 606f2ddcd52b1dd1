// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What the picture tests draw with: a camera, a torus, a target.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string_view>
#include <vector>

#include "pictures.h"
#include "support.h"

namespace kobalt::gltest {

inline constexpr int kPictureSize = 128;
inline constexpr float kTau = 2 * std::numbers::pi_v<float>;

using Matrix = std::array<float, 16>;

/// Perspective, distance and two rotations: enough of a camera for one object at the origin.
Matrix camera(float distance, float yaw, float pitch);

struct Mesh {
    std::vector<float> vertices; ///< position, normal, texture coordinate
    std::vector<std::uint16_t> indices;
    GLsizei count() const { return static_cast<GLsizei>(indices.size()); }
};
Mesh torus(int around, int across);

/// Binds a new vertex array with the mesh at locations 0 to 2, and its indices.
void bind_mesh(const Mesh& mesh);
/// Uses the program and sets its uniform `camera`.
void set_camera(GLuint program, const Matrix& matrix);
/// Binds a checker whose levels have different tints, so that one sees which is drawn.
void bind_tinted_checker();

/// Vertex shader of a mesh: gives `n` and `uv`.
extern const char* const kMeshVs;
/// Fragment shader with one light from above; what is unlit has the light's full colour.
extern const char* const kLitFs;
extern const char* const kUnlitFs;

/// A target of kPictureSize squared with 8-bit RGBA, depth and stencil, in a context of `Base`.
template <typename Base>
class PictureTestOf : public Base {
protected:
    void prepare() override {
        Base::prepare();
        target_ = make_target({kPictureSize, kPictureSize, GL_RGBA8, GL_DEPTH24_STENCIL8});
    }
    const Target& target() const { return target_; }

    /// judge_picture() on the target; `draw` may leave state behind.
    void judge(const PictureCase& picture, const std::vector<std::string_view>& features,
               const std::function<void(const Parts&)>& draw) {
        judge_picture(
            picture, kPictureSize, kPictureSize, features, [this] { begin(); }, draw);
    }

private:
    void begin() {
        target_.bind();
        for (const GLenum one : {GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST, GL_POLYGON_OFFSET_FILL,
                                 GL_PROGRAM_POINT_SIZE, GL_SCISSOR_TEST, GL_STENCIL_TEST}) {
            gl::Disable(one);
        }
        gl::PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
        // Alpha counts, too: the background's is neither 0 nor 1.
        gl::ClearColor(0.05F, 0.06F, 0.12F, 0.25F);
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    }
    Target target_;
};

using PictureTest = PictureTestOf<GlTest>;
using CompatPictureTest = PictureTestOf<CompatTest>;

} // namespace kobalt::gltest
