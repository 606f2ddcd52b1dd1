// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include <functional>
#include <utility>

#include "render/sync/run_ahead.h"

#include "color_frag.h"
#include "fullscreen_vert.h"

// Tests a failure to begin the next batch in the middle of each kind of command.

namespace kobalt::render::test {
namespace {

VKAPI_ATTR VkResult VKAPI_CALL fail_to_begin(VkCommandBuffer, const VkCommandBufferBeginInfo*) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

/// While this object exists, the device fails to begin command buffers.
class NoCommandBuffers {
public:
    explicit NoCommandBuffers(vulkan::Device& device)
        : begin_(const_cast<vulkan::DeviceDispatch&>(device.vk()).BeginCommandBuffer),
          before_(std::exchange(begin_, fail_to_begin)) {}
    NoCommandBuffers(const NoCommandBuffers&) = delete;
    NoCommandBuffers& operator=(const NoCommandBuffers&) = delete;
    ~NoCommandBuffers() { begin_ = before_; }

private:
    PFN_vkBeginCommandBuffer& begin_;
    const PFN_vkBeginCommandBuffer before_;
};

class FailedBatches : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        vertex = gpu().stage(Stage::vertex, fullscreen_vert);
        fragment = gpu().stage(Stage::fragment, color_frag);
        target = gpu().color();
        begin(framebuffer({&target}));
        bind(vertex.get(), fragment.get());
        push({{1, 0, 0, 1}, 0});
    }
    void TearDown() override {
        end(); // bound objects live as long as the recorder
        vertex.reset();
        fragment.reset();
        target = {};
        Scene::TearDown();
    }
    /// Repeats `command` until the batch is full, is submitted, and the next one can't be begun.
    void repeat(const std::function<void()>& command) {
        draw(3); // inside a pass
        const NoCommandBuffers none(gpu().device());
        const uint64_t most =
            run_ahead_limits(gpu().device().properties().core.deviceType).commands_in_batch;
        for (uint64_t i = 0; i < 2 * most && !recorder().device_lost(); ++i)
            command();
        EXPECT_TRUE(gpu().device().lost());
        command(); // once the failure is known
        gpu().drop_messages("VK_ERROR_OUT_OF_HOST_MEMORY");
    }
    Ref<ShaderStage> vertex, fragment;
    Target target;
};
KOBALT_SCENES(FailedBatches);

TEST_P(FailedBatches, PartialClears) {
    repeat([&] { recorder().clear_color(0, rgba(0, 1, 0), area(3, 3, 2, 2)); });
}

TEST_P(FailedBatches, Draws) {
    repeat([&] { draw(3); });
}

TEST_P(FailedBatches, IndirectDraws) {
    const Ref<Buffer> arguments =
        gpu().buffer(std::vector<uint32_t>{3, 1, 0, 0}, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    repeat([&] {
        draw(3); // which counts
        recorder().draw_indirect({.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST}, *arguments, 0,
                                 1, 16, nullptr, 0);
    });
}

TEST_P(FailedBatches, Copies) {
    const Ref<Buffer> from = gpu().buffer(64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    const Ref<Buffer> to = gpu().buffer(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const VkBufferCopy region{0, 0, 64};
    repeat([&] { recorder().copy_buffer(*from, *to, {&region, 1}); });
}

TEST_P(FailedBatches, Framebuffers) {
    Target other = gpu().color();
    bool first = true;
    repeat([&] {
        recorder().set_framebuffer(framebuffer({std::exchange(first, !first) ? &other : &target}));
        recorder().clear_color(0, rgba(0, 1, 0), area(16, 16));
    });
    recorder().set_framebuffer({});
}

} // namespace
} // namespace kobalt::render::test
