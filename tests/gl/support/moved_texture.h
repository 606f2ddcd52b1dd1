// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <thread>

#include "counters.h"
#include "image_calls.h"

namespace kobalt::gltest {

/// Textures whose image moves when a call needs a use that it lacks: an image unit, an image
/// handle, a view of another format. Everything that the app sees stays as it was.
class MovedTextureTest : public ImageTest {
protected:
    static constexpr int kSize = 8;

    void TearDown() override {
        monitor_.reset(); // while its context is there
        shared_.reset();
        ImageTest::TearDown();
    }
    /// Expects that `scene` moves so many textures, where the driver can be asked.
    void expect_moves(std::uint64_t count, const std::function<void()>& scene) {
        if (!monitor_ && has_extension("GL_AMD_performance_monitor") && CounterMonitor::offered()) {
            monitor_ = std::make_unique<CounterMonitor>();
        }
        if (!monitor_) {
            scene();
            return;
        }
        const Spent spent = monitor_->measure(scene);
        EXPECT_EQ(spent.at("moved-images"), count);
    }
    static GLuint storage(GLenum format = GL_RGBA8, GLsizei levels = 1) {
        const GLuint texture = new_texture(GL_TEXTURE_2D);
        gl::TexStorage2D(GL_TEXTURE_2D, levels, format, kSize, kSize);
        return texture;
    }
    static GLuint filled(const Byte4& colour) {
        const GLuint texture = storage();
        const std::vector<Byte4> texels(kSize * kSize, colour);
        gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE,
                          texels.data());
        return texture;
    }
    /// Stores green to the first texel of the image at unit 0.
    static GLuint green_program(const std::string& type = "image2D",
                                const std::string& at = "ivec2(0)") {
        return compute("layout(local_size_x = 1) in; layout(rgba8, binding = 0) uniform " + type +
                       " image; void main() { imageStore(image, " + at + ", vec4(0, 1, 0, 1)); }");
    }
    /// Draws the first texel of the texture at unit 0.
    static GLuint look_program() {
        return vs_fs(kFullscreenVs, "uniform sampler2D image; out vec4 colour; void main() { "
                                    "colour = texelFetch(image, ivec2(0), 0); }");
    }

    /// Runs `what` in another context, which shares its textures with this one, and in another
    /// thread. Each of them finishes before the other goes on.
    void elsewhere(const std::function<void()>& what) {
        gl::Finish();
        if (!shared_) {
            auto made = context().create_shared(request());
            ASSERT_TRUE(made.has_value()) << made.error();
            shared_ = std::make_unique<offscreen::Context>(std::move(*made));
        }
        std::thread([&] {
            ASSERT_TRUE(shared_->make_current());
            what();
            gl::Finish();
            shared_->release_current();
        }).join();
    }

private:
    std::unique_ptr<CounterMonitor> monitor_;
    std::unique_ptr<offscreen::Context> shared_;
};

} // namespace kobalt::gltest
