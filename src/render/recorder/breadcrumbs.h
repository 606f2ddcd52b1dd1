// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "render/base/core.h"
#include "vulkan/resources/buffer.h"

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace kobalt::render {

/// KOBALT_DEBUG=breadcrumbs: numbers the commands of a recorder, and lets the GPU write how far it
/// is to memory that the CPU still sees when the device is lost. The report of the loss then names
/// the commands that were begun and not finished. With VK_AMD_buffer_marker each draw is such a
/// command, without it each pass and dispatch. leave() and mark() are for the recorder's thread.
class Breadcrumbs {
public:
    /// Null where they aren't asked for, or there is no memory for them, after one message.
    static std::unique_ptr<Breadcrumbs> create(Core& core);
    ~Breadcrumbs() = default;
    Breadcrumbs(const Breadcrumbs&) = delete;
    Breadcrumbs& operator=(const Breadcrumbs&) = delete;

    /// Notes a command that is about to be recorded: what it is, for the report. `in_pass`: inside
    /// of a pass, where only markers can be written.
    void leave(VkCommandBuffer commands, bool in_pass, std::string what);
    /// The app's name for the commands from here on, until the next one.
    void mark(std::string name) { mark_ = std::move(name); }

private:
    /// The GPU writes these numbers of commands.
    struct Reached {
        uint32_t begun;
        uint32_t finished;
    };
    Breadcrumbs(Core& core, vulkan::Buffer reached);
    void write(VkCommandBuffer commands, VkDeviceSize at, uint32_t value);
    std::vector<std::string> lines();

    static constexpr uint32_t kept = 4096; ///< commands that are remembered

    vulkan::Device& device_;
    const bool markers_;
    vulkan::Buffer reached_;
    std::string mark_; ///< of the recorder's thread
    std::mutex mutex_; ///< guards what follows: the loss may be noticed by another thread
    uint32_t last_ = 0;
    std::array<std::string, kept> commands_;    ///< number n is at n % kept
    vulkan::DeviceStatus::Explainer explainer_; ///< goes first: it reads the rest
};

} // namespace kobalt::render
