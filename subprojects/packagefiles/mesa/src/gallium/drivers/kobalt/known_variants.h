/* SPDX-License-Identifier: MIT */
/* Copyright the Kobalt authors */
/* What old GL state made of a program's code in earlier draws is built when the program is linked:
 * flat shading, the alpha test, two sides, GL_CLAMP, clip planes, unclamped colours. The driver
 * keeps the keys (mesa_slot.h). Included by st_program.c in front of the functions that link,
 * since only functions of that file make variants. */
#ifndef KOBALT_KNOWN_VARIANTS_H
#define KOBALT_KNOWN_VARIANTS_H

#include "gallium/drivers/kobalt/mesa_slot.h"

/* Whether state can change the code of PROG at all. */
static bool kobalt_program_varies(struct st_context* st, const struct gl_program* prog) {
    return (!st->shader_has_one_variant[prog->info.stage] &&
            (_mesa_is_desktop_gl_compat(st->ctx) || _mesa_is_gles1(st->ctx))) ||
           prog->ExternalSamplersUsed;
}

/* What tells the code of PROG from others', in this process and the next. Its NIR holds a number
 * that the app gave it. */
static const void* kobalt_code_of(const struct gl_program* prog, size_t* size) {
    static const blake3_hash none;
    if (memcmp(prog->info.source_blake3, none, sizeof(none)) != 0) {
        *size = sizeof(prog->info.source_blake3);
        return prog->info.source_blake3;
    }
    if (prog->String) {
        *size = strlen((const char*)prog->String);
        return prog->String;
    }
    *size = prog->serialized_nir_size;
    return prog->serialized_nir;
}

/* A draw has asked for KEY of PROG, whose variant it made, or found made in advance. The draw
 * module makes its own when it runs. COMMON: no glBitmap or glDrawPixels, which few programs see.
 */
static void kobalt_note_variant(struct st_context* st, const struct gl_program* prog,
                                const void* key, size_t size, bool common) {
    if (!kobalt_program_varies(st, prog))
        return;
    size_t code_size = 0;
    const void* code = kobalt_code_of(prog, &code_size);
    kobalt_remember_variant(st->screen, prog->info.stage, code, code_size, key, size, common);
}

struct kobalt_variants_of {
    struct st_context* st;
    struct gl_program* prog;
};

/* No draw has to build it then. What it needs of the stages beside it the driver remembers. */
static void kobalt_link_variant(struct st_context* st, gl_shader_stage stage,
                                const struct st_variant* variant) {
    void* shaders[PIPE_SHADER_TYPES] = {0};
    shaders[pipe_shader_type_from_mesa(stage)] = variant->driver_shader;
    if (variant->driver_shader && st->pipe->link_shader)
        st->pipe->link_shader(st->pipe, shaders);
}

/* Links PROG, which is no part of a program in GLSL. */
void st_link_alone(struct st_context* st, struct gl_program* prog) {
    if (prog->variants)
        kobalt_link_variant(st, prog->info.stage, prog->variants);
}

/* Puts VARIANT, which no draw has asked for yet, beside the program's others. */
static void kobalt_add_in_advance(const struct kobalt_variants_of* of, struct st_variant* variant,
                                  struct st_context* owner) {
    variant->st = owner;
    variant->undrawn = true;
    st_add_variant(&of->prog->variants, variant);
    kobalt_link_variant(of->st, of->prog->info.stage, variant);
}

/* A key may come from another program, or from a file: only what this program has stays in it. */
static struct st_fp_variant_key kobalt_fitting_fp_key(const struct kobalt_variants_of* of,
                                                      const void* bytes, bool own) {
    const struct gl_program* prog = of->prog;
    struct st_fp_variant_key key;
    memcpy(&key, bytes, sizeof(key));
    key.st = of->st->has_shareable_shaders ? NULL : of->st;
    for (unsigned i = 0; i < ARRAY_SIZE(key.gl_clamp); ++i)
        key.gl_clamp[i] &= prog->SamplersUsed;
    GLuint* external = (GLuint*)&key.external;
    for (unsigned i = 0; i < sizeof(key.external) / sizeof(*external); ++i)
        external[i] = own ? external[i] & prog->ExternalSamplersUsed : 0;
    key.depth_textures = prog->shader_program ? 0
                         : own                ? key.depth_textures & prog->ShadowSamplers
                                              : prog->ShadowSamplers;
    for (unsigned i = 0; i < ARRAY_SIZE(key.texture_index); ++i)
        if (!prog->ati_fs || !own || key.texture_index[i] >= NUM_TEXTURE_TARGETS)
            key.texture_index[i] = prog->ati_fs ? TEXTURE_2D_INDEX : 0;
    if (!prog->ati_fs)
        key.fog = 0;
    return key;
}

static void kobalt_build_fp_variant(void* data, const void* bytes, bool own) {
    const struct kobalt_variants_of* of = (const struct kobalt_variants_of*)data;
    const struct st_fp_variant_key key = kobalt_fitting_fp_key(of, bytes, own);
    for (struct st_variant* there = of->prog->variants; there; there = there->next)
        if (memcmp(&st_fp_variant(there)->key, &key, sizeof(key)) == 0)
            return;
    struct st_fp_variant* made = st_create_fp_variant(of->st, of->prog, &key, false, NULL);
    if (made)
        kobalt_add_in_advance(of, &made->base, key.st);
}

static struct st_common_variant_key kobalt_fitting_common_key(const struct kobalt_variants_of* of,
                                                              const void* bytes) {
    const struct gl_program* prog = of->prog;
    struct st_common_variant_key key;
    memcpy(&key, bytes, sizeof(key));
    key.st = of->st->has_shareable_shaders ? NULL : of->st;
    for (unsigned i = 0; i < ARRAY_SIZE(key.gl_clamp); ++i)
        key.gl_clamp[i] &= prog->SamplersUsed;
    if (prog->info.outputs_written & VARYING_BIT_CLIP_DIST0)
        key.lower_ucp = 0;
    if (prog->info.stage != MESA_SHADER_VERTEX)
        key.passthrough_edgeflags = false;
    return key;
}

static void kobalt_build_common_variant(void* data, const void* bytes, bool own) {
    const struct kobalt_variants_of* of = (const struct kobalt_variants_of*)data;
    const struct st_common_variant_key key = kobalt_fitting_common_key(of, bytes);
    if (key.is_draw_shader)
        return;
    for (struct st_variant* there = of->prog->variants; there; there = there->next)
        if (memcmp(&st_common_variant(there)->key, &key, sizeof(key)) == 0)
            return;
    struct st_common_variant* made = st_create_common_variant(of->st, of->prog, &key, false, NULL);
    if (!made)
        return;
    if (of->prog->info.stage == MESA_SHADER_VERTEX)
        made->vert_attrib_mask = ((struct gl_vertex_program*)of->prog)->vert_attrib_mask |
                                 (key.passthrough_edgeflags ? VERT_BIT_EDGEFLAG : 0);
    kobalt_add_in_advance(of, &made->base, key.st);
}

/* Builds the variants of PROG, whose first one is there, that draws are likely to ask for. */
static void kobalt_build_known_variants(struct st_context* st, struct gl_program* prog) {
    struct kobalt_variants_of of = {st, prog};
    if (!kobalt_program_varies(st, prog) || !prog->variants)
        return;
    size_t code_size = 0;
    const void* code = kobalt_code_of(prog, &code_size);
    const bool fragment = prog->info.stage == MESA_SHADER_FRAGMENT;
    kobalt_recall_variants(st->screen, prog->info.stage, code, code_size,
                           fragment ? sizeof(struct st_fp_variant_key)
                                    : sizeof(struct st_common_variant_key),
                           fragment ? kobalt_build_fp_variant : kobalt_build_common_variant, &of);
}

#endif
