// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kobalt::vulkan {

/// The value of an environment variable, or null where it isn't set. Null for every name in a
/// program that runs with more privileges than its caller (setuid, file capabilities): the caller
/// must not choose what it loads and where it writes (secure_getenv(3)). All of Kobalt reads the
/// environment through this function.
const char* environment_variable(const char* name);

/// The user's switches. The creator of the instance reads them once; tests fill in the fields by
/// hand.
struct Environment {
    std::string device;                ///< KOBALT_DEVICE: name substring, index or UUID
    std::string dri_prime;             ///< DRI_PRIME, as Mesa's drivers take it
    std::vector<std::string> disabled; ///< KOBALT_DISABLE: capability names, comma list
    bool validation = false;           ///< KOBALT_VALIDATION=1
    bool debug_names = false;          ///< KOBALT_DEBUG has "names"
    std::vector<std::string> debug;    ///< KOBALT_DEBUG: all words
    std::string windows;               ///< KOBALT_WINDOWS: auto, swapchain or cpu
    std::string loader;                ///< KOBALT_VULKAN_LOADER: path in place of libvulkan.so.1
    std::string cache_dir; ///< KOBALT_CACHE_DIR, else XDG_CACHE_HOME/kobalt, else ~/.cache/kobalt;
                           ///< empty: no cache
    std::string shared_cache_dir;          ///< KOBALT_SHARED_CACHE_DIR; empty: no such cache
    uint64_t cache_max_bytes = 256u << 20; ///< KOBALT_CACHE_MAX_MB (0 switches the cache off)

    /// Reads the process environment.
    static Environment from_process();

    bool has_debug(const char* word) const;
};

/// Splits at commas; blanks around words and empty words are dropped.
std::vector<std::string> split_list(const std::string& text);

} // namespace kobalt::vulkan
