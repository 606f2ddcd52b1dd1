// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "supervisor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vulkan/base/file_descriptor.h"
#include "worker.h"

namespace kobalt::fuzz {
namespace {

using vulkan::FileDescriptor;

constexpr int kPollMs = 20;
constexpr double kNs = 1e9;

/// A Progress in memory that children of fork() share.
class SharedProgress {
public:
    SharedProgress()
        : memory_(mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
        if (memory_ == MAP_FAILED) {
            throw std::bad_alloc();
        }
        progress_ = std::construct_at(static_cast<Progress*>(memory_));
    }
    ~SharedProgress() {
        std::destroy_at(progress_);
        munmap(memory_, sizeof(Progress));
    }
    SharedProgress(const SharedProgress&) = delete;
    SharedProgress& operator=(const SharedProgress&) = delete;
    Progress& operator*() const { return *progress_; }
    Progress* operator->() const { return progress_; }

private:
    void* memory_;
    Progress* progress_ = nullptr;
};

/// The resident set of another process in MiB, 0 where it has ended.
std::uint64_t resident_mib(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/statm");
    std::uint64_t size = 0;
    std::uint64_t resident = 0;
    file >> size >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

struct Worker {
    pid_t process = -1;
    FileDescriptor process_descriptor{-1}; ///< readable once the process has ended
    FileDescriptor output{-1};             ///< what the process writes to stdout and stderr
};

/// What the layer says of shaders that read a texture through a sampler of another type. GL allows
/// that, with undefined values (GL 4.6, 11.1.3.5).
constexpr std::array kUndefinedInGl{"-format-07753:", "-None-06479:"};

/// What a line of a worker's output is: a kind of fault, or nothing.
std::optional<std::string> fault_of_line(std::string_view line) {
    const auto has = [line](std::string_view text) { return line.find(text) != line.npos; };
    if (line.starts_with(wrong_mark)) {
        return "wrong in input " + std::string(line.substr(std::strlen(wrong_mark)));
    }
    if (std::ranges::any_of(kUndefinedInGl, has)) {
        return std::nullopt;
    }
    if (has("kobalt: validation: ")) {
        return std::string(line.substr(line.find("validation: ")));
    }
    // A leak, a race and the like, as a sanitizer tells it.
    if (has("MESA: error: kobalt: ") || has("ERROR: AddressSanitizer") || has("runtime error: ") ||
        has("WARNING: ThreadSanitizer")) {
        return "said: " + std::string(line);
    }
    return std::nullopt;
}

class Run {
public:
    Run(const TargetKind& kind, const RunRequest& request) : kind_(kind), request_(request) {
        progress_->current = request.first;
    }

    std::expected<Summary, std::string> all() {
        const std::int64_t start = now_ns();
        while (!is_over(start)) {
            auto worker = begin();
            if (!worker) {
                return std::unexpected(worker.error());
            }
            const auto ended = watch(*worker, start);
            if (!ended) {
                return std::unexpected(ended.error());
            }
        }
        summary_.inputs = progress_->current - request_.first;
        summary_.next = progress_->current;
        summary_.seconds = static_cast<double>(now_ns() - start) / kNs;
        return summary_;
    }

private:
    bool is_over(std::int64_t start) const {
        const Limits& limits = request_.limits;
        const double seconds = static_cast<double>(now_ns() - start) / kNs;
        return (limits.seconds > 0 && seconds >= limits.seconds) ||
               (limits.inputs != 0 && progress_->current - request_.first >= limits.inputs) ||
               (limits.faults != 0 && summary_.faults >= limits.faults);
    }

    /// Lines of output are read a moment later, when the next input may run already: what a target
    /// calls wrong has the number in its text.
    void fault(const std::string& text) {
        ++summary_.faults;
        std::printf("%s: seed %llu, %s input %llu: %s\n%s", kind_.name,
                    static_cast<unsigned long long>(request_.seed),
                    progress_->running ? "in" : "around",
                    static_cast<unsigned long long>(progress_->current), text.c_str(),
                    progress_->journal.text().c_str());
        std::printf("  again: kobalt-fuzz %s --seed %llu --first %llu --inputs 1\n"
                    "  or, with what the process did before: --first %llu --inputs %llu\n",
                    kind_.name, static_cast<unsigned long long>(request_.seed),
                    static_cast<unsigned long long>(progress_->current),
                    static_cast<unsigned long long>(worker_first_),
                    static_cast<unsigned long long>(progress_->current - worker_first_ + 1));
        std::fflush(stdout);
    }

    std::expected<Worker, std::string> begin() {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0) {
            return std::unexpected(std::string("no pipe: ") + std::strerror(errno));
        }
        Worker worker;
        worker.output = FileDescriptor(ends[0]);
        const FileDescriptor input(ends[1]);
        RunRequest request = request_;
        if (request.limits.inputs != 0) {
            request.limits.inputs -= progress_->current - request_.first;
        }
        worker_first_ = progress_->current;
        progress_->stopping = false;
        progress_->running = false;
        progress_->journal.clear();
        progress_->begun_ns = now_ns();
        std::fflush(stdout);
        worker.process = fork(); // before any GL: there is nothing that a fork could break
        if (worker.process == 0) {
            dup2(input.get(), STDOUT_FILENO);
            dup2(input.get(), STDERR_FILENO);
            work(kind_, request, *progress_);
        }
        if (worker.process < 0) {
            return std::unexpected(std::string("no process: ") + std::strerror(errno));
        }
        // glibc 2.36 has the function, older ones have only the call.
        worker.process_descriptor =
            FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, worker.process, 0)));
        if (!worker.process_descriptor) {
            kill(worker.process, SIGKILL);
            return std::unexpected(std::string("no pidfd: ") + std::strerror(errno));
        }
        return worker;
    }

    /// Reads what has come; false once there will be no more.
    bool read_output(const FileDescriptor& output) {
        std::array<char, 4096> bytes{};
        const ssize_t count = read(output.get(), bytes.data(), bytes.size());
        if (count <= 0) {
            return count < 0 && errno == EINTR;
        }
        std::fwrite(bytes.data(), 1, static_cast<std::size_t>(count), stderr);
        line_.append(bytes.data(), static_cast<std::size_t>(count));
        std::size_t begin = 0;
        for (std::size_t end = line_.find('\n'); end != std::string::npos;
             end = line_.find('\n', begin)) {
            if (const auto what =
                    fault_of_line(std::string_view(line_).substr(begin, end - begin))) {
                fault(*what);
            }
            begin = end + 1;
        }
        line_.erase(0, begin);
        return true;
    }

    /// The limit that the worker has passed.
    std::optional<std::string> passed_limit(const Worker& worker) const {
        const std::int64_t seconds = (now_ns() - progress_->begun_ns) / 1'000'000'000;
        if (seconds >= kind_.most_seconds) {
            return "takes more than " + std::to_string(kind_.most_seconds) + " s";
        }
        const std::uint64_t mib = resident_mib(worker.process);
        if (mib > kind_.most_mib) {
            return "takes " + std::to_string(mib) + " MiB";
        }
        return std::nullopt;
    }

    /// Follows the worker to its end. The error: it had no target.
    std::expected<void, std::string> watch(const Worker& worker, std::int64_t start) {
        std::array<pollfd, 2> waits{
            {{worker.output.get(), POLLIN, 0}, {worker.process_descriptor.get(), POLLIN, 0}}};
        std::optional<std::string> killed_for;
        const std::uint64_t faults_before = summary_.faults;
        while ((waits[1].revents & POLLIN) == 0) {
            poll(waits.data(), waits.size(), kPollMs);
            if ((waits[0].revents & (POLLIN | POLLHUP)) != 0 && !read_output(worker.output)) {
                waits[0].fd = -1;
            }
            if (is_over(start)) {
                progress_->stopping = true;
            }
            if (!killed_for && (killed_for = passed_limit(worker))) {
                kill(worker.process, SIGKILL);
            }
        }
        int status = 0;
        waitpid(worker.process, &status, 0);
        drain(worker.output);
        if (WIFEXITED(status) && WEXITSTATUS(status) == no_target_status) {
            return std::unexpected(std::string("the target can't be made here"));
        }
        const bool crashed = WIFSIGNALED(status) || WEXITSTATUS(status) != 0;
        if (killed_for) {
            fault(*killed_for);
        } else if (WIFSIGNALED(status)) {
            fault(std::string("dies of ") + strsignal(WTERMSIG(status)));
        } else if (crashed && summary_.faults == faults_before) {
            fault("ends with status " + std::to_string(WEXITSTATUS(status)));
        }
        if (progress_->running || (crashed && progress_->current == worker_first_)) {
            ++progress_->current; // the next worker begins behind what ended this one
        }
        return {};
    }

    /// A child of the worker's may hold the pipe open: what is there is read, more isn't awaited.
    void drain(const FileDescriptor& output) {
        pollfd wait{output.get(), POLLIN, 0};
        while (poll(&wait, 1, 0) > 0 && read_output(output)) {
        }
        line_.clear();
    }

    const TargetKind& kind_;
    const RunRequest& request_;
    SharedProgress progress_;
    Summary summary_;
    std::string line_;
    std::uint64_t worker_first_ = 0;
};

} // namespace

std::expected<Summary, std::string> supervise(const TargetKind& kind, const RunRequest& request) {
    return Run(kind, request).all();
}

} // namespace kobalt::fuzz
