/* SPDX-License-Identifier: MIT */
/* Copyright the Kobalt authors */
/* Which vertex states need Mesa's u_vbuf. Mesa asks once for the device and then sends every draw
 * through u_vbuf, since no Vulkan device fetches GL_FIXED; most programs never need it. Included by
 * cso_context.c. */
#ifndef KOBALT_VERTEX_FETCH_H
#define KOBALT_VERTEX_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"
#include "util/format/u_format.h"
#include "util/u_vbuf.h"

/* What each format asks of its address, in bytes less one, or kobalt_fetch_translated. */
struct kobalt_vertex_fetch {
    uint8_t masks[PIPE_FORMAT_COUNT];
};

enum { kobalt_fetch_translated = 0xff };

/* Bytes less one that a format's addresses are multiples of: Vulkan 1.3, 22.3 (packed formats as a
 * whole, others by component). */
static inline uint8_t kobalt_fetch_mask(enum pipe_format format) {
    const struct util_format_description* desc = util_format_description(format);
    const unsigned bytes = desc->block.bits / 8;
    for (unsigned c = 0; c < desc->nr_channels; ++c)
        if (desc->channel[c].size != desc->channel[0].size || desc->channel[c].size % 8)
            return bytes - 1;
    return desc->nr_channels ? bytes / desc->nr_channels - 1 : 0;
}

/* Fills FETCH for a device that CAPS tells of. False where u_vbuf is needed for more than vertices:
 * always, then. */
static inline bool kobalt_init_vertex_fetch(struct kobalt_vertex_fetch* fetch,
                                            const struct u_vbuf_caps* caps) {
    const unsigned all = BITFIELD_MASK(MESA_PRIM_COUNT);
    for (unsigned i = 1; i < PIPE_FORMAT_COUNT; ++i) {
        const enum pipe_format format = (enum pipe_format)i;
        if (caps->format_translation[i] != format)
            fetch->masks[i] = kobalt_fetch_translated;
        else if (!caps->attrib_element_unaligned && util_format_description(format))
            fetch->masks[i] = kobalt_fetch_mask(format);
        else
            fetch->masks[i] = caps->attrib_4byte_unaligned ? 0 : 3;
    }
    return !caps->rewrite_ubyte_ibs && !caps->rewrite_restart_index &&
           caps->max_vertex_buffers >= 16 &&
           (caps->supported_prim_modes & caps->supported_restart_modes & all) == all;
}

/* Whether vertex fetch can't take COUNT elements out of BUFFERS as they are. */
static inline bool kobalt_needs_vbuf(const struct kobalt_vertex_fetch* fetch,
                                     const struct pipe_vertex_element* elements, unsigned count,
                                     const struct pipe_vertex_buffer* buffers,
                                     unsigned buffer_count) {
    for (unsigned i = 0; i < count; ++i) {
        const struct pipe_vertex_element* element = &elements[i];
        const unsigned index = element->vertex_buffer_index;
        const uint8_t mask = fetch->masks[element->src_format];
        const unsigned at = index < buffer_count ? buffers[index].buffer_offset : 0;
        if (mask == kobalt_fetch_translated ||
            ((at + element->src_offset) | element->src_stride) & mask)
            return true;
    }
    return false;
}

#endif
