// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace kobalt::vulkan {

/// Random bytes that the processes of one user share, and that no other user can read. What is
/// signed with them was written by one of these processes.
using UserKey = std::array<uint8_t, 32>;

/// The file of the key in a folder.
std::string user_key_file(const std::string& folder);

/// The key in `folder`, which is made where it is missing. Processes that make it at the same time
/// get the same one, where the file system has locks. A file that others may read or write, of
/// another owner or of another size, and a symbolic link, which is not followed, are replaced.
/// Where `folder` is empty or can't be written to, the key is of this process alone, the same for
/// each call. None: the system gives no random bytes.
std::optional<UserKey> user_key(const std::string& folder);

} // namespace kobalt::vulkan
