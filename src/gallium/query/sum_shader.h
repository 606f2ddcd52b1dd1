// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>

#include "gallium/context/context.h"

namespace kobalt::gallium {

/// What a compute shader of one invocation makes a query's result of, so that no CPU waits for it
/// (ARB_query_buffer_object). In 32-bit words, which every device has.
struct SumParameters {
    static constexpr uint32_t negative = 1u << 31;

    uint32_t count = 0;                       ///< terms that follow these
    uint32_t scale = 1;                       ///< of their sum
    uint32_t boolean = 0;                     ///< 1: whether the sum is not 0
    uint32_t limit = 0;                       ///< 0: a result of 64 bits; else the greatest of 32
    uint32_t target = 0;                      ///< the result's first word in its buffer
    uint32_t base_low = 0, base_high = 0;     ///< what the terms are added to
    uint32_t mask_low = ~0u, mask_high = ~0u; ///< of each term
    // Then for each term the word that it begins at in the buffer of terms; `negative`: it is
    // subtracted.
};

/// Its storage buffers.
enum SumBuffer : uint32_t { sum_terms, sum_parameters, sum_target, sum_buffers };

/// The shader. Its `base` is null where the device can't have it.
std::unique_ptr<Shader> create_sum_shader(Screen& screen);

} // namespace kobalt::gallium
