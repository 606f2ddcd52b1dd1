// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "drawing.h"

namespace kobalt::memory {

namespace {

constexpr uint32_t kSize = 8;

uint32_t local_memory(const Vulkan& vk, uint32_t types) {
    uint32_t any = 0;
    for (uint32_t i = vk.memory.memoryTypeCount; i-- > 0;) {
        if (!(types >> i & 1))
            continue;
        any = i;
        if (vk.memory.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)
            return i;
    }
    return any;
}

} // namespace

Drawing::Drawing(const Vulkan& vk) : vk_(vk) {
    VkImageCreateInfo image{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    image.imageType = VK_IMAGE_TYPE_2D;
    image.format = Maker::kFormat;
    image.extent = {kSize, kSize, 1};
    image.mipLevels = image.arrayLayers = 1;
    image.samples = VK_SAMPLE_COUNT_1_BIT;
    image.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    need(vk_.CreateImage(vk_.device, &image, nullptr, &image_), "vkCreateImage");
    VkMemoryRequirements needed{};
    vk_.GetImageMemoryRequirements(vk_.device, image_, &needed);
    VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocate.allocationSize = needed.size;
    allocate.memoryTypeIndex = local_memory(vk_, needed.memoryTypeBits);
    need(vk_.AllocateMemory(vk_.device, &allocate, nullptr, &memory_), "vkAllocateMemory");
    need(vk_.BindImageMemory(vk_.device, image_, memory_, 0), "vkBindImageMemory");
    VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    view.image = image_;
    view.viewType = VK_IMAGE_VIEW_TYPE_2D;
    view.format = Maker::kFormat;
    view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    need(vk_.CreateImageView(vk_.device, &view, nullptr, &view_), "vkCreateImageView");
    VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool_info.queueFamilyIndex = vk_.queue_family;
    need(vk_.CreateCommandPool(vk_.device, &pool_info, nullptr, &pool_), "vkCreateCommandPool");
    VkCommandBufferAllocateInfo buffer{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    buffer.commandPool = pool_;
    buffer.commandBufferCount = 1;
    need(vk_.AllocateCommandBuffers(vk_.device, &buffer, &commands_), "vkAllocateCommandBuffers");
}

Drawing::~Drawing() {
    vk_.DestroyCommandPool(vk_.device, pool_, nullptr);
    vk_.DestroyImageView(vk_.device, view_, nullptr);
    vk_.DestroyImage(vk_.device, image_, nullptr);
    vk_.FreeMemory(vk_.device, memory_, nullptr);
}

// Sets the pipelines' dynamic state; with `all`, the state that shader objects need.
void Drawing::set_state(bool all) const {
    const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
    const VkRect2D scissor{{0, 0}, {kSize, kSize}};
    vk_.CmdSetViewportWithCount(commands_, 1, &viewport);
    vk_.CmdSetScissorWithCount(commands_, 1, &scissor);
    if (!all)
        return;
    vk_.CmdSetRasterizerDiscardEnable(commands_, VK_FALSE);
    vk_.CmdSetPrimitiveTopology(commands_, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    vk_.CmdSetPrimitiveRestartEnable(commands_, VK_FALSE);
    vk_.CmdSetCullMode(commands_, VK_CULL_MODE_NONE);
    vk_.CmdSetFrontFace(commands_, VK_FRONT_FACE_COUNTER_CLOCKWISE);
    vk_.CmdSetDepthTestEnable(commands_, VK_FALSE);
    vk_.CmdSetDepthWriteEnable(commands_, VK_FALSE);
    vk_.CmdSetDepthBiasEnable(commands_, VK_FALSE);
    vk_.CmdSetStencilTestEnable(commands_, VK_FALSE);
    vk_.CmdSetVertexInputEXT(commands_, 0, nullptr, 0, nullptr);
    vk_.CmdSetPolygonModeEXT(commands_, VK_POLYGON_MODE_FILL);
    vk_.CmdSetRasterizationSamplesEXT(commands_, VK_SAMPLE_COUNT_1_BIT);
    const VkSampleMask mask = ~0U;
    vk_.CmdSetSampleMaskEXT(commands_, VK_SAMPLE_COUNT_1_BIT, &mask);
    vk_.CmdSetAlphaToCoverageEnableEXT(commands_, VK_FALSE);
    const VkBool32 blends = VK_FALSE;
    vk_.CmdSetColorBlendEnableEXT(commands_, 0, 1, &blends);
    const VkColorComponentFlags channels = 0xf;
    vk_.CmdSetColorWriteMaskEXT(commands_, 0, 1, &channels);
}

VkCommandBuffer Drawing::record(const Way& way, VkPipelineLayout layout,
                                std::span<const Program> programs) const {
    VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    need(vk_.BeginCommandBuffer(commands_, &begin), "vkBeginCommandBuffer");
    VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    barrier.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image_;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vk_.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                           VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, nullptr, 0, nullptr,
                           1, &barrier);
    VkRenderingAttachmentInfo colour{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    colour.imageView = view_;
    colour.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    colour.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    colour.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    VkRenderingInfo rendering{VK_STRUCTURE_TYPE_RENDERING_INFO};
    rendering.renderArea = {{0, 0}, {kSize, kSize}};
    rendering.layerCount = 1;
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachments = &colour;
    vk_.CmdBeginRendering(commands_, &rendering);
    const std::array<float, 4> scale{};
    if (layout != VK_NULL_HANDLE)
        vk_.CmdPushConstants(commands_, layout,
                             VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                             sizeof scale, scale.data());
    bool set = false;
    for (const Program& program : programs) {
        if (way.kind == Way::Kind::objects) {
            constexpr std::array stages{VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
            vk_.CmdBindShadersEXT(commands_, 2, stages.data(), program.objects.data());
        } else if (program.drawn() != VK_NULL_HANDLE) {
            vk_.CmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_GRAPHICS, program.drawn());
        } else {
            break; // the way makes nothing that can draw
        }
        if (!set)
            set_state(way.dynamic || way.kind == Way::Kind::objects);
        set = true;
        vk_.CmdDraw(commands_, 3, 1, 0, 0);
    }
    vk_.CmdEndRendering(commands_);
    need(vk_.EndCommandBuffer(commands_), "vkEndCommandBuffer");
    return commands_;
}

void Drawing::draw(const Way& way, VkPipelineLayout layout,
                   std::span<const Program> programs) const {
    record(way, layout, programs);
    VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands_;
    need(vk_.QueueSubmit(vk_.queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    need(vk_.QueueWaitIdle(vk_.queue), "vkQueueWaitIdle");
}

} // namespace kobalt::memory
