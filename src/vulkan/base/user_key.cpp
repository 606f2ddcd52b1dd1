// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/base/user_key.h"

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <span>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vulkan/base/file_descriptor.h"

namespace kobalt::vulkan {
namespace {

std::optional<UserKey> random_key() {
    UserKey key{};
    ssize_t got = 0;
    do
        got = ::getrandom(key.data(), key.size(), 0);
    while (got < 0 && errno == EINTR);
    return got == static_cast<ssize_t>(key.size()) ? std::optional(key) : std::nullopt;
}

/// The key of a process that shares none.
std::optional<UserKey> process_key() {
    static const std::optional<UserKey> key = random_key();
    return key;
}

/// The key in a file; none where there is no file that is good.
std::optional<UserKey> read_key(const std::string& path) {
    // O_NONBLOCK: opening a pipe in place of the file must not hang.
    const FileDescriptor file(
        ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status {};
    UserKey key{};
    if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_uid != ::geteuid() || (status.st_mode & (S_IRWXG | S_IRWXO)) != 0 ||
        status.st_size != static_cast<off_t>(key.size()) ||
        ::read(file.get(), key.data(), key.size()) != static_cast<ssize_t>(key.size()))
        return std::nullopt;
    return key;
}

/// Keeps other processes from replacing a bad file meanwhile. None: the file system has no locks,
/// or a process that holds the lock was stopped for two seconds.
FileDescriptor lock_folder(const std::string& folder) {
    FileDescriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    constexpr int tries = 2000;
    constexpr std::chrono::milliseconds pause(1);
    for (int i = 0; directory && i < tries; ++i) {
        if (::flock(directory.get(), LOCK_EX | LOCK_NB) == 0)
            return directory;
        if (errno != EWOULDBLOCK && errno != EINTR)
            break;
        std::this_thread::sleep_for(pause);
    }
    return FileDescriptor(-1);
}

/// Puts a new key into the file, unless another process does so first.
void make_key(const std::string& path) {
    const auto key = random_key();
    std::string temporary = path + ".XXXXXX";
    FileDescriptor file(key ? ::mkostemp(temporary.data(), O_CLOEXEC) : -1);
    if (!file)
        return;
    const bool written = write_all(file.get(), std::as_bytes(std::span(*key))) && file.close();
    // link() fails where there is a file, and so has one winner without the lock, too. Here that
    // file is bad, or else the file system has no links.
    const bool linked = written && ::link(temporary.c_str(), path.c_str()) == 0;
    if (written && !linked && !read_key(path) && ::rename(temporary.c_str(), path.c_str()) == 0)
        return;
    ::unlink(temporary.c_str());
}

} // namespace

std::string user_key_file(const std::string& folder) {
    return folder + "/key";
}

std::optional<UserKey> user_key(const std::string& folder) {
    if (folder.empty())
        return process_key();
    const std::string path = user_key_file(folder);
    if (const auto key = read_key(path))
        return key;
    std::error_code ignored; // making the file fails then
    std::filesystem::create_directories(folder, ignored);
    const FileDescriptor writing = lock_folder(folder);
    auto key = read_key(path);
    if (!key) {
        make_key(path);
        key = read_key(path);
    }
    return key ? key : process_key();
}

} // namespace kobalt::vulkan
