// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Which files are opened for writing, and with which rights.

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sys/stat.h>

#include "test_device.h"
#include "vulkan/base/file.h"
#include "vulkan/base/private_file.h"

namespace kobalt::vulkan::test {
namespace {

std::string contents_of(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

void put(const FileDescriptor& file, std::string_view text) {
    ASSERT_TRUE(write_all(file.get(), std::as_bytes(std::span(text))));
}

mode_t rights_of(const std::string& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

class PrivateFile : public testing::Test {
protected:
    void SetUp() override { mask_ = umask(0); } // else the mask could hide what is asked for
    void TearDown() override { umask(mask_); }

    const TemporaryFolder folder_;
    const std::string path_ = folder_.path() + "/file";
    mode_t mask_ = 0;
};

TEST_F(PrivateFile, IsTheOwnersAlone) {
    for (const Contents contents : {Contents::replaced, Contents::kept}) {
        const FileDescriptor file = open_private_file(path_, contents);
        ASSERT_TRUE(file);
        EXPECT_EQ(rights_of(path_), 0600u);
        EXPECT_EQ(fcntl(file.get(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
        std::filesystem::remove(path_);
    }
}

TEST_F(PrivateFile, ContentsAreKeptOrReplaced) {
    std::ofstream(path_) << "old ";
    put(open_private_file(path_, Contents::kept), "new");
    EXPECT_EQ(contents_of(path_), "old new");
    put(open_private_file(path_, Contents::replaced), "last");
    EXPECT_EQ(contents_of(path_), "last");
}

TEST_F(PrivateFile, ALinkIsRefused) {
    const std::string target = folder_.path() + "/target";
    std::ofstream(target) << "precious";
    std::filesystem::create_symlink(target, path_);
    for (const Contents contents : {Contents::replaced, Contents::kept}) {
        EXPECT_FALSE(open_private_file(path_, contents));
        EXPECT_EQ(errno, ELOOP);
    }
    std::filesystem::remove(target);
    EXPECT_FALSE(open_private_file(path_, Contents::replaced));
    EXPECT_FALSE(std::filesystem::exists(target)) << "no file is made through a link";
}

TEST_F(PrivateFile, TheProcesssOwnDescriptorsAreMeantByTheirLinks) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const FileDescriptor read_end(ends[0]), write_end(ends[1]);
    put(open_private_file("/dev/fd/" + std::to_string(write_end.get()), Contents::kept), "text");
    char text[8] = {};
    EXPECT_EQ(read(read_end.get(), text, sizeof text), 4);
    EXPECT_STREQ(text, "text");
    for (const char* path : {"/dev/stdout", "/dev/stderr"})
        EXPECT_TRUE(open_private_file(path, Contents::kept)) << path;
    EXPECT_FALSE(open_private_file("/dev/fd/x", Contents::kept));
    EXPECT_FALSE(open_private_file("/dev/fd/987654", Contents::kept));
}

// What replaces a file doesn't follow a link either: the link is what it replaces.
TEST_F(PrivateFile, AReplacedFileIsTheOwnersAlone) {
    const std::string target = folder_.path() + "/target";
    std::ofstream(target) << "precious";
    std::filesystem::create_symlink(target, path_);
    std::string why;
    ASSERT_TRUE(
        write_file_atomically(path_, std::as_bytes(std::span(std::string_view("new"))), why))
        << why;
    EXPECT_EQ(contents_of(target), "precious");
    EXPECT_FALSE(std::filesystem::is_symlink(path_));
    EXPECT_EQ(rights_of(path_), 0600u);
}

} // namespace
} // namespace kobalt::vulkan::test
