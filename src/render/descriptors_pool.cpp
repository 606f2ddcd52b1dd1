// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>

#include "render/descriptors.h"
#include "render/descriptors_buffer.h"
#include "render/engine.h"
#include "vulkan/descriptor_pool.h"

namespace kobalt::render {
namespace {

/// The portable backend: sets from pools that are recycled whole, written by update templates.
class PoolDescriptorBinder final : public DescriptorBinder {
public:
    explicit PoolDescriptorBinder(Engine& engine)
        : engine_(engine), pools_(engine.device(), engine.device().graphics().timeline()) {}

    bool write(uint32_t set, const SetLayout& layout,
               std::span<const DescriptorData> data) override {
        const auto allocated = pools_.allocate(layout.layout.handle());
        if (!allocated)
            return false;
        sets_[set] = *allocated;
        std::array<vulkan::DescriptorSlot, max_descriptors> slots;
        for (size_t i = 0; i < data.size() && i < slots.size(); ++i) {
            const DescriptorData& item = data[i];
            switch (item.type) {
            case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
            case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
                slots[i].buffer = {item.buffer, item.offset, item.range};
                break;
            case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
            case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
                slots[i].texel_buffer = item.texel_buffer;
                break;
            default:
                slots[i].image = {item.sampler, item.view, VK_IMAGE_LAYOUT_GENERAL};
                break;
            }
        }
        vulkan::update_set(engine_.device(), *allocated, layout.update_template.get(),
                           slots.data());
        return true;
    }

    void bind(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipelineLayout layout,
              uint32_t mask) override {
        const auto& vk = engine_.device().vk();
        while (mask) {
            const auto first = static_cast<uint32_t>(__builtin_ctz(mask));
            uint32_t count = 0;
            while (mask & (1u << (first + count)))
                mask &= ~(1u << (first + count++));
            vk.CmdBindDescriptorSets(commands, point, layout, first, count, &sets_[first], 0,
                                     nullptr);
        }
    }

    void begin_commands() override {}
    bool lost_sets() override { return false; }
    void retire(uint64_t timeline_value) override { pools_.retire(timeline_value); }

private:
    static constexpr size_t max_descriptors = 128;
    Engine& engine_;
    vulkan::DescriptorPools pools_;
    std::array<VkDescriptorSet, set_count> sets_{};
};

} // namespace

vulkan::Result<std::unique_ptr<DescriptorBinder>> make_descriptor_binder(Engine& engine) {
    if (engine.paths().descriptor_buffer)
        return BufferDescriptorBinder::create(engine);
    return std::make_unique<PoolDescriptorBinder>(engine);
}

} // namespace kobalt::render
