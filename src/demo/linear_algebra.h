// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace kobalt::demo {

struct Vec3 {
    float x = 0;
    float y = 0;
    float z = 0;
};

inline Vec3 operator+(Vec3 a, Vec3 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec3 operator-(Vec3 a, Vec3 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec3 operator*(Vec3 a, float s) {
    return {a.x * s, a.y * s, a.z * s};
}
inline float dot(Vec3 a, Vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vec3 normalise(Vec3 a) {
    return a * (1.0F / std::sqrt(dot(a, a)));
}

/// Column-major, as glUniformMatrix4fv takes it.
struct Mat4 {
    std::array<float, 16> m{};

    static Mat4 identity() {
        Mat4 r;
        r.m[0] = r.m[5] = r.m[10] = r.m[15] = 1;
        return r;
    }
};

inline Mat4 operator*(const Mat4& a, const Mat4& b) {
    Mat4 r;
    for (std::size_t column = 0; column < 4; ++column) {
        for (std::size_t row = 0; row < 4; ++row) {
            float sum = 0;
            for (std::size_t k = 0; k < 4; ++k) {
                sum += a.m[k * 4 + row] * b.m[column * 4 + k];
            }
            r.m[column * 4 + row] = sum;
        }
    }
    return r;
}

inline Mat4 translate(Vec3 t) {
    Mat4 r = Mat4::identity();
    r.m[12] = t.x;
    r.m[13] = t.y;
    r.m[14] = t.z;
    return r;
}

inline Mat4 scale(Vec3 s) {
    Mat4 r;
    r.m[0] = s.x;
    r.m[5] = s.y;
    r.m[10] = s.z;
    r.m[15] = 1;
    return r;
}

/// Rotation by an angle in radians about a unit axis.
inline Mat4 rotate(Vec3 a, float angle) {
    const float c = std::cos(angle);
    const float s = std::sin(angle);
    const float t = 1 - c;
    Mat4 r = Mat4::identity();
    r.m[0] = t * a.x * a.x + c;
    r.m[1] = t * a.x * a.y + s * a.z;
    r.m[2] = t * a.x * a.z - s * a.y;
    r.m[4] = t * a.x * a.y - s * a.z;
    r.m[5] = t * a.y * a.y + c;
    r.m[6] = t * a.y * a.z + s * a.x;
    r.m[8] = t * a.x * a.z + s * a.y;
    r.m[9] = t * a.y * a.z - s * a.x;
    r.m[10] = t * a.z * a.z + c;
    return r;
}

inline Mat4 look_at(Vec3 eye, Vec3 target, Vec3 up) {
    const Vec3 forward = normalise(target - eye);
    const Vec3 side = normalise(cross(forward, up));
    const Vec3 top = cross(side, forward);
    Mat4 r = Mat4::identity();
    r.m[0] = side.x;
    r.m[4] = side.y;
    r.m[8] = side.z;
    r.m[1] = top.x;
    r.m[5] = top.y;
    r.m[9] = top.z;
    r.m[2] = -forward.x;
    r.m[6] = -forward.y;
    r.m[10] = -forward.z;
    return r * translate(eye * -1.0F);
}

/// `fov_y` in radians.
inline Mat4 perspective(float fov_y, float aspect, float near, float far) {
    const float f = 1.0F / std::tan(fov_y / 2);
    Mat4 r;
    r.m[0] = f / aspect;
    r.m[5] = f;
    r.m[10] = (far + near) / (near - far);
    r.m[11] = -1;
    r.m[14] = 2 * far * near / (near - far);
    return r;
}

inline Mat4 orthographic(float half_width, float half_height, float near, float far) {
    Mat4 r = Mat4::identity();
    r.m[0] = 1 / half_width;
    r.m[5] = 1 / half_height;
    r.m[10] = -2 / (far - near);
    r.m[14] = -(far + near) / (far - near);
    return r;
}

} // namespace kobalt::demo
