// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

namespace kobalt::offscreen {

/// What GL_RENDERER must contain in a test: $KOBALT_EXPECT_RENDERER, else "Kobalt" where the Mesa
/// loader is told to use kobalt, so that a silent fall-back can't pass. Empty: anything will do.
inline std::string expected_renderer() {
    if (const char* wanted = std::getenv("KOBALT_EXPECT_RENDERER")) {
        return wanted;
    }
    const char* driver = std::getenv("MESA_LOADER_DRIVER_OVERRIDE");
    return driver != nullptr && std::string_view(driver) == "kobalt" ? "Kobalt" : "";
}

} // namespace kobalt::offscreen
