// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "counting_layer/counters.h"
#include "counting_layer/functions.h"

// The functions that are counted and passed on.

namespace kobalt::counting {
namespace {

/// Counts a call of the function `Next` and passes it on.
template <auto Next, Counter counter>
struct Counted;
template <class Result, class Handle, class... Arguments,
          Result (*Functions::*Next)(Handle, Arguments...), Counter counter>
struct Counted<Next, counter> {
    static VKAPI_ATTR Result VKAPI_CALL call(Handle handle, Arguments... arguments) {
        add(counter);
        return (functions(handle).*Next)(handle, arguments...);
    }
};

} // namespace

std::span<const Hook> counted_hooks() {
    static const std::array hooks{
#define KOBALT_COUNTED(name, counter)                                                              \
    KOBALT_HOOK(name, (Counted<&Functions::name, Counter::counter>::call)),
        KOBALT_COUNTED_FUNCTIONS(KOBALT_COUNTED)
#undef KOBALT_COUNTED
    };
    return hooks;
}

} // namespace kobalt::counting
