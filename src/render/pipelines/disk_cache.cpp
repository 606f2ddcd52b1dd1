// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/pipelines/disk_cache.h"

#include "render/shaders/compiler_service.h"

#include <algorithm>
#include <utility>

namespace kobalt::render {

class DiskCache::Save : public CompileJob {
public:
    explicit Save(DiskCache& cache) : cache_(cache) {}

private:
    void run() override {
        cache_.planned_.store(false, std::memory_order_relaxed);
        cache_.save();
    }
    DiskCache& cache_;
};

DiskCache::DiskCache(std::unique_ptr<vulkan::PipelineCache> cache, CompilerService& compiler)
    : cache_(std::move(cache)), compiler_(compiler) {}

DiskCache::~DiskCache() = default; // its cache saves itself

VkPipelineCache DiskCache::for_pipeline() {
    const VkPipelineCache handle = cache_->handle();
    if (handle && !cache_->path().empty() && !planned_.load(std::memory_order_relaxed) &&
        !planned_.exchange(true, std::memory_order_relaxed))
        save_later();
    return handle;
}

void DiskCache::save_later() {
    compiler_.submit_later(make_ref<Save>(*this), delay_.load(std::memory_order_relaxed));
}

void DiskCache::save() {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    (void)cache_->save();
    // A large cache is saved less often: saving takes at most a fiftieth of one processor.
    constexpr int share = 50;
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    delay_.store(std::max(delay_.load(std::memory_order_relaxed), took * share),
                 std::memory_order_relaxed);
}

} // namespace kobalt::render
