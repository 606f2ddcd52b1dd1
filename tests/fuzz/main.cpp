// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// kobalt-fuzz TARGET [--seed S] [--first I] [--inputs N] [--seconds T] [--faults F] | --list
//
// Feeds inputs to a target: those numbered from I on (default 0) of the seed S (default 1), until
// N inputs have run, T seconds have passed (default 20 where N isn't given) or F faults were found
// (default 20); 0 is no limit. An input depends on S and on its number alone. The last line says
// how many there were, and the number of the next. The exit status is 0 without a fault, 1 with
// one, 2 where the arguments mean nothing and 3 where no input can run here.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include "binaries/binaries.h"
#include "calls/calls.h"
#include "driver/planted.h"
#include "driver/supervisor.h"
#include "glsl/glsl.h"
#include "transfers/transfers.h"

namespace kobalt::fuzz {
namespace {

std::vector<TargetKind> all_kinds() {
    std::vector<TargetKind> kinds{calls_kind(), transfers_kind(), glsl_kind(), binaries_kind()};
    const auto planted = planted_kinds();
    kinds.insert(kinds.end(), planted.begin(), planted.end());
    return kinds;
}

template <typename Number>
bool read(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number >= 0;
}

/// The arguments behind the target's name.
std::optional<RunRequest> parse(const std::vector<std::string_view>& words) {
    RunRequest request;
    bool timed = false;
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        const std::string_view flag = words[i];
        const std::string_view value = words[i + 1];
        const bool good = flag == "--seed"      ? read(value, request.seed)
                          : flag == "--first"   ? read(value, request.first)
                          : flag == "--inputs"  ? read(value, request.limits.inputs)
                          : flag == "--seconds" ? read(value, request.limits.seconds)
                          : flag == "--faults"  ? read(value, request.limits.faults)
                                                : false;
        if (!good) {
            return std::nullopt;
        }
        timed = timed || flag == "--seconds";
    }
    if (words.size() % 2 != 0) {
        return std::nullopt;
    }
    if (!timed && request.limits.inputs != 0) {
        request.limits.seconds = 0;
    }
    return request;
}

int main_of(const std::vector<std::string_view>& words) {
    const auto kinds = all_kinds();
    if (words.size() == 1 && words[0] == "--list") {
        for (const TargetKind& kind : kinds) {
            std::printf("%s\t%s\n", kind.name, kind.what);
        }
        return 0;
    }
    const auto kind = std::ranges::find_if(
        kinds, [&words](const TargetKind& one) { return !words.empty() && one.name == words[0]; });
    const auto request = words.empty() ? std::nullopt : parse({words.begin() + 1, words.end()});
    if (kind == kinds.end() || !request) {
        std::fprintf(stderr, "usage: kobalt-fuzz TARGET [--seed S] [--first I] [--inputs N] "
                             "[--seconds T] [--faults F] | --list\n");
        return 2;
    }
    const auto summary = supervise(*kind, *request);
    if (!summary) {
        std::fprintf(stderr, "kobalt-fuzz %s: %s\n", kind->name, summary.error().c_str());
        return 3;
    }
    std::printf("%s: seed %llu, %llu inputs from %llu on, %.1f inputs/s, %llu faults\n", kind->name,
                static_cast<unsigned long long>(request->seed),
                static_cast<unsigned long long>(summary->inputs),
                static_cast<unsigned long long>(request->first),
                static_cast<double>(summary->inputs) / std::max(summary->seconds, 1e-3),
                static_cast<unsigned long long>(summary->faults));
    return summary->faults == 0 ? 0 : 1;
}

} // namespace
} // namespace kobalt::fuzz

int main(int argc, char** argv) {
    return kobalt::fuzz::main_of({argv + 1, argv + argc});
}
