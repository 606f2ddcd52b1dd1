// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder_impl.h"

// Copies: each leaves the pass and takes care of its barriers.

namespace kobalt::render {
namespace {

constexpr VkPipelineStageFlags2 transfer = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
constexpr VkImageLayout general = VK_IMAGE_LAYOUT_GENERAL;

} // namespace

#define KOBALT_BEGIN_COPY()                                                                        \
    Impl& impl = *impl_;                                                                           \
    if (impl.broken)                                                                               \
        return;                                                                                    \
    leave_pass()

void Recorder::copy_buffer(Buffer& from, Buffer& to, std::span<const VkBufferCopy> regions) {
    KOBALT_BEGIN_COPY();
    impl.track_read(from, transfer, VK_ACCESS_2_TRANSFER_READ_BIT);
    impl.track_write(to, transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    impl.flush_barriers();
    impl.vk.CmdCopyBuffer(impl.commands(), from.handle(), to.handle(), static_cast<uint32_t>(regions.size()), regions.data());
}

void Recorder::fill_buffer(Buffer& to, VkDeviceSize offset, VkDeviceSize size, uint32_t value) {
    KOBALT_BEGIN_COPY();
    impl.track_write(to, transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    impl.flush_barriers();
    impl.vk.CmdFillBuffer(impl.commands(), to.handle(), offset, size, value);
}

void Recorder::copy_image(Image& from, Image& to, std::span<const VkImageCopy> regions) {
    KOBALT_BEGIN_COPY();
    impl.touch(from);
    impl.touch(to);
    impl.track_read(from, transfer, VK_ACCESS_2_TRANSFER_READ_BIT);
    impl.track_write(to, transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    impl.flush_barriers();
    impl.vk.CmdCopyImage(impl.commands(), from.handle(), general, to.handle(), general, static_cast<uint32_t>(regions.size()),
                         regions.data());
}

void Recorder::copy_buffer_to_image(Buffer& from, Image& to, std::span<const VkBufferImageCopy> regions) {
    KOBALT_BEGIN_COPY();
    impl.touch(to);
    impl.track_read(from, transfer, VK_ACCESS_2_TRANSFER_READ_BIT);
    impl.track_write(to, transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    impl.flush_barriers();
    impl.vk.CmdCopyBufferToImage(impl.commands(), from.handle(), to.handle(), general, static_cast<uint32_t>(regions.size()),
                                 regions.data());
}

void Recorder::copy_image_to_buffer(Image& from, Buffer& to, std::span<const VkBufferImageCopy> regions) {
    KOBALT_BEGIN_COPY();
    impl.touch(from);
    impl.track_read(from, transfer, VK_ACCESS_2_TRANSFER_READ_BIT);
    impl.track_write(to, transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    impl.flush_barriers();
    impl.vk.CmdCopyImageToBuffer(impl.commands(), from.handle(), general, to.handle(), static_cast<uint32_t>(regions.size()),
                                 regions.data());
}

void Recorder::blit_image(Image& from, Image& to, std::span<const VkImageBlit> regions, VkFilter filter) {
    KOBALT_BEGIN_COPY();
    impl.touch(from);
    impl.touch(to);
    impl.track_read(from, transfer, VK_ACCESS_2_TRANSFER_READ_BIT);
    impl.track_write(to, transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    impl.flush_barriers();
    impl.vk.CmdBlitImage(impl.commands(), from.handle(), general, to.handle(), general, static_cast<uint32_t>(regions.size()),
                         regions.data(), filter);
}

void Recorder::resolve_image(Image& from, Image& to, std::span<const VkImageResolve> regions) {
    KOBALT_BEGIN_COPY();
    impl.touch(from);
    impl.touch(to);
    impl.track_read(from, transfer, VK_ACCESS_2_TRANSFER_READ_BIT);
    impl.track_write(to, transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    impl.flush_barriers();
    impl.vk.CmdResolveImage(impl.commands(), from.handle(), general, to.handle(), general, static_cast<uint32_t>(regions.size()),
                            regions.data());
}

void Recorder::clear_image(Image& to, const VkClearColorValue& value, std::span<const VkImageSubresourceRange> ranges) {
    KOBALT_BEGIN_COPY();
    impl.touch(to);
    impl.track_write(to, transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    impl.flush_barriers();
    impl.vk.CmdClearColorImage(impl.commands(), to.handle(), general, &value, static_cast<uint32_t>(ranges.size()), ranges.data());
}

void Recorder::clear_image(Image& to, const VkClearDepthStencilValue& value, std::span<const VkImageSubresourceRange> ranges) {
    KOBALT_BEGIN_COPY();
    impl.touch(to);
    impl.track_write(to, transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    impl.flush_barriers();
    impl.vk.CmdClearDepthStencilImage(impl.commands(), to.handle(), general, &value, static_cast<uint32_t>(ranges.size()),
                                      ranges.data());
}

#undef KOBALT_BEGIN_COPY

} // namespace kobalt::render
