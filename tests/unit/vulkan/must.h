// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace kobalt::vulkan::test {

/// The value of a Result. An error ends a program that measures, by exit status 1.
template <class T>
T must(Result<T> result) {
    if (result)
        return std::move(*result);
    std::fprintf(stderr, "%s\n", result.error().to_string().c_str());
    std::exit(1);
}

} // namespace kobalt::vulkan::test
