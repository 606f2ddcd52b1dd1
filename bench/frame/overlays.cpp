// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <vector>

#include "scene.h"

// User interfaces: many small draws with a scissor.

namespace kobalt::frame {
namespace {

constexpr int kDraws = 300;

/// Glyphs: ten of them go into the atlas that earlier draws used. Clears: ten small clears between.
enum class With { Nothing, Glyphs, Clears };
template <With with>
class Overlay : public Scene {
public:
    explicit Overlay(Size size)
        : size_(size), target_(make_framebuffer(std::array{make_texture(GL_RGBA8, size)},
                                                make_texture(GL_DEPTH24_STENCIL8, size))),
          atlas_(make_texture(GL_R8, {1024, 1024})),
          glyphs_(make_program(object(), sampling("o = texture(a, uv);"))),
          texels_(size_t{kGlyph} * kGlyph) {
        gl::PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    }

    void draw(int) override {
        use(target_, size_);
        set_state(Depth::Off, Blend::Over);
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        bind_texture(0, atlas_);
        gl::UseProgram(glyphs_);
        gl::Enable(GL_SCISSOR_TEST);
        for (int i = 0; i < kDraws; ++i) {
            if (with == With::Glyphs && i % 30 == 15) {
                gl::TexSubImage2D(GL_TEXTURE_2D, 0, i % 64 * kGlyph, i / 64 * kGlyph, kGlyph,
                                  kGlyph, GL_RED, GL_UNSIGNED_BYTE, texels_.data());
            }
            if (with == With::Clears && i % 30 == 0) {
                gl::Scissor(i, i, 40, 30);
                gl::Clear(GL_COLOR_BUFFER_BIT);
            }
            gl::Scissor(i * 5, i * 2, 60, 20);
            draw_triangle();
        }
        gl::Disable(GL_SCISSOR_TEST);
    }

private:
    static constexpr GLsizei kGlyph = 16;
    Size size_;
    GLuint target_, atlas_, glyphs_;
    std::vector<unsigned char> texels_;
};

constexpr std::array kKinds{
    Kind{"ui", "300 draws with a scissor", made<Overlay<With::Nothing>>},
    Kind{"ui_glyphs", "the same, ten glyphs go into the used atlas", made<Overlay<With::Glyphs>>},
    Kind{"ui_clears", "the same, ten small clears between", made<Overlay<With::Clears>>}};

} // namespace

std::span<const Kind> overlay_scenes() {
    return kKinds;
}

} // namespace kobalt::frame
