// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#pragma once

#include "test_device.h"

#include "vulkan/commands/command_pool.h"
#include "vulkan/descriptors/descriptor_layout.h"
#include "vulkan/pipelines/pipeline.h"
#include "vulkan/resources/buffer.h"

#include <span>

namespace kobalt::vulkan::test {

/// scale.comp with its layouts: target[i] = source[i] * factor + addend.
class Scale {
public:
    struct Push {
        uint32_t count;
        uint32_t factor;
        uint32_t addend;
    };

    static Result<Scale> create(Device& device, DescriptorMode mode,
                                VkPipelineCache cache = VK_NULL_HANDLE,
                                std::span<const uint32_t> code = default_code());
    /// scale.comp's SPIR-V, with 64 invocations a workgroup.
    static std::span<const uint32_t> default_code();

    DescriptorSetLayout set_layout;
    PipelineLayout layout;
    Pipeline pipeline;

    /// Binds the pipeline, pushes the constants and dispatches; the caller binds the descriptors.
    void dispatch(const Device& device, VkCommandBuffer commands, const Push& push) const;
};

/// A storage buffer of `count` words in host-visible memory, with a device address.
Result<Buffer> storage_buffer(Device& device, uint32_t count, MemoryKind kind);

uint32_t* words(const Buffer& buffer);

/// Orders compute writes before compute reads, copies and the host.
void compute_barrier(const Device& device, VkCommandBuffer commands);

/// Writes bindings 0 and 1 of a pooled set of Scale.
void write_set(const Device& device, VkDescriptorSet set, const Buffer& source,
               const Buffer& target);

} // namespace kobalt::vulkan::test
