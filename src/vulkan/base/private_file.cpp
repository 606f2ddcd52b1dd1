// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/base/private_file.h"

#include <charconv>
#include <optional>
#include <string_view>

#include <fcntl.h>

namespace kobalt::vulkan {
namespace {

/// The process's own descriptor that the path means.
std::optional<int> own_descriptor(std::string_view path) {
    constexpr std::string_view folder = "/dev/fd/";
    if (path == "/dev/stdout")
        return STDOUT_FILENO;
    if (path == "/dev/stderr")
        return STDERR_FILENO;
    if (!path.starts_with(folder))
        return std::nullopt;
    path.remove_prefix(folder.size());
    unsigned number = 0;
    const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
    if (error != std::errc{} || end != path.data() + path.size())
        return std::nullopt;
    return static_cast<int>(number);
}

} // namespace

FileDescriptor open_private_file(const std::string& path, Contents contents) {
    if (const auto own = own_descriptor(path))
        return FileDescriptor(::fcntl(*own, F_DUPFD_CLOEXEC, 0));
    const int how = contents == Contents::kept ? O_APPEND : O_TRUNC;
    return FileDescriptor(::open(path.c_str(),
                                 O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | how,
                                 S_IRUSR | S_IWUSR));
}

} // namespace kobalt::vulkan
