// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/converted_indices.h"

#include "util/u_inlines.h"

namespace kobalt::gallium {

namespace {

/// Ranges of one buffer. A program that draws each range once would fill the memory with them.
constexpr size_t most_draws = 65536;

} // namespace

ConvertedRange& ConvertedRange::operator=(const ConvertedRange& other) {
    start = other.start;
    count = other.count;
    mode = other.mode;
    index_size = other.index_size;
    pipe_resource_reference(&buffer_, other.buffer_);
    return *this;
}

size_t ConvertedIndices::Hash::operator()(const ConvertedDraw& draw) const {
    const uint64_t range = uint64_t{draw.start} << 32 | draw.count;
    const uint64_t kind =
        uint64_t{draw.mode} << 16 | uint64_t{draw.index_size} << 8 | draw.first_provokes;
    return std::hash<uint64_t>{}((range ^ kind << 56) * 0x9e3779b97f4a7c15u);
}

void ConvertedIndices::forget() {
    draws_.clear();
    bytes_ = 0;
}

void ConvertedIndices::clear() {
    const std::lock_guard lock(mutex_);
    forget();
}

ConvertedIndices::Found ConvertedIndices::find(const ConvertedDraw& draw, uint64_t contents) {
    const std::lock_guard lock(mutex_);
    if (contents != contents_ || draws_.size() >= most_draws)
        forget();
    contents_ = contents;
    const auto [found, added] = draws_.try_emplace(draw);
    if (added)
        return {};
    if (!found->second)
        return {.known = Known::seen, .range = {}};
    return {.known = Known::kept, .range = *found->second};
}

void ConvertedIndices::keep(const ConvertedDraw& draw, uint64_t contents,
                            const ConvertedRange& range, uint64_t most_bytes) {
    const std::lock_guard lock(mutex_);
    if (contents != contents_)
        return;
    if (bytes_ + range.bytes() > most_bytes)
        forget();
    std::optional<ConvertedRange>& kept = draws_[draw];
    bytes_ += range.bytes() - (kept ? kept->bytes() : 0);
    kept = range;
}

} // namespace kobalt::gallium
