// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kobalt::sso {

/// Why a case has no figures, or no valid ones.
struct Trouble {
    enum class Kind { Skipped, Failed };
    Kind kind = Kind::Failed;
    std::string reason; ///< one line
};

using Outcome = std::expected<void, Trouble>;

std::unexpected<Trouble> skipped(std::string reason);
std::unexpected<Trouble> failed(std::string reason);

/// Writes what a case measured: lines `case <tab> metric <tab> value <tab> unit`. A rate's unit
/// ends in "/s"; for all other units less is better.
class Figures {
public:
    explicit Figures(std::string_view name) : name_(name) {}

    void add(std::string_view metric, double value, std::string_view unit) const;
    /// A case without figures: `case <tab> skipped|failed <tab> - <tab> reason`.
    void add(const Trouble& trouble) const;

    /// Adds p50, p99 and the maximum of `values`, as metrics that begin with `name`.
    void add_spread(std::string_view name, std::span<const double> values,
                    std::string_view unit) const;

private:
    std::string name_;
};

/// The value below which `share` of the values lie (nearest rank); 0 where there are none.
double percentile(std::span<const double> values, double share);

} // namespace kobalt::sso
