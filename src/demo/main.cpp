// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "demo/offscreen/egl_context.h"
#include "demo/offscreen/gl_api.h"
#include "demo/offscreen/png_file.h"
#include "demo/scene.h"

namespace {

constexpr const char* kUsage =
    R"(kobalt-demo: draws an animated scene off-screen and measures its frames.
  --frames N    frames to draw and measure (default 120)
  --warmup N    frames to draw before, not measured (default 5)
  --size WxH    picture size in pixels (default 640x360)
  --out DIR     write PNG frames to DIR
  --every K     write every K-th frame only (default 1)
  --json FILE   write the frame times to FILE
  --parts       print what the frames are made of, too: the GPU's time and that of the GL calls
)";

struct Options {
    int frames = 120;
    int warmup = 5;
    int width = 640;
    int height = 360;
    int every = 1;
    bool parts = false;
    std::string out;
    std::string json;
};

bool parse_int(std::string_view text, int least, int& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && value >= least;
}

bool parse_size(std::string_view text, Options& options) {
    const size_t cross = text.find('x');
    return cross != std::string_view::npos && parse_int(text.substr(0, cross), 16, options.width) &&
           parse_int(text.substr(cross + 1), 16, options.height) && options.width <= 16384 &&
           options.height <= 16384;
}

/// Returns an empty text when the command line is understood.
std::string parse(int argc, char** argv, Options& options) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view flag = argv[i];
        if (flag == "--parts") {
            options.parts = true;
            continue;
        }
        if (i + 1 >= argc) {
            return std::string(flag) + " needs a value";
        }
        const std::string_view value = argv[++i];
        const bool good = flag == "--frames"   ? parse_int(value, 1, options.frames)
                          : flag == "--warmup" ? parse_int(value, 0, options.warmup)
                          : flag == "--every"  ? parse_int(value, 1, options.every)
                          : flag == "--size"   ? parse_size(value, options)
                          : flag == "--out"    ? (options.out = value, true)
                          : flag == "--json"   ? (options.json = value, true)
                                               : false;
        if (!good) {
            return "cannot use " + std::string(flag) + " " + std::string(value);
        }
    }
    return {};
}

/// Nearest-rank percentile of sorted values.
double percentile(const std::vector<double>& sorted, double share) {
    const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    return sorted[std::clamp<size_t>(rank, 1, sorted.size()) - 1];
}

std::string json_text(const char* text) {
    std::string result = "\"";
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\') {
            result += '\\';
        }
        if (static_cast<unsigned char>(*text) >= 0x20) {
            result += *text;
        }
    }
    return result + "\"";
}

bool write_json(const Options& options, const std::vector<double>& times,
                const std::vector<double>& sorted) {
    std::FILE* file = std::fopen(options.json.c_str(), "w");
    if (file == nullptr) {
        return false;
    }
    std::fprintf(file,
                 "{\n  \"renderer\": %s,\n  \"version\": %s,\n  \"width\": %d,\n  \"height\": %d,\n"
                 "  \"frames\": %zu,\n  \"milliseconds\": {\"p50\": %.4f, \"p95\": %.4f, \"p99\": "
                 "%.4f, \"max\": %.4f},\n  \"frame_milliseconds\": [",
                 json_text(reinterpret_cast<const char*>(gl::GetString(GL_RENDERER))).c_str(),
                 json_text(reinterpret_cast<const char*>(gl::GetString(GL_VERSION))).c_str(),
                 options.width, options.height, times.size(), percentile(sorted, 0.50),
                 percentile(sorted, 0.95), percentile(sorted, 0.99), sorted.back());
    for (size_t i = 0; i < times.size(); ++i) {
        std::fprintf(file, "%s%.4f", i ? ", " : "", times[i]);
    }
    std::fprintf(file, "]\n}\n");
    return std::fclose(file) == 0;
}

int fail(const std::string& message) {
    std::fprintf(stderr, "kobalt-demo: %s\n", message.c_str());
    return 1;
}

/// Pictures wait in memory for the end of the measurement: writing each between two frames would
/// let the GPU fall asleep, and the next frame would be timed while it wakes up.
class PictureStore {
public:
    explicit PictureStore(std::string folder) : folder_(std::move(folder)) {}

    /// Returns false on failure, and problem() says why; so does write().
    bool add(int frame, kobalt::offscreen::Picture picture) {
        bytes_ += picture.rgba.size();
        waiting_.emplace_back(frame, std::move(picture));
        return bytes_ < kMostBytes || write();
    }

    bool write() {
        for (const auto& [frame, picture] : waiting_) {
            char name[32];
            std::snprintf(name, sizeof(name), "/frame_%04d.png", frame);
            const auto saved = kobalt::offscreen::write_png(folder_ + name, picture, false);
            if (!saved) {
                problem_ = saved.error();
                return false;
            }
            ++written_;
        }
        waiting_.clear();
        bytes_ = 0;
        return true;
    }

    int written() const { return written_; }
    const std::string& problem() const { return problem_; }

private:
    static constexpr size_t kMostBytes = size_t{256} << 20;

    std::string folder_;
    std::vector<std::pair<int, kobalt::offscreen::Picture>> waiting_;
    size_t bytes_ = 0;
    int written_ = 0;
    std::string problem_;
};

/// The parts of a frame's time, in milliseconds: the GPU's time from its first command to its last
/// (GL_TIME_ELAPSED), and the time until the GL calls have returned, before glFinish.
class FrameParts {
public:
    explicit FrameParts(bool wanted) : wanted_(wanted) {
        if (wanted_) {
            gl::GenQueries(1, &query_);
        }
    }
    void begin() const {
        if (wanted_) {
            gl::BeginQuery(GL_TIME_ELAPSED, query_);
        }
    }
    void end(std::chrono::steady_clock::time_point start) {
        if (wanted_) {
            gl::EndQuery(GL_TIME_ELAPSED);
            calls_.push_back(
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                    .count());
        }
    }
    /// Call it after the frame has finished.
    void collect() {
        if (wanted_) {
            GLuint64 nanoseconds = 0;
            gl::GetQueryObjectui64v(query_, GL_QUERY_RESULT, &nanoseconds);
            gpu_.push_back(static_cast<double>(nanoseconds) * 1e-6);
        }
    }
    void print() {
        if (wanted_) {
            std::sort(gpu_.begin(), gpu_.end());
            std::sort(calls_.begin(), calls_.end());
            std::printf("of it: GPU p50 %.2f ms, GL calls p50 %.2f ms\n", percentile(gpu_, 0.50),
                        percentile(calls_, 0.50));
        }
    }

private:
    bool wanted_;
    GLuint query_ = 0;
    std::vector<double> gpu_;
    std::vector<double> calls_;
};

int run(const Options& options) {
    const auto context = kobalt::offscreen::Context::create({});
    if (!context) {
        return fail("no OpenGL 3.3 core context: " + context.error());
    }
    std::printf("renderer: %s\nversion: %s\n",
                reinterpret_cast<const char*>(gl::GetString(GL_RENDERER)),
                reinterpret_cast<const char*>(gl::GetString(GL_VERSION)));
    std::fflush(stdout);
    if (!options.out.empty()) {
        std::error_code error;
        std::filesystem::create_directories(options.out, error);
        if (error) {
            return fail("cannot make the folder " + options.out + ": " + error.message());
        }
    }
    auto scene = kobalt::demo::Scene::create(options.width, options.height);
    if (!scene) {
        return fail(scene.error());
    }
    for (int i = 0; i < options.warmup; ++i) {
        scene->draw(i);
    }
    gl::Finish();
    std::vector<double> times;
    PictureStore pictures(options.out);
    FrameParts parts(options.parts);
    for (int frame = 0; frame < options.frames; ++frame) {
        const auto start = std::chrono::steady_clock::now();
        parts.begin();
        scene->draw(frame);
        parts.end(start);
        gl::Finish();
        const std::chrono::duration<double, std::milli> elapsed =
            std::chrono::steady_clock::now() - start;
        times.push_back(elapsed.count());
        parts.collect();
        if (!options.out.empty() && frame % options.every == 0 &&
            !pictures.add(frame, scene->read())) {
            return fail(pictures.problem());
        }
    }
    if (!pictures.write()) {
        return fail(pictures.problem());
    }
    const GLenum error = gl::GetError();
    if (error != GL_NO_ERROR) {
        char text[64];
        std::snprintf(text, sizeof(text), "the driver reports GL error 0x%04x", error);
        return fail(text);
    }
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    std::printf("frames: %d of %dx%d\nframe time: p50 %.2f ms, p95 %.2f ms, p99 %.2f ms, max %.2f "
                "ms\n",
                options.frames, options.width, options.height, percentile(sorted, 0.50),
                percentile(sorted, 0.95), percentile(sorted, 0.99), sorted.back());
    parts.print();
    if (pictures.written() > 0) {
        std::printf("pictures: %d in %s\n", pictures.written(), options.out.c_str());
    }
    if (!options.json.empty() && !write_json(options, times, sorted)) {
        return fail("cannot write " + options.json + ": " + std::strerror(errno));
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--help") {
            std::fputs(kUsage, stdout);
            return 0;
        }
    }
    Options options;
    if (const std::string problem = parse(argc, argv, options); !problem.empty()) {
        std::fprintf(stderr, "kobalt-demo: %s\n%s", problem.c_str(), kUsage);
        return 2;
    }
    const int result = run(options);
    kobalt::offscreen::terminate_display();
    return result;
}
