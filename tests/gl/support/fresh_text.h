// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <cstdint>
#include <random>
#include <string>

namespace kobalt::gltest {

/// For shaders that are in no cache, neither this process's nor the disk's: a GLSL expression of
/// type float that is 0 while the uniform `none` is, but other code each time. It needs the
/// declaration kFreshUniform.
inline std::string fresh_zero() {
    static std::atomic<std::uint32_t> next{std::random_device{}()};
    return "float(none * " + std::to_string(next.fetch_add(1) | 1U << 31) + "u)";
}
inline const std::string kFreshUniform = "uniform uint none;\n";

} // namespace kobalt::gltest
