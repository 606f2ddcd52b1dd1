// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/base/environment.h"

#include <algorithm>
#include <cstdlib>

namespace kobalt::vulkan {

namespace {

std::string variable(const char* name) {
    const char* value = environment_variable(name);
    return value ? value : "";
}

bool truthy(const std::string& value) {
    return !value.empty() && value != "0" && value != "false" && value != "no" && value != "off";
}

std::string default_cache_dir() {
    if (const std::string xdg = variable("XDG_CACHE_HOME"); !xdg.empty() && xdg[0] == '/')
        return xdg + "/kobalt";
    if (const std::string home = variable("HOME"); !home.empty())
        return home + "/.cache/kobalt";
    return {};
}

} // namespace

const char* environment_variable(const char* name) {
    return secure_getenv(name);
}

std::vector<std::string> split_list(const std::string& text) {
    std::vector<std::string> words;
    size_t start = 0;
    while (start <= text.size()) {
        const size_t end = std::min(text.find(',', start), text.size());
        const size_t first = text.find_first_not_of(" \t", start);
        if (first < end) {
            const size_t last = text.find_last_not_of(" \t", end - 1);
            words.push_back(text.substr(first, last - first + 1));
        }
        start = end + 1;
    }
    return words;
}

Environment Environment::from_process() {
    Environment environment;
    environment.device = variable("KOBALT_DEVICE");
    environment.dri_prime = variable("DRI_PRIME");
    environment.disabled = split_list(variable("KOBALT_DISABLE"));
    environment.validation = truthy(variable("KOBALT_VALIDATION"));
    environment.debug = split_list(variable("KOBALT_DEBUG"));
    environment.debug_names = environment.has_debug("names");
    environment.windows = variable("KOBALT_WINDOWS");
    environment.loader = variable("KOBALT_VULKAN_LOADER");
    environment.cache_dir = variable("KOBALT_CACHE_DIR");
    if (environment.cache_dir.empty())
        environment.cache_dir = default_cache_dir();
    if (const std::string limit = variable("KOBALT_CACHE_MAX_MB"); !limit.empty()) {
        char* end = nullptr;
        const unsigned long long mebibytes = std::strtoull(limit.c_str(), &end, 10);
        if (end != limit.c_str() && *end == '\0' && mebibytes <= (UINT64_MAX >> 20))
            environment.cache_max_bytes = static_cast<uint64_t>(mebibytes) << 20;
    }
    return environment;
}

bool Environment::has_debug(const char* word) const {
    return std::find(debug.begin(), debug.end(), word) != debug.end();
}

} // namespace kobalt::vulkan
