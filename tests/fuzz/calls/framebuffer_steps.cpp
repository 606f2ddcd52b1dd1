// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Steps on framebuffers and renderbuffers.
#include <array>

#include "formats.h"
#include "player.h"

namespace kobalt::fuzz {
namespace {

constexpr std::array kAttachments{GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT0,
                                  GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2,
                                  GL_DEPTH_ATTACHMENT,  GL_DEPTH_STENCIL_ATTACHMENT};
constexpr std::array kBindings{GL_FRAMEBUFFER, GL_DRAW_FRAMEBUFFER, GL_READ_FRAMEBUFFER};

void bind(Player& player) {
    Random& random = player.random();
    gl::BindFramebuffer(random.pick(kBindings),
                        player.local(player.locals.framebuffers, gl::GenFramebuffers));
}

/// A framebuffer with a new texture that others don't know yet: it's complete, so that draws draw.
void make_complete(Player& player) {
    Random& random = player.random();
    constexpr std::array formats{GL_RGBA8, GL_RGBA16F, GL_R32UI, GL_SRGB8_ALPHA8, GL_RGB10_A2};
    Names::Slot& slot = player.own_slot(player.world().textures);
    const std::lock_guard lock(slot.mutex);
    GLuint name = 0;
    gl::GenTextures(1, &name);
    const GLsizei side = random.between(16, 64);
    if (random.one_in(5)) {
        gl::BindTexture(GL_TEXTURE_2D_MULTISAMPLE, name);
        gl::TexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 4, random.pick(formats), side, side,
                                    GL_TRUE);
    } else {
        gl::BindTexture(GL_TEXTURE_2D, name);
        gl::TexStorage2D(GL_TEXTURE_2D, random.between(1, 3), random.pick(formats), side, side);
    }
    gl::BindFramebuffer(GL_FRAMEBUFFER,
                        player.local(player.locals.framebuffers, gl::GenFramebuffers));
    for (const GLenum attachment :
         {GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2, GL_DEPTH_STENCIL_ATTACHMENT}) {
        gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, 0);
    }
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, name, 0);
    gl::Viewport(0, 0, side, side);
    const GLuint old = slot.name.exchange(name);
    gl::DeleteTextures(1, &old);
}

void attach(Player& player) {
    Random& random = player.random();
    const GLenum binding = random.pick(kBindings);
    const GLenum attachment = random.pick(kAttachments);
    const GLuint name = random.one_in(6) ? 0 : player.any(player.world().textures);
    switch (random.below(3)) {
    case 0:
        gl::FramebufferTexture(binding, attachment, name, random.between(0, 1));
        break;
    case 1:
        gl::FramebufferTextureLayer(binding, attachment, name, random.between(0, 1),
                                    random.between(0, 5));
        break;
    default:
        gl::FramebufferRenderbuffer(binding, attachment, GL_RENDERBUFFER,
                                    player.any(player.world().renderbuffers));
    }
}

void renderbuffer(Player& player) {
    Random& random = player.random();
    Names::Slot& slot = player.own_slot(player.world().renderbuffers);
    const std::lock_guard lock(slot.mutex);
    GLuint name = slot.name;
    if (name != 0 && (!player.world().may_redefine || random.one_in(3))) {
        slot.name = 0;
        gl::DeleteRenderbuffers(1, &name);
        return;
    }
    if (name == 0) {
        gl::GenRenderbuffers(1, &name);
    }
    gl::BindRenderbuffer(GL_RENDERBUFFER, name);
    gl::RenderbufferStorageMultisample(GL_RENDERBUFFER, random.one_in(4) ? 4 : 0,
                                       random.pick(kFormats).internal, random.between(1, 64),
                                       random.between(1, 64));
    slot.name = name;
}

void clear(Player& player) {
    Random& random = player.random();
    const std::array values{0.25F, 0.5F, 1.0F, static_cast<float>(random.below(16)) / 16};
    const std::array integers{1, 2, 3, 4};
    switch (random.below(5)) {
    case 0:
        gl::ClearBufferfv(GL_COLOR, random.between(0, 2), values.data());
        break;
    case 1:
        gl::ClearBufferiv(GL_COLOR, random.between(0, 2), integers.data());
        break;
    case 2:
        gl::ClearBufferfi(GL_DEPTH_STENCIL, 0, values[3], 5);
        break;
    default:
        gl::ClearColor(values[0], values[1], values[2], values[3]);
        gl::Clear(random.pick(std::array<GLbitfield, 3>{GL_COLOR_BUFFER_BIT, GL_DEPTH_BUFFER_BIT,
                                                        GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT |
                                                            GL_STENCIL_BUFFER_BIT}));
    }
}

void blit(Player& player) {
    Random& random = player.random();
    std::array<GLint, 8> edges{};
    for (GLint& edge : edges) {
        edge = random.between(-8, 64);
    }
    gl::BlitFramebuffer(
        edges[0], edges[1], edges[2], edges[3], edges[4], edges[5], edges[6], edges[7],
        random.pick(std::array<GLbitfield, 3>{GL_COLOR_BUFFER_BIT, GL_COLOR_BUFFER_BIT,
                                              GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT}),
        random.one_in(3) ? GL_LINEAR : GL_NEAREST);
}

void read(Player& player) {
    Random& random = player.random();
    const Format& format = random.pick(kFormats);
    GLint bound = 0;
    if (random.one_in(3)) {
        gl::BindBuffer(GL_PIXEL_PACK_BUFFER, player.any(player.world().buffers));
        gl::GetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &bound);
    }
    gl::ReadPixels(random.between(-4, 8), random.between(-4, 8), random.between(0, 64),
                   random.between(0, 64), format.format, format.type,
                   bound != 0 ? reinterpret_cast<void*>(64) : player.scratch().data());
    gl::BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

void invalidate(Player& player) {
    const GLenum attachment = player.random().pick(kAttachments);
    gl::InvalidateFramebuffer(GL_FRAMEBUFFER, 1, &attachment);
}

void select_buffers(Player& player) {
    Random& random = player.random();
    constexpr std::array buffers{GLenum{GL_COLOR_ATTACHMENT0}, GLenum{GL_COLOR_ATTACHMENT1},
                                 GLenum{GL_COLOR_ATTACHMENT2}};
    gl::DrawBuffers(random.between(0, 3), buffers.data());
    gl::ReadBuffer(random.one_in(4) ? GL_COLOR_ATTACHMENT1 : GL_COLOR_ATTACHMENT0);
}

void remove(Player& player) {
    GLuint& name = player.random().pick(player.locals.framebuffers);
    gl::DeleteFramebuffers(1, &name);
    name = 0;
}

constexpr Step kSteps[] = {
    {"framebuffer-bind", 6, bind},
    {"framebuffer-complete", 16, make_complete},
    {"framebuffer-attach", 8, attach},
    {"renderbuffer", 5, renderbuffer},
    {"framebuffer-clear", 8, clear},
    {"framebuffer-blit", 7, blit},
    {"framebuffer-read", 6, read},
    {"framebuffer-invalidate", 2, invalidate},
    {"framebuffer-select", 4, select_buffers},
    {"framebuffer-delete", 2, remove},
};

} // namespace

std::span<const Step> framebuffer_steps() {
    return kSteps;
}

} // namespace kobalt::fuzz
