// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <span>

#include "gallium/context/operations.h"
#include "gallium/drivers/kobalt/mesa_slot.h"
#include "gallium/screen/screen.h"

// The C entry points, except those of presentation, which are in present.cpp.

namespace {

using kobalt::gallium::KnownVariants;
using kobalt::gallium::own_screen;
using kobalt::gallium::Screen;

std::span<const uint8_t> bytes(const void* data, size_t size) {
    return {static_cast<const uint8_t*>(data), size};
}

} // namespace

pipe_screen* kobalt_create_screen(sw_winsys* winsys, const pipe_screen_config* config) {
    return kobalt::gallium::create_screen(winsys, -1, config);
}

pipe_screen* kobalt_drm_create_screen(int fd, const pipe_screen_config* config) {
    return kobalt::gallium::create_screen(nullptr, fd, config);
}

void kobalt_note_sample_shading(pipe_screen* screen) {
    if (Screen* own = own_screen(screen))
        own->shades_samples.store(true, std::memory_order_relaxed);
}

void kobalt_remember_variant(pipe_screen* screen, unsigned stage, const void* code,
                             size_t code_size, const void* key, size_t key_size, bool common) {
    if (Screen* own = own_screen(screen))
        own->known_variants.remember(static_cast<gl_shader_stage>(stage), bytes(code, code_size),
                                     bytes(key, key_size), common);
}

void kobalt_recall_variants(pipe_screen* screen, unsigned stage, const void* code, size_t code_size,
                            size_t key_size, void (*build)(void* data, const void* key, bool own),
                            void* data) {
    if (Screen* own = own_screen(screen))
        own->known_variants.recall(
            static_cast<gl_shader_stage>(stage), bytes(code, code_size), key_size,
            [=](const KnownVariants::Key& key, bool owned) { build(data, key.data(), owned); });
}

void kobalt_remember_fixed_program(pipe_screen* screen, unsigned stage, const void* key,
                                   size_t key_size) {
    if (Screen* own = own_screen(screen))
        own->known_variants.remember_fixed(static_cast<gl_shader_stage>(stage),
                                           bytes(key, key_size));
}

void kobalt_recall_fixed_programs(pipe_screen* screen, unsigned stage,
                                  void (*build)(void* data, const void* key, size_t key_size),
                                  void* data) {
    if (Screen* own = own_screen(screen))
        own->known_variants.recall_fixed(
            static_cast<gl_shader_stage>(stage),
            [=](const KnownVariants::Key& key) { build(data, key.data(), key.size()); });
}

bool kobalt_take_out_of_memory(pipe_context* context) {
    kobalt::gallium::Context* own = kobalt::gallium::own_context(context);
    return own && own->out_of_memory.load(std::memory_order_relaxed) &&
           own->out_of_memory.exchange(false, std::memory_order_relaxed);
}

const char* kobalt_shader_refusal(const pipe_screen* screen, const void* shader) {
    return kobalt::gallium::refusal_of(screen, shader);
}
