// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "options.h"

#include <charconv>
#include <chrono>
#include <string_view>

namespace kobalt::sso {

namespace {

void append_names(std::string_view list, std::vector<std::string>& names) {
    while (!list.empty()) {
        const size_t end = list.find(',');
        if (end != 0) {
            names.emplace_back(list.substr(0, end));
        }
        list = end == std::string_view::npos ? std::string_view{} : list.substr(end + 1);
    }
}

template <class Number>
bool read(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
}

} // namespace

std::expected<Options, std::string> parse(std::span<char* const> words) {
    Options options;
    options.seed =
        static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string_view flag = words[i];
        if (flag == "--quick") {
            options.quick = true;
        } else if (flag == "--list") {
            options.list = true;
        } else if (flag == "--no-pictures") {
            options.pictures = false;
        } else if (flag == "--case" || flag == "--seed" || flag == "--pause") {
            if (++i == words.size()) {
                return std::unexpected(std::string(flag) + " needs a value");
            }
            const std::string_view value = words[i];
            bool good = true;
            if (flag == "--case") {
                append_names(value, options.cases);
                good = !options.cases.empty();
            } else if (flag == "--seed") {
                good = read(value, options.seed);
            } else {
                good = read(value, options.pause_s) && options.pause_s >= 0;
            }
            if (!good) {
                return std::unexpected(std::string(flag) + " doesn't take '" + std::string(value) +
                                       "'");
            }
        } else {
            return std::unexpected("there is no option '" + std::string(flag) + "'");
        }
    }
    return options;
}

} // namespace kobalt::sso
