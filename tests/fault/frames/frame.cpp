// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "frame.h"

#include "../stages.h"

#include <array>
#include <cstdlib>
#include <utility>

namespace kobalt::faults {
namespace {

using Pixel = std::array<uint8_t, 4>;
constexpr int side = 64;

constexpr const char* vertex_text =
    "#version 430\nout vec2 place; void main() { vec2 corner = vec2(gl_VertexID & 1, "
    "gl_VertexID >> 1); place = corner; gl_Position = vec4(corner * 2.0 - 1.0, 0, 1); }";

/// Red from a texture, green from a uniform block, blue from a uniform.
std::string fragment_text(int number) {
    // Each frame's code differs, so that nothing of it is known.
    return "#version 430\nin vec2 place; out vec4 colour; layout(binding = 1) uniform sampler2D "
           "image; layout(std140, binding = 2) uniform Block { vec4 block; }; uniform vec4 plain; "
           "void main() { colour = vec4(texture(image, place).r, block.g, plain.b + place.x * "
           "1e-9 * " +
           std::to_string(number) + ".0, 1); }";
}

constexpr const char* compute_text =
    "#version 430\nlayout(local_size_x = 8) in; layout(std430, binding = 0) buffer Results { uint "
    "results[]; }; uniform uint offset; void main() { results[gl_GlobalInvocationID.x] = "
    "gl_GlobalInvocationID.x * 3u + offset; }";
constexpr int results = 64;

uint8_t level(int number, int channel) {
    return static_cast<uint8_t>(20 + (number * (37 + 16 * channel)) % 200);
}

Pixel expected(int number) {
    return {level(number, 0), level(number, 1), level(number, 2), 255};
}

void expect_near(const uint8_t* seen, const Pixel& wanted, const char* where, Seen& result) {
    for (size_t i = 0; i < wanted.size(); ++i)
        if (std::abs(seen[i] - wanted[i]) > 1) {
            result.wrong.emplace_back(where);
            return;
        }
}

GLuint make_texture(int number, GLsizei size) {
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    const std::vector<Pixel> texels(static_cast<size_t>(size) * size,
                                    Pixel{level(number, 0), 1, 2, 255});
    gl::TexStorage2D(GL_TEXTURE_2D, 3, GL_RGBA8, size, size);
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, size, size, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    gl::GenerateMipmap(GL_TEXTURE_2D);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
    // A sampler that no other frame has.
    gl::TexParameterf(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, static_cast<float>(number) * 0.01F);
    return texture;
}

GLuint make_block(int number) {
    const std::array<float, 4> values{0, static_cast<float>(level(number, 1)) / 255, 0, 0};
    GLuint buffer = 0;
    gl::GenBuffers(1, &buffer);
    gl::BindBuffer(GL_UNIFORM_BUFFER, buffer);
    gl::BufferData(GL_UNIFORM_BUFFER, sizeof(values), values.data(), GL_DYNAMIC_DRAW);
    return buffer;
}

/// A colour texture and a depth and stencil renderbuffer, bound.
struct Target {
    Target(int number, Seen& seen) : width(side + number) {
        gl::GenTextures(1, &colour);
        gl::BindTexture(GL_TEXTURE_2D, colour);
        gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, side);
        gl::GenRenderbuffers(1, &depth);
        gl::BindRenderbuffer(GL_RENDERBUFFER, depth);
        gl::RenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, width, side);
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour, 0);
        gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                                    depth);
        seen.incomplete |= gl::CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE;
        gl::Viewport(0, 0, width, side);
    }
    ~Target() {
        gl::DeleteFramebuffers(1, &framebuffer);
        gl::DeleteRenderbuffers(1, &depth);
        gl::DeleteTextures(1, &colour);
    }
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;

    const GLsizei width;
    GLuint colour = 0, depth = 0, framebuffer = 0;
};

void draw_quad(GLuint program, GLuint texture, GLuint block, int number) {
    gl::ActiveTexture(GL_TEXTURE1);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::ActiveTexture(GL_TEXTURE0);
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 2, block);
    gl::UseProgram(program);
    gl::Uniform4f(gl::GetUniformLocation(program, "plain"), 0, 0,
                  static_cast<float>(level(number, 2)) / 255, 0);
    constexpr std::array<uint16_t, 4> order{0, 1, 2, 3};
    GLuint vertex_array = 0, indices = 0;
    gl::GenVertexArrays(1, &vertex_array);
    gl::BindVertexArray(vertex_array);
    gl::GenBuffers(1, &indices);
    gl::BindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
    gl::BufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(order), order.data(), GL_STREAM_DRAW);
    gl::DrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, nullptr);
    gl::DeleteVertexArrays(1, &vertex_array);
    gl::DeleteBuffers(1, &indices);
}

void clear_target() {
    gl::ClearColor(0, 0, 0, 0);
    gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

void read_pixel_buffer(const Target& target, int number, Seen& seen) {
    const GLsizeiptr bytes = GLsizeiptr{4} * target.width * side;
    GLuint buffer = 0;
    gl::GenBuffers(1, &buffer);
    gl::BindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    gl::BufferData(GL_PIXEL_PACK_BUFFER, bytes, nullptr, GL_STREAM_READ);
    gl::ReadPixels(0, 0, target.width, side, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    const auto* const pixels = static_cast<const uint8_t*>(
        gl::MapBufferRange(GL_PIXEL_PACK_BUFFER, 0, bytes, GL_MAP_READ_BIT));
    if (pixels) {
        expect_near(pixels + size_t{4} * (side / 2 * target.width + side / 2), expected(number),
                    "pixel buffer", seen);
        expect_near(pixels, {255, 255, 255, 255}, "cleared part", seen);
        gl::UnmapBuffer(GL_PIXEL_PACK_BUFFER);
    } else {
        seen.wrong.emplace_back("no map");
    }
    gl::BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    gl::DeleteBuffers(1, &buffer);
}

void wait_for_query(GLuint query, GLuint wanted, Seen& seen) {
    GLuint samples = 0;
    gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, &samples);
    if (samples != wanted)
        seen.wrong.emplace_back("samples");
}

void wait_for_fence(Seen& seen) {
    constexpr GLuint64 longest_ns = 5'000'000'000;
    const GLsync sync = gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    const GLenum reached =
        sync ? gl::ClientWaitSync(sync, GL_SYNC_FLUSH_COMMANDS_BIT, longest_ns) : GL_WAIT_FAILED;
    if (reached != GL_ALREADY_SIGNALED && reached != GL_CONDITION_SATISFIED)
        seen.wrong.emplace_back("fence");
    gl::DeleteSync(sync);
}

} // namespace

void collect_errors(Seen& seen) {
    constexpr int most = 20; // a lost context may answer without end
    for (int i = 0; i < most; ++i) {
        const GLenum error = gl::GetError();
        if (error == GL_NO_ERROR)
            return;
        seen.errors.insert(error);
    }
}

Lasting::Lasting() {
    program_ =
        make_stages({{GL_VERTEX_SHADER, vertex_text}, {GL_FRAGMENT_SHADER, fragment_text(0)}});
    compute_ = make_stages({{GL_COMPUTE_SHADER, compute_text}});
    linked_ = faults::linked(program_) && faults::linked(compute_);
    texture_ = make_texture(0, 16);
    buffer_ = make_block(0);
    gl::GenBuffers(1, &results_);
    gl::BindBuffer(GL_SHADER_STORAGE_BUFFER, results_);
    gl::BufferData(GL_SHADER_STORAGE_BUFFER, results * sizeof(uint32_t), nullptr, GL_DYNAMIC_COPY);
}

void Lasting::use(int number, Seen& seen) const {
    const Target target(number, seen);
    clear_target();
    draw_quad(program_, texture_, buffer_, number);
    Pixel pixel{9, 9, 9, 9};
    gl::ReadPixels(side / 2, side / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
    expect_near(pixel.data(), window_colour(number), "lasting objects", seen);

    gl::UseProgram(compute_);
    gl::Uniform1ui(gl::GetUniformLocation(compute_, "offset"), static_cast<GLuint>(number));
    gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, results_);
    gl::DispatchCompute(results / 8, 1, 1);
    gl::MemoryBarrier(GL_ALL_BARRIER_BITS);
    std::array<uint32_t, results> values{};
    gl::GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(values), values.data());
    for (uint32_t i = 0; i < values.size(); ++i)
        if (values[i] != i * 3 + static_cast<uint32_t>(number)) {
            seen.wrong.emplace_back("computed values");
            break;
        }
}

void Lasting::fill_window(int number, int width, int height, Seen& seen) const {
    gl::BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl::Viewport(0, 0, width, height);
    clear_target();
    draw_quad(program_, texture_, buffer_, number);
    const std::array<std::array<int, 2>, 2> corners{{{1, 1}, {width - 2, height - 2}}};
    for (const auto& [x, y] : corners) {
        Pixel pixel{9, 9, 9, 9};
        gl::ReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
        expect_near(pixel.data(), window_colour(number), "back buffer", seen);
    }
    collect_errors(seen);
}

std::array<uint8_t, 4> window_colour(int number) {
    return {level(0, 0), level(0, 1), level(number, 2), 255};
}

void draw_frame(int number, const Lasting& lasting, Seen& seen) {
    const GLuint program =
        make_stages({{GL_VERTEX_SHADER, vertex_text}, {GL_FRAGMENT_SHADER, fragment_text(number)}});
    seen.link_failed |= !linked(program);
    const GLuint texture = make_texture(number, 16 + number);
    const GLuint block = make_block(number);
    std::array<GLuint, 2> queries{};
    gl::GenQueries(2, queries.data());
    {
        const Target target(number, seen);
        clear_target();
        gl::BeginQuery(GL_SAMPLES_PASSED, queries[0]);
        gl::BeginQuery(GL_TIME_ELAPSED, queries[1]);
        draw_quad(program, texture, block, number);
        gl::EndQuery(GL_TIME_ELAPSED);
        gl::EndQuery(GL_SAMPLES_PASSED);
        gl::Enable(GL_SCISSOR_TEST);
        gl::Scissor(0, 0, 4, 4);
        gl::ClearColor(1, 1, 1, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::Disable(GL_SCISSOR_TEST);
        read_pixel_buffer(target, number, seen);
        Pixel pixel{9, 9, 9, 9};
        gl::ReadPixels(side - 2, side - 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
        expect_near(pixel.data(), expected(number), "pixel", seen);
        wait_for_query(queries[0], static_cast<GLuint>(target.width * side), seen);
    }
    lasting.use(number, seen);
    wait_for_fence(seen);
    gl::DeleteProgram(program);
    gl::DeleteTextures(1, &texture);
    gl::DeleteBuffers(1, &block);
    gl::DeleteQueries(2, queries.data());
    collect_errors(seen);
}

} // namespace kobalt::faults
