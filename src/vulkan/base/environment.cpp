// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/base/environment.h"

#include <algorithm>
#include <cstdlib>

#include "vulkan/base/variable_access.h"

namespace kobalt::vulkan {

namespace {

std::string foreign(const char* name) {
    const char* value = environment_variable(name);
    return value ? value : "";
}

std::string default_cache_dir() {
    if (const std::string xdg = foreign("XDG_CACHE_HOME"); !xdg.empty() && xdg[0] == '/')
        return xdg + "/kobalt";
    if (const std::string home = foreign("HOME"); !home.empty())
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
    using V = Variable;
    Environment environment;
    environment.device = environment::text(V::device).value_or("");
    environment.dri_prime = environment::text(V::dri_prime).value_or("");
    environment.disabled = environment::words(V::disable);
    environment.validation = environment::flag(V::validation).value_or(false);
    environment.debug = environment::words(V::debug);
    environment.debug_names = environment.has_debug("names");
    environment.windows = environment::choice(V::windows).value_or("");
    environment.loader = environment::text(V::vulkan_loader).value_or("");
    environment.cache_dir = environment::text(V::cache_dir).value_or(default_cache_dir());
    environment.shared_cache_dir = environment::text(V::shared_cache_dir).value_or("");
    if (const auto mebibytes = environment::number(V::cache_max_mb))
        environment.cache_max_bytes = *mebibytes << 20;
    return environment;
}

bool Environment::has_debug(const char* word) const {
    return std::find(debug.begin(), debug.end(), word) != debug.end();
}

} // namespace kobalt::vulkan
