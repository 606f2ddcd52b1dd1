// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>

struct xcb_connection_t;

namespace kobalt::present {

/// Hertz of the monitor that shows the window's middle, else of the first one; 0: the server knows
/// none (no RandR 1.3, a virtual screen).
double x11_refresh_rate(xcb_connection_t* connection, uint32_t window);

} // namespace kobalt::present
