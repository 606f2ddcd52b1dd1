// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/queries/summed_query.h"

#include "render/recorder/recorder.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/buffer.h"

namespace kobalt::render {
namespace {

/// A query that spans more passes than this is added up on the way.
constexpr size_t most_slots = 256;

} // namespace

void SummedQuery::restart(const QuerySource& source, bool counting) {
    const std::lock_guard lock(results_mutex_);
    source_ = source;
    counting_ = counting;
    slots_.clear();
    sums_ = {};
    predicate_written_ = false;
}

void SummedQuery::add(const QuerySlot& slot) {
    if (slots_.size() >= most_slots && slots_.size() % 64 == 0)
        fold_completed();
    slots_.push_back(slot);
}

void SummedQuery::miss() {
    const std::lock_guard lock(results_mutex_);
    sums_.incomplete = true;
}

void SummedQuery::accumulate(const QuerySlot& slot) {
    const vulkan::QueryPool& pool = slot.block->pool();
    std::array<uint64_t, QuerySums::statistic_count> values{};
    const auto there = slot.block->read(slot.index, {values.data(), pool.values_per_query()});
    if (!there)
        sums_.incomplete = true;
    if (!there || !*there)
        return;
    switch (pool.type()) {
    case VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT:
        sums_.written[slot.stream] += values[0];
        sums_.generated[slot.stream] += values[1];
        break;
    case VK_QUERY_TYPE_PIPELINE_STATISTICS:
        for (unsigned bit = 0, value = 0; bit < sums_.statistics.size(); ++bit)
            if (pool.statistics() >> bit & 1)
                sums_.statistics[bit] += values[value++];
        break;
    case VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT:
        sums_.generated[slot.stream] += values[0];
        break;
    default:
        sums_.samples += values[0];
        break;
    }
}

void SummedQuery::fold_completed() {
    std::erase_if(slots_, [&](const QuerySlot& slot) {
        if (slot.token && !slot.token->completed())
            return false;
        accumulate(slot);
        return true;
    });
}

std::optional<QuerySums> SummedQuery::sums(Recorder* recorder, bool wait) {
    const std::lock_guard lock(results_mutex_);
    for (const QuerySlot& slot : slots_)
        if (!batch_done(slot.token, recorder, wait))
            return std::nullopt;
    for (const QuerySlot& slot : slots_)
        accumulate(slot);
    slots_.clear();
    return sums_;
}

std::pair<std::vector<QuerySlot>, QuerySums> SummedQuery::unread() {
    const std::lock_guard lock(results_mutex_);
    fold_completed();
    return {slots_, sums_};
}

std::optional<bool> SummedQuery::known_to_count() {
    const std::lock_guard lock(results_mutex_);
    fold_completed();
    if (sums_.samples)
        return true;
    return slots_.empty() ? std::optional(false) : std::nullopt;
}

bool SummedQuery::make_room(vulkan::Device& device, VkDeviceSize bytes) {
    if (predicate_ && predicate_->size() >= bytes)
        return true;
    auto storage =
        vulkan::Buffer::create(device, {.size = bytes,
                                        .usage = VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT |
                                                 VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                        .name = "render condition"});
    if (!storage)
        return false;
    predicate_ = make_ref<Buffer>(std::move(*storage));
    return true;
}

Buffer* SummedQuery::predicate(Recorder& recorder) {
    const std::lock_guard lock(results_mutex_);
    if (predicate_written_)
        return predicate_.get();
    if (!make_room(recorder.engine().device(), predicate_bytes(slots_.size())))
        return nullptr;
    std::vector<QueryWord> words;
    words.reserve(slots_.size());
    for (const QuerySlot& slot : slots_) {
        recorder.retain(*slot.block);
        words.push_back({slot.block->pool().handle(), slot.index});
    }
    predicate_written_ = recorder.write_predicate(words, *predicate_);
    return predicate_written_ ? predicate_.get() : nullptr;
}

} // namespace kobalt::render
