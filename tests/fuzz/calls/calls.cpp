// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "calls.h"

#include <thread>
#include <utility>
#include <vector>

#include "../gl_context.h"
#include "player.h"

namespace kobalt::fuzz {
namespace {

void delete_all(Names& names, void (*remove)(GLuint)) {
    for (std::uint32_t i = 0; i < Names::count; ++i) {
        if (const GLuint name = names.slot(i).name.exchange(0)) {
            remove(name);
        }
    }
}

/// So that inputs don't fill the memory of the process.
void clean_up(World& world, const std::vector<Player>& players) {
    delete_all(world.buffers, [](GLuint name) { gl::DeleteBuffers(1, &name); });
    delete_all(world.textures, [](GLuint name) { gl::DeleteTextures(1, &name); });
    delete_all(world.renderbuffers, [](GLuint name) { gl::DeleteRenderbuffers(1, &name); });
    delete_all(world.samplers, [](GLuint name) { gl::DeleteSamplers(1, &name); });
    delete_all(world.programs, [](GLuint name) { gl::DeleteProgram(name); });
    delete_all(world.stages, [](GLuint name) { gl::DeleteProgram(name); });
    for (auto& sync : world.syncs) {
        gl::DeleteSync(sync.exchange(nullptr)); // null is silently ignored
    }
    for (const Player& player : players) {
        gl::DeleteBuffers(1, &player.commands);
        gl::DeleteBuffers(1, &player.mapped);
    }
}

class Calls : public Target {
public:
    static std::expected<std::unique_ptr<Target>, std::string> make() {
        auto context = make_context();
        if (!context) {
            return std::unexpected(context.error());
        }
        return std::make_unique<Calls>(std::move(*context));
    }
    explicit Calls(offscreen::Context context) : context_(std::move(context)) {}

    std::string run(std::uint64_t seed, Journal& journal) override {
        Random random(seed);
        const bool in_turn = random.one_in(2);
        World world(random.next(), in_turn);
        journal.note(World::players, in_turn ? "in turns" : "freely");
        const std::uint32_t steps = 10 + random.below(80);
        std::vector<Player> players;
        players.reserve(World::players);
        for (std::uint32_t i = 0; i < World::players; ++i) {
            players.emplace_back(world, context_, i, random.next());
        }
        {
            std::vector<std::jthread> threads;
            for (Player& player : players) {
                threads.emplace_back([&player, steps, &journal] { player.play(steps, journal); });
            }
        }
        clean_up(world, players);
        gl::Finish();
        return {};
    }

private:
    offscreen::Context context_; ///< current on the worker's main thread; the players share with it
};

} // namespace

TargetKind calls_kind() {
    return {"calls", "10 to 89 steps of three threads over shared objects", Calls::make, 200, 180,
            4096};
}

} // namespace kobalt::fuzz
