// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// The user's key: which file it is in, who agrees on it, and which files are replaced.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <latch>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "test_device.h"
#include "vulkan/base/user_key.h"

namespace kobalt::vulkan::test {
namespace {

namespace fs = std::filesystem;

std::string contents_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string text_of(const UserKey& key) {
    return {key.begin(), key.end()};
}

class UserKeyTest : public testing::Test {
protected:
    void SetUp() override { mask_ = umask(0); } // else the mask could hide what is asked for
    void TearDown() override { umask(mask_); }

    /// Expects a file that others can't read, and its key for all who ask; returns the key's bytes.
    std::string expect_good() const {
        const auto first = user_key(folder()), second = user_key(folder());
        if (!first || !second) {
            ADD_FAILURE() << "there is no key";
            return {};
        }
        struct stat status {};
        EXPECT_EQ(lstat(path().c_str(), &status), 0);
        EXPECT_EQ(status.st_mode, S_IFREG | 0600u);
        EXPECT_EQ(contents_of(path()), text_of(*first));
        EXPECT_EQ(first, second);
        EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 1) << "a file is left over";
        return text_of(*first);
    }
    void put(const std::string& contents, mode_t mode = 0600) const {
        fs::create_directories(folder());
        std::ofstream(path(), std::ios::binary) << contents;
        ASSERT_EQ(chmod(path().c_str(), mode), 0);
    }
    std::string folder() const { return parent_.path() + "/some/folder"; }
    std::string path() const { return user_key_file(folder()); }

    const TemporaryFolder parent_;
    mode_t mask_ = 0;
};

TEST_F(UserKeyTest, IsMadeOnceAndIsRandom) {
    const std::string key = expect_good();
    EXPECT_GT(std::set<char>(key.begin(), key.end()).size(), 8u);
    EXPECT_EQ(expect_good(), key);
    fs::remove(path());
    EXPECT_NE(expect_good(), key);
}

// Threads stand for processes: what user_key() does has no memory of earlier calls while there is a
// folder. They begin where there is no key, or a bad one.
TEST_F(UserKeyTest, AllWhoStartAtOnceAgree) {
    constexpr std::ptrdiff_t count = 16;
    for (int round = 0; round < 400; ++round) {
        if (round % 8)
            put("bad");
        else
            fs::remove_all(folder());
        std::vector<std::optional<UserKey>> keys(count);
        {
            std::latch start(count);
            std::vector<std::jthread> threads;
            for (auto& key : keys)
                threads.emplace_back([&] {
                    start.arrive_and_wait();
                    key = user_key(folder());
                });
        }
        ASSERT_TRUE(keys[0]);
        EXPECT_EQ(std::ranges::count(keys, keys[0]), count);
        EXPECT_EQ(expect_good(), text_of(*keys[0]));
    }
}

TEST_F(UserKeyTest, FilesOfAnotherSizeAreReplaced) {
    for (const size_t size : {0u, 31u, 33u}) {
        put(std::string(size, 'x'));
        EXPECT_NE(expect_good(), std::string(32, 'x'));
    }
}

TEST_F(UserKeyTest, AFileThatOthersMayReadIsReplaced) {
    for (const mode_t mode : {0640, 0604, 0620}) {
        const std::string known(32, 'k');
        put(known, mode);
        EXPECT_NE(expect_good(), known);
    }
}

TEST_F(UserKeyTest, AFileOfAnotherUserIsReplaced) {
    if (geteuid() != 0)
        GTEST_SKIP() << "needs the right to give a file to another user";
    const std::string known(32, 'k');
    put(known);
    ASSERT_EQ(chown(path().c_str(), 65534, 65534), 0);
    EXPECT_NE(expect_good(), known);
}

TEST_F(UserKeyTest, ALinkIsNotFollowed) {
    const std::string target = parent_.path() + "/target", known(32, 'k');
    fs::create_directories(folder());
    for (const bool exists : {false, true}) {
        if (exists) {
            std::ofstream(target) << known;
            ASSERT_EQ(chmod(target.c_str(), 0600), 0);
        }
        fs::remove(path());
        fs::create_symlink(target, path());
        EXPECT_NE(expect_good(), known);
        EXPECT_EQ(contents_of(target), exists ? known : "");
    }
}

// A file in the folder's place: root may write to any folder.
TEST_F(UserKeyTest, WithoutAFolderAProcessHasAKeyOfItsOwn) {
    std::ofstream(parent_.path() + "/some") << "no folder";
    const auto key = user_key(folder());
    ASSERT_TRUE(key);
    EXPECT_EQ(user_key(folder()), key);
    EXPECT_EQ(user_key(""), key);
    const TemporaryFolder other;
    EXPECT_NE(user_key(other.path()), key);
}

// What can't be replaced: a folder that isn't empty.
TEST_F(UserKeyTest, WhereTheFileCannotBeReplacedAProcessHasAKeyOfItsOwn) {
    fs::create_directories(path() + "/full");
    const auto key = user_key(folder());
    ASSERT_TRUE(key);
    EXPECT_EQ(user_key(""), key);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 1) << "a file is left over";
}

} // namespace
} // namespace kobalt::vulkan::test
