// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/pipelines/cache_folder.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kobalt::vulkan {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view suffix = ".bin";

/// The path of the executable; of an interpreter, where it runs a script.
std::string executable() {
    std::error_code error;
    const fs::path path = fs::read_symlink("/proc/self/exe", error);
    return error ? program_invocation_name : path.string();
}

/// A name for a file, of letters that every file system takes.
std::string plain(std::string_view name) {
    constexpr size_t longest = 64;
    std::string text(name.substr(0, longest));
    for (char& letter : text)
        if (!std::isalnum(static_cast<unsigned char>(letter)) && letter != '-' && letter != '_')
            letter = '_';
    return text;
}

} // namespace

std::string CacheFolder::file_to_read() const {
    std::error_code error;
    const std::string own = file_of_program();
    if (own.empty() || fs::exists(own, error))
        return own;
    const std::string name = fs::path(own).filename().string();
    std::vector<std::string> namesakes;
    for (const fs::directory_entry& found : fs::directory_iterator(path_, error)) {
        const std::string other = found.path().filename().string();
        if (other.size() == name.size() && other.starts_with(name.substr(0, name.rfind('-') + 1)))
            namesakes.push_back(found.path().string());
    }
    return namesakes.empty() ? std::string() : std::ranges::min(namesakes);
}

std::string CacheFolder::file_of_program() const {
    if (path_.empty())
        return {};
    // Programs of one name in several places are several programs.
    const std::string program = executable();
    constexpr uint32_t first = 0x811c9dc5, factor = 0x01000193; // FNV-1a
    uint32_t hash = first;
    for (const char letter : program)
        hash = (hash ^ static_cast<uint8_t>(letter)) * factor;
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x", hash);
    return path_ + "/" + plain(fs::path(program).filename().string()) + "-" + digits +
           std::string(suffix);
}

FileDescriptor CacheFolder::lock() const {
    std::error_code error;
    fs::create_directories(path_, error);
    FileDescriptor file(::open((path_ + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
                               S_IRUSR | S_IWUSR));
    constexpr int tries = 10;
    constexpr std::chrono::milliseconds pause(10);
    for (int i = 0; file && i < tries; ++i) {
        if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0)
            return file;
        if (errno != EWOULDBLOCK && errno != EINTR)
            break; // a file system without locks
        std::this_thread::sleep_for(pause);
    }
    return FileDescriptor(-1);
}

void CacheFolder::make_room(const std::string& kept, uint64_t max_bytes) const {
    struct Entry {
        fs::file_time_type used;
        uint64_t bytes;
        fs::path path;
    };
    std::vector<Entry> entries;
    uint64_t sum = 0;
    std::error_code error;
    for (const fs::directory_entry& found : fs::directory_iterator(path_, error)) {
        if (found.path().extension() != suffix || found.path() == kept ||
            !found.is_regular_file(error))
            continue;
        const uint64_t bytes = found.file_size(error);
        if (error)
            continue; // another process has just removed it
        entries.push_back({found.last_write_time(error), bytes, found.path()});
        sum += bytes;
    }
    std::ranges::sort(entries, {}, &Entry::used);
    for (const Entry& oldest : entries) {
        if (sum <= max_bytes)
            return;
        if (fs::remove(oldest.path, error))
            sum -= oldest.bytes;
    }
}

void CacheFolder::touch(const std::string& file) {
    (void)::utimensat(AT_FDCWD, file.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

} // namespace kobalt::vulkan
