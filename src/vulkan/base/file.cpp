// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/base/file.h"

#include "vulkan/base/error.h"
#include "vulkan/base/file_descriptor.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

namespace kobalt::vulkan {

namespace {

std::string errno_text(const char* tried) {
    return std::string(tried) + ": " + std::strerror(errno);
}

} // namespace

FileRead read_file(const std::string& path, uint64_t max_bytes, std::vector<std::byte>& contents,
                   std::string& why) {
    // O_NONBLOCK: opening a pipe in place of the file must not hang.
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file) {
        if (errno == ENOENT || errno == ENOTDIR)
            return FileRead::missing;
        why = errno_text("opening it failed");
        return FileRead::failed;
    }
    struct stat status {};
    if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
        why = "it is not a regular file";
        return FileRead::failed;
    }
    const auto bytes = static_cast<uint64_t>(status.st_size);
    if (bytes > max_bytes) {
        why = "its " + size_text(bytes) + " are more than the limit of " + size_text(max_bytes) +
              " (KOBALT_CACHE_MAX_MB)";
        return FileRead::failed;
    }
    contents.resize(bytes);
    size_t done = 0;
    while (done < contents.size()) {
        const ssize_t got = ::read(file.get(), contents.data() + done, contents.size() - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            why = errno_text("reading it failed");
            contents.clear();
            return FileRead::failed;
        }
        if (got == 0)
            break; // shorter than fstat() said; the reader's checks notice
        done += static_cast<size_t>(got);
    }
    contents.resize(done);
    return FileRead::done;
}

bool write_file_atomically(const std::string& path, std::span<const std::byte> contents,
                           std::string& why, Durability durability) {
    std::string temporary = path + ".XXXXXX";
    FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!file) {
        why = errno_text("creating a temporary file beside it failed");
        return false;
    }
    const char* tried = nullptr;
    if (!write_all(file.get(), contents))
        tried = "writing failed";
    else if (durability == Durability::system && ::fsync(file.get()) != 0)
        tried = "flushing to the disk failed";
    else if (!file.close())
        tried = "closing failed";
    else if (::rename(temporary.c_str(), path.c_str()) != 0)
        tried = "renaming failed";
    if (tried) {
        why = errno_text(tried);
        ::unlink(temporary.c_str());
        return false;
    }
    // Flushing the folder writes the rename to the disk. If that fails, at worst the old file
    // stays.
    if (durability == Durability::process)
        return true;
    const size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    const FileDescriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory)
        (void)::fsync(directory.get());
    return true;
}

} // namespace kobalt::vulkan
