// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Steps that make textures, change their parameters and bind them.
#include <array>

#include "formats.h"
#include "player.h"

namespace kobalt::fuzz {
namespace {

void bind_samplers_default(GLenum target, Random& random) {
    constexpr std::array filters{GL_NEAREST, GL_LINEAR, GL_NEAREST_MIPMAP_NEAREST,
                                 GL_LINEAR_MIPMAP_LINEAR};
    gl::TexParameteri(target, GL_TEXTURE_MIN_FILTER, static_cast<GLint>(random.pick(filters)));
}

/// Storage of a random kind for the texture that is bound to `target`.
void define(Player& player, GLenum target) {
    Random& random = player.random();
    const Format& format = random.pick(kFormats);
    const auto side = static_cast<GLsizei>(1U << random.below(7));
    const GLsizei other = target == GL_TEXTURE_CUBE_MAP ? side : random.between(1, 64);
    const GLsizei depth = target == GL_TEXTURE_CUBE_MAP_ARRAY ? 6 : random.between(1, 5);
    const GLsizei levels = random.between(1, 4);
    const void* data = random.one_in(2) ? nullptr : player.scratch().data();
    const auto internal = static_cast<GLint>(format.internal);
    switch (target) {
    case GL_TEXTURE_1D:
        random.one_in(2)
            ? gl::TexStorage1D(target, levels, format.internal, side)
            : gl::TexImage1D(target, 0, internal, side, 0, format.format, format.type, data);
        break;
    case GL_TEXTURE_2D_MULTISAMPLE:
        gl::TexStorage2DMultisample(target, 4, format.internal, side, other, GL_TRUE);
        break;
    case GL_TEXTURE_CUBE_MAP:
        if (random.one_in(2)) {
            gl::TexStorage2D(target, levels, format.internal, side, side);
            break;
        }
        for (GLenum face = 0; face < 6; ++face) {
            gl::TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, internal, side, side, 0,
                           format.format, format.type, data);
        }
        break;
    case GL_TEXTURE_3D:
    case GL_TEXTURE_2D_ARRAY:
    case GL_TEXTURE_CUBE_MAP_ARRAY:
        if (random.one_in(2)) {
            gl::TexStorage3D(target, levels, format.internal, side,
                             target == GL_TEXTURE_CUBE_MAP_ARRAY ? side : other, depth);
        } else {
            gl::TexImage3D(target, 0, internal, side,
                           target == GL_TEXTURE_CUBE_MAP_ARRAY ? side : other, depth, 0,
                           format.format, format.type, data);
        }
        break;
    default:
        random.one_in(2)
            ? gl::TexStorage2D(target, target == GL_TEXTURE_RECTANGLE ? 1 : levels, format.internal,
                               side, other)
            : gl::TexImage2D(target, 0, internal, side, other, 0, format.format, format.type, data);
    }
    if (target != GL_TEXTURE_2D_MULTISAMPLE && random.one_in(2)) {
        bind_samplers_default(target, random);
    }
}

void create(Player& player) {
    Random& random = player.random();
    const GLenum target = random.pick(kTextureTargets);
    Names::Slot& slot = player.world().textures.slot(random.below(Names::count));
    const std::lock_guard lock(slot.mutex);
    if (const GLuint old = slot.name.exchange(0)) {
        gl::DeleteTextures(1, &old);
    }
    GLuint name = 0;
    gl::GenTextures(1, &name);
    gl::BindTexture(target, name);
    define(player, target);
    slot.name = name;
}

void remove(Player& player) {
    Names::Slot& slot = player.world().textures.slot(player.random().below(Names::count));
    const std::lock_guard lock(slot.mutex);
    const GLuint name = slot.name.exchange(0);
    gl::DeleteTextures(1, &name);
}

/// Another storage for a mutable texture, or another level; an error where the target is another.
void redefine(Player& player) {
    if (!player.world().may_redefine) {
        return;
    }
    Random& random = player.random();
    const GLenum target = random.pick(kTextureTargets);
    Names::Slot& slot = player.own_slot(player.world().textures);
    const std::lock_guard lock(slot.mutex);
    if (slot.name != 0) {
        // What was bound there stays where the texture has another target.
        gl::BindTexture(target, 0);
        gl::BindTexture(target, slot.name);
        define(player, target);
    }
}

void view(Player& player) {
    Random& random = player.random();
    const GLuint original = player.any(player.world().textures);
    Names::Slot& slot = player.world().textures.slot(random.below(Names::count));
    const std::lock_guard lock(slot.mutex);
    GLuint name = 0;
    gl::GenTextures(1, &name);
    gl::TextureView(name, random.pick(kTextureTargets), original, random.pick(kFormats).internal,
                    random.below(2), random.between(1, 2), random.below(2), random.between(1, 6));
    const GLuint old = slot.name.exchange(name);
    gl::DeleteTextures(1, &old);
}

void texel_buffer(Player& player) {
    Random& random = player.random();
    constexpr std::array formats{GL_RGBA8, GL_R32UI, GL_RGBA32F, GL_R8};
    Names::Slot& slot = player.own_slot(player.world().textures);
    const std::lock_guard lock(slot.mutex);
    GLuint name = 0;
    gl::GenTextures(1, &name);
    gl::BindTexture(GL_TEXTURE_BUFFER, name);
    const GLuint buffer = player.any(player.world().buffers);
    random.one_in(2) ? gl::TexBuffer(GL_TEXTURE_BUFFER, random.pick(formats), buffer)
                     : gl::TexBufferRange(GL_TEXTURE_BUFFER, random.pick(formats), buffer,
                                          256 * random.below(2), 64);
    const GLuint old = slot.name.exchange(name);
    gl::DeleteTextures(1, &old);
}

/// Not the base level: where it moves to a level without an image, Mesa's draws of other contexts
/// crash, which don't look at the texture again.
void parameters(Player& player) {
    if (!player.world().may_redefine) {
        return;
    }
    Random& random = player.random();
    const GLenum target = random.pick(kTextureTargets);
    constexpr std::array wraps{GL_REPEAT, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER, GL_MIRRORED_REPEAT};
    gl::BindTexture(target, player.own_slot(player.world().textures).name);
    switch (random.below(6)) {
    case 0:
        gl::TexParameteri(target, GL_TEXTURE_MAX_LEVEL, random.between(0, 4));
        break;
    case 3:
        gl::TexParameteri(target, GL_TEXTURE_BASE_LEVEL, random.between(0, 2));
        break;
    case 4: {
        constexpr std::array border{1.0F, 0.5F, 0.25F, 0.5F};
        gl::TexParameterfv(target, GL_TEXTURE_BORDER_COLOR, border.data());
        break;
    }
    case 1:
        gl::TexParameteri(target, GL_TEXTURE_WRAP_S, static_cast<GLint>(random.pick(wraps)));
        break;
    case 2:
        gl::TexParameteri(
            target, GL_TEXTURE_SWIZZLE_R + random.below(4),
            static_cast<GLint>(random.one_in(3) ? GL_ZERO : GL_RED + random.below(4)));
        break;
    default:
        gl::TexParameteri(
            target, GL_TEXTURE_COMPARE_MODE,
            static_cast<GLint>(random.one_in(2) ? GL_NONE : GL_COMPARE_REF_TO_TEXTURE));
    }
}

void bind(Player& player) {
    Random& random = player.random();
    for (int i = 0; i < 3; ++i) {
        gl::ActiveTexture(GL_TEXTURE0 + random.below(4));
        gl::BindTexture(random.pick(kTextureTargets), player.any(player.world().textures));
    }
}

void bind_many(Player& player) {
    std::array<GLuint, 4> names{};
    for (GLuint& name : names) {
        name = player.any(player.world().textures);
    }
    gl::BindTextures(0, names.size(), names.data());
}

void bind_image(Player& player) {
    Random& random = player.random();
    constexpr std::array accesses{GL_READ_ONLY, GL_WRITE_ONLY, GL_READ_WRITE};
    gl::BindImageTexture(random.below(2), player.any(player.world().textures), random.between(0, 1),
                         GL_TRUE, 0, random.pick(accesses),
                         random.one_in(4) ? random.pick(kFormats).internal : GL_RGBA8);
}

void sampler(Player& player) {
    Random& random = player.random();
    Names::Slot& slot = player.world().samplers.slot(random.below(Names::count));
    const std::lock_guard lock(slot.mutex);
    GLuint name = slot.name;
    if (name != 0 && random.one_in(4)) {
        slot.name = 0;
        gl::DeleteSamplers(1, &name);
        return;
    }
    const bool is_new = name == 0;
    if (is_new) {
        gl::GenSamplers(1, &name);
    }
    if (is_new || player.world().may_redefine) {
        const std::array colour{0.5F, 0.25F, 1.0F, static_cast<float>(random.below(4)) / 4};
        gl::SamplerParameterfv(name, GL_TEXTURE_BORDER_COLOR, colour.data());
        gl::SamplerParameteri(name, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
        gl::SamplerParameteri(name, GL_TEXTURE_MAX_ANISOTROPY, random.between(1, 16));
    }
    slot.name = name;
    gl::BindSampler(random.below(4), name);
}

constexpr Step kSteps[] = {
    {"texture-create", 16, create},
    {"texture-delete", 4, remove},
    {"texture-redefine", 5, redefine},
    {"texture-view", 5, view},
    {"texture-of-buffer", 3, texel_buffer},
    {"texture-parameters", 6, parameters},
    {"texture-bind", 10, bind},
    {"texture-bind-many", 3, bind_many},
    {"texture-bind-image", 5, bind_image},
    {"sampler", 5, sampler},
};

} // namespace

std::span<const Step> texture_steps() {
    return kSteps;
}

} // namespace kobalt::fuzz
