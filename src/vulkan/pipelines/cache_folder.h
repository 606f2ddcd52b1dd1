// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "vulkan/base/file_descriptor.h"

namespace kobalt::vulkan {

/// The folder of one device's pipeline caches: a file for each program, named after its
/// executable. Processes that write there lock the folder, and the programs that were not started
/// for the longest time make room for others.
class CacheFolder {
public:
    /// An empty path: no folder, and the functions below do nothing.
    explicit CacheFolder(std::string path) : path_(std::move(path)) {}

    const std::string& path() const { return path_; }
    /// The file of the program that runs. Empty without a folder.
    std::string file_of_program() const;
    /// The file that the program may find there: its own, else that of a program of the same name
    /// in another place, as other machines have it. Empty: there is none.
    std::string file_to_read() const;

    /// Makes the folder where there is none, and keeps others from writing while the descriptor is
    /// open. None: nobody may write there, or another process holds the lock for longer than a
    /// tenth of a second.
    FileDescriptor lock() const;
    /// Removes files, those first that were used the longest time ago, until all others but
    /// `kept` have at most `max_bytes`.
    void make_room(const std::string& kept, uint64_t max_bytes) const;
    /// Notes that a file was used now.
    static void touch(const std::string& file);

private:
    std::string path_;
};

} // namespace kobalt::vulkan
