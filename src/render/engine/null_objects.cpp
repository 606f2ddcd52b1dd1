// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cstring>

#include "render/descriptors/null_views.h"
#include "render/engine/engine.h"
#include "vulkan/resources/sampler.h"

namespace kobalt::render {
namespace {

constexpr VkDeviceSize null_buffer_bytes = 65536; ///< the largest uniform range that shaders read

} // namespace

vulkan::Result<void> Engine::create_null_objects() {
    VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
        VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
        VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    if (paths().transform_feedback)
        usage |= VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT;
    if (paths().descriptor_buffer)
        usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    auto buffer = vulkan::Buffer::create(
        device(), {null_buffer_bytes, usage, vulkan::MemoryKind::upload, "null"});
    if (!buffer)
        return std::unexpected(buffer.error());
    std::memset(buffer->mapped(), 0, null_buffer_bytes);
    buffer->flush(0, null_buffer_bytes);
    null_buffer_ = make_ref<Buffer>(std::move(*buffer));

    const VkSamplerCreateInfo sampler_info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    auto sampler = vulkan::create_sampler(device(), sampler_info, "null");
    if (!sampler)
        return std::unexpected(sampler.error());
    null_sampler_ = make_ref<Sampler>(std::move(*sampler));

    null_views_ = std::make_unique<NullViews>(core_, *batches_, *null_buffer_);
    return {};
}

} // namespace kobalt::render
