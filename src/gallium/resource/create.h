// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <vector>

#include "gallium/context/resource.h"
#include "gallium/screen/screen.h"

// Shared by the ways to create a pipe_resource: in own memory, in external memory, sparse.

namespace kobalt::gallium {

/// The usage of every buffer: GL allows any buffer to be bound anywhere.
VkBufferUsageFlags buffer_usage(vulkan::Device& device);

/// The formats that views of an image of `format` may have unless it has ImageUses::any_view, for
/// VkImageCreateInfo::pNext: the format and its sRGB or linear counterpart. Null: the format alone.
const VkImageFormatListCreateInfo* known_views(const vulkan::Device& device, VkFormat format);
/// Whether `view` is one of these formats.
bool is_known_view(const vulkan::Device& device, VkFormat stored, VkFormat view);

/// All formats that GL allows for views of the texture (OpenGL 4.6, tables 8.21 and 8.26), for
/// images that have to list them.
std::vector<VkFormat> all_views(const vulkan::Device& device, pipe_format format, VkFormat stored);

/// Whether texels are stored in the layout of the resource's format, not in a wider format that
/// replaces one that the device lacks. Only then can they be viewed in another format.
bool stores_own_format(const vulkan::Device& device, const Resource& resource);

/// A resource without storage.
std::unique_ptr<Resource> begin_resource(Screen& screen, const pipe_resource& templ);
/// Gives a buffer its id, and notes whether it can be mapped.
void number_buffer(Screen& screen, Resource& resource);
/// Gives the resource the storage that `fill` creates. Null: that failed.
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

/// Allocates a buffer or texture whose pages the app commits (ARB_sparse_buffer,
/// ARB_sparse_texture). False after one message in Mesa's log.
bool allocate_sparse(Screen& screen, Resource& resource);

} // namespace kobalt::gallium
