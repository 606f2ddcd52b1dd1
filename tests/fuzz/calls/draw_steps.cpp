// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Steps that draw and dispatch, and the state that draws depend on.
#include <array>

#include "player.h"

namespace kobalt::fuzz {
namespace {

constexpr std::array kModes{
    GLenum{GL_TRIANGLES},    GLenum{GL_TRIANGLES}, GLenum{GL_TRIANGLE_STRIP},
    GLenum{GL_TRIANGLE_FAN}, GLenum{GL_POINTS},    GLenum{GL_LINES},
    GLenum{GL_LINE_LOOP},    GLenum{GL_PATCHES},   GLenum{GL_TRIANGLES_ADJACENCY}};
constexpr std::array kIndexTypes{GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT, GL_UNSIGNED_INT};

void draw_arrays(Player& player) {
    Random& random = player.random();
    const GLenum mode = random.pick(kModes);
    for (int draws = random.between(1, 4); draws > 0; --draws) {
        gl::DrawArraysInstancedBaseInstance(mode, random.between(0, 4), random.between(0, 40),
                                            random.between(1, 3), random.below(3));
    }
}

/// Indices in the program's memory are no part of core profiles: without a buffer there is no draw.
bool has_indices() {
    GLint name = 0;
    gl::GetIntegerv(GL_ELEMENT_ARRAY_BUFFER_BINDING, &name);
    return name != 0;
}

void draw_elements(Player& player) {
    Random& random = player.random();
    if (!has_indices()) {
        gl::BindBuffer(GL_ELEMENT_ARRAY_BUFFER, player.any(player.world().buffers));
    }
    if (!has_indices()) {
        return;
    }
    const GLenum mode = random.pick(kModes);
    const GLenum type = random.pick(kIndexTypes);
    const auto* offset = reinterpret_cast<const void*>(std::size_t{4} * random.below(16));
    if (random.one_in(4)) {
        const std::array<GLsizei, 3> counts{3, 0, 6};
        const std::array<const void*, 3> offsets{offset, nullptr, offset};
        gl::MultiDrawElements(mode, counts.data(), type, offsets.data(), 3);
    } else {
        gl::DrawElementsInstancedBaseVertexBaseInstance(mode, random.between(0, 40), type, offset,
                                                        random.between(1, 2), random.between(-2, 4),
                                                        random.below(2));
    }
}

void draw_indirect(Player& player) {
    Random& random = player.random();
    gl::BindBuffer(GL_DRAW_INDIRECT_BUFFER, player.commands);
    const auto* offset = reinterpret_cast<const void*>(std::size_t{20} * random.below(20));
    const GLenum mode = random.pick(kModes);
    if (random.one_in(2)) {
        gl::MultiDrawArraysIndirect(mode, offset, random.between(0, 4), 20);
    } else if (has_indices()) {
        gl::MultiDrawElementsIndirect(mode, random.pick(kIndexTypes), offset, random.between(0, 4),
                                      20);
    }
}

void dispatch(Player& player) {
    Random& random = player.random();
    gl::DispatchCompute(random.below(4), random.between(1, 2), 1);
    if (random.one_in(2)) {
        gl::MemoryBarrier(random.one_in(2) ? GL_ALL_BARRIER_BITS : GL_SHADER_STORAGE_BARRIER_BIT);
    }
}

void capture(Player& player) {
    Random& random = player.random();
    Player::Locals& locals = player.locals;
    if (locals.capturing) {
        if (random.one_in(3)) {
            gl::PauseTransformFeedback();
            gl::ResumeTransformFeedback();
        }
        gl::EndTransformFeedback();
        locals.capturing = false;
        return;
    }
    gl::BindTransformFeedback(GL_TRANSFORM_FEEDBACK,
                              player.local(locals.feedbacks, gl::GenTransformFeedbacks));
    gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, player.any(player.world().buffers));
    if (random.one_in(4)) {
        gl::DrawTransformFeedback(random.pick(kModes),
                                  player.local(locals.feedbacks, gl::GenTransformFeedbacks));
    } else {
        constexpr std::array modes{GL_TRIANGLES, GL_POINTS, GL_LINES};
        gl::BeginTransformFeedback(random.pick(modes));
        locals.capturing = true;
    }
}

void toggle(Player& player) {
    Random& random = player.random();
    constexpr std::array names{GL_BLEND,
                               GL_DEPTH_TEST,
                               GL_STENCIL_TEST,
                               GL_CULL_FACE,
                               GL_SCISSOR_TEST,
                               GL_PRIMITIVE_RESTART,
                               GL_RASTERIZER_DISCARD,
                               GL_COLOR_LOGIC_OP,
                               GL_FRAMEBUFFER_SRGB,
                               GL_DEPTH_CLAMP,
                               GL_SAMPLE_SHADING,
                               GL_SAMPLE_MASK,
                               GL_PROGRAM_POINT_SIZE,
                               GL_DITHER,
                               GL_SAMPLE_ALPHA_TO_COVERAGE,
                               GL_CLIP_DISTANCE0};
    const GLenum name = random.pick(names);
    random.one_in(name == GL_RASTERIZER_DISCARD ? 5 : 2) ? gl::Enable(name) : gl::Disable(name);
}

void set_state(Player& player) {
    Random& random = player.random();
    constexpr std::array factors{
        GL_ONE, GL_ZERO, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_CONSTANT_COLOR, GL_DST_COLOR};
    constexpr std::array functions{GL_ALWAYS, GL_LESS, GL_GEQUAL, GL_NEVER};
    constexpr std::array operations{GL_KEEP, GL_REPLACE, GL_INCR_WRAP, GL_INVERT};
    switch (random.below(10)) {
    case 0:
        gl::BlendFunc(random.pick(factors), random.pick(factors));
        break;
    case 1:
        gl::DepthFunc(random.pick(functions));
        break;
    case 2:
        gl::StencilFunc(random.pick(functions), random.between(0, 3), 0xff);
        break;
    case 3:
        gl::StencilOp(random.pick(operations), random.pick(operations), random.pick(operations));
        break;
    case 4:
        gl::Scissor(random.between(0, 20), random.between(0, 20), random.between(0, 40),
                    random.between(0, 40));
        break;
    case 5:
        gl::Viewport(random.between(-8, 8), random.between(-8, 8), random.between(0, 80),
                     random.between(0, 80));
        break;
    case 6:
        gl::PolygonMode(GL_FRONT_AND_BACK,
                        random.pick(std::array{GL_FILL, GL_FILL, GL_LINE, GL_POINT}));
        break;
    case 7:
        gl::ColorMaski(random.below(3), random.one_in(2), GL_TRUE, random.one_in(2), GL_TRUE);
        break;
    case 8:
        gl::PatchParameteri(GL_PATCH_VERTICES, random.between(1, 4));
        break;
    default:
        gl::PrimitiveRestartIndex(random.below(256));
        gl::ProvokingVertex(random.one_in(2) ? GL_FIRST_VERTEX_CONVENTION
                                             : GL_LAST_VERTEX_CONVENTION);
        gl::ClipControl(GL_LOWER_LEFT, random.one_in(2) ? GL_ZERO_TO_ONE : GL_NEGATIVE_ONE_TO_ONE);
    }
}

void remove(Player& player) {
    Random& random = player.random();
    if (player.locals.capturing) {
        return;
    }
    GLuint& array = random.pick(player.locals.vertex_arrays);
    gl::DeleteVertexArrays(1, &array);
    array = 0;
    GLuint& feedback = random.pick(player.locals.feedbacks);
    gl::DeleteTransformFeedbacks(1, &feedback);
    feedback = 0;
    gl::BindVertexArray(player.local(player.locals.vertex_arrays, gl::GenVertexArrays));
}

constexpr Step kSteps[] = {
    {"draw-arrays", 24, draw_arrays},
    {"draw-elements", 14, draw_elements},
    {"draw-indirect", 6, draw_indirect},
    {"dispatch", 8, dispatch},
    {"capture", 6, capture},
    {"toggle", 10, toggle},
    {"set-state", 12, set_state},
    {"vertex-array-delete", 1, remove},
};

} // namespace

std::span<const Step> draw_steps() {
    return kSteps;
}

} // namespace kobalt::fuzz
