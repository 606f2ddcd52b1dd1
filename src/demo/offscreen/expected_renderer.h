// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

namespace kobalt::offscreen {

/// Whose GL a test wants: $KOBALT_EXPECT_RENDERER, else "Kobalt" where the Mesa loader is told to
/// use kobalt, so that a silent fall-back can't pass. Empty: anything will do.
inline std::string expected_renderer() {
    if (const char* wanted = std::getenv("KOBALT_EXPECT_RENDERER")) {
        return wanted;
    }
    const char* driver = std::getenv("MESA_LOADER_DRIVER_OVERRIDE");
    return driver != nullptr && std::string_view(driver) == "kobalt" ? "Kobalt" : "";
}

/// Whether `renderer`, a GL_RENDERER, is that of the driver `wanted`. Kobalt's has the end that
/// gallium/screen/names.h gives it. Another driver's contains `wanted` and has no such end, since
/// Kobalt's begins with the device's name, which may be that driver's as well.
inline bool is_drawn_by(std::string_view wanted, std::string_view renderer) {
    const bool kobalt = renderer.ends_with(" (Kobalt)") || renderer.ends_with(", Kobalt)");
    if (wanted.empty() || wanted == "Kobalt") {
        return wanted.empty() || kobalt;
    }
    return !kobalt && renderer.find(wanted) != std::string_view::npos;
}

} // namespace kobalt::offscreen
