// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/resource.h"
#include "vulkan/resources/dma_buf.h"

// What others know a texture in a dma-buf by: descriptors, handles, and where its texels lie.

namespace kobalt::gallium {

/// Whether the texture's memory is Kobalt's own and can be exported.
bool is_exported(const Resource& resource);
/// Gives a new texture storage that others can open from the start (PIPE_BIND_SHARED), in rows
/// where the device draws to them. False after one message in Mesa's log.
bool allocate_shared(Screen& screen, Resource& resource);
/// Says in Mesa's log why the texture can't be exported.
void tell_export_obstacle(Screen& screen, const Resource& resource);

/// Keeps what an imported texture is known by. `source`: its descriptor is duplicated.
void note_import(Resource& resource, const vulkan::DmaBuf& source);

} // namespace kobalt::gallium
