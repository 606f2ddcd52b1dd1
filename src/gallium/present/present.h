// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/operations.h"
#include "gallium/context/view.h"
#include "present/window.h"

struct kopper_loader_info;
struct pipe_box;

namespace kobalt::gallium {

/// Mesa's description of a window as src/present takes it.
present::WindowInfo window_info(const kopper_loader_info& loader);

/// Mesa resizes a window's buffers by writing width0 and height0 of the pipe_resource. Gives such a
/// resource fresh storage of its new size; the old contents are dropped, as GL allows for a resized
/// window. Costs two comparisons where nothing changed. Call it from create_surface, before the
/// view is made: Mesa resizes between frames, when the threaded context is idle.
void resize_if_needed(Context& context, Resource& resource);

/// The same for a surface that is about to be bound. Also recreates its view where the resource's
/// storage was replaced after the surface had been created. False: out of memory. Call it for each
/// attachment in set_framebuffer_state.
bool refresh_surface(Context& context, Surface& surface);

/// Whether Mesa calls flush_frontbuffer for a swap; otherwise a flush shows the front buffer.
bool is_swap(const void* drawable, const pipe_resource* resource);

/// Presents without a swapchain: reads the image back and hands it to Mesa's loader, which can put
/// it into an X drawable (pixmaps, windows of devices that can't present). Does nothing where the
/// drawable isn't on a screen (EGL pbuffers, surfaceless). `drawable` is the one that Mesa passed
/// to flush_frontbuffer.
void present_through_loader(pipe_context* context, pipe_resource* resource, void* drawable);

} // namespace kobalt::gallium
