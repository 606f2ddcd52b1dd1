// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "options.h"

#include <charconv>
#include <string_view>

namespace kobalt::frame {

namespace {

constexpr int kLeastWidth = 480, kLeastHeight = 270; ///< what the scenes read back fits in

bool read(std::string_view text, int least, int& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && number >= least;
}

bool read(std::string_view text, Size& size) {
    const size_t cross = text.find('x');
    return cross != text.npos && read(text.substr(0, cross), kLeastWidth, size.width) &&
           read(text.substr(cross + 1), kLeastHeight, size.height);
}

bool read_value(Options& options, std::string_view flag, std::string_view value) {
    if (flag == "--size") {
        return read(value, options.size);
    }
    if (flag == "--warm") {
        return read(value, 1, options.frames.warm);
    }
    return flag == "--frames" ? read(value, 1, options.frames.counted)
                              : read(value, 0, options.frames.pause_us);
}

} // namespace

std::expected<Options, std::string> parse(std::span<char* const> words) {
    Options options;
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string flag = words[i];
        if (flag == "--list") {
            options.list = true;
        } else if (flag == "--size" || flag == "--warm" || flag == "--frames" ||
                   flag == "--pause") {
            if (++i == words.size() || !read_value(options, flag, words[i])) {
                return std::unexpected(flag + " needs a value: WIDTHxHEIGHT of at least 480x270, "
                                              "or a number");
            }
        } else if (flag.starts_with("-")) {
            return std::unexpected("there is no option '" + flag + "'");
        } else {
            options.scenes.push_back(flag);
        }
    }
    return options;
}

} // namespace kobalt::frame
