// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// kobalt-gl-tests [--reference DIR] [--artifacts DIR] [--write-references DIR] [GoogleTest flags]
//   --reference         folder with the reference pictures (also $KOBALT_REFERENCE_DIR)
//   --artifacts         folder for pictures that differ and for pictures.tsv, which lists by how
//                       much each does (also $KOBALT_ARTIFACT_DIR)
//   --write-references  writes the pictures of the picture tests to DIR instead of comparing them
// KOBALT_TEST_RECORDING=1 is for devices that draw nothing (recording.h).
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "pictures.h"
#include "support.h"
#include "watchdog/watchdog.h"

namespace {

/// Tests take some seconds at most, also on busy machines. Those for arm64 run under qemu.
#ifdef __aarch64__
constexpr std::chrono::minutes test_limit(30);
#else
constexpr std::chrono::minutes test_limit(1);
#endif

/// Ends a test that hangs, and says where each thread hangs.
class HangListener : public testing::EmptyTestEventListener {
    static void end_after_limit() { kobalt::watchdog::end_after(test_limit); }
    void OnTestStart(const testing::TestInfo& /*info*/) override { end_after_limit(); }
    // What follows is the end of the process.
    void OnTestProgramEnd(const testing::UnitTest& /*test*/) override { end_after_limit(); }
};

std::string default_reference_dir() {
    if (const char* dir = std::getenv("KOBALT_REFERENCE_DIR")) {
        return dir;
    }
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    // Beside the program in a relocatable bundle, under share in a prefix.
    for (const char* place : {"reference", "../share/kobalt/gl-reference"}) {
        const auto folder = program.parent_path() / place;
        if (std::filesystem::is_directory(folder, error)) {
            return folder.string();
        }
    }
#ifdef KOBALT_REFERENCE_DIR
    return KOBALT_REFERENCE_DIR;
#else
    return "reference";
#endif
}

} // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    auto& options = kobalt::gltest::picture_options();
    options.reference = default_reference_dir();
    if (const char* dir = std::getenv("KOBALT_ARTIFACT_DIR")) {
        options.artifacts = dir;
    }
    for (int i = 1; i < argc; ++i) {
        const std::string_view flag = argv[i];
        std::string* value = flag == "--write-references" ? &options.write_references
                             : flag == "--reference"      ? &options.reference
                             : flag == "--artifacts"      ? &options.artifacts
                                                          : nullptr;
        if (value == nullptr || i + 1 >= argc) {
            std::fprintf(stderr, "kobalt-gl-tests: unknown or incomplete option %s\n", argv[i]);
            return 2;
        }
        *value = argv[++i];
    }
    for (const std::string& folder : {options.write_references, options.artifacts}) {
        std::error_code error;
        if (!folder.empty()) {
            std::filesystem::create_directories(folder, error);
        }
    }
    testing::UnitTest::GetInstance()->listeners().Append(
        std::make_unique<HangListener>().release());
    const int result = RUN_ALL_TESTS();
    kobalt::offscreen::terminate_display();
    return result;
}
