// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "render/layouts/layout_cache.h"
#include "vulkan/base/error.h"

namespace kobalt::render {

class BindlessHeap;

/// What one descriptor is written from: the members that its type needs are set.
struct DescriptorData {
    uint32_t index = 0; ///< among the descriptors of the set
    VkDescriptorType type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceAddress address = 0; ///< of the range's first byte
    VkDeviceSize offset = 0;     ///< bytes
    VkDeviceSize range = 0;      ///< bytes
    VkFormat format = VK_FORMAT_UNDEFINED;
    VkImageView view = VK_NULL_HANDLE;
    VkSampler sampler = VK_NULL_HANDLE;
    VkBufferView texel_buffer = VK_NULL_HANDLE;
    const std::byte* bytes = nullptr; ///< ready for a descriptor buffer; null: to be encoded
};

/// The most descriptors that a stage's set can have: 32 uniform and 32 storage buffers, 32 textures
/// (twice where some accesses compare), 64 images, 8 attachments.
inline constexpr size_t most_descriptors = 200;

/// The descriptors of one stage for one shader, as last written. The set stays with the shader:
/// when the shader is bound again, only what changed meanwhile is written.
struct StageSet {
    std::vector<std::byte> content; ///< the binder's: all descriptors, ready to be copied
    VkDescriptorSet handle = VK_NULL_HANDLE;
    VkDeviceSize offset = 0; ///< bytes into the descriptor buffer
    uint64_t generation = 0; ///< DescriptorBinder::generation() when it was placed; 0: not placed
};

/// The result of binding the bindless set.
enum class BindlessBind : uint8_t {
    failed,     ///< no memory
    current,    ///< it is bound already
    bound,      ///< it was bound
    bound_alone ///< it was bound, and all other sets have to be bound again
};

/// How a stage's descriptors reach the GPU. Used by one recorder.
class DescriptorBinder {
public:
    virtual ~DescriptorBinder() = default;

    /// Counts for the engine's counters, to which the binder's owner adds them.
    struct Counts {
        uint64_t offsets = 0; ///< sets made current: an offset each, or a set, or a push
        uint64_t rebinds = 0; ///< descriptor buffers bound
    } counts;

    /// Writes the `changed` descriptors into the set's content. All of them have to be written
    /// before the set is first placed.
    virtual void encode(StageSet& set, const SetLayout& layout,
                        std::span<const DescriptorData> changed) = 0;
    /// Copies the content to where the GPU reads it; what earlier draws use stays as it is.
    virtual bool place(StageSet& set, const SetLayout& layout) = 0;
    /// Sets placed in another generation can't be bound any longer, and have to be placed again.
    uint64_t generation() const { return generation_; }
    /// Grows where something unbinds the sets of every bind point.
    uint64_t disturbances() const { return disturbances_; }
    /// To be called before the sets of a program that reads through handles are placed. False: no
    /// memory.
    virtual bool prepare_bindless() { return true; }
    /// Binds placed sets with `layout`: `sets` by set number, those of `mask`.
    virtual void bind(VkCommandBuffer commands, VkPipelineBindPoint point,
                      const PipelineLayoutEntry& layout,
                      std::span<const StageSet* const, set_count> sets, uint32_t mask) = 0;
    /// Binds the bindless set at `point` if it isn't bound there. To be called before bind() for a
    /// program that reads through handles.
    virtual BindlessBind bind_bindless(VkCommandBuffer commands, VkPipelineBindPoint point,
                                       const PipelineLayoutEntry& layout) = 0;
    /// Whether a bind with a pipeline layout of other sets unbinds all sets, even those that the
    /// two layouts have in common.
    virtual bool disturbs_all() const { return false; }
    /// A new command buffer: nothing is bound in it.
    virtual void begin_commands() = 0;
    /// None of the sets placed so far will be bound again.
    virtual void forget() {}
    /// Everything placed or bound since the last call belongs to the submission `timeline_value`.
    virtual void retire(uint64_t timeline_value) = 0;

protected:
    uint64_t generation_ = 1;
    uint64_t disturbances_ = 0;
};

/// Descriptor buffers where the device has them; otherwise pooled sets and, for the small sets
/// whose layouts ask for it, push descriptors. Update templates fill both.
vulkan::Result<std::unique_ptr<DescriptorBinder>>
make_descriptor_binder(Core& core, LayoutCache& layouts, BindlessHeap* heap);

} // namespace kobalt::render
