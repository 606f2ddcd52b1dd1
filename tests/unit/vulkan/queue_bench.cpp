// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Measures whether uploads and readbacks gain by a dedicated transfer queue. Prints, by size and
// direction, GB/s of a copy on the graphics queue and on the transfer queue, then the time of the
// copy beside 4 ms of work of the graphics queue, in order on that queue or at the same time on the
// other. It is no test, and draws nothing. docs/benchmarks.md has the figures.
#include "must.h"

#include "vulkan/commands/command_pool.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/buffer.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace kobalt::vulkan;
using test::must;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr VkDeviceSize kib = 1024, mib = 1024 * kib;
constexpr int rounds = 15;
constexpr double load_ms = 4;

Buffer make(Device& device, VkDeviceSize size, MemoryKind kind) {
    BufferInfo info;
    info.size = size;
    info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    info.kind = kind;
    info.name = "queue bench";
    return must(Buffer::create(device, info));
}

class Bench {
public:
    explicit Bench(Device& device)
        : device_(device), graphics_(device, device.graphics()), other_(device, device.transfer()),
          filled_(make(device, 256 * mib, MemoryKind::device_local)) {
        fills_ = std::max(1, static_cast<int>(load_ms / time(0, nullptr, 1)));
    }

    void compare(const Buffer& from, const Buffer& to, const char* direction) {
        copied_ = {&from, &to};
        const double here = time(1, &device_.graphics(), 0);
        const double there = time(1, &device_.transfer(), 0);
        const auto rate = [&](double ms) { return static_cast<double>(from.size()) / ms / 1e6; };
        std::printf("%s\t%llu\t%.2f\t%.2f\t%.3f\t%.3f\t%.3f\n", direction,
                    static_cast<unsigned long long>(from.size() / kib), rate(here), rate(there),
                    time(0, nullptr, fills_), time(1, &device_.graphics(), fills_),
                    time(1, &device_.transfer(), fills_));
    }

private:
    struct Copied {
        const Buffer* from;
        const Buffer* to;
    };

    void record_fills(VkCommandBuffer commands, int count) {
        for (int i = 0; i < count; ++i)
            device_.vk().CmdFillBuffer(commands, filled_.handle(), 0, VK_WHOLE_SIZE, 7);
    }
    uint64_t submit(CommandPools& pools, Queue& queue, int fills, bool copies) {
        auto pool = must(pools.acquire());
        const VkCommandBuffer commands = must(pool->begin());
        record_fills(commands, fills);
        if (copies) {
            const VkBufferCopy all{0, 0, copied_.from->size()};
            device_.vk().CmdCopyBuffer(commands, copied_.from->handle(), copied_.to->handle(), 1,
                                       &all);
        }
        if (!pool->end(commands))
            std::exit(1);
        const uint64_t value = must(queue.submit({&commands, 1}));
        pools.release(std::move(pool), value);
        return value;
    }
    /// The least time of `fills` on the graphics queue, and of a copy on `queue`, in milliseconds.
    double time(int copies, Queue* queue, int fills) {
        double best = 1e9;
        for (int round = 0; round < rounds; ++round) {
            const auto begin = std::chrono::steady_clock::now();
            uint64_t own = 0, others = 0;
            if (copies && queue == &device_.graphics()) {
                own = submit(graphics_, device_.graphics(), fills, true);
            } else {
                if (fills)
                    own = submit(graphics_, device_.graphics(), fills, false);
                if (copies)
                    others = submit(other_, *queue, 0, true);
            }
            (void)device_.graphics().timeline().wait(own);
            (void)device_.transfer().timeline().wait(others);
            best = std::min(best, Milliseconds(std::chrono::steady_clock::now() - begin).count());
        }
        return best;
    }

    Device& device_;
    CommandPools graphics_;
    CommandPools other_;
    Buffer filled_;
    Copied copied_{};
    int fills_ = 1;
};

} // namespace

int main() {
    InstanceOptions options;
    options.app_name = "kobalt queue bench";
    options.environment = Environment::from_process();
    const auto instance = must(Instance::create(std::move(options)));
    const DeviceSelection selection = must(select_physical_device(*instance));
    const auto device = must(Device::create(instance, selection.device(), {}));
    std::printf("# %s\n", device->properties().name().c_str());
    if (!device->has_dedicated_transfer()) {
        std::puts("# it has no dedicated transfer queue");
        return 0;
    }
    std::puts("# direction\tKiB\tgraphics_GB/s\ttransfer_GB/s\twork_ms\twork_and_copy_ms\t"
              "work_beside_copy_ms");
    Bench bench(*device);
    for (const VkDeviceSize size : {64 * kib, 1 * mib, 16 * mib, 256 * mib}) {
        const Buffer local = make(*device, size, MemoryKind::device_local);
        bench.compare(make(*device, size, MemoryKind::upload), local, "up");
        bench.compare(local, make(*device, size, MemoryKind::readback), "down");
    }
    return 0;
}
