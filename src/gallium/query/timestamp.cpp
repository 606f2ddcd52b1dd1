// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/query.h"
#include "gallium/screen/screen.h"

// glGetInteger64v(GL_TIMESTAMP): the current value of the GPU's clock.

namespace kobalt::gallium {

namespace {

uint64_t get_timestamp(pipe_screen* screen) {
    const std::optional<uint64_t> now = render::gpu_clock(*Screen::from(screen)->engine);
    return now ? *now : os_time_get_nano();
}

} // namespace

void init_screen_query_functions(Screen& screen) {
    screen.get_timestamp = get_timestamp;
    init_screen_hud_functions(screen);
}

} // namespace kobalt::gallium
