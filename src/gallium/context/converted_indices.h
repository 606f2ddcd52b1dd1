// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "gallium/screen/mesa.h"

namespace kobalt::gallium {

/// A draw from an index buffer, as far as the indices of its conversion to lists depend on it.
struct ConvertedDraw {
    uint32_t start = 0; ///< the first index
    uint32_t count = 0;
    uint16_t mode = 0;       ///< mesa_prim
    uint8_t index_size = 0;  ///< bytes
    bool first_provokes = 0; ///< the convention of the provoking vertex
    bool operator==(const ConvertedDraw&) const = default;
};

/// The converted indices of a draw.
class ConvertedRange {
public:
    ConvertedRange() = default;
    /// Takes over the reference to `buffer`.
    ConvertedRange(pipe_resource* buffer, uint32_t start, uint32_t count, uint16_t mode,
                   uint8_t index_size)
        : start(start), count(count), mode(mode), index_size(index_size), buffer_(buffer) {}
    ConvertedRange(const ConvertedRange& other) { *this = other; }
    ConvertedRange& operator=(const ConvertedRange& other);
    ~ConvertedRange() { pipe_resource_reference(&buffer_, nullptr); }
    pipe_resource* buffer() const { return buffer_; }
    uint32_t bytes() const { return count * index_size; }

    uint32_t start = 0; ///< the first index in the buffer
    uint32_t count = 0;
    uint16_t mode = 0;      ///< mesa_prim, one that Vulkan has
    uint8_t index_size = 0; ///< bytes

private:
    pipe_resource* buffer_ = nullptr;
};

/// The converted indices of an index buffer's draws, kept while its contents stay. Display lists
/// and static meshes draw the same ranges in each frame, and to read them anew the CPU would wait
/// for a copy out of video memory. Thread-safe: contexts share buffers.
class ConvertedIndices {
public:
    enum class Known : uint8_t {
        nothing, ///< the first draw of this range with these contents
        seen,    ///< another one: worth keeping
        kept,    ///< `range` holds its indices
    };
    struct Found {
        Known known = Known::nothing;
        ConvertedRange range;
    };
    /// `contents`: render::Resource::contents() of the index buffer before the draw reads it.
    Found find(const ConvertedDraw& draw, uint64_t contents);
    /// Keeps what was made of `contents`, as long as all ranges need no more than `most_bytes`.
    void keep(const ConvertedDraw& draw, uint64_t contents, const ConvertedRange& range,
              uint64_t most_bytes);
    /// Called when the storage is replaced.
    void clear();

private:
    struct Hash {
        size_t operator()(const ConvertedDraw& draw) const;
    };
    void forget();

    std::mutex mutex_; ///< guards what follows
    uint64_t contents_ = 0;
    uint64_t bytes_ = 0; ///< of all ranges
    std::unordered_map<ConvertedDraw, std::optional<ConvertedRange>, Hash> draws_;
};

} // namespace kobalt::gallium
