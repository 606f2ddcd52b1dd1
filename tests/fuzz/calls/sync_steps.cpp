// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Steps that wait, count and flush, and contexts' ends.
#include <array>

#include "player.h"

namespace kobalt::fuzz {
namespace {

constexpr GLuint64 kWaitNs = 100'000'000;

void fence(Player& player) {
    auto& place = player.random().pick(player.world().syncs);
    gl::DeleteSync(place.exchange(gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)));
    if (player.random().one_in(2)) {
        gl::Flush();
    }
}

/// Another thread may have deleted the object: that's an error, and no wait.
void wait(Player& player) {
    const GLsync sync = player.random().pick(player.world().syncs);
    if (sync == nullptr) {
        return;
    }
    switch (player.random().below(3)) {
    case 0:
        gl::WaitSync(sync, 0, GL_TIMEOUT_IGNORED);
        break;
    case 1:
        gl::ClientWaitSync(sync, GL_SYNC_FLUSH_COMMANDS_BIT, kWaitNs);
        break;
    default:
        GLint value = 0;
        gl::GetSynciv(sync, GL_SYNC_STATUS, 1, nullptr, &value);
    }
}

void flush(Player& player) {
    player.random().one_in(3) ? gl::Finish() : gl::Flush();
}

void end_condition(Player::Locals& locals) {
    if (locals.conditional) {
        gl::EndConditionalRender();
        locals.conditional = false;
    }
}

void count(Player& player) {
    Random& random = player.random();
    Player::Locals& locals = player.locals;
    if (locals.active_query != 0) {
        gl::EndQuery(locals.query_target);
        locals.active_query = 0;
        return;
    }
    constexpr std::array targets{GLenum{GL_SAMPLES_PASSED}, GLenum{GL_ANY_SAMPLES_PASSED},
                                 GLenum{GL_PRIMITIVES_GENERATED}, GLenum{GL_TIME_ELAPSED},
                                 GLenum{GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN}};
    end_condition(locals);
    locals.query_target = random.pick(targets);
    locals.active_query = player.local(locals.queries, gl::GenQueries);
    gl::BeginQuery(locals.query_target, locals.active_query);
}

void read_count(Player& player) {
    Random& random = player.random();
    const GLuint query = player.local(player.locals.queries, gl::GenQueries);
    GLuint64 value = 0;
    switch (random.below(3)) {
    case 0:
        gl::GetQueryObjectui64v(query, GL_QUERY_RESULT, &value);
        break;
    case 1:
        gl::GetQueryObjectui64v(query, GL_QUERY_RESULT_AVAILABLE, &value);
        break;
    default:
        if (const GLuint buffer = player.any(player.world().buffers)) {
            gl::GetQueryBufferObjectui64v(query, buffer, GL_QUERY_RESULT, 8);
        }
    }
}

void time_stamp(Player& player) {
    if (player.locals.active_query == 0) {
        gl::QueryCounter(player.local(player.locals.queries, gl::GenQueries), GL_TIMESTAMP);
    }
}

void condition(Player& player) {
    Player::Locals& locals = player.locals;
    if (locals.conditional) {
        end_condition(locals);
    } else if (locals.active_query == 0) {
        gl::BeginConditionalRender(player.local(locals.queries, gl::GenQueries),
                                   player.random().one_in(2) ? GL_QUERY_WAIT
                                                             : GL_QUERY_NO_WAIT_INVERTED);
        locals.conditional = true;
    }
}

void delete_query(Player& player) {
    GLuint& name = player.random().pick(player.locals.queries);
    if (name == player.locals.active_query) {
        player.locals.active_query = 0;
    }
    gl::DeleteQueries(1, &name);
    name = 0;
}

void renew_context(Player& player) {
    player.renew_context();
}

void ask_for_error(Player&) {
    gl::GetError();
}

constexpr Step kSteps[] = {
    {"fence", 5, fence},
    {"wait", 5, wait},
    {"flush", 5, flush},
    {"query", 6, count},
    {"query-result", 5, read_count},
    {"time-stamp", 2, time_stamp},
    {"condition", 2, condition},
    {"query-delete", 2, delete_query},
    {"context-renew", 1, renew_context},
    {"get-error", 2, ask_for_error},
};

} // namespace

std::span<const Step> sync_steps() {
    return kSteps;
}

} // namespace kobalt::fuzz
