// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>

#include "scene.h"

// Targets of many kinds: a cube map that is drawn to, and all formats that games draw to.

namespace kobalt::frame {
namespace {

/// Draws the six faces, makes the other levels if there are some, then samples the cube.
enum class Levels { One, All };
template <Levels levels>
class Cube : public Scene {
public:
    explicit Cube(Size size)
        : size_(size), depth_(make_texture(GL_DEPTH_COMPONENT24, kFace)),
          target_(make_framebuffer(std::array{make_texture(GL_RGBA8, size)})),
          solids_(make_program(object(), sampling("o = uv.xyxy;"))),
          mirrors_(make_program(object(), R"(layout(binding = 4) uniform samplerCube around;
in vec2 uv;
layout(location = 0) out vec4 o;
void main() { o = texture(around, vec3(uv, 1.0)); })")) {
        gl::GenTextures(1, &cube_);
        gl::BindTexture(GL_TEXTURE_CUBE_MAP, cube_);
        gl::TexStorage2D(GL_TEXTURE_CUBE_MAP, levels == Levels::One ? 1 : 10, GL_RGBA8, kFace.width,
                         kFace.height);
        gl::TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER,
                          levels == Levels::One ? GL_LINEAR : GL_LINEAR_MIPMAP_LINEAR);
        for (size_t i = 0; i < faces_.size(); ++i) {
            faces_[i] = make_framebuffer({}, depth_, GL_DEPTH_ATTACHMENT);
            gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                     GL_TEXTURE_CUBE_MAP_POSITIVE_X + static_cast<GLenum>(i), cube_,
                                     0);
            gl::DrawBuffer(GL_COLOR_ATTACHMENT0);
        }
    }

    void draw(int) override {
        set_state(Depth::Write, Blend::Off);
        for (const GLuint face : faces_) {
            use(face, kFace);
            gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
            solids_.draw(5);
            invalidate(std::array<GLenum, 1>{GL_DEPTH_ATTACHMENT});
        }
        gl::ActiveTexture(GL_TEXTURE4);
        gl::BindTexture(GL_TEXTURE_CUBE_MAP, cube_);
        if (levels == Levels::All) {
            gl::GenerateMipmap(GL_TEXTURE_CUBE_MAP);
        }
        use(target_, size_);
        set_state(Depth::Off, Blend::Off);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        mirrors_.draw(5);
    }

private:
    static constexpr Size kFace{512, 512};
    Size size_;
    GLuint cube_ = 0, depth_, target_;
    std::array<GLuint, 6> faces_{};
    Objects solids_, mirrors_;
};

/// One draw to a target of each format, with and without samples: what a driver says of its images
/// shows how they are compressed.
class Targets : public Scene {
public:
    explicit Targets(Size size)
        : size_(size), solids_(make_program(object(), sampling("o = uv.xyxy;"))) {
        for (size_t i = 0; i < kColours.size(); ++i) {
            colours_[i] = make_framebuffer(std::array{make_texture(kColours[i], size)});
        }
        for (size_t i = 0; i < kDepths.size(); ++i) {
            depths_[i] =
                make_framebuffer({}, make_texture(kDepths[i], size), attachment(kDepths[i]));
        }
        for (size_t i = 0; i < kSamples.size(); ++i) {
            samples_[i] = make_framebuffer({});
            gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, attachment(kSamples[i]), GL_RENDERBUFFER,
                                        make_renderbuffer(kSamples[i], size, 4));
            gl::DrawBuffer(i < 2 ? GL_COLOR_ATTACHMENT0 : GL_NONE);
        }
    }

    void draw(int) override {
        set_state(Depth::Write, Blend::Off);
        for (const GLuint target : colours_) {
            draw_to(target, GL_COLOR_BUFFER_BIT);
        }
        for (size_t i = 0; i < samples_.size(); ++i) {
            draw_to(samples_[i],
                    i < 2 ? GL_COLOR_BUFFER_BIT : GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        }
        for (const GLuint target : depths_) {
            draw_to(target, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        }
    }

private:
    static constexpr std::array<GLenum, 12> kColours{
        GL_RGBA8, GL_SRGB8_ALPHA8, GL_RGB10_A2, GL_R11F_G11F_B10F, GL_RGBA16F, GL_RG16F, GL_R16F,
        GL_R32F,  GL_R8,           GL_RG8,      GL_RGBA16,         GL_RGBA32F};
    static constexpr std::array<GLenum, 4> kDepths{GL_DEPTH24_STENCIL8, GL_DEPTH_COMPONENT16,
                                                   GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT32F};
    static constexpr std::array<GLenum, 4> kSamples{GL_RGBA8, GL_RGBA16F, GL_DEPTH24_STENCIL8,
                                                    GL_DEPTH_COMPONENT32F};

    static GLenum attachment(GLenum format) {
        switch (format) {
        case GL_DEPTH24_STENCIL8:
            return GL_DEPTH_STENCIL_ATTACHMENT;
        case GL_DEPTH_COMPONENT16:
        case GL_DEPTH_COMPONENT24:
        case GL_DEPTH_COMPONENT32F:
            return GL_DEPTH_ATTACHMENT;
        default:
            return GL_COLOR_ATTACHMENT0;
        }
    }

    void draw_to(GLuint target, GLbitfield cleared) const {
        use(target, size_);
        gl::Clear(cleared);
        solids_.draw(1);
    }

    Size size_;
    Objects solids_;
    std::array<GLuint, 12> colours_{};
    std::array<GLuint, 4> depths_{}, samples_{};
};

constexpr std::array kKinds{
    Kind{"cube", "a cube map drawn face by face, its levels made, then sampled",
         made<Cube<Levels::All>>},
    Kind{"cube_one_level", "the same without levels", made<Cube<Levels::One>>},
    Kind{"targets", "a draw to a target of each format", made<Targets>}};

} // namespace

std::span<const Kind> target_scenes() {
    return kKinds;
}

} // namespace kobalt::frame
