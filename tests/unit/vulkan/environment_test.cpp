// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan/base/environment.h"
#include "vulkan/base/variable_access.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <grp.h>
#include <gtest/gtest.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Tests the environment of a program that has more privileges than its caller. The test runs itself
// again as such a program.

namespace kobalt::vulkan {
namespace {

constexpr int no_privileges = 9;

/// Changes the file's group or owner to another one than the caller's, and makes it setgid or
/// setuid.
bool give_privileges(const std::string& program) {
    if (geteuid() == 0)
        return chown(program.c_str(), 65534, 65534) == 0 && chmod(program.c_str(), 04755) == 0;
    gid_t groups[64];
    const int count = getgroups(64, groups);
    for (int i = 0; i < count; ++i)
        if (groups[i] != getegid() &&
            chown(program.c_str(), static_cast<uid_t>(-1), groups[i]) == 0)
            return chmod(program.c_str(), 02755) == 0;
    return false;
}

TEST(Environment, IsReadByAProgramOfTheCallers) {
    setenv("KOBALT_DEVICE", "of the test", 1);
    EXPECT_EQ(Environment::from_process().device, "of the test");
    EXPECT_STREQ(environment_variable("KOBALT_DEVICE"), "of the test");
    unsetenv("KOBALT_DEVICE");
    EXPECT_EQ(environment_variable("KOBALT_DEVICE"), nullptr);
}

/// A value that would count in a program of the caller's.
const char* value_of_caller(VariableType type) {
    switch (type) {
    case VariableType::flag:
    case VariableType::number:
        return "1";
    case VariableType::choice:
        return "cpu";
    case VariableType::words:
        return "names";
    default:
        return "/tmp";
    }
}

/// Tells the test that it runs as the copy of itself.
constexpr const char* copy_marker = "KOBALT_TEST_PRIVILEGED_COPY";

/// The exit status of the copy: 0 if nothing of the environment is read, and nothing is said of it.
int status_of_copy() {
    if (getauxval(AT_SECURE) == 0)
        return no_privileges;
    for (const VariableEntry& entry : variable_table())
        if (environment::text(entry.variable) || environment::flag(entry.variable) ||
            environment::number(entry.variable) || environment::choice(entry.variable) ||
            !environment::words(entry.variable).empty())
            return 1;
    const Environment environment = Environment::from_process();
    if (!environment.cache_dir.empty() || environment_variable("HOME"))
        return 2;
    size_t lines = 0;
    environment::report_mistakes(Log([&](LogLevel, std::string_view) { ++lines; }));
    return lines == 0 ? 0 : 3;
}

TEST(Environment, IsNotReadByAPrivilegedProgram) {
    if (std::getenv(copy_marker))
        std::_Exit(status_of_copy());
    const std::filesystem::path copy = std::filesystem::temp_directory_path() /
                                       ("kobalt-environment-test-" + std::to_string(getpid()));
    std::filesystem::copy_file("/proc/self/exe", copy);
    if (!give_privileges(copy)) {
        std::filesystem::remove(copy);
        GTEST_SKIP() << "no other user or group is there to run as";
    }
    const pid_t child = fork();
    if (child == 0) {
        for (const VariableEntry& entry : variable_table())
            setenv(std::string(entry.name).c_str(), value_of_caller(entry.type), 1);
        setenv("KOBALT_DISABLED", "1", 1); // would be reported
        setenv(copy_marker, "1", 1);
        execl(copy.c_str(), copy.c_str(),
              "--gtest_filter=Environment.IsNotReadByAPrivilegedProgram", nullptr);
        std::_Exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::filesystem::remove(copy);
    ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == no_privileges)
        GTEST_SKIP() << "programs get no privileges on the file system of " << copy;
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

} // namespace
} // namespace kobalt::vulkan
