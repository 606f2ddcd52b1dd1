// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Tests the three ways to provide descriptors: buffers, push sets, pooled sets through update
// templates.
#include "compute_harness.h"

#include "vulkan/descriptors/descriptor_commands.h"
#include "vulkan/descriptors/descriptor_pool.h"
#include "vulkan/descriptors/descriptor_ring.h"
#include "vulkan/descriptors/push_descriptor.h"
#include "vulkan/descriptors/update_template.h"
#include "vulkan/pipelines/shader_module.h"
#include "vulkan/resources/buffer_view.h"
#include "vulkan/resources/image.h"
#include "vulkan/resources/sampler.h"

#include "mixed_comp.h"

#include <cstring>

namespace kobalt::vulkan::test {
namespace {

/// mixed.comp with everything it reads: a uniform buffer, a texture, a texel buffer.
class Mixed : public VulkanTest {
protected:
    void make(DescriptorMode mode) {
        const DescriptorBinding bindings[] = {
            {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, 0},
            {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, 0},
            {2, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, 0},
            {3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, 0},
        };
        KOBALT_VALUE(set_layout, DescriptorSetLayout::create(*device_, bindings, mode));
        const VkDescriptorSetLayout sets[] = {set_layout.handle()};
        KOBALT_VALUE(layout, create_pipeline_layout(*device_, sets, {}));
        KOBALT_VALUE(module, create_shader_module(*device_, mixed_comp, "mixed.comp"));
        ComputePipelineInfo info;
        info.module = module.get();
        info.layout = layout.get();
        if (mode == DescriptorMode::buffer)
            info.flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
        KOBALT_VALUE(pipeline, create_compute_pipeline(*device_, info));
        set_layout_ = std::move(set_layout);
        layout_ = std::move(layout);
        pipeline_ = std::move(pipeline);
        make_resources();
    }

    void make_resources() {
        BufferInfo info;
        info.size = 256;
        info.usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                     VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
        info.kind = MemoryKind::upload;
        KOBALT_VALUE(uniforms, Buffer::create(*device_, info));
        KOBALT_VALUE(texels, Buffer::create(*device_, info));
        KOBALT_VALUE(target, storage_buffer(*device_, 16, MemoryKind::readback));
        const uint32_t values[] = {1, 2, 303, 4};
        std::memcpy(uniforms.mapped(), values, sizeof values);
        const uint32_t list[] = {11, 22, 33, 44};
        std::memcpy(texels.mapped(), list, sizeof list);
        KOBALT_VALUE(texel_view, create_buffer_view(*device_, texels.handle(), VK_FORMAT_R32_UINT,
                                                    0, sizeof list));
        auto image_info = vk_struct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
        image_info.imageType = VK_IMAGE_TYPE_2D;
        image_info.format = VK_FORMAT_R8G8B8A8_UNORM;
        image_info.extent = {2, 1, 1};
        image_info.mipLevels = 1;
        image_info.arrayLayers = 1;
        image_info.samples = VK_SAMPLE_COUNT_1_BIT;
        image_info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
        KOBALT_VALUE(image, Image::create(*device_, image_info));
        auto view_info = vk_struct<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
        view_info.image = image.handle();
        view_info.viewType = VK_IMAGE_VIEW_TYPE_2D;
        view_info.format = image_info.format;
        view_info.subresourceRange = range_;
        KOBALT_VALUE(view, create_image_view(*device_, view_info));
        auto sampler_info = vk_struct<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
        KOBALT_VALUE(sampler, create_sampler(*device_, sampler_info));
        uniforms_ = std::move(uniforms);
        texels_ = std::move(texels);
        target_ = std::move(target);
        texel_view_ = std::move(texel_view);
        image_ = std::move(image);
        view_ = std::move(view);
        sampler_ = std::move(sampler);
    }

    void image_barrier(VkCommandBuffer commands, VkImageLayout from, VkImageLayout to) {
        auto barrier = vk_struct<VkImageMemoryBarrier2>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2);
        barrier.srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        barrier.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
        barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
        barrier.oldLayout = from;
        barrier.newLayout = to;
        barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.image = image_.handle();
        barrier.subresourceRange = range_;
        auto dependency = vk_struct<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
        dependency.imageMemoryBarrierCount = 1;
        dependency.pImageMemoryBarriers = &barrier;
        device_->vk().CmdPipelineBarrier2(commands, &dependency);
    }

    /// Runs the shader with descriptors bound by `bind`, and checks what it read.
    template <class Bind>
    void run(Bind bind) {
        if (HasFatalFailure())
            return;
        Queue& queue = device_->graphics();
        CommandPools pools(*device_, queue);
        KOBALT_VALUE(pool, pools.acquire());
        KOBALT_VALUE(commands, pool->begin());
        image_barrier(commands, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
        // A green value of 200 in the one texel that the shader reads.
        const VkClearColorValue color{{0.0f, 200.0f / 255.0f, 0.0f, 1.0f}};
        device_->vk().CmdClearColorImage(commands, image_.handle(),
                                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1, &range_);
        image_barrier(commands, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                      VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
        device_->vk().CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.get());
        bind(commands);
        device_->vk().CmdDispatch(commands, 1, 1, 1);
        compute_barrier(*device_, commands);
        ASSERT_TRUE(pool->end(commands).has_value());
        KOBALT_VALUE(value, queue.submit({&commands, 1}));
        pools.release(std::move(pool), value);
        ASSERT_TRUE(queue.timeline().wait(value).has_value());
        target_.invalidate(0, VK_WHOLE_SIZE);
        EXPECT_EQ(words(target_)[0], 303u) << "uniform buffer";
        EXPECT_EQ(words(target_)[1], 200u) << "combined image sampler";
        EXPECT_EQ(words(target_)[2], 33u) << "texel buffer";
        EXPECT_EQ(words(target_)[3], 0x600dcafeu) << "storage buffer";
    }

    void fill_slots(DescriptorSlot (&slots)[4]) const {
        slots[0].buffer = {uniforms_.handle(), 0, 16};
        slots[1].image = {sampler_.get(), view_.get(), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
        slots[2].texel_buffer = texel_view_.get();
        slots[3].buffer = {target_.handle(), 0, VK_WHOLE_SIZE};
    }

    static constexpr VkImageSubresourceRange range_{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    DescriptorSetLayout set_layout_;
    PipelineLayout layout_;
    Pipeline pipeline_;
    Buffer uniforms_;
    Buffer texels_;
    Buffer target_;
    BufferView texel_view_;
    Image image_;
    ImageView view_;
    Sampler sampler_;

    void TearDown() override {
        sampler_.reset();
        view_.reset();
        image_.reset();
        texel_view_.reset();
        target_.reset();
        texels_.reset();
        uniforms_.reset();
        pipeline_.reset();
        layout_.reset();
        set_layout_ = {};
        VulkanTest::TearDown();
    }
};

/// Each command in each of its forms, under each of its names (descriptor_commands.h). The disabled
/// extensions select the form.
struct Form {
    const char* name;
    std::vector<std::string> disabled;
};

class Forms : public Mixed, public testing::WithParamInterface<Form> {
protected:
    void SetUp() override {
        Mixed::SetUp();
        make_device({GetParam().disabled, false});
    }
};

TEST_P(Forms, DescriptorBuffer) {
    KOBALT_NEEDS(Capability::descriptor_buffer);
    make(DescriptorMode::buffer);
    const DescriptorWriter writer(*device_);
    KOBALT_VALUE(ring, DescriptorRing::create(*device_, device_->graphics().timeline(), 64 << 10));
    KOBALT_VALUE(skipped, ring.allocate(set_layout_.size())); // so that the offset is not 0
    KOBALT_VALUE(span, ring.allocate(set_layout_.size()));
    EXPECT_NE(span.offset, skipped.offset);
    writer.uniform_buffer(span.mapped + set_layout_.offset(0), uniforms_.address(), 16);
    writer.combined_image_sampler(span.mapped + set_layout_.offset(1), sampler_.get(), view_.get(),
                                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    writer.texel_buffer(span.mapped + set_layout_.offset(2),
                        VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, texels_.address(), 16,
                        VK_FORMAT_R32_UINT);
    writer.storage_buffer(span.mapped + set_layout_.offset(3), target_.address(), target_.size());
    run([&](VkCommandBuffer commands) {
        const VkDescriptorBufferBindingInfoEXT info = ring.current().binding_info();
        device_->vk().CmdBindDescriptorBuffersEXT(commands, 1, &info);
        const uint32_t index = 0;
        set_descriptor_offsets(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_.get(), 0,
                               {&span.offset, 1}, &index);
    });
    ring.retire(device_->graphics().timeline().submitted());
}

TEST_P(Forms, PushDescriptorTemplate) {
    KOBALT_NEEDS(Capability::push_descriptors);
    EXPECT_GE(max_push_descriptors(*device_), 4u);
    make(DescriptorMode::push);
    KOBALT_VALUE(update, create_push_template(*device_, set_layout_, layout_.get(),
                                              VK_PIPELINE_BIND_POINT_COMPUTE, 0));
    DescriptorSlot slots[4];
    fill_slots(slots);
    run([&](VkCommandBuffer commands) {
        push_descriptors(*device_, commands, update, layout_.get(), 0, slots);
    });
}

TEST_P(Forms, PushDescriptorWrites) {
    KOBALT_NEEDS(Capability::push_descriptors);
    make(DescriptorMode::push);
    DescriptorSlot slots[4];
    fill_slots(slots);
    VkWriteDescriptorSet writes[4];
    for (uint32_t i = 0; i < 4; ++i) {
        writes[i] = vk_struct<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
        writes[i].dstBinding = i;
        writes[i].descriptorCount = 1;
        writes[i].descriptorType = set_layout_.bindings()[i].type;
        writes[i].pBufferInfo = &slots[i].buffer;
        writes[i].pImageInfo = &slots[i].image;
        writes[i].pTexelBufferView = &slots[i].texel_buffer;
    }
    run([&](VkCommandBuffer commands) {
        push_descriptors(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_.get(), 0,
                         writes);
    });
}

TEST_P(Forms, PooledSetAndUpdateTemplate) {
    make(DescriptorMode::pool);
    ASSERT_EQ(set_layout_.descriptor_count(), 4u);
    KOBALT_VALUE(update, create_update_template(*device_, set_layout_));
    DescriptorPools pools(*device_, device_->graphics().timeline());
    KOBALT_VALUE(set, pools.allocate(set_layout_.handle()));
    DescriptorSlot slots[4];
    fill_slots(slots);
    update_set(*device_, set, update, slots);
    run([&](VkCommandBuffer commands) {
        bind_sets(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_.get(), 0, {&set, 1});
    });
    pools.retire(device_->graphics().timeline().submitted());
}

INSTANTIATE_TEST_SUITE_P(
    All, Forms,
    testing::Values(Form{"Chosen", {}}, Form{"Plain", {"maintenance6"}},
                    Form{"CoreNames", {"VK_KHR_push_descriptor", "VK_KHR_maintenance6"}},
                    Form{"PlainCoreNames", {"VK_KHR_push_descriptor", "maintenance6"}}),
    [](const auto& info) { return std::string(info.param.name); });

class Descriptors : public VulkanTest {};

TEST_F(Descriptors, CoreTakesThePlaceOfExtensions) {
    if (device_->properties().core.apiVersion < VK_API_VERSION_1_4)
        GTEST_SKIP() << "the device has no Vulkan 1.4";
    make_device({{"VK_KHR_push_descriptor", "VK_KHR_maintenance6"}, false});
    EXPECT_TRUE(device_->has(Capability::push_descriptors));
    EXPECT_TRUE(device_->has(Capability::maintenance6));
    EXPECT_GE(max_push_descriptors(*device_), 32u) << "what Vulkan 1.4 demands";
    EXPECT_NE(device_->vk().CmdPushDescriptorSetKHR, nullptr);
    EXPECT_NE(device_->vk().CmdPushDescriptorSetWithTemplateKHR, nullptr);
    EXPECT_NE(device_->vk().CmdPushDescriptorSet2KHR, nullptr);
    EXPECT_NE(device_->vk().CmdPushDescriptorSetWithTemplate2KHR, nullptr);
    EXPECT_NE(device_->vk().CmdBindDescriptorSets2KHR, nullptr);
    EXPECT_NE(device_->vk().CmdPushConstants2KHR, nullptr);
}

TEST_F(Descriptors, WithoutMaintenance6CommandsArePlain) {
    make_device({{"maintenance6"}, false});
    EXPECT_FALSE(device_->structured_commands());
}

TEST_F(Descriptors, TemplatesLayOutTheirData) {
    const DescriptorBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, 0},
        {3, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 4, VK_SHADER_STAGE_COMPUTE_BIT, 0},
        {7, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, 0},
    };
    KOBALT_VALUE(layout, DescriptorSetLayout::create(*device_, bindings, DescriptorMode::pool));
    KOBALT_VALUE(made, create_update_template(*device_, layout));
    EXPECT_EQ(made.slots(), 6u);
    EXPECT_EQ(made.bytes(), 6 * sizeof(DescriptorSlot));
    ASSERT_EQ(made.entries().size(), 3u);
    EXPECT_EQ(made.entries()[1].dstBinding, 3u);
    EXPECT_EQ(made.entries()[1].descriptorCount, 4u);
    EXPECT_EQ(made.entries()[1].offset, sizeof(DescriptorSlot));
    EXPECT_EQ(made.entries()[2].offset, 5 * sizeof(DescriptorSlot)) << "behind the whole array";
}

TEST_F(Descriptors, PushesThatAreTooLargeAreRefused) {
    KOBALT_NEEDS(Capability::push_descriptors);
    const uint32_t most = max_push_descriptors(*device_);
    DescriptorBinding binding{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, most,
                              VK_SHADER_STAGE_COMPUTE_BIT, 0};
    KOBALT_VALUE(largest,
                 DescriptorSetLayout::create(*device_, {&binding, 1}, DescriptorMode::push));
    binding.count = most + 1; // each element of an array counts
    const auto refused = DescriptorSetLayout::create(*device_, {&binding, 1}, DescriptorMode::push);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().to_string().find("maxPushDescriptors is " + std::to_string(most)),
              std::string::npos)
        << refused.error().to_string();

    const VkDescriptorSetLayout sets[] = {largest.handle()};
    KOBALT_VALUE(pipeline_layout, create_pipeline_layout(*device_, sets, {}));
    const uint32_t past = device_->limits().maxBoundDescriptorSets;
    const auto far = create_push_template(*device_, largest, pipeline_layout.get(),
                                          VK_PIPELINE_BIND_POINT_COMPUTE, past);
    ASSERT_FALSE(far.has_value());
    EXPECT_NE(far.error().to_string().find("maxBoundDescriptorSets"), std::string::npos)
        << far.error().to_string();

    binding.count = 1;
    KOBALT_VALUE(pooled,
                 DescriptorSetLayout::create(*device_, {&binding, 1}, DescriptorMode::pool));
    EXPECT_FALSE(create_push_template(*device_, pooled, pipeline_layout.get(),
                                      VK_PIPELINE_BIND_POINT_COMPUTE, 0)
                     .has_value())
        << "a set that is bound";
}

TEST_F(Descriptors, PoolsGrowAndAreUsedAgain) {
    KOBALT_VALUE(scale, Scale::create(*device_, DescriptorMode::pool));
    Queue& queue = device_->graphics();
    DescriptorPools pools(*device_, queue.timeline(), 8);
    for (int i = 0; i < 20; ++i)
        ASSERT_TRUE(pools.allocate(scale.set_layout.handle()).has_value());
    EXPECT_EQ(pools.pools_created(), 3u);
    for (int round = 0; round < 10; ++round) {
        KOBALT_VALUE(value, queue.submit({}));
        pools.retire(value);
        ASSERT_TRUE(queue.timeline().wait(value).has_value());
        for (int i = 0; i < 8; ++i)
            ASSERT_TRUE(pools.allocate(scale.set_layout.handle()).has_value());
    }
    EXPECT_LE(pools.pools_created(), 4u) << "pools are not used again";
}

} // namespace
} // namespace kobalt::vulkan::test
