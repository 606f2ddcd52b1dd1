// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Measures the cost of a small set for the recording thread: pushed by a template, or allocated
// from a pool, written by a template and bound. Prints sets per second by the number of
// descriptors; it is no test, and draws nothing. The value of render::most_pushed_descriptors is
// based on it. Then measures the commands in both of their forms, the basis of
// Device::structured_commands().
#include "must.h"

#include "vulkan/commands/command_pool.h"
#include "vulkan/descriptors/descriptor_commands.h"
#include "vulkan/descriptors/descriptor_pool.h"
#include "vulkan/descriptors/descriptor_ring.h"
#include "vulkan/descriptors/push_descriptor.h"
#include "vulkan/descriptors/update_template.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/buffer.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace kobalt::vulkan;
using test::must;

constexpr uint32_t sets_a_batch = 4000, batches = 25, set_number = 2;

/// Sets per second; `one` records one set into the command buffer, `submitted` is called for each
/// batch.
template <class One, class Submitted>
double measure(Device& device, One one, Submitted submitted) {
    Queue& queue = device.graphics();
    CommandPools pools(device, queue);
    double best = 0;
    for (uint32_t batch = 0; batch < batches; ++batch) {
        auto pool = must(pools.acquire());
        const VkCommandBuffer commands = must(pool->begin());
        const auto begin = std::chrono::steady_clock::now();
        for (uint32_t i = 0; i < sets_a_batch; ++i)
            one(commands, i);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        best = std::max(best, sets_a_batch / seconds.count());
        if (!pool->end(commands))
            std::exit(1);
        const uint64_t value = must(queue.submit({&commands, 1}));
        pools.release(std::move(pool), value);
        submitted(value);
        (void)queue.timeline().wait(value);
    }
    return best;
}

void compare(Device& device, uint32_t count, const Buffer& buffer) {
    std::vector<DescriptorBinding> bindings;
    for (uint32_t i = 0; i < count; ++i)
        bindings.push_back(
            {i, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, 0});
    std::vector<DescriptorSlot> slots(count);
    const auto fill = [&](uint32_t round) {
        for (uint32_t i = 0; i < count; ++i)
            slots[i].buffer = {buffer.handle(), (round + i) % 64 * 256, 256};
    };
    const auto none = must(DescriptorSetLayout::create(device, {}, DescriptorMode::pool));
    const auto layout_with = [&](const DescriptorSetLayout& set) {
        const VkDescriptorSetLayout sets[] = {none.handle(), none.handle(), set.handle()};
        return must(create_pipeline_layout(device, sets, {}));
    };
    double pushed = 0;
    if (count <= max_push_descriptors(device)) {
        const auto set = must(DescriptorSetLayout::create(device, bindings, DescriptorMode::push));
        const auto layout = layout_with(set);
        const auto push = must(create_push_template(device, set, layout.get(),
                                                    VK_PIPELINE_BIND_POINT_GRAPHICS, set_number));
        pushed = measure(
            device,
            [&](VkCommandBuffer commands, uint32_t i) {
                fill(i);
                push_descriptors(device, commands, push, layout.get(), set_number, slots.data());
            },
            [](uint64_t) {});
    }
    const auto set = must(DescriptorSetLayout::create(device, bindings, DescriptorMode::pool));
    const auto layout = layout_with(set);
    const auto update = must(create_update_template(device, set));
    DescriptorPools pools(device, device.graphics().timeline());
    const double pooled = measure(
        device,
        [&](VkCommandBuffer commands, uint32_t i) {
            fill(i);
            const VkDescriptorSet fresh = must(pools.allocate(set.handle()));
            update_set(device, fresh, update, slots.data());
            device.vk().CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                              layout.get(), set_number, 1, &fresh, 0, nullptr);
        },
        [&](uint64_t value) { pools.retire(value); });
    std::printf("%2u descriptors: pushed %6.2f M/s, pooled %6.2f M/s\n", count, pushed / 1e6,
                pooled / 1e6);
}

/// Nanoseconds per call of the commands of vulkan/descriptors/descriptor_commands.h, in the older
/// form and in the form with a structure.
void compare_forms(const std::shared_ptr<const Instance>& instance,
                   const PhysicalDevice& physical) {
    for (const bool structures : {false, true}) {
        DeviceOptions options;
        if (!structures)
            options.disabled = {"maintenance6"};
        const auto device = must(Device::create(instance, physical, options));
        if (device->structured_commands() != structures) {
            std::puts("commands with structures are not used here");
            return;
        }
        BufferInfo info;
        info.size = 256;
        info.usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
        info.kind = MemoryKind::upload;
        const Buffer buffer = must(Buffer::create(*device, info));
        const DescriptorBinding binding{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1,
                                        VK_SHADER_STAGE_FRAGMENT_BIT, 0};
        DescriptorSlot slot;
        slot.buffer = {buffer.handle(), 0, 256};
        const VkPushConstantRange range{VK_SHADER_STAGE_ALL, 0, 128};
        constexpr auto point = VK_PIPELINE_BIND_POINT_GRAPHICS;
        const auto report = [&](const char* name, auto one) {
            const double rate = measure(*device, one, [](uint64_t) {});
            std::printf("%s, %s: %.1f ns\n", name, structures ? "structure" : "plain", 1e9 / rate);
        };
        const auto with_layout = [&](DescriptorMode mode, auto use) {
            const auto set = must(DescriptorSetLayout::create(*device, {&binding, 1}, mode));
            const VkDescriptorSetLayout sets[] = {set.handle()};
            const auto layout = must(create_pipeline_layout(*device, sets, {&range, 1}));
            use(set, layout.get());
        };
        with_layout(
            DescriptorMode::pool, [&](const DescriptorSetLayout& set, VkPipelineLayout layout) {
                DescriptorPools pools(*device, device->graphics().timeline());
                const VkDescriptorSet bound = must(pools.allocate(set.handle()));
                update_set(*device, bound, must(create_update_template(*device, set)), &slot);
                report("bind a set", [&](VkCommandBuffer commands, uint32_t) {
                    bind_sets(*device, commands, point, layout, 0, {&bound, 1});
                });
                const std::array<std::byte, 128> values{};
                report("push constants", [&](VkCommandBuffer commands, uint32_t) {
                    push_constants(*device, commands, layout, VK_SHADER_STAGE_ALL, 0, 128,
                                   values.data());
                });
            });
        if (max_push_descriptors(*device))
            with_layout(
                DescriptorMode::push, [&](const DescriptorSetLayout& set, VkPipelineLayout layout) {
                    const auto update = must(create_push_template(*device, set, layout, point, 0));
                    report("push a descriptor", [&](VkCommandBuffer commands, uint32_t) {
                        push_descriptors(*device, commands, update, layout, 0, &slot);
                    });
                });
        if (device->has(Capability::descriptor_buffer))
            with_layout(DescriptorMode::buffer, [&](const DescriptorSetLayout& set,
                                                    VkPipelineLayout layout) {
                auto ring = must(DescriptorRing::create(*device, device->graphics().timeline()));
                const DescriptorSpan span = must(ring.allocate(set.size()));
                const VkDescriptorBufferBindingInfoEXT buffers = ring.current().binding_info();
                const uint32_t first = 0;
                report("set an offset", [&](VkCommandBuffer commands, uint32_t i) {
                    if (i == 0)
                        device->vk().CmdBindDescriptorBuffersEXT(commands, 1, &buffers);
                    set_descriptor_offsets(*device, commands, point, layout, 0, {&span.offset, 1},
                                           &first);
                });
            });
    }
}

} // namespace

int main() {
    InstanceOptions options;
    options.environment = Environment::from_process();
    const auto instance = must(Instance::create(std::move(options)));
    const DeviceSelection selection = must(select_physical_device(*instance));
    const auto device = must(Device::create(instance, selection.device()));
    std::printf("%s\n", device->properties().name().c_str());
    BufferInfo info;
    info.size = 1u << 16;
    info.usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
    info.kind = MemoryKind::upload;
    const Buffer buffer = must(Buffer::create(*device, info));
    for (const uint32_t count : {1u, 2u, 3u, 4u, 6u, 8u, 10u, 12u, 16u})
        compare(*device, count, buffer);
    compare_forms(instance, selection.device());
    return 0;
}
