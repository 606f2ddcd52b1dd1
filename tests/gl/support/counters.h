// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "support.h"

namespace kobalt::gltest {

/// What a scene cost, by the counters' names in docs/debugging.md with hyphens: `draw-compiles`.
using Spent = std::map<std::string, std::uint64_t>;

/// The driver's counters, read by GL's own means: the group "Kobalt" of GL_AMD_performance_monitor.
class CounterMonitor {
public:
    /// Whether the current context, which has the extension, has the group.
    static bool offered();
    /// Where the group is offered. Belongs to the current context, and goes before it.
    CounterMonitor();
    ~CounterMonitor();
    CounterMonitor(const CounterMonitor&) = delete;
    CounterMonitor& operator=(const CounterMonitor&) = delete;

    /// What every counter rises by while `scene` runs.
    Spent measure(const std::function<void()>& scene) const;

private:
    GLuint group_ = 0, monitor_ = 0;
    std::map<GLuint, std::string> names_; ///< by the counter's id
};

/// The most that a scene may cost. What it doesn't name of `limited_counters()` it may not cost at
/// all.
using Budget = std::map<std::string, std::uint64_t>;
const std::vector<std::string>& limited_counters();
void expect_within(const Spent& spent, const Budget& budget);

/// A context whose counters can be read; skips where they can't.
class CountedTest : public GlTest {
protected:
    Missing missing() const override;
    void prepare() override;
    void TearDown() override;

    Spent measure(const std::function<void()>& scene) const { return monitor_->measure(scene); }
    /// The cost of `frame` when it was drawn twice before: nothing is new any more.
    Spent measure_warm(const std::function<void()>& frame) const;

private:
    std::unique_ptr<CounterMonitor> monitor_;
};

} // namespace kobalt::gltest
