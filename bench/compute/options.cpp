// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "options.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace kobalt::compute {

namespace {

template <typename Number>
bool read(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && number > 0;
}

bool read_value(Options& options, std::string_view flag, std::string_view value) {
    return flag == "--seconds" ? read(value, options.seconds) : read(value, options.batches);
}

} // namespace

std::expected<Options, std::string> parse(std::span<char* const> words) {
    Options options;
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string flag = words[i];
        if (flag == "--list") {
            options.list = true;
        } else if (flag == "--no-check") {
            options.checked = false;
        } else if (flag == "--quick") {
            options.seconds = 0.01;
            options.batches = 1;
        } else if (flag == "--seconds" || flag == "--batches") {
            if (++i == words.size() || !read_value(options, flag, words[i])) {
                return std::unexpected(flag + " needs a number above zero");
            }
        } else if (flag.starts_with("-")) {
            return std::unexpected("there is no option '" + flag + "'");
        } else {
            names.emplace_back(words[i]);
        }
    }
    for (const std::string_view name : names) {
        if (std::ranges::find(kKinds, name, &Kind::name) == kKinds.end()) {
            return std::unexpected("there is no kernel '" + std::string(name) +
                                   "'; --list names them");
        }
    }
    for (const Kind& kind : kKinds) {
        if (names.empty() || std::ranges::find(names, kind.name) != names.end()) {
            options.kinds.push_back(kind);
        }
    }
    return options;
}

} // namespace kobalt::compute
