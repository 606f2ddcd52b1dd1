// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "counters.h"

#include <chrono>
#include <cstring>
#include <thread>

namespace kobalt::gltest {

namespace {

/// The group's id, if the driver has one of that name.
std::optional<GLuint> find_group() {
    GLint count = 0;
    gl::GetPerfMonitorGroupsAMD(&count, 0, nullptr);
    std::vector<GLuint> groups(static_cast<size_t>(count));
    gl::GetPerfMonitorGroupsAMD(nullptr, count, groups.data());
    for (const GLuint one : groups) {
        std::array<char, 64> name{};
        gl::GetPerfMonitorGroupStringAMD(one, static_cast<GLsizei>(name.size()), nullptr,
                                         name.data());
        if (std::string_view(name.data()) == "Kobalt") {
            return one;
        }
    }
    return {};
}

} // namespace

bool CounterMonitor::offered() {
    return find_group().has_value();
}

CounterMonitor::CounterMonitor() : group_(find_group().value()) {
    GLint count = 0;
    GLint most = 0;
    gl::GetPerfMonitorCountersAMD(group_, &count, &most, 0, nullptr);
    std::vector<GLuint> counters(static_cast<size_t>(count));
    gl::GetPerfMonitorCountersAMD(group_, nullptr, nullptr, count, counters.data());
    for (const GLuint counter : counters) {
        std::array<char, 96> name{};
        gl::GetPerfMonitorCounterStringAMD(group_, counter, static_cast<GLsizei>(name.size()),
                                           nullptr, name.data());
        const std::string_view text = name.data();
        constexpr std::string_view kPrefix = "kobalt-";
        EXPECT_TRUE(text.starts_with(kPrefix)) << text;
        names_[counter] = text.substr(std::min(kPrefix.size(), text.size()));
    }
    EXPECT_GE(most, count) << "all counters have to be readable at once";
    gl::GenPerfMonitorsAMD(1, &monitor_);
    gl::SelectPerfMonitorCountersAMD(monitor_, GL_TRUE, group_, count, counters.data());
}

CounterMonitor::~CounterMonitor() {
    gl::DeletePerfMonitorsAMD(1, &monitor_);
}

Spent CounterMonitor::measure(const std::function<void()>& scene) const {
    gl::BeginPerfMonitorAMD(monitor_);
    gl::Finish(); // links compile at once, the beginning waits in the driver's queue
    scene();
    gl::EndPerfMonitorAMD(monitor_);
    GLuint bytes = 0;
    gl::GetPerfMonitorCounterDataAMD(monitor_, GL_PERFMON_RESULT_SIZE_AMD, sizeof(bytes), &bytes,
                                     nullptr);
    std::vector<GLuint> data(bytes / sizeof(GLuint));
    GLint written = 0;
    gl::GetPerfMonitorCounterDataAMD(monitor_, GL_PERFMON_RESULT_AMD, static_cast<GLsizei>(bytes),
                                     data.data(), &written);
    // AMD_performance_monitor, "CounterData": group, counter, and the value by the counter's type.
    constexpr size_t kWords = 4;
    Spent spent;
    for (size_t i = 0; i + kWords <= static_cast<size_t>(written) / sizeof(GLuint); i += kWords) {
        EXPECT_EQ(data[i], group_);
        std::uint64_t value = 0;
        std::memcpy(&value, &data[i + 2], sizeof(value));
        spent[names_.at(data[i + 1])] = value;
    }
    EXPECT_EQ(spent.size(), names_.size()) << "some counter has no result";
    return spent;
}

const std::vector<std::string>& limited_counters() {
    static const std::vector<std::string> kNames{
        "passes",         "barriers",       "descriptors",   "descriptor-writes",
        "fast-links",     "stage-compiles", "draw-compiles", "descriptor-offsets",
        "late-shaders",   "draw-waits",     "slow-paths",    "descriptor-rebinds",
        "bindless-binds",
    };
    return kNames;
}

void expect_within(const Spent& spent, const Budget& budget) {
    // A scene is one batch, in which the ring of descriptors may move once.
    static const Budget kStanding{{"descriptor-rebinds", 2}};
    for (const auto& [name, most] : budget) {
        ASSERT_TRUE(spent.contains(name)) << "there is no counter " << name;
    }
    for (const std::string& name : limited_counters()) {
        ASSERT_TRUE(spent.contains(name)) << "there is no counter " << name;
        const Budget& stated = budget.contains(name) ? budget : kStanding;
        EXPECT_LE(spent.at(name), stated.contains(name) ? stated.at(name) : 0) << name;
    }
}

Missing CountedTest::missing() const {
    if (const Missing reason = lacks("GL_AMD_performance_monitor")) {
        return reason;
    }
    return when(!CounterMonitor::offered(), "the driver has no counters of Kobalt's");
}

void CountedTest::prepare() {
    monitor_ = std::make_unique<CounterMonitor>();
}

void CountedTest::TearDown() {
    monitor_.reset(); // while its context is there
    GlTest::TearDown();
}

Spent CountedTest::measure_warm(const std::function<void()>& frame) const {
    for (int i = 0; i < 2; ++i) {
        frame();
        gl::Finish();
    }
    // What a context's creation has left to compile goes on behind the app's back, and may take
    // longer than one look at it.
    constexpr int kMostRounds = 100;
    constexpr int kQuietRounds = 4;
    int quiet = 0;
    for (int i = 0; i < kMostRounds && quiet < kQuietRounds; ++i) {
        const Spent idle =
            measure([] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); });
        quiet = idle.at("stage-compiles") == 0 ? quiet + 1 : 0;
    }
    return measure(frame);
}

} // namespace kobalt::gltest
