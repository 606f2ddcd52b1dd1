// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>

#include "scene.h"

// Scenes whose later passes test or sample the depth of the first.

namespace kobalt::frame {
namespace {

constexpr int kSolids = 20;
constexpr int kLights = 10;

enum class Format { DepthStencil, Float };
enum class Order { Sampling, Mixed };

/// G-buffer, ambient occlusion, lights that test and sample the G-buffer's depth, tone mapping:
/// four passes. Order::Mixed: lights that sample and lights that don't take turns.
template <Format format, Order order>
class Deferred : public Scene {
public:
    explicit Deferred(Size size)
        : size_(size), buffers_{make_texture(GL_RGBA8, size), make_texture(GL_RGB10_A2, size),
                                make_texture(GL_RGBA16F, size)},
          depth_(make_texture(has_stencil ? GL_DEPTH24_STENCIL8 : GL_DEPTH_COMPONENT32F, size)),
          occlusion_(make_texture(GL_R8, size)), light_(make_texture(GL_RGBA16F, size)),
          result_(make_texture(GL_RGBA8, size)),
          to_buffers_(make_framebuffer(buffers_, depth_, attachment)),
          to_occlusion_(make_framebuffer(std::array{occlusion_})),
          to_light_(make_framebuffer(std::array{light_}, depth_, attachment)),
          to_result_(make_framebuffer(std::array{result_})),
          solids_(make_program(object(), R"(in vec2 uv;
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
layout(location = 2) out vec4 c;
void main() { a = uv.xyxy; b = uv.yxyx; c = uv.xxyy; })")),
          occlude_(make_program(cover(), sampling("o = texture(a, uv) * texture(b, uv);"))),
          sampling_lights_(make_program(
              object(), sampling("o = texture(a, uv) * texture(b, uv) + texture(c, uv) * "
                                 "texture(d, uv).x;"))),
          plain_lights_(make_program(object(), sampling("o = texture(a, uv);"))),
          map_tones_(
              make_program(cover(), sampling("o = texture(a, uv) / (1.0 + texture(a, uv));"))) {}

    void draw(int) override {
        use(to_buffers_, size_);
        set_state(Depth::Write, Blend::Off);
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT |
                  (has_stencil ? GL_STENCIL_BUFFER_BIT : 0U));
        solids_.draw(kSolids);

        use(to_occlusion_, size_);
        set_state(Depth::Off, Blend::Off);
        gl::UseProgram(occlude_);
        bind_texture(0, depth_);
        bind_texture(1, buffers_[1]);
        draw_triangle();

        use(to_light_, size_);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        set_state(Depth::Test, Blend::Add);
        for (int i = 0; i < 3; ++i) {
            bind_texture(i, buffers_.at(static_cast<size_t>(i)));
        }
        bind_texture(3, depth_);
        draw_lights();

        use(to_result_, size_);
        set_state(Depth::Off, Blend::Off);
        bind_texture(3, 0);
        bind_texture(0, light_);
        gl::UseProgram(map_tones_);
        draw_triangle();
    }

private:
    static constexpr bool has_stencil = format == Format::DepthStencil;
    static constexpr GLenum attachment =
        has_stencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT;

    void draw_lights() const {
        if (order == Order::Sampling) {
            sampling_lights_.draw(kLights);
            return;
        }
        for (int i = 0; i < kLights / 2; ++i) {
            plain_lights_.draw(1);
            sampling_lights_.draw(1);
        }
    }

    Size size_;
    std::array<GLuint, 3> buffers_;
    GLuint depth_, occlusion_, light_, result_;
    GLuint to_buffers_, to_occlusion_, to_light_, to_result_;
    Objects solids_;
    GLuint occlude_;
    Objects sampling_lights_, plain_lights_;
    GLuint map_tones_;
};

/// Solid objects write depth, then particles in the same framebuffer test and sample it: two
/// passes.
template <Order order>
class Soft : public Scene {
public:
    explicit Soft(Size size)
        : size_(size), colour_(make_texture(GL_RGBA16F, size)),
          depth_(make_texture(GL_DEPTH24_STENCIL8, size)),
          target_(make_framebuffer(std::array{colour_}, depth_)),
          solids_(make_program(object(), sampling("o = uv.xyxy;"))),
          particles_(make_program(object(), sampling("o = texture(a, uv).xxxx;"))),
          sparks_(make_program(object(), sampling("o = uv.yyxx;"))) {}

    void draw(int) override {
        use(target_, size_);
        set_state(Depth::Write, Blend::Off);
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        bind_texture(0, 0);
        solids_.draw(kSolids);
        gl::TextureBarrier();
        set_state(Depth::Test, Blend::Add);
        bind_texture(0, depth_);
        for (int i = 0; i < 5; ++i) {
            particles_.draw(2);
            if (order == Order::Mixed) {
                sparks_.draw(2);
            }
        }
        gl::DepthMask(GL_TRUE);
        bind_texture(0, 0);
    }

private:
    Size size_;
    GLuint colour_, depth_, target_;
    Objects solids_, particles_, sparks_;
};

/// A shadow map, and a frame that samples it; its depth is invalidated at the end.
class Shadow : public Scene {
public:
    explicit Shadow(Size size)
        : size_(size), map_(make_texture(GL_DEPTH_COMPONENT24, kMap)),
          colour_(make_texture(GL_RGBA8, size)), depth_(make_texture(GL_DEPTH24_STENCIL8, size)),
          to_map_(make_framebuffer({}, map_, GL_DEPTH_ATTACHMENT)),
          target_(make_framebuffer(std::array{colour_}, depth_)),
          casters_(make_program(object(), "void main() {}")),
          solids_(make_program(object(), sampling("o = texture(a, uv);"))) {}

    void draw(int) override {
        set_state(Depth::Write, Blend::Off);
        use(to_map_, kMap);
        gl::Clear(GL_DEPTH_BUFFER_BIT);
        casters_.draw(kSolids);
        use(target_, size_);
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        bind_texture(0, map_);
        solids_.draw(kSolids);
        invalidate(std::array<GLenum, 1>{GL_DEPTH_STENCIL_ATTACHMENT});
    }

private:
    static constexpr Size kMap{2048, 2048};
    Size size_;
    GLuint map_, colour_, depth_, to_map_, target_;
    Objects casters_, solids_;
};

constexpr std::array kKinds{
    Kind{"deferred", "G-buffer, occlusion, lights that test and sample depth, tone mapping",
         made<Deferred<Format::DepthStencil, Order::Sampling>>},
    Kind{"deferred_d32", "the same with a depth format without stencil",
         made<Deferred<Format::Float, Order::Sampling>>},
    Kind{"deferred_mixed", "deferred, lights that sample and lights that don't in turn",
         made<Deferred<Format::DepthStencil, Order::Mixed>>},
    Kind{"soft", "solids, then particles that test and sample their depth",
         made<Soft<Order::Sampling>>},
    Kind{"soft_mixed", "the same, with particles between that don't sample",
         made<Soft<Order::Mixed>>},
    Kind{"shadow", "a shadow map, and a frame that samples it", made<Shadow>}};

} // namespace

std::span<const Kind> light_scenes() {
    return kKinds;
}

} // namespace kobalt::frame
