// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "journal.h"

#include <algorithm>

namespace kobalt::fuzz {

void Journal::note(std::uint32_t lane, std::string_view step) {
    Lane& own = lanes_[lane];
    const std::uint32_t count = own.count.load(std::memory_order_relaxed);
    auto& text = own.steps[count % kept];
    const std::size_t length = step.copy(text.data(), longest - 1);
    text[length] = 0;
    own.count.store(count + 1, std::memory_order_release);
}

void Journal::clear() {
    for (Lane& lane : lanes_) {
        lane.count.store(0, std::memory_order_release);
    }
}

std::string Journal::text() const {
    std::string lines;
    for (std::uint32_t number = 0; number < lanes; ++number) {
        const Lane& lane = lanes_[number];
        const std::uint32_t count = lane.count.load(std::memory_order_acquire);
        if (count == 0) {
            continue;
        }
        lines += "  thread " + std::to_string(number) + ", step " + std::to_string(count) + ":";
        for (std::uint32_t i = count - std::min(count, kept); i < count; ++i) {
            lines += " ";
            lines += lane.steps[i % kept].data();
        }
        lines += "\n";
    }
    return lines;
}

} // namespace kobalt::fuzz
