// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan/base/environment.h"

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

/// Tells the test that it runs as the copy of itself.
constexpr const char* copy_marker = "KOBALT_TEST_PRIVILEGED_COPY";

/// The exit status of the copy: 0 if nothing of the environment is read.
int status_of_copy() {
    if (getauxval(AT_SECURE) == 0)
        return no_privileges;
    const Environment environment = Environment::from_process();
    const bool unread = environment.loader.empty() && environment.cache_dir.empty() &&
                        environment.device.empty() && environment.debug.empty() &&
                        environment.windows.empty() && !environment_variable("KOBALT_CSV") &&
                        !environment_variable("KOBALT_STATS");
    return unread ? 0 : 1;
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
        for (const char* name :
             {"KOBALT_VULKAN_LOADER", "KOBALT_CACHE_DIR", "KOBALT_DEVICE", "KOBALT_DEBUG",
              "KOBALT_CSV", "KOBALT_STATS", "KOBALT_WINDOWS", copy_marker})
            setenv(name, "/tmp/of-the-caller", 1);
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
