// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Tests a triangle from four pipeline libraries, fast-linked and optimised, into an off-screen
// image.
#include "compute_harness.h"

#include "vulkan/commands/query_pool.h"
#include "vulkan/pipelines/pipeline_library.h"
#include "vulkan/pipelines/shader_module.h"
#include "vulkan/resources/image.h"

#include "triangle_frag.h"
#include "triangle_vert.h"

namespace kobalt::vulkan::test {
namespace {

constexpr uint32_t size = 16;
constexpr VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;

class Library : public VulkanTest {
protected:
    Result<Pipeline> vertex_input() {
        auto input = vk_struct<VkPipelineVertexInputStateCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO);
        auto assembly = vk_struct<VkPipelineInputAssemblyStateCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO);
        assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
        auto info = base();
        info.pVertexInputState = &input;
        info.pInputAssemblyState = &assembly;
        return create_pipeline_library(
            *device_, VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT, info);
    }
    Result<Pipeline> pre_rasterization(VkPipelineLayout layout) {
        auto module = create_shader_module(*device_, triangle_vert, "triangle.vert");
        if (!module)
            return std::unexpected(module.error());
        const auto stage = shader(VK_SHADER_STAGE_VERTEX_BIT, module->get());
        auto raster = vk_struct<VkPipelineRasterizationStateCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
        raster.lineWidth = 1.0f;
        auto viewport = vk_struct<VkPipelineViewportStateCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO);
        const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
                                         VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT};
        auto dynamic = vk_struct<VkPipelineDynamicStateCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO);
        dynamic.dynamicStateCount = 2;
        dynamic.pDynamicStates = states;
        auto rendering = vk_struct<VkPipelineRenderingCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
        auto info = base();
        info.pNext = &rendering;
        info.stageCount = 1;
        info.pStages = &stage;
        info.pRasterizationState = &raster;
        info.pViewportState = &viewport;
        info.pDynamicState = &dynamic;
        info.layout = layout;
        return create_pipeline_library(
            *device_, VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT, info);
    }
    Result<Pipeline> fragment(VkPipelineLayout layout) {
        auto module = create_shader_module(*device_, triangle_frag, "triangle.frag");
        if (!module)
            return std::unexpected(module.error());
        const auto stage = shader(VK_SHADER_STAGE_FRAGMENT_BIT, module->get());
        auto depth = vk_struct<VkPipelineDepthStencilStateCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO);
        auto rendering = vk_struct<VkPipelineRenderingCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
        auto info = base();
        info.pNext = &rendering;
        info.stageCount = 1;
        info.pStages = &stage;
        info.pDepthStencilState = &depth;
        info.layout = layout;
        return create_pipeline_library(*device_,
                                       VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT, info);
    }
    Result<Pipeline> fragment_output() {
        VkPipelineColorBlendAttachmentState attachment{};
        attachment.colorWriteMask = 0xf;
        auto blend = vk_struct<VkPipelineColorBlendStateCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO);
        blend.attachmentCount = 1;
        blend.pAttachments = &attachment;
        auto samples = vk_struct<VkPipelineMultisampleStateCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO);
        samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
        auto rendering = vk_struct<VkPipelineRenderingCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
        rendering.colorAttachmentCount = 1;
        rendering.pColorAttachmentFormats = &format;
        auto info = base();
        info.pNext = &rendering;
        info.pColorBlendState = &blend;
        info.pMultisampleState = &samples;
        return create_pipeline_library(
            *device_, VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT, info);
    }

    /// Draws the triangle over the whole image and returns its last pixel and how many samples
    /// passed.
    void draw(VkPipeline pipeline, VkPipelineLayout layout, const float (&tint)[4], uint32_t& pixel,
              uint64_t& samples_passed) {
        const DeviceDispatch& vk = device_->vk();
        auto image_info = vk_struct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
        image_info.imageType = VK_IMAGE_TYPE_2D;
        image_info.format = format;
        image_info.extent = {size, size, 1};
        image_info.mipLevels = 1;
        image_info.arrayLayers = 1;
        image_info.samples = VK_SAMPLE_COUNT_1_BIT;
        image_info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
        KOBALT_VALUE(image,
                     Image::create(*device_, image_info, MemoryKind::device_local, "target"));
        const VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        auto view_info = vk_struct<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
        view_info.image = image.handle();
        view_info.viewType = VK_IMAGE_VIEW_TYPE_2D;
        view_info.format = format;
        view_info.subresourceRange = range;
        KOBALT_VALUE(view, create_image_view(*device_, view_info));
        KOBALT_VALUE(readback, storage_buffer(*device_, size * size, MemoryKind::readback));
        KOBALT_VALUE(queries, QueryPool::create(*device_, VK_QUERY_TYPE_OCCLUSION, 1));
        uint64_t unready = 0;
        KOBALT_VALUE(ready, queries.read(*device_, 0, 1, {&unready, 1}));
        EXPECT_FALSE(ready) << "a query that was never run has a result";

        CommandPools pools(*device_, device_->graphics());
        KOBALT_VALUE(pool, pools.acquire());
        KOBALT_VALUE(commands, pool->begin());
        barrier(commands, image.handle(), VK_IMAGE_LAYOUT_UNDEFINED,
                VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
        auto attachment =
            vk_struct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
        attachment.imageView = view.get();
        attachment.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
        attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
        auto rendering = vk_struct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
        rendering.renderArea.extent = {size, size};
        rendering.layerCount = 1;
        rendering.colorAttachmentCount = 1;
        rendering.pColorAttachments = &attachment;
        vk.CmdBeginRendering(commands, &rendering);
        const VkViewport viewport{0, 0, size, size, 0, 1};
        const VkRect2D scissor{{0, 0}, {size, size}};
        vk.CmdSetViewportWithCount(commands, 1, &viewport);
        vk.CmdSetScissorWithCount(commands, 1, &scissor);
        vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vk.CmdPushConstants(commands, layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof tint, tint);
        vk.CmdBeginQuery(commands, queries.handle(), 0, 0);
        vk.CmdDraw(commands, 3, 1, 0, 0);
        vk.CmdEndQuery(commands, queries.handle(), 0);
        vk.CmdEndRendering(commands);
        barrier(commands, image.handle(), VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
        VkBufferImageCopy region{};
        region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        region.imageExtent = {size, size, 1};
        vk.CmdCopyImageToBuffer(commands, image.handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                readback.handle(), 1, &region);
        ASSERT_TRUE(pool->end(commands).has_value());
        KOBALT_VALUE(value, device_->graphics().submit({&commands, 1}));
        pools.release(std::move(pool), value);
        ASSERT_TRUE(device_->graphics().timeline().wait(value).has_value());
        readback.invalidate(0, VK_WHOLE_SIZE);
        pixel = words(readback)[size * size - 1];
        KOBALT_VALUE(available, queries.read(*device_, 0, 1, {&samples_passed, 1}));
        EXPECT_TRUE(available);
    }

private:
    static VkGraphicsPipelineCreateInfo base() {
        auto info = vk_struct<VkGraphicsPipelineCreateInfo>(
            VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
        info.basePipelineIndex = -1;
        return info;
    }
    static VkPipelineShaderStageCreateInfo shader(VkShaderStageFlagBits stage,
                                                  VkShaderModule module) {
        auto info = vk_struct<VkPipelineShaderStageCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
        info.stage = stage;
        info.module = module;
        info.pName = "main";
        return info;
    }
    void barrier(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to) {
        auto barrier = vk_struct<VkImageMemoryBarrier2>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2);
        barrier.srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        barrier.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
        barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
        barrier.oldLayout = from;
        barrier.newLayout = to;
        barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.image = image;
        barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        auto dependency = vk_struct<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
        dependency.imageMemoryBarrierCount = 1;
        dependency.pImageMemoryBarriers = &barrier;
        device_->vk().CmdPipelineBarrier2(commands, &dependency);
    }
};

TEST_F(Library, FastLinkedAndOptimisedTriangle) {
    KOBALT_NEEDS(Capability::graphics_pipeline_library);
    const VkPushConstantRange push{VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16};
    KOBALT_VALUE(layout, create_pipeline_layout(*device_, {}, {&push, 1}, true));
    KOBALT_VALUE(input, vertex_input());
    KOBALT_VALUE(pre, pre_rasterization(layout.get()));
    KOBALT_VALUE(shader, fragment(layout.get()));
    KOBALT_VALUE(output, fragment_output());
    const VkPipeline parts[] = {input.get(), pre.get(), shader.get(), output.get()};
    const struct {
        LinkMode mode;
        float tint[4];
        uint32_t pixel;
    } cases[] = {
        {LinkMode::fast, {1.0f, 0.0f, 0.0f, 1.0f}, 0xff0000ffu},
        {LinkMode::optimized, {0.0f, 0.0f, 1.0f, 0.0f}, 0x00ff0000u},
    };
    for (const auto& c : cases) {
        KOBALT_VALUE(pipeline, link_pipeline(*device_, parts, layout.get(), c.mode));
        uint32_t pixel = 0;
        uint64_t samples = 0;
        draw(pipeline.get(), layout.get(), c.tint, pixel, samples);
        EXPECT_EQ(pixel, c.pixel);
        EXPECT_GT(samples, 0u);
    }
}

} // namespace
} // namespace kobalt::vulkan::test
