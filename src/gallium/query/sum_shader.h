// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>

#include "gallium/context/context.h"

namespace kobalt::gallium {

/// Input of a compute shader of one invocation that computes a query's result, so that the CPU need
/// not wait for it (ARB_query_buffer_object). It uses 32-bit words, which every device has.
struct SumParameters {
    static constexpr uint32_t negative = 1u << 31;

    uint32_t count = 0;   ///< number of terms, which follow this structure
    uint32_t scale = 1;   ///< factor that the sum is multiplied by
    uint32_t boolean = 0; ///< 1: the result is whether the sum is not 0
    uint32_t limit = 0;   ///< 0: the result has 64 bits; else the greatest 32-bit value
    uint32_t target = 0;  ///< the result's first word in its buffer
    uint32_t base_low = 0, base_high = 0;     ///< initial value of the sum
    uint32_t mask_low = ~0u, mask_high = ~0u; ///< applied to each term
    // Then follows, for each term, its first word in the buffer of terms; with the bit `negative`
    // the term is subtracted.
};

/// The shader's storage buffers.
enum SumBuffer : uint32_t { sum_terms, sum_parameters, sum_target, sum_buffers };

/// Creates the shader. Its `base` is null where the device can't run it.
std::unique_ptr<Shader> create_sum_shader(Screen& screen);

} // namespace kobalt::gallium
