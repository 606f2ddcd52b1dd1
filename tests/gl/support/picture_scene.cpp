// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "picture_scene.h"

#include <algorithm>
#include <cmath>

namespace kobalt::gltest {

const char* const kMeshVs = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 coordinate;
uniform mat4 camera;
out vec3 n;
out vec2 uv;
void main() {
    n = normal;
    uv = coordinate;
    gl_Position = camera * vec4(position, 1);
})";

const char* const kLitFs = R"(
in vec3 n;
in vec2 uv;
out vec4 result;
void main() {
    float light = 0.2 + 0.8 * max(dot(normalize(n), normalize(vec3(0.4, 0.8, 0.5))), 0.0);
    result = vec4(vec3(0.2, 0.45, 0.95) * light, 1);
})";

const char* const kUnlitFs = "out vec4 result; void main() { result = vec4(0.2, 0.45, 0.95, 1); }";

namespace {

Matrix multiply(const Matrix& a, const Matrix& b) {
    Matrix r{};
    for (size_t c = 0; c < 4; ++c) {
        for (size_t row = 0; row < 4; ++row) {
            for (size_t k = 0; k < 4; ++k) {
                r[c * 4 + row] += a[k * 4 + row] * b[c * 4 + k];
            }
        }
    }
    return r;
}

} // namespace

Matrix camera(float distance, float yaw, float pitch) {
    const float f = 1.6F;
    const float near = 0.5F;
    const float far = 20.0F;
    const Matrix projection{f,
                            0,
                            0,
                            0,
                            0,
                            f,
                            0,
                            0,
                            0,
                            0,
                            (far + near) / (near - far),
                            -1,
                            0,
                            0,
                            2 * far * near / (near - far),
                            0};
    const Matrix move{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -distance, 1};
    const float cp = std::cos(pitch);
    const float sp = std::sin(pitch);
    const float cy = std::cos(yaw);
    const float sy = std::sin(yaw);
    const Matrix tilt{1, 0, 0, 0, 0, cp, sp, 0, 0, -sp, cp, 0, 0, 0, 0, 1};
    const Matrix turn{cy, 0, -sy, 0, 0, 1, 0, 0, sy, 0, cy, 0, 0, 0, 0, 1};
    return multiply(projection, multiply(move, multiply(tilt, turn)));
}

Mesh torus(int around, int across) {
    Mesh mesh;
    for (int i = 0; i <= around; ++i) {
        const float a = kTau * static_cast<float>(i) / static_cast<float>(around);
        for (int j = 0; j <= across; ++j) {
            const float b = kTau * static_cast<float>(j) / static_cast<float>(across);
            const float r = 1.0F + 0.42F * std::cos(b);
            mesh.vertices.insert(mesh.vertices.end(),
                                 {r * std::cos(a), 0.42F * std::sin(b), r * std::sin(a),
                                  std::cos(b) * std::cos(a), std::sin(b), std::cos(b) * std::sin(a),
                                  static_cast<float>(i) / static_cast<float>(around) * 8,
                                  static_cast<float>(j) / static_cast<float>(across) * 2});
        }
    }
    const auto row = static_cast<std::uint16_t>(across + 1);
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < across; ++j) {
            const auto a = static_cast<std::uint16_t>(i * row + j);
            for (const int index :
                 {0, 1, static_cast<int>(row), static_cast<int>(row), 1, row + 1}) {
                mesh.indices.push_back(static_cast<std::uint16_t>(a + index));
            }
        }
    }
    return mesh;
}

void bind_mesh(const Mesh& mesh) {
    bind_new_vao();
    make_buffer(GL_ARRAY_BUFFER, mesh.vertices);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, mesh.indices);
    for (const auto& [index, size, offset] : {std::array{0, 3, 0}, {1, 3, 12}, {2, 2, 24}}) {
        gl::VertexAttribPointer(static_cast<GLuint>(index), size, GL_FLOAT, GL_FALSE, 32,
                                reinterpret_cast<void*>(static_cast<size_t>(offset)));
        gl::EnableVertexAttribArray(static_cast<GLuint>(index));
    }
}

void set_camera(GLuint program, const Matrix& matrix) {
    gl::UseProgram(program);
    gl::UniformMatrix4fv(gl::GetUniformLocation(program, "camera"), 1, GL_FALSE, matrix.data());
}

void bind_tinted_checker() {
    new_texture(GL_TEXTURE_2D);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 6);
    for (int level = 0; level < 7; ++level) {
        const int size = 64 >> level;
        std::vector<std::uint8_t> data;
        for (int y = 0; y < size; ++y) {
            for (int x = 0; x < size; ++x) {
                const int cell = std::max(8 >> level, 1);
                const bool odd = ((x / cell) + (y / cell)) % 2;
                data.insert(data.end(), {static_cast<std::uint8_t>(odd ? 250 : 30 + 30 * level),
                                         static_cast<std::uint8_t>(odd ? 240 - 30 * level : 60),
                                         static_cast<std::uint8_t>(odd ? 220 : 160), 255});
            }
        }
        gl::TexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                       data.data());
    }
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
}

} // namespace kobalt::gltest
