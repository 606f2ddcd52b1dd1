// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/device/call_times.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <iterator>
#include <vector>

namespace kobalt::vulkan {

namespace {

#define KOBALT_NAME(command) "vk" #command,
constexpr const char* names[] = {KOBALT_DEVICE_COMMANDS(KOBALT_NAME)};
#undef KOBALT_NAME

#define KOBALT_INDEX(command) index_##command,
enum Index : size_t { KOBALT_DEVICE_COMMANDS(KOBALT_INDEX) };
#undef KOBALT_INDEX

struct Sum {
    std::atomic<uint64_t> calls;
    std::atomic<uint64_t> nanoseconds;
};

std::array<Sum, std::size(names)> sums;

class Stopwatch {
public:
    explicit Stopwatch(Sum& sum) : sum_(sum), start_(std::chrono::steady_clock::now()) {}
    ~Stopwatch() {
        const std::chrono::nanoseconds passed = std::chrono::steady_clock::now() - start_;
        sum_.calls.fetch_add(1, std::memory_order_relaxed);
        sum_.nanoseconds.fetch_add(passed.count(), std::memory_order_relaxed);
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    Sum& sum_;
    std::chrono::steady_clock::time_point start_;
};

template <Index index, class Command>
struct Timed;

template <Index index, class Return, class... Arguments>
struct Timed<index, Return(VKAPI_PTR*)(Arguments...)> {
    static inline std::atomic<Return(VKAPI_PTR*)(Arguments...)> real = nullptr;
    static VKAPI_ATTR Return VKAPI_CALL call(Arguments... arguments) {
        const Stopwatch stopwatch(sums[index]);
        return real.load(std::memory_order_relaxed)(arguments...);
    }
};

template <Index index, class Command>
void put_in_front(Command& command) {
    using Front = Timed<index, Command>;
    if (!command || command == &Front::call)
        return;
    Front::real.store(command, std::memory_order_relaxed);
    command = &Front::call;
}

} // namespace

void time_calls(DeviceDispatch& vk) {
#define KOBALT_TIME(command) put_in_front<index_##command>(vk.command);
    KOBALT_DEVICE_COMMANDS(KOBALT_TIME)
#undef KOBALT_TIME
}

std::string call_times() {
    struct Row {
        const char* name;
        uint64_t calls;
        double milliseconds;
    };
    std::vector<Row> rows;
    for (size_t i = 0; i < std::size(names); ++i)
        if (const uint64_t calls = sums[i].calls.load(std::memory_order_relaxed))
            rows.push_back(
                {names[i], calls, sums[i].nanoseconds.load(std::memory_order_relaxed) * 1e-6});
    std::ranges::sort(rows, std::ranges::greater{}, &Row::milliseconds);
    std::string text = "Vulkan commands: calls, milliseconds, microseconds a call\n";
    for (const Row& row : rows)
        text += std::to_string(row.calls) + '\t' + std::to_string(row.milliseconds) + '\t' +
                std::to_string(row.milliseconds * 1e3 / static_cast<double>(row.calls)) + '\t' +
                row.name + '\n';
    return text;
}

} // namespace kobalt::vulkan
