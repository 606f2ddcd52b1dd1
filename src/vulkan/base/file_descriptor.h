// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cerrno>
#include <cstddef>
#include <span>
#include <utility>

#include <unistd.h>

namespace kobalt::vulkan {

/// A file descriptor that closes itself.
class FileDescriptor {
public:
    explicit FileDescriptor(int fd) : fd_(fd) {}
    ~FileDescriptor() { close(); }
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.release()) {}
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        if (this != &other) {
            close();
            fd_ = other.release();
        }
        return *this;
    }

    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    /// Gives the descriptor to the caller, who closes it.
    int release() { return std::exchange(fd_, -1); }
    /// Network and quota file systems report a full disk only here.
    bool close() {
        const int fd = release();
        return fd < 0 || ::close(fd) == 0;
    }

private:
    int fd_;
};

/// Writes all bytes; false with errno otherwise.
inline bool write_all(int fd, std::span<const std::byte> contents) {
    while (!contents.empty()) {
        const ssize_t written = ::write(fd, contents.data(), contents.size());
        if (written < 0) {
            if (errno == EINTR)
                continue;
            return false;
        }
        contents = contents.subspan(static_cast<size_t>(written));
    }
    return true;
}

} // namespace kobalt::vulkan
