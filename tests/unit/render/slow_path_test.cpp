// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/base/slow_path.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace kobalt::render::test {
namespace {

class SlowPathTest : public testing::Test {
protected:
    /// A context's SlowPaths, with or without KOBALT_DEBUG=perf.
    SlowPaths slow_paths(bool printing) {
        return {vulkan::Log([this](vulkan::LogLevel, std::string_view text) {
                    printed.emplace_back(text);
                }),
                printing};
    }
    SlowPaths::Listener listener() {
        return [this](const char* text) {
            if (listens)
                heard.emplace_back(text);
            return listens;
        };
    }
    static uint64_t count(const SlowPaths& paths, SlowPath kind) {
        return paths.counts[static_cast<size_t>(kind)];
    }
    std::vector<std::string> printed, heard;
    bool listens = true;
};

TEST_F(SlowPathTest, EachIsCountedAndToldOnce) {
    SlowPaths paths = slow_paths(true);
    paths.set_listener(listener());
    for (int i = 0; i < 3; ++i)
        paths.note(SlowPath::busy_map, i == 0 ? "the first" : "another");
    paths.note(SlowPath::restart_split);
    EXPECT_EQ(count(paths, SlowPath::busy_map), 3u);
    EXPECT_EQ(count(paths, SlowPath::restart_split), 1u);
    EXPECT_EQ(count(paths, SlowPath::run_ahead), 0u);
    ASSERT_EQ(heard.size(), 2u);
    EXPECT_NE(heard[0].find("(the first)"), std::string::npos) << heard[0];
    EXPECT_NE(heard[0].find(slow_path_text(SlowPath::busy_map).text), std::string::npos);
    EXPECT_EQ(heard[1].find('('), std::string::npos) << heard[1];
    EXPECT_EQ(printed, heard);
}

TEST_F(SlowPathTest, WhoListensLaterHearsTheNext) {
    SlowPaths paths = slow_paths(false);
    paths.note(SlowPath::read_back);
    listens = false;
    paths.set_listener(listener());
    paths.note(SlowPath::read_back);
    EXPECT_TRUE(heard.empty());
    listens = true;
    paths.note(SlowPath::read_back);
    paths.note(SlowPath::read_back);
    EXPECT_EQ(heard.size(), 1u);
    EXPECT_EQ(count(paths, SlowPath::read_back), 4u);
    EXPECT_TRUE(printed.empty()) << "nobody asked for it";
}

TEST_F(SlowPathTest, WhatNobodyHearsIsPrintedOnce) {
    SlowPaths paths = slow_paths(true);
    listens = false;
    paths.set_listener(listener());
    for (int i = 0; i < 3; ++i)
        paths.note(SlowPath::draw_compile);
    EXPECT_EQ(printed.size(), 1u);
}

TEST_F(SlowPathTest, EachKindHasANameAndAText) {
    std::set<std::string> names;
    for (size_t i = 0; i < slow_path_count; ++i) {
        const SlowPathText& one = slow_path_text(static_cast<SlowPath>(i));
        ASSERT_NE(one.name, nullptr) << i;
        ASSERT_NE(one.text, nullptr) << i;
        EXPECT_TRUE(names.insert(one.name).second) << one.name;
    }
}

} // namespace
} // namespace kobalt::render::test
