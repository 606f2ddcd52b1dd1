// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Dispatches that wait for each other: what a chain of compute shaders costs.
#include <string>

#include "cases.h"
#include "programs.h"
#include "steady.h"

namespace kobalt::sso {

namespace {

constexpr int kWarmUp = 512;

/// Adds one to the only number in the buffer: without ordering between dispatches some additions
/// are lost.
constexpr const char* kCount = "#version 330\n"
                               "#extension GL_ARB_compute_shader : require\n"
                               "#extension GL_ARB_shader_storage_buffer_object : require\n"
                               "layout(local_size_x = 1) in;\n"
                               "layout(std430, binding = 0) buffer Counted { uint count; };\n"
                               "void main() { count += 1u; }\n";

Outcome dispatch(const Job& job) {
    const Driver& driver = job.driver;
    for (const char* extension : {"GL_ARB_compute_shader", "GL_ARB_shader_storage_buffer_object"}) {
        if (!driver.is_at_least(4, 3) && !driver.has(extension)) {
            return skipped(driver.lacks(extension));
        }
    }
    const GLuint shader = gl::CreateShader(GL_COMPUTE_SHADER);
    gl::ShaderSource(shader, 1, &kCount, nullptr);
    gl::CompileShader(shader);
    const GLuint program = gl::CreateProgram();
    gl::AttachShader(program, shader);
    gl::LinkProgram(program);
    if (Outcome good = linked(program); !good) {
        return good;
    }
    GLuint buffer = 0;
    GLuint count = 0;
    gl::GenBuffers(1, &buffer);
    gl::BindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    gl::BufferData(GL_SHADER_STORAGE_BUFFER, sizeof(count), &count, GL_DYNAMIC_COPY);
    gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    gl::UseProgram(program);
    const Rate rate = steady(job.options, kWarmUp, [](int) {
        gl::DispatchCompute(1, 1, 1);
        gl::MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    });
    gl::MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    gl::GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(count), &count);
    if (const auto wanted = static_cast<GLuint>(rate.steps + kWarmUp);
        job.options.pictures && count != wanted) {
        return failed(std::to_string(count) + " of " + std::to_string(wanted) + " dispatches");
    }
    job.figures.add("dispatches", rate.per_second / 1e6, "M/s");
    return {};
}

constexpr std::array kCases{
    Case{"dispatch", "one dispatch and one barrier, each behind the one before", dispatch}};

} // namespace

std::span<const Case> dispatch_cases() {
    return kCases;
}

} // namespace kobalt::sso
