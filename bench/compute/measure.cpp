// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace kobalt::compute {

namespace {

using Clock = std::chrono::steady_clock;

/// A loaded job, and what is known of it.
struct Way {
    const char* api;
    std::unique_ptr<Loaded> loaded = nullptr;
    std::uint64_t dispatches = 0;
    std::vector<double> rates = {}; ///< of the batches: dispatches a second
};

/// The seconds that a batch takes.
Result<double> time_batch(Way& way, const Job& job, std::uint32_t times) {
    const Clock::time_point begin = Clock::now();
    const auto good = way.loaded->run(times);
    const std::chrono::duration<double> spent = Clock::now() - begin;
    if (!good) {
        return std::unexpected(good.error());
    }
    way.dispatches += std::uint64_t{times} * job.together;
    return std::max(spent.count(), 1e-9);
}

/// How many times together a job is done in that many seconds.
Result<std::uint32_t> times_for(Way& way, const Job& job, double seconds) {
    constexpr double most = 1e6, most_growth = 10;
    double times = 1;
    for (;;) {
        const auto spent = time_batch(way, job, static_cast<std::uint32_t>(times));
        if (!spent) {
            return std::unexpected(spent.error());
        }
        const double wanted = std::ceil(times * seconds / *spent);
        if (*spent >= seconds / 2 || times >= most) {
            return static_cast<std::uint32_t>(std::clamp(wanted, 1.0, most));
        }
        times = std::clamp(wanted, times + 1, times * most_growth);
    }
}

Result<void> check(Way& way, const Job& job) {
    const auto words = way.loaded->read(job.result);
    if (!words) {
        return std::unexpected(words.error());
    }
    if (!job.check(*words, way.dispatches)) {
        return std::unexpected("wrong results after " + std::to_string(way.dispatches) +
                               " dispatches");
    }
    return {};
}

/// Runs a job once, to see that it is right before time is spent on it.
Result<void> try_out(Way& way, const Job& job, bool checked) {
    if (const auto spent = time_batch(way, job, 1); !spent) {
        return std::unexpected(spent.error());
    }
    return checked ? check(way, job) : Result<void>{};
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// The batches of both ways in turn; none of them is always the first.
Result<void> run_batches(std::array<Way, 2>& ways, const Job& job, const Method& method) {
    // Both have done a dispatch by now, so that no compilation is in the times.
    const auto times = times_for(ways[1], job, method.seconds);
    if (!times) {
        return std::unexpected(times.error());
    }
    for (Way& way : ways) {
        if (const auto warm = time_batch(way, job, *times); !warm) {
            return std::unexpected(std::string(way.api) + ": " + warm.error());
        }
    }
    for (unsigned i = 0; i < 2 * method.batches; ++i) {
        Way& way = ways[(i + i / 2) % 2];
        const auto spent = time_batch(way, job, *times);
        if (!spent) {
            return std::unexpected(std::string(way.api) + ": " + spent.error());
        }
        way.rates.push_back(*times * static_cast<double>(job.together) / *spent);
    }
    return {};
}

/// Of batches that ran beside each other, so that what else the machine does is in both.
double median_ratio(const Way& way, const Way& other) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < way.rates.size(); ++i) {
        ratios.push_back(way.rates[i] / other.rates[i]);
    }
    return median(std::move(ratios));
}

std::unexpected<Trouble> failed(const Way& way, const std::string& reason) {
    return std::unexpected(Trouble{false, std::string(way.api) + ": " + reason});
}

} // namespace

std::expected<Rates, Trouble> measure(const Kind& kind, const Method& method, Runner& gl,
                                      Runner& vulkan, const Sizes& sizes) {
    const std::string lacks = kind.needs_fp16 ? vulkan.lacks_fp16() : std::string();
    if (!lacks.empty()) {
        return std::unexpected(Trouble{true, lacks});
    }
    const Job job = kind.make(sizes);
    std::array<Way, 2> ways{Way{"OpenGL"}, Way{"Vulkan"}};
    for (Way& way : ways) {
        Runner& runner = &way == ways.data() ? gl : vulkan;
        auto loaded = runner.load(job);
        if (!loaded && kind.needs_fp16 && &runner == &gl) {
            return std::unexpected(Trouble{true, loaded.error() + " with the capability Float16"});
        }
        if (!loaded) {
            return failed(way, loaded.error());
        }
        way.loaded = std::move(*loaded);
        if (const auto good = try_out(way, job, method.checked); !good) {
            return failed(way, good.error());
        }
    }
    if (const auto good = run_batches(ways, job, method); !good) {
        return std::unexpected(Trouble{false, good.error()});
    }
    for (Way& way : ways) {
        if (const auto good = method.checked ? check(way, job) : Result<void>{}; !good) {
            return failed(way, good.error());
        }
    }
    return Rates{median(ways[0].rates) * job.amount, median(ways[1].rates) * job.amount,
                 median_ratio(ways[0], ways[1])};
}

} // namespace kobalt::compute
