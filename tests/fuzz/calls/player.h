// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../driver/journal.h"
#include "../driver/random.h"
#include "demo/offscreen/egl_context.h"
#include "world.h"

namespace kobalt::fuzz {

/// One thread's side of an input: a context, the objects that contexts don't share, and the numbers
/// that decide its calls.
class Player {
public:
    Player(World& world, const offscreen::Context& share, std::uint32_t number, std::uint64_t seed);

    /// Makes a context and `steps` steps, on the calling thread.
    void play(std::uint32_t steps, Journal& journal);

    World& world() { return world_; }
    Random& random() { return random_; }

    /// A name that may be used, of any thread's; 0 where the slot has none.
    GLuint any(Names& names) { return names.slot(random_.below(Names::count)).name; }
    /// A slot whose objects this thread alone replaces.
    Names::Slot& own_slot(Names& names);
    /// One of the two objects of a kind that contexts don't share, made by `generate` if need be.
    GLuint local(std::array<GLuint, 2>& names, void (*generate)(GLsizei, GLuint*));

    /// Destroys the context and makes another one of the share group.
    void renew_context();

    /// Memory to upload from and to read into.
    std::span<std::byte> scratch() { return scratch_; }

    struct Locals {
        std::array<GLuint, 2> vertex_arrays{};
        std::array<GLuint, 2> framebuffers{};
        std::array<GLuint, 2> queries{};
        std::array<GLuint, 2> feedbacks{};
        std::array<GLuint, 2> pipelines{};
        GLuint active_query = 0;
        GLenum query_target = GL_SAMPLES_PASSED;
        bool capturing = false;
        bool conditional = false;
    };
    Locals locals;
    /// Buffers that other threads never see: the indirect commands in one must keep their meaning,
    /// and the other one stays mapped.
    GLuint commands = 0;
    GLuint mapped = 0;
    std::span<std::byte> mapping;

    static constexpr std::size_t mapped_size = 16384;

private:
    void make_context();
    void make_own_buffers();

    World& world_;
    const offscreen::Context& share_;
    std::uint32_t number_;
    Random random_;
    std::optional<offscreen::Context> context_;
    std::vector<std::byte> scratch_;
};

/// One step: some GL calls that belong together.
struct Step {
    const char* name;
    std::uint32_t weight;
    void (*make)(Player&);
};

std::span<const Step> buffer_steps();
std::span<const Step> texture_steps();
std::span<const Step> image_steps();
std::span<const Step> framebuffer_steps();
std::span<const Step> program_steps();
std::span<const Step> draw_steps();
std::span<const Step> sync_steps();

} // namespace kobalt::fuzz
