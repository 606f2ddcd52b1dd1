// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/operations.h"

namespace kobalt::gallium {

/// pipe_transfer, allocated from the screen's blocks: the threaded context maps on one thread and
/// unmaps on another, so a context's slab can't be used.
struct Transfer : threaded_transfer {
    static Transfer* from(pipe_transfer* transfer) {
        return static_cast<Transfer*>(reinterpret_cast<threaded_transfer*>(transfer));
    }
    render::Buffer* staging_buffer; ///< null: mapped directly. Holds a reference.
    VkDeviceSize staging_offset;    ///< bytes; of the depth part if there are two parts
    VkDeviceSize stencil_offset;    ///< bytes; depth and stencil formats only
    std::byte* staged;              ///< the staging buffer's bytes at staging_offset
    /// malloc'ed: texels in GL's layout, for formats that Vulkan copies in parts, or a copy of a
    /// buffer's kept contents.
    std::byte* packed;
    bool flushed; ///< a texture's bytes were written
};

/// A new transfer, which holds a reference to `resource`. Null: out of memory.
Transfer* begin_transfer(pipe_resource* resource, unsigned level, unsigned usage,
                         const pipe_box& box);
/// Frees the transfer and releases its references.
void end_transfer(Transfer* transfer);

/// Submits recorded commands that use the resource, then waits for its writers (or for all users).
/// False: `dont_block` and it is in use, or the device is lost.
bool wait_for(Context& context, render::Resource& resource, bool writes_only, bool dont_block);

/// Memory for the CPU to write, in a buffer that the struct retains.
struct Upload {
    render::Ref<render::Buffer> buffer;
    VkDeviceSize offset = 0; ///< bytes
    std::byte* mapped = nullptr;
};
/// Gallium counts an upload's bytes in 32 bits, and aligns the sum.
inline constexpr VkDeviceSize most_upload_bytes = UINT32_MAX - 0xffff;
/// Allocates from the context's uploader: driver thread only. `mapped` is null when memory is out,
/// and for sizes above most_upload_bytes. `before`: bytes that the buffer has in front of it.
Upload allocate_upload(Context& context, VkDeviceSize size, uint32_t alignment,
                       VkDeviceSize before = 0);

/// The Vulkan copy region of `box`. `offset`: in the buffer, bytes.
VkBufferImageCopy copy_region(const Resource& resource, unsigned level, const pipe_box& box,
                              VkImageAspectFlags aspect, VkDeviceSize offset);

// Each fills in its part; init_transfer_functions calls all.
void init_buffer_transfer_functions(Context& context);
void init_texture_transfer_functions(Context& context);
void init_pixel_copy_functions(Context& context);
/// pipe_screen::transfer_helper, which resolves multisampled textures for mapping.
void init_screen_transfer_helper(Screen& screen);

} // namespace kobalt::gallium
