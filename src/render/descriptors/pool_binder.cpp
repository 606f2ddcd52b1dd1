// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "render/bindless/heap.h"
#include "render/descriptors/binder.h"
#include "render/descriptors/buffer_binder.h"
#include "vulkan/descriptors/descriptor_commands.h"
#include "vulkan/descriptors/descriptor_pool.h"
#include "vulkan/descriptors/push_descriptor.h"

namespace kobalt::render {
namespace {

/// The backend of descriptor pools: sets from pools that are recycled whole, and small sets that
/// are pushed into the command buffer. Update templates fill both.
class PoolDescriptorBinder final : public DescriptorBinder {
public:
    PoolDescriptorBinder(Core& core, LayoutCache& layouts, BindlessHeap* heap)
        : core_(core), layouts_(layouts), heap_(heap),
          pools_(core.device(), core.device().graphics().timeline()),
          parts_pushes_(core.device().instance().validation() && core.paths().pipeline_library) {}

    void encode(StageSet& set, const SetLayout& layout,
                std::span<const DescriptorData> changed) override {
        const size_t size = layout.layout.descriptor_count() * sizeof(vulkan::DescriptorSlot);
        if (set.content.size() < size)
            set.content.resize(size);
        for (const DescriptorData& item : changed)
            fill(set.content.data() + item.index * sizeof(vulkan::DescriptorSlot), item);
        set.generation = 0;
    }

    bool place(StageSet& set, const SetLayout& layout) override {
        // A pushed set waits for bind(), which may come more than once: a change of pipeline layout
        // unbinds pushed descriptors as it unbinds bound sets.
        if (!layout.pushed()) {
            const auto allocated = pools_.allocate(layout.layout.handle());
            if (!allocated)
                return false;
            set.handle = *allocated;
            vulkan::update_set(core_.device(), *allocated, layout.update_template, slots(set));
        }
        set.generation = generation_;
        return true;
    }

    void bind(VkCommandBuffer commands, VkPipelineBindPoint point,
              const PipelineLayoutEntry& layout, std::span<const StageSet* const, set_count> sets,
              uint32_t mask) override {
        const uint32_t pushed = layout.pushed_set;
        if (pushed && mask & (1u << pushed)) {
            mask &= ~(1u << pushed);
            ++counts.offsets;
            if (parts_pushes_ && point == VK_PIPELINE_BIND_POINT_GRAPHICS)
                part_pushes(commands, layout);
            vulkan::push_descriptors(core_.device(), commands, layout.push_template,
                                     layout.layout.get(), pushed, slots(*sets[pushed]));
        }
        while (mask) {
            const auto first = static_cast<uint32_t>(std::countr_zero(mask));
            uint32_t count = 0;
            std::array<VkDescriptorSet, set_count> handles;
            for (; mask & (1u << (first + count)); ++count) {
                mask &= ~(1u << (first + count));
                handles[count] = sets[first + count]->handle;
            }
            counts.offsets += count;
            vulkan::bind_sets(core_.device(), commands, point, layout.layout.get(), first,
                              std::span(handles).first(count));
        }
    }

    BindlessBind bind_bindless(VkCommandBuffer commands, VkPipelineBindPoint point,
                               const PipelineLayoutEntry& layout) override {
        if (bindless_current_[point])
            return BindlessBind::current;
        if (!heap_ || !heap_->prepare())
            return BindlessBind::failed;
        set_bindless(commands, point, layout);
        bindless_current_[point] = true;
        return BindlessBind::bound;
    }

    bool disturbs_all() const override { return parts_pushes_; }
    void begin_commands() override {
        last_pushed_ = nullptr;
        bindless_current_ = {};
    }
    void retire(uint64_t timeline_value) override {
        pools_.retire(timeline_value);
        ++generation_; // its pools are reset as a whole once the submission is done
    }

private:
    /// Called before a push that follows one of another set layout, for the validation layer alone.
    /// Where pipeline layouts have VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT, the layer
    /// (1.4, November 2026) takes the sets of any two of them for compatible and writes the second
    /// push into its record of the first one's set, past the end or into descriptors of another
    /// kind, and crashes. tests/unit/vulkan/layer_pushes.cpp, a program that does nothing else,
    /// reproduces the crash. A set bound with a layout without that flag makes the layer forget
    /// what was pushed. The bind disturbs the other sets too, which is why they are all bound again
    /// (disturbs_all).
    void part_pushes(VkCommandBuffer commands, const PipelineLayoutEntry& layout) {
        const SetLayout* next = layout.sets[layout.pushed_set];
        const SetLayout* before = std::exchange(last_pushed_, next);
        if (!before || before == next)
            return;
        // Compute's layouts don't have the flag, and one without stages has an empty set 1.
        const auto plain = layouts_.pipeline_layout({}, LayoutUse::compute);
        const auto nothing = pools_.allocate(layouts_.empty()->layout.handle());
        if (plain && nothing)
            vulkan::bind_sets(core_.device(), commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                              (*plain)->layout.get(), 1, {&*nothing, 1});
        if (bindless_current_[VK_PIPELINE_BIND_POINT_GRAPHICS])
            set_bindless(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout);
    }

    void set_bindless(VkCommandBuffer commands, VkPipelineBindPoint point,
                      const PipelineLayoutEntry& layout) {
        const VkDescriptorSet set = heap_->set();
        vulkan::bind_sets(core_.device(), commands, point, layout.layout.get(), 0, {&set, 1});
    }

    /// The content as it is in this backend: one slot a descriptor.
    static const vulkan::DescriptorSlot* slots(const StageSet& set) {
        return reinterpret_cast<const vulkan::DescriptorSlot*>(set.content.data());
    }

    static void fill(std::byte* to, const DescriptorData& item) {
        vulkan::DescriptorSlot slot;
        switch (item.type) {
        case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
            slot.buffer = {item.buffer, item.offset, item.range};
            break;
        case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
            slot.texel_buffer = item.texel_buffer;
            break;
        default:
            slot.image = {item.sampler, item.view, VK_IMAGE_LAYOUT_GENERAL};
            break;
        }
        std::memcpy(to, &slot, sizeof slot);
    }

    Core& core_;
    LayoutCache& layouts_;
    BindlessHeap* const heap_; ///< null: there are no handles
    vulkan::DescriptorPools pools_;
    const bool parts_pushes_;
    std::array<bool, 2> bindless_current_{}; ///< in this command buffer, by VkPipelineBindPoint
    const SetLayout* last_pushed_ = nullptr; ///< in this command buffer, if it parts pushes
};

} // namespace

vulkan::Result<std::unique_ptr<DescriptorBinder>>
make_descriptor_binder(Core& core, LayoutCache& layouts, BindlessHeap* heap) {
    if (core.paths().descriptor_buffer)
        return BufferDescriptorBinder::create(core, heap);
    return std::make_unique<PoolDescriptorBinder>(core, layouts, heap);
}

} // namespace kobalt::render
