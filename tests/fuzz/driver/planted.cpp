// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "planted.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <unistd.h>

namespace kobalt::fuzz {
namespace {

std::string crash() {
    std::abort();
}

std::string hang() {
    for (;;) {
        pause();
    }
}

std::string grow() {
    std::vector<std::vector<char>> all;
    for (;;) {
        all.emplace_back(16U << 20U, 'x');
        usleep(20'000);
    }
}

std::string end() {
    _exit(7);
}

std::string say() {
    std::fprintf(stderr, "MESA: error: kobalt: validation: VUID-planted: as a message would be\n");
    return {};
}

std::string be_wrong() {
    return "planted";
}

template <std::string (*fault)()>
class Planted : public Target {
public:
    std::string run(std::uint64_t seed, Journal& journal) override {
        const bool bad = seed % 4 == 0;
        journal.note(0, bad ? "bad" : "good");
        return bad ? fault() : std::string();
    }
    static std::expected<std::unique_ptr<Target>, std::string> make() {
        return std::make_unique<Planted>();
    }
};

std::expected<std::unique_ptr<Target>, std::string> refuse() {
    return std::unexpected("planted: not here");
}

constexpr std::array<TargetKind, 7> kKinds{{
    {"planted-crash", "abort()", Planted<crash>::make, 100, 20, 1024},
    {"planted-hang", "pause()", Planted<hang>::make, 100, 1, 1024},
    {"planted-growth", "memory without an end", Planted<grow>::make, 100, 20, 128},
    {"planted-status", "_exit(7)", Planted<end>::make, 100, 20, 1024},
    {"planted-message", "a line of validation", Planted<say>::make, 100, 20, 1024},
    {"planted-wrong", "a wrong result", Planted<be_wrong>::make, 100, 20, 1024},
    {"planted-refusal", "no target", refuse, 100, 20, 1024},
}};

} // namespace

std::span<const TargetKind> planted_kinds() {
    return kKinds;
}

} // namespace kobalt::fuzz
