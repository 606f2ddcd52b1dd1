// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "finish.h"

#include <algorithm>
#include <cstdio>

#include "frames.h"

namespace kobalt::memory {

namespace {

constexpr size_t kFrames = 2000;
constexpr size_t kBefore = 100; ///< warm-up frames, not counted: clocks and caches

/// A percentile of one member over all frames, in microseconds.
double percentile(std::vector<Frame>& frames, double Frame::*member, size_t percent) {
    std::ranges::sort(frames, {}, member);
    return 1e3 * frames[frames.size() * percent / 100].*member;
}

} // namespace

void time_finish(const Way& way) {
    const Vulkan vk = open_vulkan();
    if (const char* missing = lacks(vk.abilities, way)) {
        std::printf("# %s: the device lacks %s\n", way.name, missing);
        return;
    }
    std::printf("# device\t%s\n# driver\t%s\n# way\t%s\n", vk.name.c_str(), vk.driver.c_str(),
                way.name);
    std::puts("# draws\twait\tmedian_us\tp99_us\trecord_us\tsubmit_us\twait_us");
    // Where the device is the CPU, polling takes processor time from it.
    const std::vector<Wait> waits =
        vk.is_cpu ? std::vector{Wait::sleeps}
                  : std::vector{Wait::gives_way, Wait::stays, Wait::fence, Wait::sleeps};
    const Maker maker(vk, way, VK_NULL_HANDLE);
    for (const uint32_t draws : {0U, 1U, 100U}) {
        Frames frames(vk, way, maker, draws);
        for (const Wait wait : waits) {
            std::vector<Frame> times;
            for (size_t i = 0; i < kBefore + kFrames; ++i) {
                const Frame frame = frames.draw(wait);
                if (i >= kBefore)
                    times.push_back(frame);
            }
            std::printf("%u\t%s\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\n", draws, name_of(wait),
                        percentile(times, &Frame::total, 50), percentile(times, &Frame::total, 99),
                        percentile(times, &Frame::record, 50),
                        percentile(times, &Frame::submit, 50), percentile(times, &Frame::wait, 50));
            std::fflush(stdout);
        }
    }
}

} // namespace kobalt::memory
