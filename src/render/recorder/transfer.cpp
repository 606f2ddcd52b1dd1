// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/impl.h"

// Copies. Where this batch's main stream has not used what a copy writes, and has not written what
// the copy reads, the copy goes into the init stream, which runs first. Else it leaves the pass and
// takes care of its barriers.

namespace kobalt::render {
namespace {

constexpr VkPipelineStageFlags2 transfer = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
constexpr VkImageLayout general = VK_IMAGE_LAYOUT_GENERAL;

uint32_t count_of(const auto& regions) {
    return static_cast<uint32_t>(regions.size());
}

/// The bytes from the first to the last that are written.
ByteRange written_by(std::span<const VkBufferCopy> regions) {
    if (regions.empty())
        return {};
    ByteRange all = ByteRange::of(regions[0].dstOffset, regions[0].size);
    for (const VkBufferCopy& region : regions)
        all.include(ByteRange::of(region.dstOffset, region.size));
    return all;
}

} // namespace

/// Whether a copy into `part` of `to` may run before all that the batch's main stream has. Clears
/// that wait for the next pass count as used. An external image may have to be acquired, which the
/// main stream does.
template <class To, class From>
bool Recorder::Impl::may_run_first(const To& to, const ByteRange& part, const From* from) const {
    const auto held_back = [this](const auto& resource) {
        if constexpr (std::is_same_v<std::decay_t<decltype(resource)>, Image>)
            return resource.external() || attached(resource);
        return false;
    };
    return paths.init_stream && !held_back(to) && !batch->used_by_main(to, part) &&
           (!from || (!held_back(*from) && !batch->written_by_main(*from)));
}

/// The command buffer for a copy into `part` of `to` (and out of `from`, unless null), outside the
/// pass and after the barriers that it needs. Null: rendering has stopped.
template <class To, class From>
VkCommandBuffer Recorder::Impl::begin_copy(To& to, From* from, const ByteRange& part) {
    if (!bound_batch())
        return VK_NULL_HANDLE;
    ++tally.copies;
    if constexpr (std::is_same_v<To, Image>)
        initialize(to);
    if constexpr (std::is_same_v<From, Image>)
        if (from)
            initialize(*from);
    if (may_run_first(to, part, from))
        if (const auto first = batch->init().commands()) {
            Hazard needed;
            if (from)
                needed = batch->add_init_access(*from, VK_ACCESS_2_TRANSFER_READ_BIT, false);
            needed.merge(batch->add_init_access(to, VK_ACCESS_2_TRANSFER_WRITE_BIT, true, part));
            if (needed)
                batch->init().order(needed);
            return *first;
        }
    if constexpr (std::is_same_v<To, Buffer>)
        if (part.begin > 0 || part.end < to.size())
            to.count_parts(true);
    recorder.leave_pass();
    if (from)
        hazards.read(*from, transfer, VK_ACCESS_2_TRANSFER_READ_BIT);
    hazards.write(to, transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    flush_barriers();
    return commands();
}

void Recorder::copy_buffer(Buffer& from, Buffer& to, std::span<const VkBufferCopy> regions) {
    if (const VkCommandBuffer commands = impl_->begin_copy(to, &from, written_by(regions)))
        impl_->vk.CmdCopyBuffer(commands, from.handle(), to.handle(), count_of(regions),
                                regions.data());
}

void Recorder::fill_buffer(Buffer& to, VkDeviceSize offset, VkDeviceSize size, uint32_t value) {
    const ByteRange part = ByteRange::of(offset, size);
    if (const VkCommandBuffer commands = impl_->begin_copy<Buffer, Buffer>(to, nullptr, part))
        impl_->vk.CmdFillBuffer(commands, to.handle(), offset, size, value);
}

void Recorder::copy_image(Image& from, Image& to, std::span<const VkImageCopy> regions) {
    if (const VkCommandBuffer commands = impl_->begin_copy(to, &from))
        impl_->vk.CmdCopyImage(commands, from.handle(), general, to.handle(), general,
                               count_of(regions), regions.data());
}

void Recorder::copy_buffer_to_image(Buffer& from, Image& to,
                                    std::span<const VkBufferImageCopy> regions) {
    if (const VkCommandBuffer commands = impl_->begin_copy(to, &from))
        impl_->vk.CmdCopyBufferToImage(commands, from.handle(), to.handle(), general,
                                       count_of(regions), regions.data());
}

void Recorder::copy_image_to_buffer(Image& from, Buffer& to,
                                    std::span<const VkBufferImageCopy> regions) {
    if (const VkCommandBuffer commands = impl_->begin_copy(to, &from))
        impl_->vk.CmdCopyImageToBuffer(commands, from.handle(), general, to.handle(),
                                       count_of(regions), regions.data());
}

void Recorder::blit_image(Image& from, Image& to, std::span<const VkImageBlit> regions,
                          VkFilter filter) {
    if (const VkCommandBuffer commands = impl_->begin_copy(to, &from))
        impl_->vk.CmdBlitImage(commands, from.handle(), general, to.handle(), general,
                               count_of(regions), regions.data(), filter);
}

void Recorder::resolve_image(Image& from, Image& to, std::span<const VkImageResolve> regions) {
    if (const VkCommandBuffer commands = impl_->begin_copy(to, &from))
        impl_->vk.CmdResolveImage(commands, from.handle(), general, to.handle(), general,
                                  count_of(regions), regions.data());
}

void Recorder::clear_image(Image& to, const VkClearColorValue& value,
                           std::span<const VkImageSubresourceRange> ranges) {
    if (const VkCommandBuffer commands = impl_->begin_copy<Image, Image>(to, nullptr))
        impl_->vk.CmdClearColorImage(commands, to.handle(), general, &value, count_of(ranges),
                                     ranges.data());
}

void Recorder::clear_image(Image& to, const VkClearDepthStencilValue& value,
                           std::span<const VkImageSubresourceRange> ranges) {
    if (const VkCommandBuffer commands = impl_->begin_copy<Image, Image>(to, nullptr))
        impl_->vk.CmdClearDepthStencilImage(commands, to.handle(), general, &value,
                                            count_of(ranges), ranges.data());
}

} // namespace kobalt::render
