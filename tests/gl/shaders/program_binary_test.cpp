// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Program binaries (GL_ARB_get_program_binary). OpenGL 4.6, 7.5: one that is refused leaves
// LINK_STATUS FALSE, and raises no error. Mesa reads what passes its check without a further look.
#include "program_binary.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>

#include "demo/offscreen/expected_renderer.h"
#include "mesa_binary.h"

namespace kobalt::gltest {
namespace {

class ProgramBinaryTest : public GlTest {
protected:
    Missing missing() const override {
        GLint formats = 0;
        gl::GetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &formats);
        gl::GetError(); // of a driver that doesn't know the name
        return first_of({lacks(4, 1, "GL_ARB_get_program_binary"),
                         when(formats == 0, "the driver has no format for program binaries")});
    }
    void prepare() override {
        make_target();
        bind_new_vao();
    }

    /// One that draws green, with uniforms and a varying for Mesa to describe.
    static GLuint green_program() {
        return vs_fs(kFullscreenVs,
                     "in vec2 uv; uniform float parts[3]; uniform sampler2D unread; layout(std140) "
                     "uniform Block { vec4 tint; }; out vec4 result; void main() { result = "
                     "vec4(parts[0], 1, parts[2], 1); if (parts[1] > 0.5) result = tint * "
                     "texture(unread, uv); }");
    }
    static ProgramBinary green_binary() {
        const GLuint program = green_program();
        ProgramBinary binary = binary_of(program);
        gl::DeleteProgram(program);
        EXPECT_GT(binary.bytes.size(), sizeof(MesaBinaryHeader) + mesa_signature_bytes);
        return binary;
    }
    static bool is_loaded(const ProgramBinary& binary) {
        const GLuint program = gl::CreateProgram();
        binary.load(program);
        const bool linked = did_link(program);
        gl::DeleteProgram(program);
        EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
        return linked;
    }
    /// Expects a program of the binary to draw.
    static void expect_good(const ProgramBinary& binary) {
        const GLuint program = gl::CreateProgram();
        binary.load(program);
        ASSERT_TRUE(did_link(program));
        clear_to_black();
        draw_fullscreen(program);
        expect_pixel(0, 0, kGreen);
        gl::DeleteProgram(program);
    }
    /// The binary with one bit changed.
    static ProgramBinary flipped(ProgramBinary binary, std::size_t at, unsigned bit = 0) {
        binary.bytes.at(at) ^= std::byte{1} << bit;
        return binary;
    }
    /// Places all over what is behind the header.
    static std::vector<std::size_t> places_in(const ProgramBinary& binary) {
        constexpr std::size_t count = 97;
        std::vector<std::size_t> places;
        const std::size_t behind = binary.bytes.size() - sizeof(MesaBinaryHeader);
        for (std::size_t i = 0; i < count; ++i) {
            places.push_back(sizeof(MesaBinaryHeader) + behind * i / count);
        }
        return places;
    }
};

TEST_F(ProgramBinaryTest, DrawsAgain) {
    const ProgramBinary binary = green_binary();
    expect_good(binary);
    expect_good(binary);
}

TEST_F(ProgramBinaryTest, DrawsInAnotherContext) {
    const ProgramBinary binary = green_binary();
    {
        const auto other = offscreen::Context::create(request());
        ASSERT_TRUE(other) << other.error();
        watch_contents(); // the context has loaded GL's functions anew
        prepare();
        expect_good(binary);
    }
    ASSERT_TRUE(context().make_current());
}

TEST_F(ProgramBinaryTest, OneWithAFlippedBitIsRefused) {
    const ProgramBinary binary = green_binary();
    for (std::size_t at = 0; at < sizeof(MesaBinaryHeader) + mesa_signature_bytes; ++at) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            EXPECT_FALSE(is_loaded(flipped(binary, at, bit))) << "byte " << at << ", bit " << bit;
        }
    }
    for (const std::size_t at : places_in(binary)) {
        EXPECT_FALSE(is_loaded(flipped(binary, at))) << "byte " << at;
    }
    expect_good(binary);
}

TEST_F(ProgramBinaryTest, APartIsRefused) {
    const ProgramBinary binary = green_binary();
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, sizeof(MesaBinaryHeader) - 1, sizeof(MesaBinaryHeader),
          sizeof(MesaBinaryHeader) + mesa_signature_bytes - 1,
          sizeof(MesaBinaryHeader) + mesa_signature_bytes, binary.bytes.size() - 1}) {
        // Bytes of their own, so that tools see an access behind them.
        EXPECT_FALSE(is_loaded(
            {binary.format,
             {binary.bytes.begin(), binary.bytes.begin() + static_cast<std::ptrdiff_t>(size)}}))
            << size << " bytes";
    }
    expect_good(binary);
}

// What a program does then: it builds from source.
TEST_F(ProgramBinaryTest, AProgramThatRefusedOneLinks) {
    const ProgramBinary binary = green_binary();
    const GLuint program = gl::CreateProgram();
    flipped(binary, binary.bytes.size() / 2).load(program);
    EXPECT_FALSE(did_link(program));
    for (const Stage& stage :
         {Stage{GL_VERTEX_SHADER, std::string("#version 330 core\n") + kFullscreenVs},
          Stage{
              GL_FRAGMENT_SHADER,
              "#version 330 core\nout vec4 result; void main() { result = vec4(0, 1, 0, 1); }"}}) {
        gl::AttachShader(program, compile(stage));
    }
    gl::LinkProgram(program);
    ASSERT_TRUE(did_link(program));
    draw_fullscreen(program);
    expect_pixel(0, 0, kGreen);
}

/// Where a signature guards binaries. With Mesa's checksum alone these tests may crash.
class SignedBinaryTest : public ProgramBinaryTest {
protected:
    Missing missing() const override {
        const auto* renderer = reinterpret_cast<const char*>(gl::GetString(GL_RENDERER));
        return first_of({ProgramBinaryTest::missing(),
                         when(!offscreen::is_drawn_by("Kobalt", renderer),
                              "other drivers have a checksum alone, and may crash")});
    }
    static bool is_loaded_mended(ProgramBinary binary) {
        mend_checksum(binary.bytes);
        return is_loaded(binary);
    }
};

TEST_F(SignedBinaryTest, AMendedChecksumHelpsNothing) {
    const ProgramBinary binary = green_binary();
    for (const std::size_t at : places_in(binary)) {
        EXPECT_FALSE(is_loaded_mended(flipped(binary, at, 6))) << "byte " << at;
    }
    expect_good(binary);
}

TEST_F(SignedBinaryTest, AMendedSizeHelpsNothing) {
    const ProgramBinary binary = green_binary();
    for (const std::size_t signature : {std::size_t{0}, mesa_signature_bytes}) {
        for (const std::size_t size : {binary.bytes.size() / 2, binary.bytes.size() - 1}) {
            ProgramBinary part = binary;
            part.bytes.resize(size);
            mend_size(part.bytes, signature);
            EXPECT_FALSE(is_loaded(part)) << size << " bytes";
            EXPECT_FALSE(is_loaded_mended(part)) << size << " bytes";
        }
    }
}

// Mesa's own format, which drivers without a key read.
TEST_F(SignedBinaryTest, OneWithoutASignatureIsRefused) {
    ProgramBinary binary = green_binary();
    const auto behind_header =
        binary.bytes.begin() + static_cast<std::ptrdiff_t>(sizeof(MesaBinaryHeader));
    binary.bytes.erase(behind_header,
                       behind_header + static_cast<std::ptrdiff_t>(mesa_signature_bytes));
    EXPECT_FALSE(is_loaded_mended(binary));
}

// test_second_run.py runs it in several processes. The first one leaves a binary in a file, and the
// others load it.
TEST_F(SignedBinaryTest, OneOfAnotherProcess) {
    const char* const path = std::getenv("KOBALT_KEPT_BINARY");
    if (path == nullptr) {
        GTEST_SKIP() << "needs several processes";
    }
    ProgramBinary binary = green_binary();
    if (!std::filesystem::exists(path)) {
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(binary.bytes.data()),
                   static_cast<std::streamsize>(binary.bytes.size()));
        std::cout << "the binary is kept\n";
        return;
    }
    std::ifstream file(path, std::ios::binary);
    const std::string kept{std::istreambuf_iterator<char>(file), {}};
    const auto bytes = std::as_bytes(std::span(kept));
    binary.bytes.assign(bytes.begin(), bytes.end());
    if (!is_loaded(binary)) {
        std::cout << "the binary is refused\n";
        return;
    }
    std::cout << "the binary is loaded\n";
    expect_good(binary);
}

} // namespace
} // namespace kobalt::gltest
