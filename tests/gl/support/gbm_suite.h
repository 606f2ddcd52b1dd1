// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <unistd.h>
#include <utility>
#include <vector>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "gbm_device.h"
#include "support.h"

// What the suites of GBM share.

namespace kobalt::gltest {

inline constexpr std::uint32_t kSide = 64;
inline constexpr std::uint64_t kLinear = 0; // DRM_FORMAT_MOD_LINEAR

/// A descriptor that the test owns.
class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) {
            close(fd_);
        }
    }
    int get() const { return fd_; }

private:
    int fd_;
};

/// How many descriptors of dma-bufs, and of the memfds that stand in for them, this process has.
int open_dma_bufs();

/// OpenGL ES 3 on a GBM device, current without a surface.
class GbmTest : public EsTest {
protected:
    Missing missing() const override;
    void prepare() override;
    void TearDown() override;

    const GbmFunctions& gbm() const { return gpu_->gbm(); }
    gbm_device* device() const { return gpu_->device(); }
    EGLDisplay display() const { return gpu_->display(); }
    const GbmDevice& gpu() const { return *gpu_; }

    struct Deleter {
        const GbmFunctions* gbm;
        void operator()(gbm_bo* gone) const { gbm->bo_destroy(gone); }
        void operator()(gbm_surface* gone) const { gbm->surface_destroy(gone); }
    };
    using bo = std::unique_ptr<gbm_bo, Deleter>;
    using surface = std::unique_ptr<gbm_surface, Deleter>;
    Deleter deleter() const { return {&gbm()}; }

    bo make_bo(std::uint32_t format, std::uint32_t width = kSide, std::uint32_t height = kSide,
               std::uint32_t use = GBM_BO_USE_RENDERING | GBM_BO_USE_LINEAR) const {
        return bo(gbm().bo_create(device(), width, height, format, use), deleter());
    }
    Descriptor fd_of(gbm_bo* from) const { return Descriptor(gbm().bo_get_fd(from)); }

    /// The modifiers in which the display's contexts can draw to buffers of the format.
    std::vector<std::uint64_t> modifiers_of(std::uint32_t format) const;

    struct Plane {
        int fd;
        std::uint32_t offset, stride;
    };
    /// A texture of the dma-bufs, bound to `target`.
    GLuint import(std::uint32_t format, std::uint32_t width, std::uint32_t height,
                  const std::vector<Plane>& planes, std::uint64_t modifier,
                  GLenum target = GL_TEXTURE_2D) const;
    /// The same of a buffer of one plane.
    GLuint import(gbm_bo* from) const;
    static void expect_colour(GLuint texture, const Byte4& expected) {
        bind_texture_target(texture, kSide, kSide);
        expect_area(0, 0, kSide, kSide, expected);
    }
    /// Fills `count` rows, from row `first` on, with `width` bytes of the pattern.
    void fill(gbm_bo* into, std::uint32_t width, std::uint32_t first, std::uint32_t count,
              const std::vector<std::uint8_t>& pattern) const;

private:
    using Target2D = void (*)(GLenum, void*);
    Target2D target_ = nullptr;
    std::unique_ptr<GbmDevice> gpu_;
};

} // namespace kobalt::gltest
