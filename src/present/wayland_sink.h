// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>

#include "present/frame_sink.h"
#include "present/surface_info.h"

namespace kobalt::present {

/// The sink for a surface of a Wayland compositor: buffers of wl_shm, which every compositor has.
/// `translucent`: the compositor blends with the frames' alpha. VK_ERROR_INITIALIZATION_FAILED: the
/// compositor doesn't answer.
vulkan::Result<std::unique_ptr<FrameSink>> open_wayland_sink(const SurfaceInfo& surface,
                                                             bool translucent);

} // namespace kobalt::present
