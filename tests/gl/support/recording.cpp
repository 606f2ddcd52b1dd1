// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "recording.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "demo/offscreen/gl_api.h"

namespace kobalt::gltest {

namespace {

using testing::TestPartResult;

/// True for the failures that no contents can excuse: by the GL names that GoogleTest quotes, and
/// the first words of support.cpp's own messages.
bool counts_always(std::string_view text) {
    constexpr std::array<std::string_view, 6> kSigns{
        "GL_NO_ERROR", "GetError()", "CheckFramebufferStatus(",
        "compile: ",   "link: ",     "eglCreateContext"};
    return std::ranges::any_of(kSigns, [text](std::string_view sign) {
        return text.find(sign) != std::string_view::npos;
    });
}

/// Takes the place of GoogleTest's reporter for as long as it lives.
class Filter : public testing::ScopedFakeTestPartResultReporter {
public:
    Filter() : ScopedFakeTestPartResultReporter(INTERCEPT_ALL_THREADS, nullptr) {}

    void ReportTestPartResult(const TestPartResult& result) override {
        const std::scoped_lock lock(mutex_);
        if (result.failed() && !counts_always(result.message())) {
            ++not_judged_;
        } else {
            kept_.push_back(result);
        }
    }
    std::vector<TestPartResult> take_kept() { return std::exchange(kept_, {}); }
    int not_judged() const { return not_judged_; }

private:
    std::mutex mutex_;
    std::vector<TestPartResult> kept_;
    int not_judged_ = 0;
};

// There from a test's first look at contents to its end. What comes before that look goes to
// GoogleTest as ever, so that a skip or a failure in SetUp() does what it should.
std::mutex filter_mutex;
std::unique_ptr<Filter> filter;

void contents_are_read() {
    const std::scoped_lock lock(filter_mutex);
    if (!filter) {
        filter = std::make_unique<Filter>();
    }
}

/// Calls contents_are_read() before the GL function that `Pointer` holds.
template <auto* Pointer>
struct Watch;
template <typename Result, typename... Arguments, Result (**Pointer)(Arguments...)>
struct Watch<Pointer> {
    static inline Result (*original)(Arguments...) = nullptr;
    static Result call(Arguments... arguments) {
        contents_are_read();
        return original(arguments...);
    }
    static void install() {
        if (*Pointer != nullptr && *Pointer != call) {
            original = std::exchange(*Pointer, call);
        }
    }
};

template <auto*... Pointers>
void watch() {
    (Watch<Pointers>::install(), ...);
}

} // namespace

bool recording_mode() {
    static const bool on = [] {
        const char* value = std::getenv("KOBALT_TEST_RECORDING");
        return value != nullptr && std::string_view(value) == "1";
    }();
    return on;
}

void watch_contents() {
    if (!recording_mode()) {
        return;
    }
    watch<&gl::ReadPixels, &gl::GetTexImage, &gl::GetnTexImage, &gl::GetTextureImage,
          &gl::GetCompressedTexImage, &gl::GetCompressedTextureImage, &gl::GetBufferSubData,
          &gl::MapBuffer, &gl::MapBufferRange, &gl::GetQueryObjectuiv, &gl::GetQueryObjectui64v,
          &gl::RasterPos2f, &gl::RasterPos2i, &gl::FeedbackBuffer>();
}

void expect_contents() {
    if (recording_mode()) {
        contents_are_read();
    }
}

RecordedTest::RecordedTest() {
    watch_contents();
}

RecordedTest::~RecordedTest() {
    const std::scoped_lock lock(filter_mutex);
    if (!filter) {
        return;
    }
    const auto kept = filter->take_kept();
    const int not_judged = filter->not_judged();
    filter.reset(); // GoogleTest listens again
    testing::Test::RecordProperty("comparisons_not_judged", not_judged);
    for (const TestPartResult& one : kept) {
        if (one.skipped()) {
            [&] { GTEST_SKIP() << one.message(); }(); // it returns from where it stands
        } else if (one.failed()) {
            ADD_FAILURE_AT(one.file_name() != nullptr ? one.file_name() : "", one.line_number())
                << one.message();
        }
    }
}

} // namespace kobalt::gltest
