// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "demo/offscreen/egl_context.h"
#include "demo/offscreen/gl_api.h"
#include "demo/offscreen/png_file.h"
#include "recording.h"

namespace kobalt::gltest {

using offscreen::ContextRequest;
using offscreen::Picture;
using offscreen::Profile;

using Float4 = std::array<float, 4>;
using Int4 = std::array<std::int32_t, 4>;
using Uint4 = std::array<std::uint32_t, 4>;
using Byte4 = std::array<std::uint8_t, 4>;

inline constexpr Byte4 kBlack{0, 0, 0, 255};
inline constexpr Byte4 kWhite{255, 255, 255, 255};
inline constexpr Byte4 kRed{255, 0, 0, 255};
inline constexpr Byte4 kGreen{0, 255, 0, 255};
inline constexpr Byte4 kBlue{0, 0, 255, 255};
inline constexpr Byte4 kYellow{255, 255, 0, 255};

/// Why the tests of a suite can't run where they are; none: they can.
using Missing = std::optional<std::string>;
/// The first of the reasons that there is.
Missing first_of(std::initializer_list<Missing> reasons);
/// The reason, where `holds`.
Missing when(bool holds, const std::string& reason);

/// Where llvmpipe's rasteriser draws: lavapipe.
bool drawn_by_llvmpipe();

/// A fresh context for each test: OpenGL 3.3 core, or what `request()` of a subclass says. Fails
/// when the context cannot be made, when GL_RENDERER is not the expected one
/// (offscreen/expected_renderer.h), and when the test leaves a GL error behind. On devices that
/// draw nothing: recording.h.
///
/// A suite says what it needs in missing(), and what each of its tests begins with in prepare():
/// that is called only where nothing is missing, so neither looks whether the context is there.
class GlTest : public testing::Test {
protected:
    void SetUp() final;
    void TearDown() override;
    virtual ContextRequest request() const { return {}; }
    /// The reason why the suite is skipped in this context; a base's own comes first.
    virtual Missing missing() const { return {}; }
    /// May fail or skip; who calls a base's that does looks at that.
    virtual void prepare() {}

    /// Where the context doesn't have the extension.
    Missing lacks(const char* extension) const;
    /// Where the context's version is below major.minor.
    Missing lacks(int major, int minor) const;
    /// Where the context has neither the version nor the extension that had it before.
    Missing lacks(int major, int minor, const char* extension) const;
    bool has_extension(std::string_view name) const;
    /// True when the context's version is at least major.minor.
    bool has_version(int major, int minor) const;
    const offscreen::Context& context() const { return *context_; }

private:
    std::unique_ptr<offscreen::Context> context_;
    std::unique_ptr<RecordedTest> recorded_;
};

/// OpenGL 3.3 with the compatibility profile.
class CompatTest : public GlTest {
protected:
    ContextRequest request() const override { return {Profile::Compatibility, 3, 3, false}; }
};

/// OpenGL ES 3.0.
class EsTest : public GlTest {
protected:
    ContextRequest request() const override { return {Profile::Es, 3, 0, false}; }
};

struct Stage {
    GLenum type;
    std::string source;
};

GLuint compile(const Stage& stage);
/// Compiles, whatever comes of it: did_compile() tells.
GLuint compile_quietly(const Stage& stage);
bool did_compile(GLuint shader);
bool did_link(GLuint program);
bool compiles(GLenum type, const std::string& source);
/// A function that gl_api.h doesn't have; without it the test fails.
template <typename Function>
Function gl_function(const char* name) {
    const auto found = reinterpret_cast<Function>(eglGetProcAddress(name));
    EXPECT_NE(found, nullptr) << name;
    return found;
}
/// Compiles and links; on failure adds a test failure with the log and returns 0. `before_link`
/// may bind attributes or transform feedback varyings.
GLuint link(
    const std::vector<Stage>& stages,
    const std::function<void(GLuint)>& before_link = [](GLuint) {});
/// A program of a vertex and a fragment shader; #version 330 core is put in front of both.
GLuint vs_fs(const std::string& vertex, const std::string& fragment);

/// Vertex shader body that covers the target with vertices 0..2 and gives `uv` in 0..1.
extern const char* const kFullscreenVs;

/// Binds a new vertex array (needed by core profiles even where no attribute is read).
GLuint bind_new_vao();
/// Draws three attributeless vertices with the program.
void draw_fullscreen(GLuint program);

GLuint make_buffer(GLenum target, GLsizeiptr size, const void* data, GLenum usage = GL_STATIC_DRAW);
template <typename T>
GLuint make_buffer(GLenum target, const std::vector<T>& data, GLenum usage = GL_STATIC_DRAW) {
    return make_buffer(target, static_cast<GLsizeiptr>(data.size() * sizeof(T)), data.data(),
                       usage);
}

/// A framebuffer object with renderbuffers, bound for drawing and reading with a full viewport.
struct Target {
    GLuint framebuffer = 0;
    GLuint color = 0;
    GLuint depth = 0;
    int width = 0;
    int height = 0;
    void bind() const;
};
struct TargetOptions {
    int width = 32;
    int height = 32;
    GLenum color = GL_RGBA8;
    GLenum depth = GL_NONE;
    int samples = 0;
};
Target make_target(const TargetOptions& options = {});
/// Clears all that is bound: to black with alpha 1, which stays the clear colour, and to the values
/// for depth and stencil that are set.
void clear_to_black();
/// A target that is cleared like that.
Target make_black_target(const TargetOptions& options = {});

/// Makes a framebuffer object around one level (and layer, where >= 0) of a texture and binds it.
GLuint bind_texture_target(GLuint texture, int width, int height, int level = 0, int layer = -1);

/// Generates and binds a texture; nearest filters, clamped, one level unless changed.
GLuint new_texture(GLenum target);
/// A 2D texture with one level.
GLuint texture_2d(GLenum internal_format, int width, int height, GLenum format, GLenum type,
                  const void* data);

Byte4 pixel(int x, int y);
Float4 pixel_float(int x, int y);
Int4 pixel_int(int x, int y);
Uint4 pixel_uint(int x, int y);
Picture read_picture(int width, int height);
inline Byte4 texel_of(const Picture& picture, int x, int y) {
    const std::uint8_t* const texel = picture.at(x, y);
    return {texel[0], texel[1], texel[2], texel[3]};
}

/// Expects each channel of a pixel of the read framebuffer to be within `tolerance`.
void expect_pixel(int x, int y, const Byte4& expected, int tolerance = 1);
void expect_near(const Float4& actual, const Float4& expected, float tolerance,
                 const std::string& what = {});
/// Expects the rectangle of the read framebuffer to hold one colour only.
void expect_area(int x, int y, int width, int height, const Byte4& expected, int tolerance = 1);
/// Number of pixels whose colour is within 1 of the given one.
int count_pixels(const Picture& picture, const Byte4& colour);

/// Value of a GLSL expression in a fragment shader, drawn to one pixel of RGBA32F, RGBA32I or
/// RGBA32UI. `declarations` may hold uniforms; `setup` runs with the program in use.
Float4 evaluate(
    const std::string& declarations, const std::string& expression,
    const std::function<void(GLuint)>& setup = [](GLuint) {});
Int4 evaluate_int(
    const std::string& declarations, const std::string& expression,
    const std::function<void(GLuint)>& setup = [](GLuint) {});
Uint4 evaluate_uint(
    const std::string& declarations, const std::string& expression,
    const std::function<void(GLuint)>& setup = [](GLuint) {});

/// Draws rectangles of one colour at one depth, in normalised device coordinates.
class RectPainter {
public:
    RectPainter();
    void draw(const Float4& rect, const Float4& colour, float depth = 0.0F) const;
    /// The whole target.
    void fill(const Float4& colour, float depth = 0.0F) const {
        draw({-1, -1, 1, 1}, colour, depth);
    }

private:
    GLuint program_;
    GLint rect_;
    GLint colour_;
    GLint depth_;
};

void set_uniform(GLuint program, const char* name, int value);
void set_uniform(GLuint program, const char* name, float value);
void set_uniform(GLuint program, const char* name, const Float4& value);

} // namespace kobalt::gltest
