// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Steps that copy between textures, and clear them.
#include <algorithm>
#include <array>

#include "framebuffer.h"

namespace kobalt::fuzz::transfers {

void bind_layer(const State& state, GLenum binding, const Texture& texture, std::size_t level,
                int layer) {
    gl::BindFramebuffer(binding, state.framebuffers[binding == GL_READ_FRAMEBUFFER ? 0 : 1]);
    for (const GLenum attachment : {GL_COLOR_ATTACHMENT0, GL_DEPTH_STENCIL_ATTACHMENT}) {
        gl::FramebufferTexture(binding, attachment, 0, 0);
    }
    const GLenum attachment = texture.format->attachment;
    if (texture.target == GL_TEXTURE_2D) {
        gl::FramebufferTexture(binding, attachment, texture.name, static_cast<GLint>(level));
    } else {
        gl::FramebufferTextureLayer(binding, attachment, texture.name, static_cast<GLint>(level),
                                    layer);
    }
    const GLenum buffer = attachment == GL_COLOR_ATTACHMENT0 ? attachment : GL_NONE;
    binding == GL_READ_FRAMEBUFFER ? gl::ReadBuffer(buffer) : gl::DrawBuffer(buffer);
}

namespace {

/// A box of one level and one of the same size of another texture's.
struct Pair {
    Texture* from = nullptr;
    Texture* to = nullptr;
    std::size_t from_level = 0, to_level = 0;
    Box source, place;
};

/// Two textures that `fits` accepts; none where there aren't.
template <typename Fits>
Pair some_pair(State& state, bool one_layer, Fits fits) {
    Random& random = state.random;
    Pair pair;
    Texture* from = state.some_texture();
    Texture* to = state.some_texture();
    if (from == nullptr || from == to || !fits(*from->format, *to->format)) {
        return pair;
    }
    pair.from_level = random.below(static_cast<std::uint32_t>(from->levels.size()));
    pair.to_level = random.below(static_cast<std::uint32_t>(to->levels.size()));
    const Level& a = from->levels[pair.from_level];
    const Level& b = to->levels[pair.to_level];
    pair.source = some_box(random, a.width, a.height, a.depth);
    pair.place = some_box(random, b.width, b.height, b.depth);
    const auto same = [](int& one, int& other) { one = other = std::min(one, other); };
    same(pair.source.width, pair.place.width);
    same(pair.source.height, pair.place.height);
    same(pair.source.depth, pair.place.depth);
    if (one_layer) {
        pair.source.depth = pair.place.depth = 1;
    }
    pair.from = from;
    pair.to = to;
    state.journal.note(0, "copy " + std::string(from->format->name) + " " + text_of(pair.source) +
                              " to " + text_of(pair.place));
    return pair;
}

void copy_in_model(const Pair& pair, bool flip_x, bool flip_y) {
    const Box& source = pair.source;
    for (int z = 0; z < source.depth; ++z) {
        for (int y = 0; y < source.height; ++y) {
            for (int x = 0; x < source.width; ++x) {
                const int to_x = flip_x ? source.width - 1 - x : x;
                const int to_y = flip_y ? source.height - 1 - y : y;
                std::ranges::copy(
                    pair.from->texel(pair.from_level, source.x + x, source.y + y, source.z + z),
                    pair.to
                        ->texel(pair.to_level, pair.place.x + to_x, pair.place.y + to_y,
                                pair.place.z + z)
                        .begin());
            }
        }
    }
}

void copy_image(State& state) {
    const Pair pair = some_pair(state, false, [](const PixelFormat& a, const PixelFormat& b) {
        return &a == &b || (a.copied_as == b.copied_as && a.copied_as != 0);
    });
    if (pair.from == nullptr) {
        return;
    }
    const Box& source = pair.source;
    const Box& place = pair.place;
    gl::CopyImageSubData(pair.from->name, pair.from->target, static_cast<GLint>(pair.from_level),
                         source.x, source.y, source.z, pair.to->name, pair.to->target,
                         static_cast<GLint>(pair.to_level), place.x, place.y, place.z, source.width,
                         source.height, source.depth);
    copy_in_model(pair, false, false);
}

void copy_from_framebuffer(State& state) {
    const Pair pair = some_pair(state, true, [](const PixelFormat& a, const PixelFormat& b) {
        return &a == &b && a.attachment != GL_NONE;
    });
    if (pair.from == nullptr) {
        return;
    }
    const Box& source = pair.source;
    const Box& place = pair.place;
    const auto level = static_cast<GLint>(pair.to_level);
    bind_layer(state, GL_READ_FRAMEBUFFER, *pair.from, pair.from_level, source.z);
    gl::BindTexture(pair.to->target, pair.to->name);
    if (pair.to->has_images()) {
        gl::CopyTexSubImage3D(pair.to->target, level, place.x, place.y, place.z, source.x, source.y,
                              source.width, source.height);
    } else {
        const GLenum target = pair.to->target == GL_TEXTURE_CUBE_MAP
                                  ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + static_cast<GLenum>(place.z)
                                  : pair.to->target;
        gl::CopyTexSubImage2D(target, level, place.x, place.y, source.x, source.y, source.width,
                              source.height);
    }
    copy_in_model(pair, false, false);
}

void blit(State& state) {
    const Pair pair = some_pair(state, true, [](const PixelFormat& a, const PixelFormat& b) {
        return &a == &b && a.blits != Blits::None;
    });
    if (pair.from == nullptr) {
        return;
    }
    const bool mirrors = pair.from->format->blits == Blits::Mirrored;
    const bool flip_x = mirrors && state.random.one_in(4);
    const bool flip_y = mirrors && state.random.one_in(4);
    const Box& source = pair.source;
    const Box& place = pair.place;
    const GLenum attachment = pair.from->format->attachment;
    const GLbitfield mask = attachment == GL_COLOR_ATTACHMENT0 ? GL_COLOR_BUFFER_BIT
                            : attachment == GL_DEPTH_ATTACHMENT
                                ? GL_DEPTH_BUFFER_BIT
                                : GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    bind_layer(state, GL_READ_FRAMEBUFFER, *pair.from, pair.from_level, source.z);
    bind_layer(state, GL_DRAW_FRAMEBUFFER, *pair.to, pair.to_level, place.z);
    const int right = source.x + source.width;
    const int top = source.y + source.height;
    gl::BlitFramebuffer(flip_x ? right : source.x, flip_y ? top : source.y,
                        flip_x ? source.x : right, flip_y ? source.y : top, place.x, place.y,
                        place.x + place.width, place.y + place.height, mask, GL_NEAREST);
    copy_in_model(pair, flip_x, flip_y);
}

/// Sets each texel of a box of the model.
void set_in_model(Texture& texture, std::size_t level, const Box& box,
                  std::span<const std::byte> value) {
    for (int z = 0; z < box.depth; ++z) {
        for (int y = 0; y < box.height; ++y) {
            for (int x = 0; x < box.width; ++x) {
                std::ranges::copy(value,
                                  texture.texel(level, box.x + x, box.y + y, box.z + z).begin());
            }
        }
    }
}

void clear_image(State& state) {
    Random& random = state.random;
    Texture* texture = state.some_texture();
    if (texture == nullptr) {
        return;
    }
    const PixelFormat& format = *texture->format;
    const auto level = random.below(static_cast<std::uint32_t>(texture->levels.size()));
    const Level& own = texture->levels[level];
    const Box box = some_box(random, own.width, own.height, own.depth);
    std::vector<std::byte> value(format.texel);
    const bool zero = random.one_in(4);
    if (!zero) {
        fill(random, format, value);
    }
    state.journal.note(0, "clear " + texture->text() + " " + text_of(box));
    gl::ClearTexSubImage(texture->name, static_cast<GLint>(level), box.x, box.y, box.z, box.width,
                         box.height, box.depth, format.format, format.type,
                         zero ? nullptr : value.data());
    set_in_model(*texture, level, box, value);
}

/// A clear of a framebuffer, within the scissor. Each word is a component.
void clear_framebuffer(State& state) {
    Random& random = state.random;
    Texture* texture = state.some_texture();
    if (texture == nullptr ||
        (texture->format->internal != GL_RGBA32UI && texture->format->internal != GL_RG32UI &&
         texture->format->internal != GL_R32UI)) {
        return;
    }
    const auto level = random.below(static_cast<std::uint32_t>(texture->levels.size()));
    const Level& own = texture->levels[level];
    Box box = some_box(random, own.width, own.height, own.depth);
    box.depth = 1;
    std::array<std::uint32_t, 4> value{};
    for (std::uint32_t& word : value) {
        word = static_cast<std::uint32_t>(random.next());
    }
    bind_layer(state, GL_DRAW_FRAMEBUFFER, *texture, level, box.z);
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(box.x, box.y, box.width, box.height);
    gl::ClearBufferuiv(GL_COLOR, 0, value.data());
    gl::Disable(GL_SCISSOR_TEST);
    set_in_model(*texture, level, box,
                 std::as_bytes(std::span(value)).first(texture->format->texel));
}

constexpr Step kSteps[] = {
    {"copy-image", 12, copy_image},
    {"copy-from-framebuffer", 10, copy_from_framebuffer},
    {"blit", 10, blit},
    {"clear-image", 6, clear_image},
    {"clear-framebuffer", 4, clear_framebuffer},
};

} // namespace

std::span<const Step> copy_steps() {
    return kSteps;
}

} // namespace kobalt::fuzz::transfers
