// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/pipelines/optimized_links.h"

#include <algorithm>

namespace kobalt::render {

bool OptimizedLinks::admit(LinkUse& link, std::vector<LinkUse*>& evicted) {
    if (link.counted)
        return false;
    link.batches.store(0, std::memory_order_relaxed);
    link.binds.store(0, std::memory_order_relaxed);
    uint64_t left = bytes_ + link.bytes; // once the victims are gone
    if (left > limits_.bytes) {
        const auto last_use = [](const LinkUse* one) {
            return one->last_batch.load(std::memory_order_relaxed);
        };
        std::vector<LinkUse*> idle;
        for (LinkUse* one : links_)
            if (one->ready && last_use(one) + limits_.idle_batches < last_use(&link))
                idle.push_back(one);
        std::ranges::sort(idle, {}, last_use);
        size_t victims = 0;
        for (; victims < idle.size() && left > limits_.bytes; ++victims)
            left -= idle[victims]->bytes;
        if (left > limits_.bytes)
            return false;
        idle.resize(victims);
        for (LinkUse* victim : idle)
            remove(*victim);
        evicted = std::move(idle);
    }
    link.counted = true;
    bytes_ += link.bytes;
    links_.push_back(&link);
    return true;
}

void OptimizedLinks::remove(LinkUse& link) {
    if (!link.counted)
        return;
    link.counted = link.ready = false;
    link.batches.store(0, std::memory_order_relaxed);
    link.binds.store(0, std::memory_order_relaxed);
    bytes_ -= link.bytes;
    *std::ranges::find(links_, &link) = links_.back();
    links_.pop_back();
}

} // namespace kobalt::render
