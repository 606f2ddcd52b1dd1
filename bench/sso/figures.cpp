// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace kobalt::sso {

std::unexpected<Trouble> skipped(std::string reason) {
    return std::unexpected(Trouble{Trouble::Kind::Skipped, std::move(reason)});
}

std::unexpected<Trouble> failed(std::string reason) {
    return std::unexpected(Trouble{Trouble::Kind::Failed, std::move(reason)});
}

void Figures::add(std::string_view metric, double value, std::string_view unit) const {
    std::printf("%s\t%.*s\t%.6g\t%.*s\n", name_.c_str(), static_cast<int>(metric.size()),
                metric.data(), value, static_cast<int>(unit.size()), unit.data());
    std::fflush(stdout);
}

void Figures::add(const Trouble& trouble) const {
    std::printf("%s\t%s\t-\t%s\n", name_.c_str(),
                trouble.kind == Trouble::Kind::Skipped ? "skipped" : "failed",
                trouble.reason.c_str());
    std::fflush(stdout);
}

void Figures::add_spread(std::string_view name, std::span<const double> values,
                         std::string_view unit) const {
    const std::string begin(name);
    add(begin + "_p50", percentile(values, 0.50), unit);
    add(begin + "_p99", percentile(values, 0.99), unit);
    add(begin + "_max", percentile(values, 1.00), unit);
}

double percentile(std::span<const double> values, double share) {
    if (values.empty()) {
        return 0;
    }
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    const double rank = std::ceil(share * static_cast<double>(sorted.size()));
    return sorted[std::min(sorted.size(), static_cast<size_t>(std::max(rank, 1.0))) - 1];
}

} // namespace kobalt::sso
