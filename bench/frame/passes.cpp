// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>

#include "scene.h"

// Scenes about passes: chains, resolves, invalidated attachments, framebuffers that come back.

namespace kobalt::frame {
namespace {

/// A chain of seven passes, each of which covers its target. Invalidated::Yes: the program says
/// first that it doesn't need what was there.
enum class Invalidated { No, Yes };
template <Invalidated invalidated>
class Post : public Scene {
public:
    explicit Post(Size size)
        : program_(make_program(cover(), sampling("o = texture(a, uv) + texture(b, uv);"))) {
        constexpr std::array<GLenum, kSteps> formats{GL_RGBA16F,     GL_R11F_G11F_B10F, GL_RGBA16F,
                                                     GL_RGBA16F,     GL_RGBA16F,        GL_RGBA8,
                                                     GL_SRGB8_ALPHA8};
        for (size_t i = 0; i < kSteps; ++i) {
            const int share = i > 0 && i < 4 ? 2 : 1; // bloom works on a quarter of the pixels
            sizes_[i] = {size.width / share, size.height / share};
            textures_[i] = make_texture(formats[i], sizes_[i]);
            targets_[i] = make_framebuffer(std::array{textures_[i]});
        }
    }

    void draw(int) override {
        set_state(Depth::Off, Blend::Off);
        gl::UseProgram(program_);
        for (size_t i = 0; i < kSteps; ++i) {
            use(targets_[i], sizes_[i]);
            if (invalidated == Invalidated::Yes) {
                invalidate(std::array<GLenum, 1>{GL_COLOR_ATTACHMENT0});
            }
            bind_texture(0, textures_[(i + kSteps - 1) % kSteps]);
            bind_texture(1, textures_[(i + kSteps - 2) % kSteps]);
            draw_triangle();
        }
    }

private:
    static constexpr size_t kSteps = 7;
    GLuint program_;
    std::array<Size, kSteps> sizes_{};
    std::array<GLuint, kSteps> textures_{}, targets_{};
};

/// Four samples, resolved by a blit, invalidated, then tone mapped.
class Multisampled : public Scene {
public:
    explicit Multisampled(Size size)
        : size_(size), colour_(make_renderbuffer(GL_RGBA16F, size, 4)),
          depth_(make_renderbuffer(GL_DEPTH24_STENCIL8, size, 4)),
          resolved_(make_texture(GL_RGBA16F, size)), result_(make_texture(GL_RGBA8, size)),
          to_samples_(make_framebuffer({})), to_resolved_(make_framebuffer(std::array{resolved_})),
          to_result_(make_framebuffer(std::array{result_})),
          solids_(make_program(object(), sampling("o = uv.xyxy;"))),
          map_tones_(make_program(cover(), sampling("o = texture(a, uv);"))) {
        gl::BindFramebuffer(GL_FRAMEBUFFER, to_samples_);
        gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_);
        gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                                    depth_);
        gl::DrawBuffer(GL_COLOR_ATTACHMENT0);
        gl::ReadBuffer(GL_COLOR_ATTACHMENT0);
    }

    void draw(int) override {
        use(to_samples_, size_);
        set_state(Depth::Write, Blend::Off);
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        solids_.draw(20);
        gl::BindFramebuffer(GL_DRAW_FRAMEBUFFER, to_resolved_);
        gl::BlitFramebuffer(0, 0, size_.width, size_.height, 0, 0, size_.width, size_.height,
                            GL_COLOR_BUFFER_BIT, GL_NEAREST);
        constexpr std::array<GLenum, 2> all{GL_COLOR_ATTACHMENT0, GL_DEPTH_STENCIL_ATTACHMENT};
        gl::InvalidateFramebuffer(GL_READ_FRAMEBUFFER, 2, all.data());
        use(to_result_, size_);
        set_state(Depth::Off, Blend::Off);
        gl::UseProgram(map_tones_);
        bind_texture(0, resolved_);
        draw_triangle();
    }

private:
    Size size_;
    GLuint colour_, depth_, resolved_, result_, to_samples_, to_resolved_, to_result_;
    Objects solids_;
    GLuint map_tones_;
};

/// Four targets with one depth buffer: all is invalidated before each, depth behind each.
class Invalidate : public Scene {
public:
    explicit Invalidate(Size size)
        : size_(size), depth_(make_texture(GL_DEPTH24_STENCIL8, size)),
          solids_(make_program(object(), sampling("o = texture(a, uv);"))) {
        for (size_t i = 0; i < kTargets; ++i) {
            colours_[i] = make_texture(GL_RGBA8, size);
            targets_[i] = make_framebuffer(std::array{colours_[i]}, depth_);
        }
    }

    void draw(int) override {
        constexpr std::array<GLenum, 2> all{GL_DEPTH_STENCIL_ATTACHMENT, GL_COLOR_ATTACHMENT0};
        set_state(Depth::Write, Blend::Off);
        for (size_t i = 0; i < kTargets; ++i) {
            use(targets_[i], size_);
            invalidate(all);
            gl::Clear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
            bind_texture(0, colours_[(i + kTargets - 1) % kTargets]);
            solids_.draw(10);
            invalidate(std::span(all).first(1));
        }
    }

private:
    static constexpr size_t kTargets = 4;
    Size size_;
    GLuint depth_;
    std::array<GLuint, kTargets> colours_{}, targets_{};
    Objects solids_;
};

/// Leaves a framebuffer and comes back ten times. Between::Draws: with a draw elsewhere.
enum class Between { Nothing, Draws };
template <Between between>
class Rebind : public Scene {
public:
    explicit Rebind(Size size)
        : size_(size), first_(make_framebuffer(std::array{make_texture(GL_RGBA8, size)})),
          second_(make_framebuffer(std::array{make_texture(GL_RGBA8, size)})),
          solids_(make_program(object(), sampling("o = uv.xyxy;"))) {}

    void draw(int) override {
        set_state(Depth::Off, Blend::Off);
        for (int i = 0; i < 10; ++i) {
            use(first_, size_);
            if (i == 0) {
                gl::Clear(GL_COLOR_BUFFER_BIT);
            }
            solids_.draw(3);
            use(second_, size_);
            if (between == Between::Draws) {
                solids_.draw(1);
            }
        }
    }

private:
    Size size_;
    GLuint first_, second_;
    Objects solids_;
};

/// A frame, then a fence, and a wait for it.
class Fence : public Rebind<Between::Nothing> {
public:
    using Rebind::Rebind;
    void draw(int frame) override {
        constexpr GLuint64 one_second = 1'000'000'000;
        Rebind::draw(frame);
        const GLsync sync = gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        gl::ClientWaitSync(sync, GL_SYNC_FLUSH_COMMANDS_BIT, one_second);
        gl::DeleteSync(sync);
    }
};

constexpr std::array kKinds{
    Kind{"post", "seven passes in a chain, each covers its target", made<Post<Invalidated::No>>},
    Kind{"post_invalidated", "the same, each target invalidated before",
         made<Post<Invalidated::Yes>>},
    Kind{"msaa", "four samples, resolved by a blit, tone mapped", made<Multisampled>},
    Kind{"invalidate", "four targets invalidated before, depth invalidated behind",
         made<Invalidate>},
    Kind{"rebind", "a framebuffer that comes back, nothing drawn elsewhere",
         made<Rebind<Between::Nothing>>},
    Kind{"rebind_other", "the same with a draw elsewhere each time", made<Rebind<Between::Draws>>},
    Kind{"fence", "rebind, then a fence that the program waits for", made<Fence>}};

} // namespace

std::span<const Kind> pass_scenes() {
    return kKinds;
}

} // namespace kobalt::frame
