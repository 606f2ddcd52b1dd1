// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <vector>

#include "scene.h"

// One frame with all of a game's parts.

namespace kobalt::frame {
namespace {

/// A shadow map, a G-buffer, ambient occlusion that samples the depth, lights that test it, bloom
/// in three steps down and up, tone mapping, and a user interface whose atlas gets a glyph.
class Whole : public Scene {
public:
    explicit Whole(Size size)
        : size_(size), shadow_(make_texture(GL_DEPTH_COMPONENT24, kShadow)),
          depth_(make_texture(GL_DEPTH24_STENCIL8, size)), buffers_{make_texture(GL_RGBA8, size),
                                                                    make_texture(GL_RGB10_A2,
                                                                                 size)},
          occlusion_(make_texture(GL_R8, size)), light_(make_texture(GL_RGBA16F, size)),
          result_(make_texture(GL_RGBA8, size)), atlas_(make_texture(GL_R8, {512, 512})),
          to_shadow_(make_framebuffer({}, shadow_, GL_DEPTH_ATTACHMENT)),
          to_buffers_(make_framebuffer(buffers_, depth_)),
          to_occlusion_(make_framebuffer(std::array{occlusion_})),
          to_light_(make_framebuffer(std::array{light_}, depth_)),
          to_result_(make_framebuffer(std::array{result_})),
          casters_(make_program(object(), "void main() {}")),
          solids_(make_program(object(), R"(in vec2 uv;
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
void main() { a = uv.xyxy; b = uv.yxyx; })")),
          lights_(make_program(object(), sampling("o = texture(a, uv) * texture(b, uv) * "
                                                  "texture(c, uv).x * texture(d, uv).x;"))),
          glyphs_(make_program(object(), sampling("o = texture(a, uv).xxxx;"))),
          occlude_(make_program(cover(), sampling("o = texture(a, uv) * texture(b, uv);"))),
          blur_(make_program(cover(), sampling("o = texture(a, uv) * 0.5;"))),
          map_tones_(make_program(cover(), sampling("o = texture(a, uv) + texture(b, uv);"))),
          glyph_(size_t{kGlyph} * kGlyph) {
        for (size_t i = 0; i < kBloom; ++i) {
            bloom_sizes_[i] = {size.width >> (i + 1), size.height >> (i + 1)};
            bloom_[i] = make_texture(GL_R11F_G11F_B10F, bloom_sizes_[i]);
            to_bloom_[i] = make_framebuffer(std::array{bloom_[i]});
        }
        gl::PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    }

    void draw(int frame) override {
        fill_depths();
        light();
        bloom();
        finish(frame);
    }

private:
    static constexpr Size kShadow{2048, 2048};
    static constexpr size_t kBloom = 3;
    static constexpr GLsizei kGlyph = 16;

    void fill_depths() {
        set_state(Depth::Write, Blend::Off);
        use(to_shadow_, kShadow);
        gl::Clear(GL_DEPTH_BUFFER_BIT);
        casters_.draw(50);
        use(to_buffers_, size_);
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        solids_.draw(100);
    }

    void light() {
        cover_with(to_occlusion_, size_, occlude_, depth_, buffers_[1]);
        use(to_light_, size_);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        set_state(Depth::Test, Blend::Add);
        bind_texture(0, buffers_[0]);
        bind_texture(1, buffers_[1]);
        bind_texture(2, shadow_);
        bind_texture(3, depth_);
        lights_.draw(20);
        // Nobody needs the depth any more.
        invalidate(std::array<GLenum, 1>{GL_DEPTH_STENCIL_ATTACHMENT});
        bind_texture(3, 0);
    }

    void bloom() {
        for (size_t i = 0; i < kBloom; ++i) {
            cover_with(to_bloom_[i], bloom_sizes_[i], blur_, i == 0 ? light_ : bloom_[i - 1], 0);
        }
        for (size_t i = kBloom - 1; i > 0; --i) {
            use(to_bloom_[i - 1], bloom_sizes_[i - 1]);
            set_state(Depth::Off, Blend::Add);
            bind_texture(0, bloom_[i]);
            draw_triangle();
        }
    }

    void finish(int frame) {
        cover_with(to_result_, size_, map_tones_, light_, bloom_[0]);
        set_state(Depth::Off, Blend::Over);
        bind_texture(0, atlas_);
        for (int i = 0; i < 10; ++i) {
            if (i == 5) {
                gl::TexSubImage2D(GL_TEXTURE_2D, 0, frame % 32 * kGlyph, frame / 32 % 32 * kGlyph,
                                  kGlyph, kGlyph, GL_RED, GL_UNSIGNED_BYTE, glyph_.data());
            }
            glyphs_.draw(5);
        }
    }

    static void cover_with(GLuint target, Size size, GLuint program, GLuint first, GLuint second) {
        use(target, size);
        set_state(Depth::Off, Blend::Off);
        gl::UseProgram(program);
        bind_texture(1, second);
        bind_texture(0, first);
        draw_triangle();
    }

    Size size_;
    GLuint shadow_, depth_;
    std::array<GLuint, 2> buffers_;
    GLuint occlusion_, light_, result_, atlas_;
    GLuint to_shadow_, to_buffers_, to_occlusion_, to_light_, to_result_;
    Objects casters_, solids_, lights_, glyphs_;
    GLuint occlude_, blur_, map_tones_;
    std::vector<unsigned char> glyph_;
    std::array<Size, kBloom> bloom_sizes_{};
    std::array<GLuint, kBloom> bloom_{}, to_bloom_{};
};

constexpr std::array kKinds{
    Kind{"whole", "shadow map, G-buffer, occlusion, lights, bloom, tone mapping, user interface",
         made<Whole>}};

} // namespace

std::span<const Kind> whole_scenes() {
    return kKinds;
}

} // namespace kobalt::frame
