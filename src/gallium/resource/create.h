// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <vector>

#include "gallium/context/resource.h"
#include "gallium/screen/screen.h"

// What the ways to make a pipe_resource have in common: own memory, somebody else's, pages.

namespace kobalt::gallium {

/// What any buffer is used for: GL lets each be bound anywhere.
VkBufferUsageFlags buffer_usage(vulkan::Device& device);

/// The formats that views of an image of `format` may have, for VkImageCreateInfo::pNext; null: any
/// of its size, and shaders may store to it. AMD's and Intel's drivers compress the former only.
/// GL makes no texture views of renderbuffers and the buffers of windows, and binds them to no
/// image units: their views have the format, or the one that differs in the encoding of sRGB.
const VkImageFormatListCreateInfo* known_views(const pipe_resource& templ, VkFormat format);

/// The same for images that have to name them all, whatever GL makes of the texture (OpenGL 4.6,
/// tables 8.21 and 8.26).
std::vector<VkFormat> all_views(const vulkan::Device& device, pipe_format format, VkFormat stored);

/// Whether its texels lie as its format has them: no wider one stands in, as for formats that the
/// device lacks. Only then may they be looked at in another format.
bool stores_own_format(const vulkan::Device& device, const Resource& resource);

/// A resource without storage.
std::unique_ptr<Resource> begin_resource(Screen& screen, const pipe_resource& templ);
/// Gives a buffer its number and says whether it can be mapped.
void number_buffer(Screen& screen, Resource& resource);
/// Gives it the storage that `fill` makes. Null: that failed.
template <class Fill>
pipe_resource* finish_resource(Screen& screen, std::unique_ptr<Resource> resource, Fill&& fill) {
    if (!fill(*resource)) {
        threaded_resource_deinit(&resource->b);
        return nullptr;
    }
    if (resource->is_buffer())
        number_buffer(screen, *resource);
    return &resource.release()->b;
}

/// A buffer or texture whose pages the app backs (ARB_sparse_buffer, ARB_sparse_texture). False
/// after one message in Mesa's log.
bool allocate_sparse(Screen& screen, Resource& resource);

} // namespace kobalt::gallium
