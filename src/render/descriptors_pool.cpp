// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>

#include "render/descriptors.h"
#include "render/descriptors_buffer.h"
#include "render/engine.h"
#include "vulkan/descriptor_pool.h"
#include "vulkan/push_descriptor.h"

namespace kobalt::render {
namespace {

/// The portable backend: sets from pools that are recycled whole, and small ones that go into the
/// command buffer by themselves; templates fill both.
class PortableDescriptorBinder final : public DescriptorBinder {
public:
    explicit PortableDescriptorBinder(Engine& engine)
        : engine_(engine), pools_(engine.device(), engine.device().graphics().timeline()) {}

    bool write(uint32_t set, const SetLayout& layout,
               std::span<const DescriptorData> data) override {
        if (layout.pushed()) {
            // Kept until bind(), which may come more than once: a change of pipeline layout takes
            // pushed descriptors away as it takes bound sets.
            fill(pushed_[set], data);
            return true;
        }
        const auto allocated = pools_.allocate(layout.layout.handle());
        if (!allocated)
            return false;
        sets_[set] = *allocated;
        std::array<vulkan::DescriptorSlot, max_descriptors> slots;
        fill(slots, data);
        vulkan::update_set(engine_.device(), *allocated, layout.update_template.get(),
                           slots.data());
        return true;
    }

    void bind(VkCommandBuffer commands, VkPipelineBindPoint point,
              const PipelineLayoutEntry& layout, uint32_t mask) override {
        const auto& vk = engine_.device().vk();
        const uint32_t pushed = layout.pushed_set;
        if (pushed && mask & (1u << pushed)) {
            mask &= ~(1u << pushed);
            vulkan::push_descriptors(engine_.device(), commands, layout.push_template.get(),
                                     layout.layout.get(), pushed, pushed_[pushed].data());
        }
        while (mask) {
            const auto first = static_cast<uint32_t>(__builtin_ctz(mask));
            uint32_t count = 0;
            while (mask & (1u << (first + count)))
                mask &= ~(1u << (first + count++));
            vk.CmdBindDescriptorSets(commands, point, layout.layout.get(), first, count,
                                     &sets_[first], 0, nullptr);
        }
    }

    void begin_commands() override {}
    bool lost_sets() override { return false; }
    void retire(uint64_t timeline_value) override { pools_.retire(timeline_value); }

private:
    static constexpr size_t max_descriptors = 128;

    static void fill(std::span<vulkan::DescriptorSlot> slots,
                     std::span<const DescriptorData> data) {
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
    }

    Engine& engine_;
    vulkan::DescriptorPools pools_;
    std::array<VkDescriptorSet, set_count> sets_{};
    /// What was written last for pushed sets, by set number.
    std::array<std::array<vulkan::DescriptorSlot, most_pushed_descriptors>, set_count> pushed_;
};

} // namespace

vulkan::Result<std::unique_ptr<DescriptorBinder>> make_descriptor_binder(Engine& engine) {
    if (engine.paths().descriptor_buffer)
        return BufferDescriptorBinder::create(engine);
    return std::make_unique<PortableDescriptorBinder>(engine);
}

} // namespace kobalt::render
