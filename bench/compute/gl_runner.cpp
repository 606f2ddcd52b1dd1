// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gl_runner.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "demo/offscreen/gl_api.h"

namespace kobalt::compute {

namespace {

bool has_extension(std::string_view name) {
    GLint count = 0;
    gl::GetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; ++i) {
        const auto* text = gl::GetStringi(GL_EXTENSIONS, static_cast<GLuint>(i));
        if (text != nullptr && name == reinterpret_cast<const char*>(text)) {
            return true;
        }
    }
    return false;
}

Result<void> no_error(const char* after) {
    const GLenum error = gl::GetError();
    if (error == GL_NO_ERROR) {
        return {};
    }
    std::array<char, 80> text{};
    std::snprintf(text.data(), text.size(), "GL error 0x%04x after %s", error, after);
    return std::unexpected(text.data());
}

/// A buffer object with the contents that it begins with.
class Buffer {
public:
    Buffer(const void* data, std::size_t bytes) : bytes_(bytes) {
        gl::GenBuffers(1, &name_);
        gl::BindBuffer(GL_COPY_WRITE_BUFFER, name_);
        gl::BufferStorage(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(bytes), data, 0);
    }
    Buffer(Buffer&& other) noexcept : name_(std::exchange(other.name_, 0)), bytes_(other.bytes_) {}
    Buffer& operator=(Buffer&&) = delete;
    ~Buffer() { gl::DeleteBuffers(1, &name_); }

    GLuint name() const { return name_; }
    Words read() const {
        Words words(bytes_ / sizeof(std::uint32_t));
        gl::MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        gl::BindBuffer(GL_COPY_READ_BUFFER, name_);
        gl::GetBufferSubData(GL_COPY_READ_BUFFER, 0, static_cast<GLsizeiptr>(bytes_), words.data());
        return words;
    }

private:
    GLuint name_ = 0;
    std::size_t bytes_;
};

/// A program of one compute shader.
class Program {
public:
    Program() : name_(gl::CreateProgram()) {}
    Program(Program&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
    Program& operator=(Program&&) = delete;
    ~Program() { gl::DeleteProgram(name_); }

    GLuint name() const { return name_; }

    static Result<Program> create(std::span<const std::uint32_t> code) {
        Program program;
        const GLuint shader = gl::CreateShader(GL_COMPUTE_SHADER);
        gl::ShaderBinary(1, &shader, GL_SHADER_BINARY_FORMAT_SPIR_V_ARB, code.data(),
                         static_cast<GLsizei>(code.size_bytes()));
        gl::SpecializeShaderARB(shader, "main", 0, nullptr, nullptr);
        GLint good = GL_FALSE;
        gl::GetShaderiv(shader, GL_COMPILE_STATUS, &good);
        if (good == GL_TRUE) {
            gl::AttachShader(program.name_, shader);
            gl::LinkProgram(program.name_);
            gl::GetProgramiv(program.name_, GL_LINK_STATUS, &good);
        }
        gl::DeleteShader(shader);
        if (good != GL_TRUE) {
            while (gl::GetError() != GL_NO_ERROR) {
            }
            return std::unexpected("OpenGL refuses the SPIR-V");
        }
        return program;
    }

private:
    GLuint name_;
};

class GlLoaded final : public Loaded {
public:
    GlLoaded(Program program, const Job& job)
        : program_(std::move(program)), parameters_(&job.parameters, sizeof(Parameters)),
          groups_(job.groups), together_(job.together), exchanged_(job.exchanged) {
        buffers_.reserve(job.buffers.size());
        for (const Words& words : job.buffers) {
            buffers_.emplace_back(words.data(), words.size() * sizeof(words[0]));
        }
    }

    Result<void> run(std::uint32_t times) override {
        for (std::uint32_t i = 0; i < times; ++i) {
            dispatch_all();
            gl::Flush();
        }
        gl::Finish();
        return no_error("the dispatches");
    }

    Result<Words> read(std::size_t buffer) override {
        Words words = buffers_[buffer].read();
        if (const auto good = no_error("glGetBufferSubData"); !good) {
            return std::unexpected(good.error());
        }
        return words;
    }

private:
    static void bind(GLuint binding, const Buffer& buffer) {
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer.name());
    }

    void dispatch_all() const {
        gl::UseProgram(program_.name());
        gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, parameters_.name());
        for (std::size_t i = 0; i < buffers_.size(); ++i) {
            bind(static_cast<GLuint>(i + 1), buffers_[i]);
        }
        for (std::uint32_t i = 0; i < together_; ++i) {
            if (exchanged_) {
                bind(1, buffers_[i % 2]);
                bind(2, buffers_[1 - i % 2]);
            }
            gl::DispatchCompute(groups_[0], groups_[1], 1);
            gl::MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
        }
    }

    Program program_;
    Buffer parameters_;
    std::vector<Buffer> buffers_;
    std::array<std::uint32_t, 2> groups_;
    std::uint32_t together_;
    bool exchanged_;
};

class GlRunner final : public Runner {
public:
    GlRunner() {
        GLint64 bytes = 0;
        gl::GetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
        most_bytes_ = static_cast<std::size_t>(std::max<GLint64>(bytes, 0));
    }

    Result<std::unique_ptr<Loaded>> load(const Job& job) override {
        Result<Program> program = Program::create(job.code);
        if (!program) {
            return std::unexpected(program.error());
        }
        auto loaded = std::make_unique<GlLoaded>(std::move(*program), job);
        if (const auto good = no_error("the buffers' creation"); !good) {
            return std::unexpected(good.error());
        }
        return loaded;
    }

    /// OpenGL has no query for it: a driver refuses the kernel, or takes it.
    std::string lacks_fp16() const override { return {}; }
    std::size_t most_bytes() const override { return most_bytes_; }

private:
    std::size_t most_bytes_ = 0;
};

} // namespace

Result<std::unique_ptr<Runner>> make_gl_runner() {
    if (!has_extension("GL_ARB_gl_spirv") || gl::SpecializeShaderARB == nullptr) {
        return std::unexpected("OpenGL takes no SPIR-V here: GL_ARB_gl_spirv is missing");
    }
    return std::make_unique<GlRunner>();
}

Uuid gl_device() {
    Uuid uuid{};
    GLint count = 0;
    if (has_extension("GL_EXT_memory_object") && gl::GetUnsignedBytei_vEXT != nullptr) {
        gl::GetIntegerv(GL_NUM_DEVICE_UUIDS_EXT, &count);
    }
    if (count > 0) {
        gl::GetUnsignedBytei_vEXT(GL_DEVICE_UUID_EXT, 0, uuid.data());
    }
    return uuid;
}

} // namespace kobalt::compute
