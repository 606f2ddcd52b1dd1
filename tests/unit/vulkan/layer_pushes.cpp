// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Checks whether the validation layer survives two pushed sets of different layouts in one command
// buffer. It is no test, and draws and submits nothing. It records the two pushes and nothing else,
// which Vulkan allows: a push needs no pipeline, and its layout has to be compatible with nothing
// that was pushed or bound before. Each case runs in a process of its own. The layer of November
// 2026 crashes in the cases with VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT and in no
// others, with and without templates, and without a message. The last line says whether
// render/descriptors/pool_binder.cpp still has to separate the pushes.
#include "vulkan/commands/command_pool.h"
#include "vulkan/descriptors/push_descriptor.h"
#include "vulkan/descriptors/update_template.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/buffer.h"

#include <array>
#include <cstdio>
#include <cstdlib>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace kobalt::vulkan;

constexpr uint32_t set_number = 1;

template <class T>
T must(Result<T> result) {
    if (result)
        return std::move(*result);
    std::fprintf(stderr, "%s\n", result.error().to_string().c_str());
    std::_Exit(2);
}

struct Case {
    bool independent, templates;
};

std::unique_ptr<Device> make_device() {
    InstanceOptions options;
    options.environment = Environment::from_process();
    options.environment.validation = true;
    options.surfaces = false;
    const auto instance = must(Instance::create(std::move(options)));
    if (!instance->validation())
        std::_Exit(2);
    return must(Device::create(instance, must(select_physical_device(*instance)).device()));
}

/// One uniform buffer is pushed, then two.
void record(const Case& test) {
    const auto device = make_device();
    if (!device->has(Capability::push_descriptors) ||
        (test.independent && !device->has(Capability::graphics_pipeline_library)))
        std::_Exit(2);
    const Buffer buffer = must(Buffer::create(
        *device, {256, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, MemoryKind::upload, "uniforms"}));
    const auto empty = must(DescriptorSetLayout::create(*device, {}, DescriptorMode::pool));
    CommandPools pools(*device, device->graphics());
    auto pool = must(pools.acquire());
    const VkCommandBuffer commands = must(pool->begin());

    std::array<DescriptorSlot, 2> slots{};
    std::array<VkWriteDescriptorSet, 2> writes{};
    for (uint32_t i = 0; i < 2; ++i) {
        slots[i].buffer = {buffer.handle(), 0, 256};
        writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        writes[i].dstBinding = i;
        writes[i].descriptorCount = 1;
        writes[i].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
        writes[i].pBufferInfo = &slots[i].buffer;
    }
    std::vector<DescriptorSetLayout> layouts;
    std::vector<PipelineLayout> pipeline_layouts;
    std::vector<DescriptorTemplate> push_templates;
    for (uint32_t count = 1; count <= 2; ++count) {
        std::vector<DescriptorBinding> bindings;
        for (uint32_t i = 0; i < count; ++i)
            bindings.push_back(
                {i, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, 0});
        layouts.push_back(
            must(DescriptorSetLayout::create(*device, bindings, DescriptorMode::push)));
        const VkDescriptorSetLayout sets[] = {empty.handle(), layouts.back().handle()};
        pipeline_layouts.push_back(
            must(create_pipeline_layout(*device, sets, {}, test.independent)));
        const VkPipelineLayout layout = pipeline_layouts.back().get();
        push_templates.push_back(must(create_push_template(
            *device, layouts.back(), layout, VK_PIPELINE_BIND_POINT_GRAPHICS, set_number)));
        if (test.templates)
            push_descriptors(*device, commands, push_templates.back(), layout, set_number,
                             slots.data());
        else
            push_descriptors(*device, commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, set_number,
                             std::span(writes).first(count));
    }
    (void)pool->end(commands);
    if (device->instance().validation_messages())
        std::_Exit(3);
    std::_Exit(0);
}

/// The exit status of the case, or 128 and the signal.
int run(const Case& test) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        record(test);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 2;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace

int main() {
    bool crashed = false;
    for (const bool independent : {false, true})
        for (const bool templates : {false, true}) {
            const int status = run({independent, templates});
            if (status == 2) {
                std::puts("no validation layer, no device, or it lacks what the case needs");
                return 2;
            }
            std::printf("%s sets, %s: %s\n", independent ? "independent" : "ordinary",
                        templates ? "with a template" : "plain",
                        status == 0   ? "fine"
                        : status == 3 ? "messages"
                                      : "the layer crashes");
            crashed |= status > 128;
        }
    std::puts(crashed ? "pushes have to be parted for this layer" : "pushes need not be parted");
    return 0;
}
