// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <string>

#include "vulkan/base/file_descriptor.h"

namespace kobalt::vulkan {

/// What happens to the contents of a file that exists.
enum class Contents : uint8_t {
    replaced, ///< the file is emptied
    kept      ///< each write goes to its end
};

/// Opens a file that the user asked for, to write to it. A new file is readable by its owner alone
/// (0600). A name that is a symbolic link is refused (ELOOP), so that a link that somebody else put
/// into a shared folder leads nowhere. /dev/stdout, /dev/stderr and /dev/fd/N, which are such
/// links, mean descriptors of this process: a duplicate of the descriptor is returned. False with
/// errno where the file can't be opened.
FileDescriptor open_private_file(const std::string& path, Contents contents);

} // namespace kobalt::vulkan
