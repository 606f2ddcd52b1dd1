// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/kept_contents.h"

#include <algorithm>
#include <cstring>

#include "gallium/context/operations.h"
#include "gallium/context/with_storage.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {
namespace {

/// Gives the contents a new place in an upload buffer. False: out of memory; they lie nowhere then.
bool upload(Context& context, KeptContents& kept) {
    const auto alignment = static_cast<unsigned>(
        context.kobalt_screen().device().limits().minUniformBufferOffsetAlignment);
    void* mapped = nullptr;
    // Most often the new place lies in the same buffer: its reference is reused.
    u_upload_alloc(context.kept_uploader, 0, align(kept.size, 16), std::max(alignment, 16u),
                   &kept.offset, &kept.buffer, &mapped);
    if (mapped)
        std::memcpy(mapped, kept.bytes.data(), align(kept.size, 16));
    return mapped;
}

/// Prepares for the first write. A small buffer that is written in part has other contents, which
/// have to be kept as well. False: the CPU can't read those now.
bool begin(Resource& resource, unsigned offset, size_t size) {
    const unsigned all = resource.b.width0;
    const bool small = all <= KeptContents::most_bytes;
    if (offset == 0 && (!small || size == all))
        return true;
    render::Buffer& storage = *resource.storage.get();
    if (!small || !storage.mapped() || storage.busy(true))
        return false;
    storage.storage().invalidate(0, all);
    resource.kept.with_new([&](KeptContents& contents) {
        std::memcpy(contents.bytes.data(), storage.mapped(), all);
        contents.size = all;
    });
    return true;
}

} // namespace

bool keep_contents(Context& context, Resource& resource, unsigned offset,
                   std::span<const std::byte> written) {
    const auto end = static_cast<unsigned>(offset + written.size());
    if (shares_storage(context.kobalt_screen()) ||
        !resource.bound_before.only(BoundAs::constants) || end > KeptContents::most_bytes ||
        (resource.kept.empty() && !begin(resource, offset, written.size())))
        return false;
    const bool uploaded = resource.kept.with_new([&](KeptContents& contents) {
        std::ranges::copy(written, contents.bytes.begin() + offset);
        contents.size = std::max(contents.size, end);
        return upload(context, contents);
    });
    if (uploaded)
        rebind_buffers(context, {.one = &resource.b});
    else
        settle_kept(context, resource);
    return true;
}

void settle_kept(Context& context, Resource& resource) {
    const std::unique_ptr<KeptContents> kept = resource.kept.take();
    if (!kept)
        return;
    // The app's thread knows this storage, so the driver must not replace it.
    u_default_buffer_subdata(&context, &resource.b,
                             TC_TRANSFER_MAP_NO_INVALIDATE |
                                 TC_TRANSFER_MAP_NO_INFER_UNSYNCHRONIZED,
                             0, kept->size, kept->bytes.data());
    rebind_everywhere(context, resource);
}

bool keeps_contents(pipe_screen* screen) {
    return !shares_storage(*Screen::from(screen));
}

void settle_contents(pipe_context* context, pipe_resource* buffer) {
    settle(*Context::from(context), *Resource::from(buffer));
}

} // namespace kobalt::gallium
