// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cstring>

#include "gallium/drivers/kobalt/mesa_slot.h"
#include "gallium/screen/mesa.h"

#include "tgsi/tgsi_exec.h"

// Feedback, selection and glRasterPos run the vertex shader on the CPU, in Mesa's draw module.
// Built without LLVM, the draw module has no textures and images of its own: it calls function
// pointers that the driver has to set, and would call null pointers without them. These functions
// provide empty textures and images.

namespace {

using Quad = float[TGSI_QUAD_SIZE];

void get_samples(tgsi_sampler*, unsigned, unsigned, const Quad, const Quad, const Quad, const Quad,
                 const Quad, float[3][2][TGSI_QUAD_SIZE], const int8_t[3], tgsi_sampler_control,
                 float rgba[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE]) {
    std::memset(rgba, 0, TGSI_NUM_CHANNELS * sizeof(Quad));
}

void get_dims(tgsi_sampler*, unsigned, int, int dims[4]) {
    std::memset(dims, 0, 4 * sizeof(int));
}

void get_texel(tgsi_sampler*, unsigned, const int[TGSI_QUAD_SIZE], const int[TGSI_QUAD_SIZE],
               const int[TGSI_QUAD_SIZE], const int[TGSI_QUAD_SIZE], const int8_t[3],
               float rgba[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE]) {
    std::memset(rgba, 0, TGSI_NUM_CHANNELS * sizeof(Quad));
}

void query_lod(const tgsi_sampler*, unsigned, unsigned, const Quad, const Quad, const Quad,
               const Quad, tgsi_sampler_control, Quad mipmap, Quad lod) {
    std::memset(mipmap, 0, sizeof(Quad));
    std::memset(lod, 0, sizeof(Quad));
}

using Coordinates = int[TGSI_QUAD_SIZE];

void load(const tgsi_image*, const tgsi_image_params*, const Coordinates, const Coordinates,
          const Coordinates, const Coordinates, float rgba[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE]) {
    std::memset(rgba, 0, TGSI_NUM_CHANNELS * sizeof(Quad));
}

void store(const tgsi_image*, const tgsi_image_params*, const Coordinates, const Coordinates,
           const Coordinates, const Coordinates, float[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE]) {}

void operate(const tgsi_image*, const tgsi_image_params*, tgsi_opcode, const Coordinates,
             const Coordinates, const Coordinates, const Coordinates,
             float rgba[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE],
             float[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE]) {
    std::memset(rgba, 0, TGSI_NUM_CHANNELS * sizeof(Quad));
}

void get_image_dims(const tgsi_image*, const tgsi_image_params*, int dims[4]) {
    std::memset(dims, 0, 4 * sizeof(int));
}

} // namespace

tgsi_sampler* kobalt_empty_sampler() {
    static tgsi_sampler empty{get_samples, get_dims, get_texel, query_lod};
    return &empty;
}

tgsi_image* kobalt_empty_image() {
    static tgsi_image empty{load, store, operate, get_image_dims};
    return &empty;
}
