// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kobalt::vulkan {

enum class FileRead { done, missing, failed };

/// Reads a regular file of at most `max_bytes`. `why` says what failed.
FileRead read_file(const std::string& path, uint64_t max_bytes, std::vector<std::byte>& contents,
                   std::string& why);

/// How durable a written file is.
enum class Durability {
    system, ///< survives a system crash: flushed to the disk, which takes milliseconds
    process ///< survives the process alone: not flushed
};

/// Replaces `path`: a new temporary file beside it, which its owner alone may read, is written and
/// renamed over it, so that a reader, or
/// the next start after a crash, sees the old file or the new one, never a part. On failure the
/// temporary file is removed, `path` is untouched, and `why` says what failed.
bool write_file_atomically(const std::string& path, std::span<const std::byte> contents,
                           std::string& why, Durability durability = Durability::system);

} // namespace kobalt::vulkan
