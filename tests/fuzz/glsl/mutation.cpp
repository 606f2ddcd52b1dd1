// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "mutation.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

namespace kobalt::fuzz {
namespace {

/// What takes the place of a token: types, qualifiers, built-ins and numbers at limits.
constexpr std::array<std::string_view, 56> kTokens{
    "float",      "int",         "uint",        "bool",      "vec2",
    "vec3",       "vec4",        "ivec4",       "uvec4",     "mat4",
    "mat2x3",     "double",      "dvec3",       "sampler2D", "samplerCubeArray",
    "struct",     "in",          "out",         "inout",     "const",
    "flat",       "centroid",    "shared",      "uniform",   "buffer",
    "patch",      "sample",      "precise",     "invariant", "return",
    "discard",    "break",       "continue",    "for",       "while",
    "switch",     "if",          "else",        "0",         "-1",
    "2147483647", "4294967295u", "65536",       "1e38",      "0.0",
    "[",          "]",           "{",           "}",         "(",
    ")",          ";",           "gl_Position", "gl_in",     "gl_ClipDistance[7]",
    ".xyzw"};

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

/// Words, numbers with their points, and other characters one by one; space goes with what it
/// follows.
std::vector<std::string> tokens_of(std::string_view text) {
    std::vector<std::string> tokens;
    std::size_t begin = 0;
    while (begin < text.size()) {
        std::size_t end = begin + 1;
        while (is_word(text[begin]) && end < text.size() && is_word(text[end])) {
            ++end;
        }
        while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])) != 0) {
            ++end;
        }
        tokens.emplace_back(text.substr(begin, end - begin));
        begin = end;
    }
    return tokens;
}

void change(Random& random, std::vector<std::string>& tokens) {
    const std::uint32_t count = static_cast<std::uint32_t>(tokens.size());
    const std::uint32_t place = random.below(count);
    const std::uint32_t other = random.below(count);
    const auto at = [&tokens](std::uint32_t number) {
        return tokens.begin() + static_cast<std::ptrdiff_t>(number);
    };
    switch (random.below(6)) {
    case 0:
        tokens.erase(at(place));
        break;
    case 1:
        std::swap(tokens[place], tokens[other]);
        break;
    case 2:
        tokens.insert(at(place), tokens[other]);
        break;
    case 3:
        tokens[place] = tokens[other];
        break;
    case 4:
        tokens[place] = std::string(random.pick(kTokens)) + " ";
        break;
    default: { // some tokens once more
        const std::uint32_t end = place + random.below(std::min(count - place, 20U)) + 1;
        const std::vector<std::string> part(at(place), at(std::min(end, count)));
        tokens.insert(at(other), part.begin(), part.end());
    }
    }
}

constexpr std::array<std::string_view, 7> kNumbers{"0", "1", "2", "7", "63", "65535", "2147483647"};
constexpr std::string_view kOperators = "+-*/%<>";

/// Exchanges a number or an operator for another one, so that the text mostly stays valid.
void change_kindly(Random& random, std::vector<std::string>& tokens) {
    for (int tries = 0; tries < 50; ++tries) {
        std::string& token = random.pick(tokens);
        const std::string_view space = std::string_view(token).substr(
            std::min(token.find_last_not_of(" \n") + 1, token.size()));
        if (std::isdigit(static_cast<unsigned char>(token[0])) != 0 &&
            token.find('.') == token.npos) {
            const bool is_unsigned = token.find('u') != std::string::npos;
            token =
                std::string(random.pick(kNumbers)) + (is_unsigned ? "u" : "") + std::string(space);
            return;
        }
        if (kOperators.find(token[0]) != kOperators.npos) {
            token[0] = random.pick(kOperators);
            return;
        }
    }
}

} // namespace

std::string mutated(Random& random, const std::string& text) {
    const std::size_t first = text.find('\n') + 1;
    std::vector<std::string> tokens = tokens_of(std::string_view(text).substr(first));
    for (int changes = random.between(1, 3); changes > 0 && tokens.size() > 1; --changes) {
        random.one_in(4) ? change(random, tokens) : change_kindly(random, tokens);
    }
    std::string result = text.substr(0, first);
    for (const std::string& token : tokens) {
        result += token;
    }
    return result;
}

} // namespace kobalt::fuzz
