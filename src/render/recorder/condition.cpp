// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/impl.h"
#include "vulkan/resources/image.h"

// Conditional rendering (VK_EXT_conditional_rendering): the device decides by a word in a buffer
// whether it executes draws, dispatches and clears of attachments.

namespace kobalt::render {

void begin_condition(const vulkan::DeviceDispatch& vk, VkCommandBuffer commands,
                     const Buffer& predicate, VkDeviceSize offset, bool inverted) {
    VkConditionalRenderingBeginInfoEXT info{VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT};
    info.buffer = predicate.handle();
    info.offset = offset;
    info.flags = inverted ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0;
    vk.CmdBeginConditionalRenderingEXT(commands, &info);
}

void Recorder::set_condition(Buffer* predicate, bool inverted) {
    impl_->condition.set(predicate, inverted);
}

bool Recorder::Impl::create_predicate_image() {
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_R32_UINT; // can be rendered to on every device
    info.extent = {1, 1, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    auto image = vulkan::Image::create(engine.device(), info, vulkan::MemoryKind::device_local,
                                       "query predicate");
    if (!image)
        return false;
    Ref<Image> storage = make_ref<Image>(std::move(*image));
    VkImageViewCreateInfo view_info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    view_info.image = storage->handle();
    view_info.viewType = VK_IMAGE_VIEW_TYPE_2D;
    view_info.format = info.format;
    view_info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    auto view = vulkan::create_image_view(engine.device(), view_info, "query predicate");
    if (!view)
        return false;
    predicate_image = make_ref<ImageView>(std::move(storage), std::move(*view));
    return true;
}

bool Recorder::write_predicate(std::span<const QueryWord> queries, Buffer& predicate) {
    Impl& impl = *impl_;
    if (impl.broken || predicate.size() < predicate_bytes(queries.size()) ||
        (queries.size() > 1 && !impl.predicate_image && !impl.create_predicate_image()))
        return false;
    leave_pass();
    const VkCommandBuffer commands = impl.commands();
    constexpr VkPipelineStageFlags2 copy = VK_PIPELINE_STAGE_2_COPY_BIT;
    impl.hazards.write(predicate, copy, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    impl.flush_barriers();
    // One query's word is the predicate; those of several follow it.
    const bool many = queries.size() > 1;
    for (size_t i = 0; i < queries.size(); ++i)
        impl.vk.CmdCopyQueryPoolResults(commands, queries[i].pool, queries[i].index, 1,
                                        predicate.handle(), many ? 4 * (i + 1) : 0, 4,
                                        VK_QUERY_RESULT_WAIT_BIT);
    if (many)
        impl.merge_predicate(predicate, queries.size());
    // Added now, so that no pass has to end for it later.
    impl.hazards.read(predicate, VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT,
                      VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT);
    return true;
}

bool Recorder::copy_query_values(std::span<const QueryWord> queries, Buffer& into) {
    Impl& impl = *impl_;
    if (impl.broken)
        return false;
    leave_pass();
    const VkCommandBuffer commands = impl.commands();
    impl.hazards.write(into, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    impl.flush_barriers();
    VkDeviceSize at = 0;
    for (const QueryWord& query : queries) {
        const VkDeviceSize bytes = sizeof(uint64_t) * VkDeviceSize{query.values};
        impl.vk.CmdCopyQueryPoolResults(commands, query.pool, query.index, 1, into.handle(), at,
                                        bytes, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
        at += bytes;
    }
    return true;
}

// No command adds or ors words of a buffer, but clears obey conditions: each word that isn't zero
// sets the one texel of an image, whose value then becomes the predicate.
void Recorder::Impl::merge_predicate(Buffer& predicate, size_t words) {
    Image& image = predicate_image->image();
    initialize(image);
    hazards.write(image, VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                  VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT);
    hazards.read(predicate, VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT,
                 VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT);
    batch->retain(*predicate_image);
    flush_barriers();
    VkRenderingAttachmentInfo attachment{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    attachment.imageView = predicate_image->handle();
    attachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
    info.renderArea.extent = {1, 1};
    info.layerCount = 1;
    info.colorAttachmentCount = 1;
    info.pColorAttachments = &attachment;
    vk.CmdBeginRendering(commands(), &info);
    ++tally.passes;
    VkClearAttachment set{VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
    set.clearValue.color.uint32[0] = 1;
    const VkClearRect texel{{{0, 0}, {1, 1}}, 0, 1};
    for (size_t i = 0; i < words; ++i) {
        begin_condition(vk, commands(), predicate, 4 * (i + 1), false);
        vk.CmdClearAttachments(commands(), 1, &set, 1, &texel);
        vk.CmdEndConditionalRenderingEXT(commands());
    }
    vk.CmdEndRendering(commands());

    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {1, 1, 1};
    recorder.copy_image_to_buffer(image, predicate, {&region, 1});
}

} // namespace kobalt::render
