// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support.h"

/// A row of a table of calls; the call's own text names it.
#define KOBALT_CALL(...)                                                                           \
    {                                                                                              \
#__VA_ARGS__, [&] { __VA_ARGS__; }                                                         \
    }

namespace kobalt::gltest {

struct Call {
    const char* text;
    std::function<void()> make;
};

/// Makes the calls in their order; each must raise the error. `what` says what they share.
inline void each_raises(GLenum error, const std::vector<Call>& calls,
                        const std::string& what = {}) {
    for (const Call& call : calls) {
        call.make();
        EXPECT_EQ(gl::GetError(), error) << call.text << (what.empty() ? "" : ": ") << what;
    }
}

} // namespace kobalt::gltest
