// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// The table of environment variables: its values by their types, what is said of values and names
// that mean nothing, and that docs/debugging.md has it.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "test_device.h"
#include "vulkan/base/faults.h"
#include "vulkan/base/variable_access.h"
#include "vulkan/base/variable_document.h"
#include "vulkan/base/variable_values.h"

namespace kobalt::vulkan::test {
namespace {

/// Sets a variable while it lives, and then restores what was there.
class Setting {
public:
    Setting(const char* name, const char* value) : name_(name) {
        if (const char* before = std::getenv(name))
            before_ = before;
        setenv(name, value, 1);
    }
    ~Setting() {
        if (before_)
            setenv(name_, before_->c_str(), 1);
        else
            unsetenv(name_);
    }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;

private:
    const char* name_;
    std::optional<std::string> before_;
};

std::string complaint(Variable variable, const std::string& value) {
    return complaint_about(entry_of(variable), value);
}

TEST(Variables, AFlag) {
    for (const char* text : {"1", "on", "yes", "true"}) {
        const Setting set("KOBALT_PUSHED_BLOCKS", text);
        EXPECT_EQ(environment::flag(Variable::pushed_blocks), true) << text;
        EXPECT_EQ(complaint(Variable::pushed_blocks, text), "");
    }
    for (const char* text : {"0", "off", "no", "false"}) {
        const Setting set("KOBALT_PUSHED_BLOCKS", text);
        EXPECT_EQ(environment::flag(Variable::pushed_blocks), false) << text;
        EXPECT_EQ(complaint(Variable::pushed_blocks, text), "");
    }
    for (const char* text : {"", "yes please", "2", " 1", "TRUE"}) {
        const Setting set("KOBALT_PUSHED_BLOCKS", text);
        EXPECT_EQ(environment::flag(Variable::pushed_blocks), std::nullopt) << text;
    }
    EXPECT_EQ(complaint(Variable::pushed_blocks, ""), "");
    EXPECT_EQ(complaint(Variable::pushed_blocks, "yes please"),
              "KOBALT_PUSHED_BLOCKS=yes please is ignored: it takes 0 or 1; without it: 1 on "
              "NVIDIA's driver, else 0");
}

TEST(Variables, AChoice) {
    {
        const Setting set("KOBALT_WINDOWS", "cpu");
        EXPECT_EQ(environment::choice(Variable::windows), "cpu");
        EXPECT_EQ(Environment::from_process().windows, "cpu");
    }
    {
        const Setting set("KOBALT_WINDOWS", "foo");
        EXPECT_EQ(environment::choice(Variable::windows), std::nullopt);
        EXPECT_EQ(Environment::from_process().windows, "");
    }
    EXPECT_EQ(complaint(Variable::windows, "swapchain"), "");
    EXPECT_EQ(complaint(Variable::windows, "foo"),
              "KOBALT_WINDOWS=foo is ignored: it takes auto, swapchain or cpu; without it: auto");
    EXPECT_EQ(complaint(Variable::shader_objects, "2"),
              "KOBALT_SHADER_OBJECTS=2 is ignored: it takes 0, 1 or all; without it: all with "
              "NVIDIA's driver, else 1");
}

TEST(Variables, Words) {
    using List = std::vector<std::string>;
    {
        const Setting set("KOBALT_DEBUG", "names, foo,perf,bar");
        EXPECT_EQ(environment::words(Variable::debug), (List{"names", "perf"}));
    }
    EXPECT_EQ(complaint(Variable::debug, "names, sync,"), "");
    EXPECT_EQ(complaint(Variable::debug, "names, foo,perf,bar"),
              "KOBALT_DEBUG=names, foo,perf,bar: foo, bar is ignored; it takes words with commas: "
              "names, suppressed, sync, announce, calls, perf, descriptors and breadcrumbs");
    const Setting set("KOBALT_DISABLE", " a, ,no_such_capability,");
    EXPECT_EQ(environment::words(Variable::disable), (List{"a", "no_such_capability"}));
    EXPECT_EQ(complaint(Variable::disable, "no_such_capability"), "") << "the device reports it";
}

TEST(Variables, ANumber) {
    for (const auto& [text, bytes] : {std::pair("3", 3u << 20), std::pair("0", 0u)}) {
        const Setting set("KOBALT_CACHE_MAX_MB", text);
        EXPECT_EQ(Environment::from_process().cache_max_bytes, bytes);
        EXPECT_EQ(complaint(Variable::cache_max_mb, text), "");
    }
    for (const char* text : {"abc", "-1", "12MB", " 3", "17592186044416", "99999999999999999999"}) {
        const Setting set("KOBALT_CACHE_MAX_MB", text);
        EXPECT_EQ(Environment::from_process().cache_max_bytes, 256u << 20) << text;
        EXPECT_EQ(complaint(Variable::cache_max_mb, text),
                  "KOBALT_CACHE_MAX_MB=" + std::string(text) +
                      " is ignored: it takes a number from 0 to 17592186044415, in MiB; without "
                      "it: 256");
    }
}

TEST(Variables, AFolder) {
    const TemporaryFolder folder;
    {
        const Setting set("KOBALT_STATS", folder.path().c_str());
        EXPECT_EQ(environment::text(Variable::stats), folder.path());
    }
    const std::string missing = folder.path() + "/missing", file = folder.path() + "/file";
    std::ofstream(file) << "text";
    for (const std::string& path : {missing, file}) {
        const Setting set("KOBALT_STATS", path.c_str());
        EXPECT_EQ(environment::text(Variable::stats), std::nullopt);
        EXPECT_EQ(complaint(Variable::stats, path),
                  "KOBALT_STATS=" + path +
                      " is ignored: it takes a folder that exists; without it: no file is written");
    }
    EXPECT_EQ(complaint(Variable::stats, folder.path()), "");
    EXPECT_EQ(complaint(Variable::cache_dir, missing), "") << "it is made";
}

TEST(Variables, AFault) {
    for (const char* text : {"oom", "oom:", "oom:x", "oom:-1", "refuse:3", "lost:1:2", "none"}) {
        EXPECT_FALSE(parse_fault(text)) << text;
        EXPECT_NE(complaint(Variable::fault, text).find("it takes oom:N, lost:N"),
                  std::string::npos);
    }
    EXPECT_EQ(parse_fault("oom:3")->allocation, 3);
    EXPECT_EQ(parse_fault("lost:0")->lost, 0);
    EXPECT_EQ(parse_fault("oom:3")->lost, std::nullopt);
    EXPECT_EQ(parse_fault("translate:4")->translation, 4);
    EXPECT_EQ(parse_fault("refuse:CS GLSL:6")->refusal, 6);
    EXPECT_EQ(parse_fault("refuse:a:b:6")->refused_text, "a:b");
    EXPECT_TRUE(parse_fault("opaque-exports")->opaque_exports);
    EXPECT_FALSE(parse_fault("oom:3")->opaque_exports);
}

// This program is one of all those that don't define kobalt_fault_request(). The engine's tests do.
TEST(Variables, AFaultIsNotInjectedIntoOtherPrograms) {
    const Setting set("KOBALT_FAULT", "lost:0");
    EXPECT_EQ(requested_fault().lost, std::nullopt);
    EXPECT_EQ(complaint(Variable::fault, "lost:0"),
              "KOBALT_FAULT=lost:0 is ignored: only Kobalt's own test programs inject faults");
}

TEST(Variables, AMessageIsOneLine) {
    EXPECT_EQ(complaint(Variable::windows, "a\nb\x1b").find("KOBALT_WINDOWS=a?b? is ignored"), 0u);
    EXPECT_LT(complaint(Variable::windows, std::string(5000, 'x')).size(), 300u);
}

TEST(Variables, AnUnknownName) {
    EXPECT_EQ(complaint_about_name("KOBALT_DISABLED"),
              "KOBALT_DISABLED is no variable of Kobalt's: did you mean KOBALT_DISABLE?");
    EXPECT_EQ(complaint_about_name("KOBALT_SHADER_OBJECT"),
              "KOBALT_SHADER_OBJECT is no variable of Kobalt's: did you mean "
              "KOBALT_SHADER_OBJECTS?");
    EXPECT_EQ(complaint_about_name("KOBALT_SOMETHING_ELSE"),
              "KOBALT_SOMETHING_ELSE is no variable of Kobalt's: docs/debugging.md lists them");
    for (const VariableEntry& entry : variable_table())
        EXPECT_EQ(complaint_about_name(entry.name), "");
    for (const char* name : {"KOBALT_QUIET", "KOBALT_TEST_XSERVER", "HOME", "MESA_DEBUG"})
        EXPECT_EQ(complaint_about_name(name), "");
}

TEST(Variables, AreReportedOnceByTheFirstInstance) {
    const Setting flag("KOBALT_INIT_STREAM", "perhaps"), unknown("KOBALT_DEVICES", "0");
    std::string first, second;
    for (std::string* text : {&first, &second}) {
        CapturedLog captured;
        InstanceOptions options;
        options.environment.loader = "/nonexistent/libvulkan.so.1";
        options.log = captured.log();
        EXPECT_FALSE(Instance::create(std::move(options)).has_value());
        *text = captured.text();
    }
    EXPECT_EQ(first, "KOBALT_INIT_STREAM=perhaps is ignored: it takes 0 or 1; without it: 1\n"
                     "KOBALT_DEVICES is no variable of Kobalt's: did you mean KOBALT_DEVICE?\n");
    EXPECT_EQ(second, "");
}

TEST(Variables, NoneCountsInSecureExecution) {
    for (const VariableEntry& entry : variable_table())
        EXPECT_FALSE(entry.counts_in_secure_execution) << entry.name;
}

TEST(Variables, TheDocumentHasTheTable) {
    std::ifstream file(KOBALT_DEBUGGING_DOCUMENT);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_NE(text.str().find("\n" + variable_document()), std::string::npos)
        << "docs/debugging.md has another table: run ./kobalt variables --write";
}

} // namespace
} // namespace kobalt::vulkan::test
