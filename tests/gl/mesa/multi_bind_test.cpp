// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Calls that bind several objects at once (GL_ARB_multi_bind): where they begin and how many there
// are.
#include <limits>

#include "support.h"

namespace kobalt::gltest {
namespace {

class MultiBindTest : public GlTest {
protected:
    Missing missing() const override { return lacks(4, 4, "GL_ARB_multi_bind"); }
    void prepare() override {
        bind_new_vao();
        const GLuint texture = texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        textures_.fill(texture);
        buffers_.fill(make_buffer(GL_ARRAY_BUFFER, std::vector<float>(64)));
        GLuint sampler = 0;
        gl::GenSamplers(1, &sampler);
        samplers_.fill(sampler);
        sizes_.fill(64);
        strides_.fill(4);
    }
    /// Each call with these binding points has this error.
    void expect(GLuint first, GLsizei count, int error) const {
        const auto check = [&](const char* what) {
            EXPECT_EQ(gl::GetError(), static_cast<GLenum>(error)) << what;
        };
        gl::BindTextures(first, count, textures_.data());
        check("textures");
        gl::BindTextures(first, count, nullptr);
        check("no textures");
        gl::BindImageTextures(first, count, textures_.data());
        check("images");
        gl::BindSamplers(first, count, samplers_.data());
        check("samplers");
        for (const GLenum target : {GL_UNIFORM_BUFFER, GL_SHADER_STORAGE_BUFFER,
                                    GL_ATOMIC_COUNTER_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER}) {
            gl::BindBuffersBase(target, first, count, buffers_.data());
            check("buffers");
            gl::BindBuffersRange(target, first, count, buffers_.data(), offsets_.data(),
                                 sizes_.data());
            check("ranges of buffers");
        }
        gl::BindVertexBuffers(first, count, buffers_.data(), offsets_.data(), strides_.data());
        check("vertex buffers");
        gl::BindVertexBuffers(first, count, nullptr, nullptr, nullptr);
        check("no vertex buffers");
    }

private:
    std::array<GLuint, 4> textures_{}, buffers_{}, samplers_{};
    std::array<GLintptr, 4> offsets_{};
    std::array<GLsizeiptr, 4> sizes_{};
    std::array<GLsizei, 4> strides_{};
};

TEST_F(MultiBindTest, FewerThanNone) {
    expect(0, -1, GL_INVALID_VALUE);
    expect(5, -3, GL_INVALID_VALUE);
}

TEST_F(MultiBindTest, FarBehindTheLast) {
    const GLuint most = std::numeric_limits<GLuint>::max();
    expect(most, 1, GL_INVALID_OPERATION);
    expect(most, 2, GL_INVALID_OPERATION); // the sum is 1 in 32 bits
    expect(most - 2, 4, GL_INVALID_OPERATION);
}

TEST_F(MultiBindTest, ThoseThatThereAre) {
    expect(0, 0, GL_NO_ERROR);
    expect(0, 4, GL_NO_ERROR);
}

} // namespace
} // namespace kobalt::gltest
