// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "execution_fixture.h"

#include <algorithm>

#include "ast.h"
#include "builtin_functions.h"

#include "vulkan/descriptors/descriptor_pool.h"
#include "vulkan/pipelines/shader_module.h"

namespace kobalt::corpus {

using namespace vulkan;
using vulkan::test::storage_buffer;
using vulkan::test::words;

void Execution::SetUpTestSuite() {
    glsl_type_singleton_init_or_ref();
    _mesa_glsl_builtin_functions_init_or_ref();
}

spirv::Target Execution::target() const {
    spirv::Target target;
    const DeviceFeatures& on = device_->features();
    const DeviceProperties& properties = device_->properties();
    target.float64 = device_->has(Capability::shader_float64);
    target.int64 = device_->has(Capability::shader_int64);
    target.subgroup_stages = properties.vulkan11.subgroupSupportedStages;
    target.shader_clock = device_->has(Capability::shader_clock);
    target.workgroup_explicit_layout = device_->has(Capability::workgroup_memory_explicit_layout);
    target.atomics = {
        .buffer_float_add = on.shader_atomic_float.shaderBufferFloat32AtomicAdd != 0,
        .buffer_float_min_max = on.shader_atomic_float2.shaderBufferFloat32AtomicMinMax != 0,
        .buffer_int64 = on.vulkan12.shaderBufferInt64Atomics != 0,
        .shared_float_add = on.shader_atomic_float.shaderSharedFloat32AtomicAdd != 0,
        .shared_float_min_max = on.shader_atomic_float2.shaderSharedFloat32AtomicMinMax != 0,
        .shared_int64 = on.vulkan12.shaderSharedInt64Atomics != 0,
        .image_float_add = on.shader_atomic_float.shaderImageFloat32AtomicAdd != 0,
    };
    target.preserve_special_float32 = properties.vulkan12.shaderSignedZeroInfNanPreserveFloat32;
    target.preserve_special_float64 = properties.vulkan12.shaderSignedZeroInfNanPreserveFloat64;
    return target;
}

void Execution::run_into(std::vector<std::vector<uint32_t>>& contents, const std::string& text,
                         const std::vector<uint32_t>& sizes, uint32_t groups,
                         const std::function<void(std::vector<uint32_t*>&)>& fill, VkImageView view,
                         const std::function<void(VkCommandBuffer)>& before) {
    const spirv::Target wanted = changed_.value_or(target());
    contents.resize(sizes.size());
    for (size_t i = 0; i < sizes.size(); i++)
        contents[i].resize(sizes[i]);
    ShaderTest test;
    test.version = 460;
    test.sources = {{MESA_SHADER_COMPUTE, "#version 460\n" + text}};
    auto program = MesaProgram::link(test, test.sources, false, wanted);
    ASSERT_TRUE(program.has_value()) << program.error();
    nir_shader* nir = program->shader(MESA_SHADER_COMPUTE);
    spirv::prepare(nir, wanted);
    const auto translated = spirv::translate(nir, wanted);
    ASSERT_TRUE(translated.has_value()) << translated.error().what;

    std::vector<DescriptorBinding> bindings;
    for (const spirv::Binding& used : translated->bindings)
        bindings.push_back({used.binding,
                            used.kind == spirv::DescriptorKind::storage_image
                                ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                                : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                            1, VK_SHADER_STAGE_COMPUTE_BIT, 0});
    KOBALT_VALUE(set_layout,
                 DescriptorSetLayout::create(*device_, bindings, DescriptorMode::pool, "test"));
    const VkDescriptorSetLayout sets[] = {set_layout.handle()};
    KOBALT_VALUE(layout, create_pipeline_layout(*device_, sets, {}));
    KOBALT_VALUE(module, create_shader_module(*device_, translated->words, "test"));
    ComputePipelineInfo info;
    info.module = module.get();
    info.layout = layout.get();
    KOBALT_VALUE(pipeline, create_compute_pipeline(*device_, info, VK_NULL_HANDLE));

    std::vector<Buffer> buffers;
    std::vector<uint32_t*> memory;
    for (const uint32_t size : sizes) {
        KOBALT_VALUE(buffer, storage_buffer(*device_, size, MemoryKind::readback));
        std::fill_n(words(buffer), size, 0u);
        memory.push_back(words(buffer));
        buffers.push_back(std::move(buffer));
    }
    if (fill)
        fill(memory);
    Queue& queue = device_->graphics();
    DescriptorPools pool(*device_, queue.timeline());
    KOBALT_VALUE(set, pool.allocate(set_layout.handle()));
    for (const spirv::Binding& used : translated->bindings) {
        VkDescriptorBufferInfo range{VK_NULL_HANDLE, 0, VK_WHOLE_SIZE};
        const VkDescriptorImageInfo image{VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
        auto write = vk_struct<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
        write.dstSet = set;
        write.dstBinding = used.binding;
        write.descriptorCount = 1;
        write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
        write.pImageInfo = &image;
        if (used.kind == spirv::DescriptorKind::storage_buffer) {
            ASSERT_LT(used.slot, buffers.size());
            range.buffer = buffers[used.slot].handle();
            write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
            write.pBufferInfo = &range;
        }
        device_->vk().UpdateDescriptorSets(device_->handle(), 1, &write, 0, nullptr);
    }
    for (const Buffer& buffer : buffers)
        buffer.flush(0, VK_WHOLE_SIZE);

    CommandPools commands_pool(*device_, queue);
    KOBALT_VALUE(owned, commands_pool.acquire());
    KOBALT_VALUE(commands, owned->begin());
    if (before)
        before(commands);
    device_->vk().CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.get());
    device_->vk().CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout.get(), 0,
                                        1, &set, 0, nullptr);
    device_->vk().CmdDispatch(commands, groups, 1, 1);
    vulkan::test::compute_barrier(*device_, commands);
    ASSERT_TRUE(owned->end(commands).has_value());
    KOBALT_VALUE(value, queue.submit({&commands, 1}));
    commands_pool.release(std::move(owned), value);
    pool.retire(value);
    ASSERT_TRUE(queue.timeline().wait(value).value_or(false));
    for (size_t i = 0; i < sizes.size(); i++) {
        buffers[i].invalidate(0, VK_WHOLE_SIZE);
        contents[i].assign(words(buffers[i]), words(buffers[i]) + sizes[i]);
    }
}

} // namespace kobalt::corpus
