// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan_runner.h"

#include <algorithm>
#include <cstring>

#include "vulkan_buffer.h"
#include "vulkan_commands.h"
#include "vulkan_kernel.h"

namespace kobalt::compute {

namespace {

using Place = VulkanBuffer::Place;

void barrier(const Device& vk, VkCommandBuffer commands, VkPipelineStageFlags from,
             VkAccessFlags written, VkPipelineStageFlags to, VkAccessFlags used) {
    VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    memory.srcAccessMask = written;
    memory.dstAccessMask = used;
    vk.CmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

class VulkanLoaded final : public Loaded {
public:
    VulkanLoaded(const Device& vk, const Job& job)
        : vk_(vk), groups_(job.groups), together_(job.together), exchanged_(job.exchanged) {}

    /// Makes all objects, and fills the buffers.
    Result<void> prepare(const Job& job) {
        auto kernel = VulkanKernel::create(vk_, job.code, job.buffers.size());
        if (!kernel) {
            return std::unexpected(kernel.error());
        }
        kernel_ = std::move(*kernel);
        auto commands = VulkanCommands::create(vk_);
        if (!commands) {
            return std::unexpected(commands.error());
        }
        commands_ = std::move(*commands);
        if (auto good = add_buffer(&job.parameters, sizeof job.parameters); !good) {
            return good;
        }
        for (const Words& words : job.buffers) {
            if (auto good = add_buffer(words.data(), words.size() * sizeof words[0]); !good) {
                return good;
            }
        }
        return {};
    }

    Result<void> run(std::uint32_t times) override {
        for (std::uint32_t i = 0; i < times; ++i) {
            const auto commands = commands_.begin(vk_);
            if (!commands) {
                return std::unexpected(commands.error());
            }
            record(*commands);
            if (auto good = commands_.submit(vk_); !good) {
                return good;
            }
        }
        return commands_.wait(vk_);
    }

    Result<Words> read(std::size_t buffer) override {
        const VulkanBuffer& from = buffers_[1 + buffer];
        const auto to = VulkanBuffer::create(vk_, from.bytes(), Place::host);
        if (!to) {
            return std::unexpected(to.error());
        }
        if (const auto good = copy(from, *to); !good) {
            return std::unexpected(good.error());
        }
        return Words(to->words(), to->words() + from.bytes() / sizeof(std::uint32_t));
    }

private:
    Result<void> add_buffer(const void* data, std::size_t bytes) {
        auto staging = VulkanBuffer::create(vk_, bytes, Place::host);
        if (!staging) {
            return std::unexpected(staging.error());
        }
        std::memcpy(staging->words(), data, bytes);
        auto made = VulkanBuffer::create(vk_, bytes, Place::device);
        if (!made) {
            return std::unexpected(made.error());
        }
        buffers_.push_back(std::move(*made));
        return copy(*staging, buffers_.back());
    }

    /// Copies a buffer behind all commands before, and waits.
    Result<void> copy(const VulkanBuffer& from, const VulkanBuffer& to) {
        const auto commands = commands_.begin(vk_);
        if (!commands) {
            return std::unexpected(commands.error());
        }
        barrier(vk_, *commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
        const VkBufferCopy region{0, 0, from.bytes()};
        vk_.CmdCopyBuffer(*commands, from.handle(), to.handle(), 1, &region);
        barrier(vk_, *commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_UNIFORM_READ_BIT | VK_ACCESS_HOST_READ_BIT);
        if (auto good = commands_.submit(vk_); !good) {
            return good;
        }
        return commands_.wait(vk_);
    }

    /// Pushes the descriptors from binding `first` on, of the buffers with these numbers.
    void push(VkCommandBuffer commands, std::uint32_t first,
              std::span<const std::size_t> numbers) const {
        std::array<VkDescriptorBufferInfo, kMostBindings> infos{};
        std::array<VkWriteDescriptorSet, kMostBindings> writes{};
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            infos[i] = {buffers_[numbers[i]].handle(), 0, VK_WHOLE_SIZE};
            writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
            writes[i].dstBinding = first + static_cast<std::uint32_t>(i);
            writes[i].descriptorCount = 1;
            writes[i].descriptorType = writes[i].dstBinding == 0
                                           ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                                           : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
            writes[i].pBufferInfo = &infos[i];
        }
        vk_.CmdPushDescriptorSetKHR(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel_.layout(), 0,
                                    static_cast<std::uint32_t>(numbers.size()), writes.data());
    }

    void record(VkCommandBuffer commands) const {
        constexpr std::array<std::size_t, kMostBindings> all{0, 1, 2, 3};
        constexpr std::array<std::array<std::size_t, 2>, 2> exchanges{{{1, 2}, {2, 1}}};
        vk_.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel_.pipeline());
        push(commands, 0, std::span(all).first(buffers_.size()));
        for (std::uint32_t i = 0; i < together_; ++i) {
            if (exchanged_) {
                push(commands, 1, exchanges[i % 2]);
            }
            vk_.CmdDispatch(commands, groups_[0], groups_[1], 1);
            barrier(vk_, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                    VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
        }
    }

    static constexpr std::size_t kMostBindings = 4;

    const Device& vk_;
    VulkanKernel kernel_;
    std::vector<VulkanBuffer> buffers_; ///< the uniform buffer, then the job's
    VulkanCommands commands_;           // ends first, and waits for nothing: run() has waited
    std::array<std::uint32_t, 2> groups_;
    std::uint32_t together_;
    bool exchanged_;
};

class VulkanRunner final : public Runner {
public:
    explicit VulkanRunner(const Device& vk) : vk_(vk) {}

    Result<std::unique_ptr<Loaded>> load(const Job& job) override {
        auto loaded = std::make_unique<VulkanLoaded>(vk_, job);
        if (const auto good = loaded->prepare(job); !good) {
            return std::unexpected(good.error());
        }
        return loaded;
    }

    std::string lacks_fp16() const override {
        return vk_.has_fp16 ? std::string() : vk_.name + " lacks shaderFloat16";
    }
    std::size_t most_bytes() const override { return vk_.most_bytes; }

private:
    const Device& vk_;
};

} // namespace

std::unique_ptr<Runner> make_vulkan_runner(const Device& vk) {
    return std::make_unique<VulkanRunner>(vk);
}

} // namespace kobalt::compute
