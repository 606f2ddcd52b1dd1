// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "recording.h"
#include "support.h"

#include <cstdio>
#include <fstream>
#include <functional>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

namespace kobalt::gltest {
namespace {

std::string string_of(GLenum name) {
    const auto* value = gl::GetString(name);
    return value ? reinterpret_cast<const char*>(value) : "";
}

class ContextTest : public GlTest {};
class ContextCompatTest : public CompatTest {};
class ContextEsTest : public EsTest {};

TEST_F(ContextTest, CoreProfileIsAtLeast33) {
    EXPECT_TRUE(has_version(3, 3));
    GLint mask = 0;
    gl::GetIntegerv(GL_CONTEXT_PROFILE_MASK, &mask);
    EXPECT_EQ(mask & GL_CONTEXT_CORE_PROFILE_BIT, GL_CONTEXT_CORE_PROFILE_BIT);
}

TEST_F(ContextTest, StringsAreNotEmpty) {
    EXPECT_FALSE(string_of(GL_VENDOR).empty());
    EXPECT_FALSE(string_of(GL_RENDERER).empty());
    EXPECT_FALSE(string_of(GL_VERSION).empty());
    EXPECT_FALSE(string_of(GL_SHADING_LANGUAGE_VERSION).empty());
    std::printf("renderer: %s\nversion: %s\n", string_of(GL_RENDERER).c_str(),
                string_of(GL_VERSION).c_str());
}

TEST_F(ContextTest, LimitsMeetTheSpecification) {
    struct Limit {
        GLenum name;
        GLint least;
    };
    // Table 6.xx "Implementation Dependent Values" of the OpenGL 3.3 specification.
    for (const Limit& limit : {Limit{GL_MAX_TEXTURE_SIZE, 1024},
                               Limit{GL_MAX_3D_TEXTURE_SIZE, 256},
                               Limit{GL_MAX_CUBE_MAP_TEXTURE_SIZE, 1024},
                               Limit{GL_MAX_ARRAY_TEXTURE_LAYERS, 256},
                               Limit{GL_MAX_RECTANGLE_TEXTURE_SIZE, 1024},
                               Limit{GL_MAX_TEXTURE_BUFFER_SIZE, 65536},
                               Limit{GL_MAX_RENDERBUFFER_SIZE, 1024},
                               Limit{GL_MAX_VERTEX_ATTRIBS, 16},
                               Limit{GL_MAX_DRAW_BUFFERS, 8},
                               Limit{GL_MAX_COLOR_ATTACHMENTS, 8},
                               Limit{GL_MAX_SAMPLES, 4},
                               Limit{GL_MAX_CLIP_DISTANCES, 6},
                               Limit{GL_MAX_TEXTURE_IMAGE_UNITS, 16},
                               Limit{GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, 16},
                               Limit{GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, 48},
                               Limit{GL_MAX_UNIFORM_BUFFER_BINDINGS, 36},
                               Limit{GL_MAX_UNIFORM_BLOCK_SIZE, 16384},
                               Limit{GL_MAX_VERTEX_UNIFORM_BLOCKS, 12},
                               Limit{GL_MAX_FRAGMENT_UNIFORM_BLOCKS, 12},
                               Limit{GL_MAX_GEOMETRY_OUTPUT_VERTICES, 256},
                               Limit{GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, 4},
                               Limit{GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, 64},
                               Limit{GL_MAX_DUAL_SOURCE_DRAW_BUFFERS, 1}}) {
        GLint value = 0;
        gl::GetIntegerv(limit.name, &value);
        EXPECT_GE(value, limit.least) << "limit 0x" << std::hex << limit.name;
    }
}

TEST_F(ContextTest, SharedContextSeesBuffersFromAnotherThread) {
    const GLuint buffer = make_buffer(GL_ARRAY_BUFFER, std::vector<int>{1, 2, 3, 4});
    gl::Finish();
    auto shared = context().create_shared(request());
    ASSERT_TRUE(shared.has_value()) << shared.error();
    std::array<int, 4> seen{};
    bool current = false;
    std::thread worker([&] {
        current = shared->make_current();
        gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
        gl::GetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(seen), seen.data());
        const std::array<int, 2> change{30, 40};
        gl::BufferSubData(GL_ARRAY_BUFFER, 8, sizeof(change), change.data());
        gl::Finish();
        shared->release_current();
    });
    worker.join();
    EXPECT_TRUE(current);
    EXPECT_EQ(seen, (std::array<int, 4>{1, 2, 3, 4}));
    gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl::GetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(seen), seen.data());
    EXPECT_EQ(seen, (std::array<int, 4>{1, 2, 30, 40}));
}

TEST_F(ContextTest, SharedContextsDrawInTwoThreadsAtOnce) {
    const auto paint = [](int rounds, float seed) {
        const Target target = make_target();
        const RectPainter painter;
        int wrong = 0;
        for (int i = 0; i < rounds; ++i) {
            const float value = static_cast<float>((i + static_cast<int>(seed)) % 256) / 255.0F;
            painter.fill({value, seed / 255.0F, 0, 1});
            if (i % 16 == 0) {
                const Byte4 seen = pixel(3, 3);
                const int expected = (i + static_cast<int>(seed)) % 256;
                wrong += std::abs(seen[0] - expected) > 1 || std::abs(seen[1] - seed) > 1 ? 1 : 0;
            }
        }
        gl::DeleteFramebuffers(1, &target.framebuffer);
        return wrong;
    };
    auto shared = context().create_shared(request());
    ASSERT_TRUE(shared.has_value()) << shared.error();
    int wrong_there = -1;
    std::thread worker([&] {
        if (shared->make_current()) {
            wrong_there = paint(160, 7.0F);
            shared->release_current();
        }
    });
    const int wrong_here = paint(160, 100.0F);
    worker.join();
    EXPECT_EQ(wrong_here, 0);
    EXPECT_EQ(wrong_there, 0);
}

TEST_F(ContextTest, ManyContextsOneAfterTheOther) {
    for (int i = 0; i < 8; ++i) {
        auto other = offscreen::Context::create(request());
        ASSERT_TRUE(other.has_value()) << other.error();
        watch_contents();
        make_target();
        gl::ClearColor(0, 1, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        expect_pixel(0, 0, kGreen);
    }
    EXPECT_TRUE(context().make_current());
}

/// Of this process, in MiB.
size_t resident_mib() {
    size_t all = 0, pages = 0;
    std::ifstream("/proc/self/statm") >> all >> pages;
    return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE)) >> 20;
}

/// Expects less than four of the 16 MiB that each call of `live_and_end` uses to stay behind eight
/// calls.
void expect_no_growth(const std::function<void()>& live_and_end) {
    live_and_end();
    live_and_end();
    const size_t before = resident_mib();
    for (int i = 0; i < 8; ++i)
        live_and_end();
    EXPECT_LT(resident_mib(), before + 64);
}

// OpenGL 4.6, 5.1.3: what is deleted while another context has it bound goes with that binding,
// and so with that context. Where images lie in the process's own memory, as on CPU devices, it
// shows what is lost.
TEST_F(ContextTest, DeletedRenderbuffersEndWithTheContextThatBindsThem) {
    constexpr int kSide = 2048; // 16 MiB
    const auto live_and_end = [this] {
        auto other = context().create_shared(request());
        ASSERT_TRUE(other.has_value()) << other.error();
        ASSERT_TRUE(other->make_current());
        GLuint framebuffer = 0, renderbuffer = 0;
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::GenRenderbuffers(1, &renderbuffer);
        gl::BindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
        gl::RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, kSide, kSide);
        gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                    renderbuffer);
        gl::ClearColor(0, 1, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        expect_pixel(0, 0, kGreen);
        gl::DeleteFramebuffers(1, &framebuffer);
        gl::Finish();
        ASSERT_TRUE(context().make_current());
        gl::DeleteRenderbuffers(1, &renderbuffer);
    };
    expect_no_growth(live_and_end);
}

// The context clears a part of another texture while the large one is bound: Kobalt does so by a
// draw of its own, and kept references to what was bound.
TEST_F(ContextTest, DeletedTexturesEndWithTheContextThatBindsThem) {
    constexpr int kSide = 2048; // 16 MiB
    const auto live_and_end = [this] {
        auto other = context().create_shared(request());
        ASSERT_TRUE(other.has_value()) << other.error();
        ASSERT_TRUE(other->make_current());
        const auto clear = gl_function<PFNGLCLEARTEXSUBIMAGEPROC>("glClearTexSubImage");
        const GLuint small = texture_2d(GL_RGBA8, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        const std::vector<Byte4> texels(size_t{kSide} * kSide, kGreen);
        GLuint large = texture_2d(GL_RGBA8, kSide, kSide, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
        make_target();
        bind_new_vao();
        draw_fullscreen(vs_fs(kFullscreenVs,
                              "uniform sampler2D texels;\nout vec4 colour;\n"
                              "void main() { colour = texture(texels, vec2(0.5)); }"));
        expect_pixel(0, 0, kGreen);
        clear(small, 0, 1, 1, 0, 4, 4, 1, GL_RGBA, GL_UNSIGNED_BYTE, kRed.data());
        gl::DeleteTextures(1, &large);
        gl::Finish();
        ASSERT_TRUE(context().make_current());
    };
    expect_no_growth(live_and_end);
}

// A compositor gives its clients the name of the device's node; where there is none, binding
// crashed.
TEST_F(ContextTest, WaylandDisplaysAreBoundOnlyWithADeviceNode) {
    const std::string offered = eglQueryString(eglGetCurrentDisplay(), EGL_EXTENSIONS);
    const int node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    if (node < 0) {
        EXPECT_EQ(offered.find("EGL_WL_bind_wayland_display"), std::string::npos);
    } else {
        close(node);
    }
}

// EGL 1.5, 3.5.4.
TEST_F(ContextTest, PixmapSurfacesOfBadConfigs) {
    EGLDisplay display = eglGetCurrentDisplay();
    EXPECT_EQ(eglCreatePixmapSurface(display, reinterpret_cast<EGLConfig>(0x7777), 0, nullptr),
              EGL_NO_SURFACE);
    EXPECT_EQ(eglGetError(), EGL_BAD_CONFIG);
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    ASSERT_TRUE(eglChooseConfig(display, wanted, &config, 1, &count));
    ASSERT_EQ(count, 1);
    EGLint types = 0;
    eglGetConfigAttrib(display, config, EGL_SURFACE_TYPE, &types);
    if (!(types & EGL_PIXMAP_BIT)) {
        EXPECT_EQ(eglCreatePixmapSurface(display, config, 0, nullptr), EGL_NO_SURFACE);
        EXPECT_EQ(eglGetError(), EGL_BAD_MATCH);
    }
}

TEST_F(ContextCompatTest, CompatibilityProfileHasFixedFunction) {
    EXPECT_TRUE(has_version(3, 3));
    GLint mask = 0;
    gl::GetIntegerv(GL_CONTEXT_PROFILE_MASK, &mask);
    EXPECT_EQ(mask & GL_CONTEXT_COMPATIBILITY_PROFILE_BIT, GL_CONTEXT_COMPATIBILITY_PROFILE_BIT);
    GLint units = 0;
    gl::GetIntegerv(GL_MAX_TEXTURE_UNITS, &units);
    EXPECT_GE(units, 2);
}

TEST_F(ContextEsTest, EsIsAtLeast30) {
    EXPECT_EQ(string_of(GL_VERSION).substr(0, 10), "OpenGL ES ");
    EXPECT_TRUE(has_version(3, 0));
}

} // namespace
} // namespace kobalt::gltest
