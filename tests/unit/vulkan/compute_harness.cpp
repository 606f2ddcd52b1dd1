// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "compute_harness.h"

#include "vulkan/pipelines/shader_module.h"

#include "scale_comp.h"

namespace kobalt::vulkan::test {

std::span<const uint32_t> Scale::default_code() {
    return scale_comp;
}

Result<Scale> Scale::create(Device& device, DescriptorMode mode, VkPipelineCache cache,
                            std::span<const uint32_t> code) {
    const DescriptorBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, 0},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, 0},
    };
    Scale scale;
    Result<DescriptorSetLayout> set_layout =
        DescriptorSetLayout::create(device, bindings, mode, "scale set");
    if (!set_layout)
        return std::unexpected(set_layout.error());
    scale.set_layout = std::move(*set_layout);
    const VkDescriptorSetLayout sets[] = {scale.set_layout.handle()};
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Push)};
    Result<PipelineLayout> layout = create_pipeline_layout(device, sets, {&range, 1});
    if (!layout)
        return std::unexpected(layout.error());
    scale.layout = std::move(*layout);
    Result<ShaderModule> module = create_shader_module(device, code, "scale.comp");
    if (!module)
        return std::unexpected(module.error());
    ComputePipelineInfo info;
    info.module = module->get();
    info.layout = scale.layout.get();
    info.name = "scale";
    if (mode == DescriptorMode::buffer)
        info.flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    Result<Pipeline> pipeline = create_compute_pipeline(device, info, cache);
    if (!pipeline)
        return std::unexpected(pipeline.error());
    scale.pipeline = std::move(*pipeline);
    return scale;
}

void Scale::dispatch(const Device& device, VkCommandBuffer commands, const Push& push) const {
    device.vk().CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.get());
    device.vk().CmdPushConstants(commands, layout.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                 sizeof push, &push);
    device.vk().CmdDispatch(commands, (push.count + 63) / 64, 1, 1);
}

Result<Buffer> storage_buffer(Device& device, uint32_t count, MemoryKind kind) {
    BufferInfo info;
    info.size = VkDeviceSize{count} * sizeof(uint32_t);
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    info.kind = kind;
    info.name = "test storage";
    return Buffer::create(device, info);
}

uint32_t* words(const Buffer& buffer) {
    return reinterpret_cast<uint32_t*>(buffer.mapped());
}

void compute_barrier(const Device& device, VkCommandBuffer commands) {
    auto barrier = vk_struct<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
    barrier.srcStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    barrier.srcAccessMask = VK_ACCESS_2_SHADER_WRITE_BIT;
    barrier.dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT |
                           VK_PIPELINE_STAGE_2_HOST_BIT;
    barrier.dstAccessMask = VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT |
                            VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_HOST_READ_BIT;
    auto dependency = vk_struct<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
    dependency.memoryBarrierCount = 1;
    dependency.pMemoryBarriers = &barrier;
    device.vk().CmdPipelineBarrier2(commands, &dependency);
}

void write_set(const Device& device, VkDescriptorSet set, const Buffer& source,
               const Buffer& target) {
    const VkDescriptorBufferInfo buffers[] = {{source.handle(), 0, VK_WHOLE_SIZE},
                                              {target.handle(), 0, VK_WHOLE_SIZE}};
    auto write = vk_struct<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = set;
    // Two bindings of one type in a row: the second descriptor continues into binding 1.
    write.descriptorCount = 2;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = buffers;
    device.vk().UpdateDescriptorSets(device.handle(), 1, &write, 0, nullptr);
}

} // namespace kobalt::vulkan::test
