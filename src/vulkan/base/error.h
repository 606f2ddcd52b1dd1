// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/vk.h"

#include <expected>
#include <string>
#include <string_view>

namespace kobalt::vulkan {

/// The specification's name of a result ("VK_ERROR_DEVICE_LOST"), or "VkResult(n)".
std::string result_name(VkResult result);

/// What went wrong: the Vulkan result, what was tried, and on what object (name, size, path).
struct Error {
    VkResult result = VK_ERROR_UNKNOWN;
    std::string tried;
    std::string object;

    /// One line for a log: "tried on object: VK_ERROR_...".
    std::string to_string() const;
};

template <class T>
using Result = std::expected<T, Error>;

/// Shorthand for returning a failure from a function that returns a Result.
inline std::unexpected<Error> fail(VkResult result, std::string_view tried,
                                   std::string object = {}) {
    return std::unexpected(Error{result, std::string(tried), std::move(object)});
}

/// "12.5 MiB": sizes as people read them, for error texts.
std::string size_text(uint64_t bytes);

} // namespace kobalt::vulkan
