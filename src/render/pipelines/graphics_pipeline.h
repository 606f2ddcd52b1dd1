// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

#include "render/base/attempt.h"
#include "render/base/ref.h"
#include "render/pipelines/optimized_links.h"
#include "render/pipelines/shader_stage.h"
#include "render/shaders/compiler_service.h"
#include "vulkan/base/handle.h"

namespace kobalt::render {

struct GraphicsKey;
struct PipelineLayoutEntry;

/// One VkPipeline. A recorder that drew with it retains it until the batch in which the recorder
/// learns that another took its place. A batch that binds it retains it until the GPU is past the
/// batch. So it may be replaced at any time.
class LinkedPipeline final : public RefCounted {
public:
    explicit LinkedPipeline(vulkan::Pipeline pipeline) : pipeline_(std::move(pipeline)) {}
    ~LinkedPipeline() override {
        if (std::atomic<uint64_t>* counter = ended_.load(std::memory_order_relaxed))
            counter->fetch_add(1, std::memory_order_relaxed);
    }
    VkPipeline handle() const { return pipeline_.get(); }
    /// Draws use another from now on. `counter` grows when this is destroyed.
    void end(std::atomic<uint64_t>& counter) { ended_.store(&counter, std::memory_order_relaxed); }
    bool ended() const { return ended_.load(std::memory_order_relaxed) != nullptr; }

private:
    vulkan::Pipeline pipeline_;
    std::atomic<std::atomic<uint64_t>*> ended_{nullptr}; ///< null: it is in use
};

/// Counts runs of draws with the same shader objects. Binding objects costs less than binding a
/// pipeline, with NVIDIA's driver half of it for CPU and GPU; but each draw with other uniforms
/// costs more. So links that are drawn in long runs move over to a pipeline. A count that is lost
/// to another thread does no harm.
class ObjectRuns {
public:
    static constexpr uint32_t judged = 16;   ///< runs, each time
    static constexpr uint32_t long_run = 16; ///< draws of one, on the average
    static constexpr uint64_t longest = 64;  ///< one long run makes up for few short ones
    /// True: the last `judged` runs were long ones.
    bool note(uint64_t draws) {
        const auto sum = draws_.load(std::memory_order_relaxed) +
                         static_cast<uint32_t>(std::min(draws, longest));
        const uint32_t count = count_.load(std::memory_order_relaxed) + 1;
        const bool judge = count == judged;
        count_.store(judge ? 0 : count, std::memory_order_relaxed);
        draws_.store(judge ? 0 : sum, std::memory_order_relaxed);
        return judge && sum >= judged * long_run;
    }

private:
    std::atomic<uint32_t> count_{0}, draws_{0};
};

/// A pipeline that draws use: fast-linked first, optimised once it has been used enough, and
/// fast-linked again by the next draw where the optimised one was evicted.
struct GraphicsPipeline : LinkUse {
    Attempt made;
    std::atomic<bool> usable{false}; ///< false: it can't be built
    /// The handle of `active`, for comparing. It may change at any time: a draw calls
    /// PipelineStore::active() where the handle differs from the one that it has.
    std::atomic<VkPipeline> current{VK_NULL_HANDLE};
    Ref<LinkedPipeline> active; ///< null: evicted; guarded by the store
    const PipelineLayoutEntry* layout = nullptr;
    /// Draws bind `objects`, and there is no pipeline, or not yet. The layout of the objects' sets
    /// is `object_layout`, not `layout`.
    std::atomic<bool> by_objects{false};
    const PipelineLayoutEntry* object_layout = nullptr;
    ObjectSize object_size = ObjectSize::small;
    ObjectRuns runs;
    std::array<VkShaderEXT, graphics_stage_count> objects{}; ///< by Stage; null: absent
    // What the pipeline will be made of.
    const GraphicsKey* key = nullptr; ///< the store's
    std::array<ShaderStage*, graphics_stage_count> stages{};
    Ref<CompileJob> optimizing; ///< also the job that replaces objects; null: none
    std::array<VkPipeline, 4> libraries{};
};

} // namespace kobalt::render
