// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

namespace kobalt::vulkan {

/// For tests. KOBALT_FAULT=refuse:TEXT:N makes creation fail for the Nth pipeline, library or
/// shader object whose name contains TEXT ("fragment", "pre-rasterisation", "linked", "CS GLSL").
/// Any thread.
bool refusal_planned(const char* name);

} // namespace kobalt::vulkan
