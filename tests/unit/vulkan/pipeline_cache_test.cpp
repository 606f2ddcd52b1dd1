// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "compute_harness.h"

#include "vulkan/pipelines/pipeline_cache.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace kobalt::vulkan::test {
namespace {

namespace fs = std::filesystem;

std::string read_all(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_all(const std::string& path, const std::string& contents) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << contents;
}

/// Files below `folder`, beside the one that only serves as a lock.
size_t files_in(const std::string& folder) {
    size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        count += entry.is_regular_file() && entry.path().filename() != "lock";
    return count;
}

/// scale.comp with workgroups of another size: a pipeline that its own is no help for.
std::vector<uint32_t> other_code() {
    std::vector<uint32_t> code(Scale::default_code().begin(), Scale::default_code().end());
    constexpr uint32_t header_words = 5, execution_mode = 6u << 16 | 16u, local_size = 17;
    for (size_t i = header_words; i < code.size(); i += std::max(code[i] >> 16, 1u))
        if (code[i] == execution_mode && code[i + 2] == local_size)
            code[i + 3] /= 2;
    return code;
}

class Cache : public VulkanTest {
protected:
    static constexpr uint64_t limit = 64u << 20;

    /// Builds a pipeline through a cache in the test's folder, saves, and returns the file's path.
    std::string fill() {
        auto cache = PipelineCache::open(*device_, folder_.path() + "/cache", limit);
        auto scale = Scale::create(*device_, DescriptorMode::pool, cache->handle());
        EXPECT_TRUE(scale.has_value());
        EXPECT_TRUE(cache->save()) << captured_.text();
        return cache->path();
    }
    /// Opens the cache, checks that it starts empty with one warning that has `words`, and that
    /// pipelines can be built with it.
    void expect_refused(const char* words) {
        auto cache = PipelineCache::open(*device_, folder_.path() + "/cache", limit);
        EXPECT_EQ(cache->loaded_bytes(), 0u);
        EXPECT_EQ(captured_.count(LogLevel::warning), 1u) << captured_.text();
        EXPECT_NE(captured_.text().find(words), std::string::npos) << captured_.text();
        EXPECT_TRUE(Scale::create(*device_, DescriptorMode::pool, cache->handle()).has_value());
        EXPECT_TRUE(cache->save()) << "a broken file must be replaced";
        auto again = PipelineCache::open(*device_, folder_.path() + "/cache", limit);
        EXPECT_GT(again->loaded_bytes(), 0u) << "the replaced file is not good";
    }

    TemporaryFolder folder_;
};

TEST_F(Cache, SurvivesTheProcess) {
    const std::string path = fill();
    EXPECT_EQ(files_in(folder_.path() + "/cache"), 1u) << "a temporary file was left behind";
    auto cache = PipelineCache::open(*device_, folder_.path() + "/cache", limit);
    EXPECT_GT(cache->loaded_bytes(), 0u);
    EXPECT_EQ(captured_.count(LogLevel::warning), 0u) << captured_.text();
}

// A large file takes long to read, check and hand to the driver: a program that builds no pipeline
// must not pay for it.
TEST_F(Cache, WhatNobodyUsesIsNotRead) {
    const std::string path = fill();
    write_all(path, "damaged");
    {
        auto cache = PipelineCache::open(*device_, folder_.path() + "/cache", limit);
        EXPECT_FALSE(cache->save());
    }
    EXPECT_EQ(captured_.count(LogLevel::warning), 0u) << captured_.text();
    EXPECT_EQ(read_all(path), "damaged");
}

TEST_F(Cache, UnchangedContentsAreNotWritten) {
    const std::string path = fill();
    auto cache = PipelineCache::open(*device_, folder_.path() + "/cache", limit);
    struct stat first {};
    ASSERT_EQ(stat(path.c_str(), &first), 0);
    (void)cache->handle();
    if (!cache->save())
        GTEST_SKIP() << "the driver's cache data changes by itself";
    struct stat second {};
    ASSERT_EQ(stat(path.c_str(), &second), 0);
    if (cache->loaded_bytes() + 72 == static_cast<size_t>(second.st_size)) {
        EXPECT_EQ(second.st_ino, first.st_ino) << "replaced by a file of the same contents";
    }
}

// Two processes of one program begin with the same file; what either has compiled stays.
TEST_F(Cache, ProcessesOfAProgramMerge) {
    const std::string folder = folder_.path() + "/cache";
    auto first = PipelineCache::open(*device_, folder, limit);
    auto second = PipelineCache::open(*device_, folder, limit);
    ASSERT_EQ(first->path(), second->path());
    ASSERT_TRUE(Scale::create(*device_, DescriptorMode::pool, first->handle()).has_value());
    (void)second->handle();
    ASSERT_TRUE(first->save());
    const std::string alone = read_all(first->path());
    ASSERT_TRUE(second->save()) << "an empty cache must not replace a full one";
    ASSERT_TRUE(
        Scale::create(*device_, DescriptorMode::pool, second->handle(), other_code()).has_value());
    ASSERT_TRUE(second->save());
    const std::string both = read_all(first->path());
    if (both.size() == alone.size())
        GTEST_SKIP() << "the driver puts no pipeline into its caches";
    // Again, now that the file holds what this cache doesn't.
    ASSERT_TRUE(second->save());
    EXPECT_GE(read_all(first->path()).size(), both.size());
    auto third = PipelineCache::open(*device_, folder, limit);
    EXPECT_EQ(third->loaded_bytes() + 72, both.size());
}

// The shared cache of another place of the program.
TEST_F(Cache, SharedOnesAreReadAndNeverWritten) {
    const fs::path written = fill();
    const fs::path shared =
        written.parent_path() /
        (written.stem().string().substr(0, written.stem().string().size() - 8) + "0123abcd.bin");
    fs::rename(written, shared);
    const std::string before = read_all(shared);
    const std::string own = folder_.path() + "/own", from = folder_.path() + "/cache";
    {
        auto cache = PipelineCache::open(*device_, own, limit, from);
        size_t bytes = 0;
        device_->vk().GetPipelineCacheData(device_->handle(), cache->handle(), &bytes, nullptr);
        EXPECT_EQ(bytes + 72, before.size()) << "it has no more and no less than the shared one";
        ASSERT_TRUE(Scale::create(*device_, DescriptorMode::pool, cache->handle()).has_value());
        if (!cache->save())
            GTEST_SKIP() << "the driver's cache data changes by itself";
        EXPECT_FALSE(fs::exists(own)) << "what the shared cache has is written once more";
        ASSERT_TRUE(Scale::create(*device_, DescriptorMode::pool, cache->handle(), other_code())
                        .has_value());
        ASSERT_TRUE(cache->save());
        if (fs::exists(own)) { // some drivers put no pipeline into their caches
            EXPECT_EQ(files_in(own), 1u);
        }
    }
    EXPECT_EQ(read_all(shared), before);
    EXPECT_EQ(files_in(from), 1u);
    EXPECT_EQ(captured_.count(LogLevel::warning), 0u) << captured_.text();
}

TEST_F(Cache, DamagedSharedOnesAreLeftOut) {
    const std::string path = fill();
    write_all(path, "damaged");
    const std::string own = folder_.path() + "/own";
    auto cache = PipelineCache::open(*device_, own, limit, folder_.path() + "/cache");
    EXPECT_TRUE(Scale::create(*device_, DescriptorMode::pool, cache->handle()).has_value());
    EXPECT_EQ(captured_.count(LogLevel::warning), 1u) << captured_.text();
    EXPECT_NE(captured_.text().find("the shared"), std::string::npos) << captured_.text();
    EXPECT_TRUE(cache->save());
    EXPECT_EQ(files_in(own), 1u);
    EXPECT_EQ(read_all(path), "damaged");
}

TEST_F(Cache, ProgramsOfLongAgoMakeRoom) {
    const std::string path = fill();
    const uint64_t own = fs::file_size(path) - 72;
    const fs::path folder = fs::path(path).parent_path();
    write_all(folder / "older-1.bin", std::string(1000, 'o'));
    write_all(folder / "newer-2.bin", std::string(1000, 'n'));
    write_all(folder / "of the user", std::string(1000, 'u'));
    const auto now = fs::file_time_type::clock::now();
    fs::last_write_time(folder / "older-1.bin", now - std::chrono::hours(2));
    fs::last_write_time(folder / "newer-2.bin", now - std::chrono::hours(1));
    fs::remove(path);
    // Room for this program's and one more.
    auto cache = PipelineCache::open(*device_, folder_.path() + "/cache", own + 4000);
    ASSERT_TRUE(Scale::create(*device_, DescriptorMode::pool, cache->handle()).has_value());
    write_all(folder / "large-3.bin", std::string(2500, 'l'));
    ASSERT_TRUE(cache->save()) << captured_.text();
    EXPECT_TRUE(fs::exists(cache->path()));
    EXPECT_FALSE(fs::exists(folder / "older-1.bin"));
    EXPECT_TRUE(fs::exists(folder / "newer-2.bin"));
    EXPECT_TRUE(fs::exists(folder / "large-3.bin"));
    EXPECT_TRUE(fs::exists(folder / "of the user"));
    EXPECT_EQ(captured_.count(LogLevel::warning), 0u) << captured_.text();
}

TEST_F(Cache, AFullCacheBeginsAnew) {
    const std::string path = fill();
    const uint64_t bytes = fs::file_size(path) - 72;
    auto cache = PipelineCache::open(*device_, folder_.path() + "/cache", bytes + bytes / 8);
    EXPECT_EQ(cache->loaded_bytes(), 0u);
    ASSERT_TRUE(Scale::create(*device_, DescriptorMode::pool, cache->handle()).has_value());
    EXPECT_TRUE(cache->save());
    EXPECT_EQ(fs::file_size(path), bytes + 72) << "merged with what it was to forget";
    EXPECT_EQ(captured_.count(LogLevel::warning), 0u) << captured_.text();
}

TEST_F(Cache, CorruptFile) {
    const std::string path = fill();
    std::string contents = read_all(path);
    contents[contents.size() - 5] ^= 0x40;
    write_all(path, contents);
    expect_refused("checksum");
}

TEST_F(Cache, TruncatedFile) {
    const std::string path = fill();
    const std::string contents = read_all(path);
    write_all(path, contents.substr(0, contents.size() - 9));
    expect_refused("cut off");
}

TEST_F(Cache, EmptyFile) {
    write_all(fill(), "");
    expect_refused("too short");
}

TEST_F(Cache, ForeignFile) {
    write_all(fill(), std::string(500, 'x'));
    expect_refused("no Kobalt pipeline cache");
}

TEST_F(Cache, FileOfAnotherDevice) {
    const std::string path = fill();
    std::string contents = read_all(path);
    contents[16] ^= 1; // device_id in the header
    write_all(path, contents);
    expect_refused("another device");
}

TEST_F(Cache, AFileThatIsNoFile) {
    const std::string path = fill();
    fs::remove(path);
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    auto cache = PipelineCache::open(*device_, folder_.path() + "/cache", limit);
    EXPECT_EQ(cache->loaded_bytes(), 0u) << "opening a pipe must not hang or read";
    EXPECT_EQ(captured_.count(LogLevel::warning), 1u);
}

TEST_F(Cache, FolderThatCannotBeWritten) {
    // Root may write anywhere, so a file in place of the folder makes it fail, not the folder's
    // mode.
    write_all(folder_.path() + "/cache", "in the way");
    auto cache = PipelineCache::open(*device_, folder_.path() + "/cache", limit);
    ASSERT_TRUE(Scale::create(*device_, DescriptorMode::pool, cache->handle()).has_value());
    EXPECT_FALSE(cache->save());
    EXPECT_FALSE(cache->save());
    EXPECT_EQ(captured_.count(LogLevel::warning), 1u) << "one warning, not one a try";
    EXPECT_EQ(read_all(folder_.path() + "/cache"), "in the way");
}

TEST_F(Cache, ReadOnlyFolder) {
    if (geteuid() == 0)
        GTEST_SKIP() << "root may write into a read-only folder";
    const std::string folder = folder_.path() + "/cache";
    fs::create_directory(folder);
    fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
    auto cache = PipelineCache::open(*device_, folder, limit);
    ASSERT_TRUE(Scale::create(*device_, DescriptorMode::pool, cache->handle()).has_value());
    EXPECT_FALSE(cache->save());
    EXPECT_EQ(captured_.count(LogLevel::warning), 1u);
    fs::permissions(folder, fs::perms::owner_all);
}

TEST_F(Cache, FullDisk) {
    // A limit on file sizes cuts the write short as a full disk does.
    auto cache = PipelineCache::open(*device_, folder_.path() + "/cache", limit);
    ASSERT_TRUE(Scale::create(*device_, DescriptorMode::pool, cache->handle()).has_value());
    struct rlimit before {};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit tiny { 16, before.rlim_max };
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tiny), 0);
    const bool saved = cache->save();
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, old_handler);
    EXPECT_FALSE(saved);
    EXPECT_EQ(captured_.count(LogLevel::warning), 1u) << captured_.text();
    EXPECT_EQ(files_in(folder_.path() + "/cache"), 0u) << "the partial file was left behind";
}

TEST_F(Cache, SizeLimitWhenSaving) {
    const std::string folder = folder_.path() + "/cache";
    auto cache = PipelineCache::open(*device_, folder, 16);
    ASSERT_TRUE(Scale::create(*device_, DescriptorMode::pool, cache->handle()).has_value());
    EXPECT_FALSE(cache->save());
    EXPECT_FALSE(fs::exists(cache->path()));
    EXPECT_NE(captured_.text().find("KOBALT_CACHE_MAX_MB"), std::string::npos);
}

TEST_F(Cache, SizeLimitWhenLoading) {
    fill();
    auto cache = PipelineCache::open(*device_, folder_.path() + "/cache", 16);
    EXPECT_EQ(cache->loaded_bytes(), 0u);
    EXPECT_EQ(captured_.count(LogLevel::warning), 1u);
}

TEST_F(Cache, RandomDamage) {
    // Whatever the damage, opening the file neither crashes nor hangs, and the file either is
    // refused or has the contents written. The generator's seed is fixed, so the damage is always
    // the same.
    const std::string path = fill();
    const std::string good = read_all(path);
    ASSERT_GT(good.size(), 72u);
    std::mt19937 random(20261121);
    const auto below = [&](size_t limit) { return static_cast<size_t>(random() % limit); };
    for (int round = 0; round < 300; ++round) {
        std::string bad = good;
        for (size_t change = 0, changes = 1 + below(4); change < changes && !bad.empty(); ++change)
            switch (below(6)) {
            case 0: // a bit, half of the time in the part checked before the checksum
                bad[below(random() % 2 ? bad.size() : std::min<size_t>(bad.size(), 104))] ^=
                    static_cast<char>(1u << below(8));
                break;
            case 1:
                bad.resize(below(bad.size() + 1));
                break;
            case 2:
                bad.append(1 + below(300), static_cast<char>(below(256)));
                break;
            case 3: // a piece is lost
                bad.erase(below(bad.size()), 1 + below(64));
                break;
            case 4: { // a block of zeroes or ones, as a file system leaves them
                const size_t at = below(bad.size());
                const size_t bytes = std::min<size_t>(1 + below(128), bad.size() - at);
                bad.replace(at, bytes, bytes, random() % 2 ? '\0' : '\xff');
                break;
            }
            default: { // a size, or anything else of eight bytes, that is far off
                const uint64_t word = (uint64_t{random()} << 32 | random()) >> below(64);
                if (bad.size() >= 72)
                    std::memcpy(bad.data() + 8 * below(9), &word, sizeof word);
                break;
            }
            }
        write_all(path, bad);
        const auto cache = PipelineCache::open(*device_, folder_.path() + "/cache", limit);
        if (bad != good) {
            ASSERT_EQ(cache->loaded_bytes(), 0u) << "round " << round;
        }
        ASSERT_NE(cache->handle(), VkPipelineCache{VK_NULL_HANDLE}) << "round " << round;
    }
}

TEST_F(Cache, ReplacedNotRewritten) {
    const std::string path = fill();
    std::string contents = read_all(path);
    contents.back() ^= 1;
    write_all(path, contents);
    const int reader = ::open(path.c_str(), O_RDONLY);
    ASSERT_GE(reader, 0);
    struct stat before {};
    ASSERT_EQ(fstat(reader, &before), 0);
    expect_refused("checksum");
    // The reader still has the whole old file: the new one replaced its name, not its contents.
    struct stat after {};
    ASSERT_EQ(stat(path.c_str(), &after), 0);
    EXPECT_NE(before.st_ino, after.st_ino);
    std::string seen(contents.size(), '\0');
    EXPECT_EQ(::pread(reader, seen.data(), seen.size(), 0), static_cast<ssize_t>(seen.size()));
    EXPECT_EQ(seen, contents);
    ::close(reader);
}

TEST_F(Cache, NoFolderMeansMemoryAlone) {
    auto cache = PipelineCache::open(*device_, "", limit);
    EXPECT_TRUE(Scale::create(*device_, DescriptorMode::pool, cache->handle()).has_value());
    EXPECT_EQ(cache->path(), "");
    EXPECT_FALSE(cache->save());
    EXPECT_EQ(captured_.count(LogLevel::warning), 0u);
}

} // namespace
} // namespace kobalt::vulkan::test
