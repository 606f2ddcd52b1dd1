// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>
#include <vector>

#include "support.h"

namespace kobalt::gltest {

/// Behind the version of each shader.
inline const std::string kBindless = "#extension GL_ARB_bindless_texture : require\n";

/// Never black, which is what an empty picture shows.
inline Byte4 colour(int i) {
    return {static_cast<std::uint8_t>(40 + i % 200), static_cast<std::uint8_t>(60 + i / 200 * 5),
            static_cast<std::uint8_t>(90 + i % 7 * 20), 255};
}

inline GLuint solid(const Byte4& texel) {
    return texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
}

inline void update(GLuint texture, const Byte4& texel) {
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
}

inline GLuint64 resident(GLuint texture) {
    const GLuint64 handle = gl::GetTextureHandleARB(texture);
    EXPECT_NE(handle, 0U);
    gl::MakeTextureHandleResidentARB(handle);
    return handle;
}

/// std140: one handle in each 16 bytes.
inline GLuint block_of(const std::vector<GLuint64>& handles) {
    std::vector<GLuint64> words;
    for (const GLuint64 handle : handles) {
        words.insert(words.end(), {handle, 0});
    }
    return make_buffer(GL_UNIFORM_BUFFER, words);
}

class BindlessTest : public GlTest {
protected:
    Missing missing() const override { return lacks("GL_ARB_bindless_texture"); }
    /// Draws with what one texture holds; its handle is the uniform.
    static GLuint picture_program() {
        return vs_fs(kFullscreenVs,
                     kBindless + "layout(bindless_sampler) uniform sampler2D picture; out vec4 "
                                 "result; void main() { result = texture(picture, vec2(0.5)); }");
    }
    static void set_handle(GLuint program, GLuint64 handle, const char* name = "picture") {
        gl::UseProgram(program);
        gl::UniformHandleui64ARB(gl::GetUniformLocation(program, name), handle);
    }
};

} // namespace kobalt::gltest
