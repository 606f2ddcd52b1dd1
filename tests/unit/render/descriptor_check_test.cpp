// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/descriptor_check.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "render/bindless/residency.h"
#include "render/recorder/recorder.h"

namespace kobalt::render::test {
namespace {

using Kind = StageNames::Kind;

class DescriptorCheckTest : public testing::Test {
protected:
    void SetUp() override {
        auto names = std::make_shared<StageNames>();
        names->program = "program 7";
        names->bindings = {{Kind::uniform_buffer, 1, "Scene", 64}, {Kind::texture, 1, "picture"}};
        names->has_default_block = true;
        check.set_names(Stage::fragment, names);
        check.begin("draw", 3, 9);
    }
    std::vector<std::string> printed, heard;
    DescriptorCheck check{vulkan::Log([this](vulkan::LogLevel level, std::string_view text) {
        EXPECT_EQ(level, vulkan::LogLevel::warning);
        printed.emplace_back(text);
    })};
};

TEST_F(DescriptorCheckTest, AReportNamesProgramStageBindingAndDraw) {
    check.set_listener([this](const char* text) { heard.emplace_back(text); });
    check.buffer(Stage::fragment, Kind::uniform_buffer, 1, {});
    ASSERT_EQ(printed.size(), 1u);
    for (const char* word : {"program 7", "fragment shader", "uniform block \"Scene\"", "slot 1",
                             "draw 3 of batch 9", "no buffer is bound"})
        EXPECT_NE(printed[0].find(word), std::string::npos) << word << " in " << printed[0];
    EXPECT_EQ(heard, printed);
}

TEST_F(DescriptorCheckTest, EachFaultOfABindingIsToldOnce) {
    for (int i = 0; i < 3; ++i) {
        check.begin("draw", static_cast<uint64_t>(i), 1);
        check.image(Stage::fragment, Kind::texture, 1, nullptr);
        check.image(Stage::fragment, Kind::texture, 2, nullptr);
    }
    ASSERT_EQ(printed.size(), 2u);
    EXPECT_NE(printed[0].find("sampler \"picture\""), std::string::npos) << printed[0];
    EXPECT_NE(printed[1].find("sampler 2,"), std::string::npos) << printed[1];
}

TEST_F(DescriptorCheckTest, TheStateTrackersOwnBlockIsNotJudged) {
    check.buffer(Stage::fragment, Kind::uniform_buffer, 0, {});
    EXPECT_TRUE(printed.empty());
}

TEST_F(DescriptorCheckTest, WhatTheCpuCannotReadIsNotJudged) {
    const Residency nothing;
    check.handle(Stage::fragment, {0, 16, "picture"}, {}, nothing, nullptr);
    EXPECT_TRUE(printed.empty());
}

} // namespace
} // namespace kobalt::render::test
