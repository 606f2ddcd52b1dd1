// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "player.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "../gl_context.h"

namespace kobalt::fuzz {
namespace {

constexpr std::size_t kScratchSize = std::size_t{1} << 20U;

struct Choice {
    std::vector<Step> steps;
    std::uint32_t weights;
};

const Choice& all_steps() {
    static const Choice choice = [] {
        Choice all{};
        for (const auto group :
             {buffer_steps(), texture_steps(), image_steps(), framebuffer_steps(), program_steps(),
              draw_steps(), sync_steps()}) {
            all.steps.insert(all.steps.end(), group.begin(), group.end());
        }
        all.weights =
            std::accumulate(all.steps.begin(), all.steps.end(), 0U,
                            [](std::uint32_t sum, const Step& s) { return sum + s.weight; });
        return all;
    }();
    return choice;
}

const Step& any_step(Random& random) {
    const Choice& all = all_steps();
    std::uint32_t number = random.below(all.weights);
    return *std::ranges::find_if(all.steps, [&number](const Step& step) {
        return number < step.weight || (number -= step.weight, false);
    });
}

} // namespace

Player::Player(World& world, const offscreen::Context& share, std::uint32_t number,
               std::uint64_t seed)
    : world_(world), share_(share), number_(number), random_(seed), scratch_(kScratchSize) {
    for (std::size_t i = 0; i + 8 <= scratch_.size() / 16; i += 8) {
        const std::uint64_t word = random_.next();
        for (std::size_t byte = 0; byte < 8; ++byte) {
            scratch_[i + byte] = static_cast<std::byte>(word >> (8 * byte));
        }
    }
}

Names::Slot& Player::own_slot(Names& names) {
    return names.slot(random_.below(Names::count / World::players) * World::players + number_);
}

GLuint Player::local(std::array<GLuint, 2>& names, void (*generate)(GLsizei, GLuint*)) {
    GLuint& name = random_.pick(names);
    if (name == 0) {
        generate(1, &name);
    }
    return name;
}

void Player::make_context() {
    auto made = share_.create_shared(context_request());
    if (made && made->make_current()) {
        context_.emplace(std::move(*made));
    }
    GLuint array = 0;
    gl::GenVertexArrays(1, &array);
    gl::BindVertexArray(array);
}

void Player::make_own_buffers() {
    constexpr GLbitfield access = GL_MAP_WRITE_BIT | GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT;
    gl::GenBuffers(1, &mapped);
    gl::BindBuffer(GL_COPY_READ_BUFFER, mapped);
    gl::BufferStorage(GL_COPY_READ_BUFFER, mapped_size, nullptr,
                      access | GL_DYNAMIC_STORAGE_BIT | GL_MAP_COHERENT_BIT);
    void* memory =
        gl::MapBufferRange(GL_COPY_READ_BUFFER, 0, mapped_size, access | GL_MAP_COHERENT_BIT);
    mapping = {static_cast<std::byte*>(memory), memory != nullptr ? mapped_size : 0};
    gl::GenBuffers(1, &commands);
    gl::BindBuffer(GL_DRAW_INDIRECT_BUFFER, commands);
    std::array<GLuint, 256> words{};
    for (std::size_t i = 0; i + 5 <= words.size(); i += 5) {
        // Vertices or indices, instances, and what both kinds of commands have behind these.
        words[i] = random_.below(8);
        words[i + 1] = random_.below(3);
        words[i + 2] = random_.below(4);
    }
    gl::BufferStorage(GL_DRAW_INDIRECT_BUFFER, sizeof(words), words.data(), 0);
}

void Player::renew_context() {
    context_.reset();
    locals = {};
    make_context();
    gl::BindBuffer(GL_DRAW_INDIRECT_BUFFER, commands);
}

void Player::play(std::uint32_t steps, Journal& journal) {
    world_.turns.take(number_);
    make_context();
    if (context_) {
        make_own_buffers();
        world_.turns.pass(number_, false);
        for (; steps > 0 && context_; --steps) {
            const Step& step = any_step(random_);
            world_.turns.take(number_);
            journal.note(number_, step.name);
            step.make(*this);
            world_.turns.pass(number_, false);
        }
        world_.turns.take(number_);
        journal.note(number_, "end");
        context_.reset();
    }
    world_.turns.pass(number_, true);
}

} // namespace kobalt::fuzz
