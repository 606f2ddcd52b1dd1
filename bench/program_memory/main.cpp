// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// kobalt-program-memory [--count N] [--way NAME] [--cache 0|1] [--threads N] | --start | --beside …
//   What a program's pipelines take of the process's memory, and how long they are in the making,
//   by the way they are made: Vulkan alone, on the device that KOBALT_DEVICE names. Each way has a
//   process of its own. One line each, a program's share of everything:
//   way, cache, threads, microseconds; KiB in memory; the same after malloc has given back what it
//   kept for later, of these anonymous, of these handed out by malloc; the same once all have
//   drawn, and once all are destroyed.
// kobalt-program-memory --beside [--count N] [--way NAME] [--threads N]
//   How even the frames of one thread are while others make that many programs (beside.h).
// kobalt-program-memory --finish [--way NAME]
//   How long a small frame takes that is waited for (finish.h).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "beside.h"
#include "drawing.h"
#include "finish.h"
#include "resident.h"

using namespace kobalt::memory;

namespace {

using Kind = Way::Kind;

constexpr std::array kWays{
    Way{.name = "modules", .what = "two shader modules, no pipeline", .kind = Kind::modules},
    Way{.name = "whole", .what = "one pipeline", .kind = Kind::whole},
    Way{.name = "whole_dynamic",
        .what = "one pipeline, nearly all state dynamic",
        .kind = Kind::whole,
        .dynamic = true},
    Way{.name = "libraries", .what = "a library for each stage, no link"},
    Way{.name = "libraries_retain", .what = "the same, for optimised links", .retain = true},
    Way{.name = "fast", .what = "libraries and a fast link", .fast = true},
    Way{.name = "fast_dynamic",
        .what = "the same, nearly all state dynamic",
        .fast = true,
        .dynamic = true},
    Way{.name = "fast_inline",
        .what = "the same as fast, code without modules",
        .fast = true,
        .inline_modules = true},
    Way{.name = "fast_descriptor_buffer",
        .what = "the same as fast, for descriptor buffers",
        .fast = true,
        .descriptor_buffer = true},
    Way{.name = "fast_retain",
        .what = "libraries for optimised links, and a fast link",
        .fast = true,
        .retain = true},
    Way{.name = "fast_alone",
        .what = "a fast link, libraries gone (not allowed: only if named)",
        .fast = true,
        .drop_libraries = true},
    Way{.name = "both",
        .what = "libraries, a fast link and an optimised one",
        .fast = true,
        .optimized = true,
        .retain = true},
    Way{.name = "optimized",
        .what = "libraries and an optimised link, the fast one gone",
        .fast = true,
        .optimized = true,
        .drop_fast = true,
        .retain = true},
    Way{.name = "optimized_alone",
        .what = "an optimised link, all else gone (not allowed: only if named)",
        .fast = true,
        .optimized = true,
        .drop_fast = true,
        .drop_libraries = true,
        .retain = true},
    Way{.name = "objects", .what = "two shader objects", .kind = Kind::objects},
    Way{.name = "objects_linked",
        .what = "two shader objects, linked",
        .kind = Kind::objects,
        .linked_objects = true},
};

struct Options {
    uint32_t count = 1000;
    std::string way;      ///< empty: all
    int cache = -1;       ///< -1: with and without
    uint32_t threads = 0; ///< 0: 1, and then 8
};

[[noreturn]] void usage() {
    std::fputs("usage: kobalt-program-memory [--count N] [--way NAME] [--cache 0|1] "
               "[--threads N] | --start | --beside [--count N] [--way NAME] [--threads N] | "
               "--finish [--way NAME]\nways:\n",
               stderr);
    for (const Way& way : kWays)
        std::fprintf(stderr, "  %-24s%s\n", way.name, way.what);
    std::exit(2);
}

/// Parses the options from word number `first` on.
Options options_of(int count, char** words, Options options, int first) {
    for (int i = first; i < count; i += 2) {
        const std::string name = words[i];
        if (i + 1 == count)
            usage();
        const char* value = words[i + 1];
        if (name == "--count")
            options.count = static_cast<uint32_t>(std::max(1L, std::strtol(value, nullptr, 10)));
        else if (name == "--way")
            options.way = value;
        else if (name == "--cache")
            options.cache = std::atoi(value) != 0;
        else if (name == "--threads")
            options.threads = static_cast<uint32_t>(std::max(1L, std::strtol(value, nullptr, 10)));
        else
            usage();
    }
    return options;
}

/// The defaults of --beside: programs as Kobalt makes them.
Options options_beside() {
    const uint32_t processors = std::max(std::thread::hardware_concurrency(), 2U);
    return {.count = 500, .way = "fast_retain", .threads = std::min(processors - 1, 8U)};
}

VkPipelineCache new_cache(const Vulkan& vk) {
    const VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    VkPipelineCache cache = VK_NULL_HANDLE;
    need(vk.CreatePipelineCache(vk.device, &info, nullptr, &cache), "vkCreatePipelineCache");
    return cache;
}

/// Makes programs first to first + programs.size() on several threads.
void make_all(const Maker& maker, std::span<Program> programs, uint32_t first, uint32_t threads) {
    const auto part = [&](uint32_t thread) {
        for (size_t i = thread; i < programs.size(); i += threads)
            programs[i] = maker.make(first + static_cast<uint32_t>(i));
    };
    if (threads == 1)
        return part(0);
    std::vector<std::jthread> workers;
    for (uint32_t thread = 0; thread < threads; ++thread)
        workers.emplace_back(part, thread);
}

/// Measures one way; called in a process of its own.
int measure(const Way& way, bool with_cache, uint32_t threads, uint32_t count) {
    const Vulkan vk = open_vulkan();
    if (const char* missing = lacks(vk.abilities, way)) {
        std::printf("# %s: the device lacks %s\n", way.name, missing);
        return 0;
    }
    VkPipelineCache cache = with_cache ? new_cache(vk) : VK_NULL_HANDLE;
    const Maker maker(vk, way, cache);
    const Drawing drawing(vk);
    // Memory for the first programs is the compiler's own, so they don't count.
    std::vector<Program> beginning(threads);
    make_all(maker, beginning, 0, threads);
    drawing.draw(way, maker.layout(), beginning);
    std::vector<Program> programs(count);
    const Resident before = resident_trimmed();

    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    make_all(maker, programs, threads, threads);
    const std::chrono::duration<double, std::micro> spent = Clock::now() - begin;
    const double untrimmed = (resident() - before).all;
    const Resident made = resident_trimmed() - before;
    drawing.draw(way, maker.layout(), programs);
    const Resident drawn = resident_trimmed() - before;
    for (Program& program : beginning)
        maker.destroy(program);
    for (Program& program : programs)
        maker.destroy(program);
    vk.DestroyPipelineCache(vk.device, cache, nullptr);
    const Resident left = resident_trimmed() - before;
    const double each = count;
    std::printf("%s\t%d\t%u\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\n", way.name,
                with_cache ? 1 : 0, threads, spent.count() / each, untrimmed / each,
                made.all / each, made.anonymous / each, made.heap / each, drawn.all / each,
                left.all / each);
    return 0;
}

/// False: the process that measured failed.
bool measure_apart(const Way& way, bool with_cache, uint32_t threads, uint32_t count) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const int result = measure(way, with_cache, threads, count);
        std::fflush(stdout);
        _exit(result); // drivers' exit handlers don't matter here
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        std::printf("# %s: failed\n", way.name);
        return false;
    }
    return true;
}

/// Measures Vulkan's start: no driver on Vulkan can start faster.
void print_start() {
    using Clock = std::chrono::steady_clock;
    Clock::time_point last = Clock::now();
    const auto reached = [&last](const char* step) {
        const Clock::time_point now = Clock::now();
        std::printf("%s\t%.2f\n", step,
                    std::chrono::duration<double, std::milli>(now - last).count());
        last = Clock::now();
    };
    const Vulkan vk = open_vulkan(reached);
    {
        const Drawing drawing(vk);
        drawing.draw(kWays.front(), VK_NULL_HANDLE, {});
        reached("clear");
        const Way& way = kWays[1];
        const Maker maker(vk, way, VK_NULL_HANDLE);
        std::array programs{maker.make(1)};
        reached("pipeline");
        drawing.draw(way, maker.layout(), programs);
        reached("draw");
        maker.destroy(programs[0]);
    }
    vk.DestroyDevice(vk.device, nullptr);
    reached("device_end");
    vk.DestroyInstance(vk.instance, nullptr);
    reached("instance_end");
}

void print_head() {
    const Vulkan vk = open_vulkan();
    std::printf("# device\t%s\n# driver\t%s\n", vk.name.c_str(), vk.driver.c_str());
    std::puts(
        "# way\tcache\tthreads\tus\trss_kb\ttrimmed_kb\tanonymous_kb\theap_kb\tdrawn_kb\tleft_kb");
    std::fflush(stdout);
}

} // namespace

int main(int count, char** words) {
    if (count == 2 && std::string(words[1]) == "--start") {
        print_start();
        return 0;
    }
    const bool beside = count > 1 && std::string(words[1]) == "--beside";
    const bool finish = count > 1 && std::string(words[1]) == "--finish";
    const Options options = beside || finish ? options_of(count, words, options_beside(), 2)
                                             : options_of(count, words, {}, 1);
    const auto named = std::ranges::find(kWays, options.way, &Way::name);
    if (!options.way.empty() && named == kWays.end())
        usage();
    if (beside) {
        draw_beside(*named, options.count, options.threads);
        return 0;
    }
    if (finish) {
        time_finish(*named);
        return 0;
    }
    if (fork() == 0) { // fork first: a process that has opened Vulkan must not be forked
        print_head();
        _exit(0);
    }
    int status = 0;
    wait(&status);
    bool good = status == 0;
    for (const uint32_t threads : {1U, 8U}) {
        if (options.threads != 0 && threads != 1)
            continue;
        for (const int cache : {0, 1}) {
            if (options.cache >= 0 && options.cache != cache)
                continue;
            for (const Way& way : kWays)
                if (options.way.empty() ? !way.drop_libraries : options.way == way.name)
                    good &= measure_apart(way, cache != 0,
                                          options.threads != 0 ? options.threads : threads,
                                          options.count);
        }
    }
    return good ? 0 : 1;
}
