// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/shader.h"
#include "gallium/screen/screen.h"
#include "kobalt_public/kobalt/mesa_slot.h"

// The C entry points, but for those of presentation: they are in present.cpp.

pipe_screen* kobalt_create_screen(sw_winsys* winsys, const pipe_screen_config* config) {
    return kobalt::gallium::create_screen(winsys, -1, config);
}

pipe_screen* kobalt_drm_create_screen(int fd, const pipe_screen_config* config) {
    return kobalt::gallium::create_screen(nullptr, fd, config);
}

void kobalt_note_sample_shading(pipe_screen* screen) {
    kobalt::gallium::note_sample_shading(screen);
}

const char* kobalt_shader_refusal(const pipe_screen* screen, const void* shader) {
    return kobalt::gallium::refusal_of(screen, shader);
}
