// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cstdlib>
#include <cstring>

#include "gallium/context/with_storage.h"
#include "gallium/resource/transfer.h"

namespace kobalt::gallium {

namespace {

constexpr uint64_t forever = UINT64_MAX;
constexpr uint64_t foreign_batch_timeout_ns = 50'000'000;

/// CPU reads from video memory are uncached: from this many bytes on, a copy is faster.
constexpr int copy_read_threshold = 1024;

void mark_valid(Resource& resource, unsigned begin, unsigned end) {
    util_range_add(&resource.b, &resource.valid_buffer_range, begin, end);
}

/// Whether the storage can't be replaced: it is shared, is the app's memory, or is sparse.
bool keeps_storage(const Resource& resource) {
    return resource.is_shared || resource.is_user_ptr ||
           (resource.b.flags & PIPE_RESOURCE_FLAG_SPARSE);
}

/// Whether the GPU uses the buffer, in any way.
bool is_busy(Context& context, const Resource& buffer) {
    return with_storage(context.kobalt_screen(), buffer,
                        [](const render::Buffer* storage) { return storage->busy(false); });
}

/// Refines the flags as the threaded context does, for contexts without one.
unsigned refine_usage(Context& context, Resource& resource, unsigned usage, const pipe_box& box) {
    if (!(usage & (TC_TRANSFER_MAP_NO_INFER_UNSYNCHRONIZED | PIPE_MAP_UNSYNCHRONIZED)) &&
        (usage & PIPE_MAP_WRITE) && !(usage & PIPE_MAP_READ) && !resource.is_shared &&
        !util_ranges_intersect(&resource.valid_buffer_range, box.x, box.x + box.width))
        usage |= PIPE_MAP_UNSYNCHRONIZED;
    if ((usage & PIPE_MAP_DISCARD_WHOLE_RESOURCE) &&
        !(usage & (PIPE_MAP_UNSYNCHRONIZED | PIPE_MAP_PERSISTENT))) {
        if (!(usage & TC_TRANSFER_MAP_NO_INVALIDATE) && !keeps_storage(resource) &&
            is_busy(context, resource)) {
            if (auto fresh = allocate_buffer(context.kobalt_screen(), resource.b)) {
                util_range_set_empty(&resource.valid_buffer_range);
                replace_storage(context, resource, std::move(fresh));
                return usage | PIPE_MAP_UNSYNCHRONIZED;
            }
        }
        usage |= PIPE_MAP_DISCARD_RANGE;
    }
    return usage;
}

/// A copy of kept contents, for a map that only reads them; to be freed. Null: the map needs the
/// storage, or memory is out.
std::byte* copy_of_kept(const Resource& resource, unsigned usage, const pipe_box& box) {
    if (resource.kept.empty() || (usage & PIPE_MAP_WRITE) || (usage & PIPE_MAP_PERSISTENT))
        return nullptr;
    std::byte* copy = nullptr;
    resource.kept.with([&](const KeptContents& kept) {
        if (static_cast<unsigned>(box.x + box.width) > kept.size)
            return;
        copy = static_cast<std::byte*>(std::malloc(static_cast<size_t>(box.width)));
        if (copy)
            std::memcpy(copy, kept.bytes.data() + box.x, static_cast<size_t>(box.width));
    });
    return copy;
}

/// Copies the range into a readback buffer and waits for it.
bool read_back(Context& context, Resource& resource, Transfer& transfer) {
    const pipe_box& box = transfer.b.box;
    auto target = allocate_readback(context.kobalt_screen(), box.width);
    if (!target)
        return false;
    context.recorder.slow_path(render::SlowPath::read_back, "a buffer");
    const VkBufferCopy region{static_cast<VkDeviceSize>(box.x), 0,
                              static_cast<VkDeviceSize>(box.width)};
    context.recorder.copy_buffer(*resource.storage.hold(), *target, {&region, 1});
    if (!wait_for(context, *target, true, false))
        return false;
    target->storage().invalidate(0, box.width);
    transfer.staged = target->mapped();
    transfer.staging_offset = 0;
    transfer.staging_buffer = target.leak();
    return true;
}

bool stage_write(Context& context, Transfer& transfer, bool own_thread) {
    const pipe_box& box = transfer.b.box;
    // GL_MIN_MAP_BUFFER_ALIGNMENT applies to the start of the buffer, not to that of the range.
    const uint32_t misalignment = box.x % 64;
    Upload upload;
    if (own_thread) {
        upload = allocate_upload(context, box.width + misalignment, 64);
    } else {
        // The uploader belongs to the driver's thread.
        pipe_resource templ{};
        templ.target = PIPE_BUFFER;
        templ.width0 = box.width + misalignment;
        templ.usage = PIPE_USAGE_STREAM;
        upload.buffer = allocate_buffer(context.kobalt_screen(), templ);
        upload.mapped = upload.buffer ? upload.buffer->mapped() : nullptr;
    }
    if (!upload.mapped)
        return false;
    transfer.staged = upload.mapped + misalignment;
    transfer.staging_offset = upload.offset + misalignment;
    transfer.staging_buffer = upload.buffer.leak();
    return true;
}

void* buffer_map(pipe_context* pcontext, pipe_resource* presource, unsigned level, unsigned usage,
                 const pipe_box* box, pipe_transfer** out) {
    Context& context = *Context::from(pcontext);
    Resource& resource = *Resource::from(presource);
    const bool own_thread = !(usage & (TC_TRANSFER_MAP_THREADED_UNSYNC | PIPE_MAP_THREAD_SAFE));
    std::byte* const kept = own_thread ? copy_of_kept(resource, usage, *box) : nullptr;
    if (own_thread && !kept)
        settle(context, resource);
    usage = refine_usage(context, resource, usage, *box);
    Transfer* transfer = begin_transfer(presource, level, usage, *box);
    if (!transfer) {
        std::free(kept);
        return nullptr;
    }
    if (kept) {
        transfer->packed = kept;
        *out = &transfer->b;
        return kept;
    }
    const bool discards = usage & (PIPE_MAP_DISCARD_RANGE | PIPE_MAP_DISCARD_WHOLE_RESOURCE);
    render::Ref<render::Buffer> held;
    if (shares_storage(context.kobalt_screen()))
        held = resource.storage.hold();
    render::Buffer& buffer = held ? *held : *resource.storage.get();
    *out = &transfer->b;
    const auto fail = [&]() -> void* {
        end_transfer(transfer);
        *out = nullptr;
        return nullptr;
    };

    if (buffer.mapped()) {
        const bool slow_reads =
            !context.kobalt_screen().is_cpu &&
            buffer.storage().kind() == vulkan::MemoryKind::device_local_mappable;
        if (own_thread && (usage & PIPE_MAP_READ) &&
            !(usage & (PIPE_MAP_WRITE | PIPE_MAP_PERSISTENT | PIPE_MAP_DIRECTLY)) && slow_reads &&
            box->width >= copy_read_threshold) {
            if (read_back(context, resource, *transfer))
                return transfer->staged;
        }
        if (!(usage & PIPE_MAP_UNSYNCHRONIZED)) {
            const bool reads_only = !(usage & PIPE_MAP_WRITE);
            if (buffer.busy(reads_only)) {
                if (discards &&
                    !(usage & (PIPE_MAP_PERSISTENT | PIPE_MAP_READ | PIPE_MAP_DIRECTLY)))
                    return stage_write(context, *transfer, own_thread) ? transfer->staged : fail();
                if (!(usage & PIPE_MAP_DONTBLOCK))
                    context.recorder.slow_path(render::SlowPath::busy_map,
                                               reads_only ? "to read what the GPU writes"
                                                          : "to write what the GPU uses");
                // Another context may be made meanwhile.
                const render::Ref waited_for(&buffer);
                if (!wait_for(context, buffer, reads_only, usage & PIPE_MAP_DONTBLOCK))
                    return fail();
            }
        }
        if (usage & PIPE_MAP_READ)
            buffer.storage().invalidate(box->x, box->width);
        if (usage & PIPE_MAP_WRITE) {
            mark_valid(resource, box->x, box->x + box->width);
            buffer.note_written();
        }
        return buffer.mapped() + box->x;
    }

    // The buffer is in video memory that the CPU can't map.
    const bool keeps_old = (usage & PIPE_MAP_READ) ||
                           !(discards || (usage & PIPE_MAP_UNSYNCHRONIZED)) ||
                           (usage & PIPE_MAP_FLUSH_EXPLICIT && !discards);
    if (keeps_old && own_thread) {
        if ((usage & PIPE_MAP_DONTBLOCK) && buffer.busy(true))
            return fail();
        return read_back(context, resource, *transfer) ? transfer->staged : fail();
    }
    return stage_write(context, *transfer, own_thread) ? transfer->staged : fail();
}

/// `offset`: from the start of the mapped range, bytes.
void write_range(Context& context, Transfer& transfer, unsigned offset, unsigned size) {
    Resource& resource = *Resource::from(transfer.b.resource);
    const unsigned start = transfer.b.box.x + offset;
    if (!size)
        return;
    if (!transfer.staging_buffer) {
        with_storage(context.kobalt_screen(), resource, [=](render::Buffer* buffer) {
            buffer->storage().flush(start, size);
            // Noted again after the map: the app's thread may write while another makes something
            // of the contents (ConvertedIndices).
            buffer->note_write();
        });
        return;
    }
    transfer.staging_buffer->storage().flush(transfer.staging_offset + offset, size);
    const VkBufferCopy region{transfer.staging_offset + offset, start, size};
    context.recorder.copy_buffer(*transfer.staging_buffer, *resource.storage.hold(), {&region, 1});
    mark_valid(resource, start, start + size);
}

void buffer_flush_region(pipe_context* pcontext, pipe_transfer* ptransfer, const pipe_box* box) {
    if (ptransfer->usage & PIPE_MAP_WRITE)
        write_range(*Context::from(pcontext), *Transfer::from(ptransfer), box->x, box->width);
}

void buffer_unmap(pipe_context* pcontext, pipe_transfer* ptransfer) {
    Transfer* transfer = Transfer::from(ptransfer);
    if ((ptransfer->usage & PIPE_MAP_WRITE) && !(ptransfer->usage & PIPE_MAP_FLUSH_EXPLICIT))
        write_range(*Context::from(pcontext), *transfer, 0, ptransfer->box.width);
    end_transfer(transfer);
}

void buffer_subdata(pipe_context* pcontext, pipe_resource* presource, unsigned usage,
                    unsigned offset, unsigned size, const void* data) {
    Context& context = *Context::from(pcontext);
    if (context.threaded && (usage & TC_TRANSFER_MAP_KEEP_CONTENTS)) {
        if (keep_contents(context, *Resource::from(presource), offset,
                          {static_cast<const std::byte*>(data), size}))
            return;
        usage |= TC_TRANSFER_MAP_NO_INVALIDATE | TC_TRANSFER_MAP_NO_INFER_UNSYNCHRONIZED;
    }
    u_default_buffer_subdata(pcontext, presource, usage & ~TC_TRANSFER_MAP_KEEP_CONTENTS, offset,
                             size, data);
}

void invalidate_resource(pipe_context* pcontext, pipe_resource* presource) {
    Context& context = *Context::from(pcontext);
    Resource& resource = *Resource::from(presource);
    if (!resource.is_buffer()) {
        give_up_samples(context, resource);
        context.recorder.invalidate(*resource.image);
    }
    if (!resource.is_buffer() || keeps_storage(resource) || !is_busy(context, resource))
        return;
    if (auto fresh = allocate_buffer(context.kobalt_screen(), resource.b)) {
        util_range_set_empty(&resource.valid_buffer_range);
        replace_storage(context, resource, std::move(fresh));
    }
}

void flush_region(pipe_context* context, pipe_transfer* transfer, const pipe_box* box) {
    if (transfer->resource->target == PIPE_BUFFER)
        buffer_flush_region(context, transfer, box);
    else
        u_transfer_helper_transfer_flush_region(context, transfer, box);
}

} // namespace

Transfer* begin_transfer(pipe_resource* resource, unsigned level, unsigned usage,
                         const pipe_box& box) {
    void* const memory = Screen::from(resource->screen)->transfer_blocks.take();
    if (!memory)
        return nullptr;
    auto* const transfer = new (memory) Transfer{};
    pipe_resource_reference(&transfer->b.resource, resource);
    transfer->b.level = level;
    transfer->b.usage = static_cast<pipe_map_flags>(usage);
    transfer->b.box = box;
    return transfer;
}

void end_transfer(Transfer* transfer) {
    if (transfer->staging_buffer)
        transfer->staging_buffer->release();
    std::free(transfer->packed);
    BlockPool& blocks = Screen::from(transfer->b.resource->screen)->transfer_blocks;
    pipe_resource_reference(&transfer->b.resource, nullptr);
    blocks.give(transfer);
}

bool wait_for(Context& context, render::Resource& resource, bool writes_only, bool dont_block) {
    if (resource.unflushed(writes_only) && !context.recorder.empty())
        context.recorder.flush();
    if (dont_block)
        return !resource.busy(writes_only);
    if (resource.unflushed(writes_only)) {
        // The resource is used in another context's open batch, which may never be submitted. GL
        // requires a flush there first, so the result is undefined, but this must not hang.
        resource.wait_idle(writes_only, foreign_batch_timeout_ns);
        return true;
    }
    return resource.wait_idle(writes_only, forever);
}

Upload allocate_upload(Context& context, VkDeviceSize size, uint32_t alignment,
                       VkDeviceSize before) {
    Upload upload;
    if (size > most_upload_bytes || before > most_upload_bytes - size)
        return upload;
    unsigned offset = 0;
    pipe_resource* resource = nullptr;
    void* mapped = nullptr;
    u_upload_alloc(context.stream_uploader, static_cast<unsigned>(before),
                   static_cast<unsigned>(size), alignment, &offset, &resource, &mapped);
    if (mapped) {
        upload.buffer = render::Ref(Resource::from(resource)->storage.get());
        upload.offset = offset;
        upload.mapped = static_cast<std::byte*>(mapped);
    }
    pipe_resource_reference(&resource, nullptr);
    return upload;
}

void init_buffer_transfer_functions(Context& context) {
    context.buffer_map = buffer_map;
    context.buffer_unmap = buffer_unmap;
    context.buffer_subdata = buffer_subdata;
    context.transfer_flush_region = flush_region;
    context.invalidate_resource = invalidate_resource;
}

void init_transfer_functions(Context& context) {
    init_buffer_transfer_functions(context);
    init_texture_transfer_functions(context);
    init_pixel_copy_functions(context);
}

} // namespace kobalt::gallium
