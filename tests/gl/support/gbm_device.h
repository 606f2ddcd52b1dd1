// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <string>

#include <EGL/egl.h>
#include <gbm.h>

namespace kobalt::gltest {

/// The functions of libgbm, which is loaded when a test needs it: the bundle's programs start where
/// no libgbm is.
#define KOBALT_GBM_FUNCTIONS(X)                                                                    \
    X(create_device)                                                                               \
    X(device_destroy)                                                                              \
    X(device_get_backend_name)                                                                     \
    X(device_is_format_supported)                                                                  \
    X(device_get_format_modifier_plane_count)                                                      \
    X(surface_create)                                                                              \
    X(surface_create_with_modifiers)                                                               \
    X(surface_destroy)                                                                             \
    X(surface_lock_front_buffer)                                                                   \
    X(surface_release_buffer)                                                                      \
    X(surface_has_free_buffers)                                                                    \
    X(bo_create)                                                                                   \
    X(bo_create_with_modifiers)                                                                    \
    X(bo_import)                                                                                   \
    X(bo_destroy)                                                                                  \
    X(bo_map)                                                                                      \
    X(bo_unmap)                                                                                    \
    X(bo_get_width)                                                                                \
    X(bo_get_height)                                                                               \
    X(bo_get_format)                                                                               \
    X(bo_get_modifier)                                                                             \
    X(bo_get_plane_count)                                                                          \
    X(bo_get_fd)                                                                                   \
    X(bo_get_fd_for_plane)                                                                         \
    X(bo_get_handle)                                                                               \
    X(bo_get_handle_for_plane)                                                                     \
    X(bo_get_offset)                                                                               \
    X(bo_get_stride_for_plane)

struct GbmFunctions {
#define KOBALT_GBM_MEMBER(name) decltype(&gbm_##name) name = nullptr;
    KOBALT_GBM_FUNCTIONS(KOBALT_GBM_MEMBER)
#undef KOBALT_GBM_MEMBER
};

/// A GBM device on the first render node, and an EGL display of it. The display has a context of
/// OpenGL ES 3, which isn't current.
class GbmDevice {
public:
    /// Null where there is none, with the reason in `why_not`.
    static std::unique_ptr<GbmDevice> open(std::string& why_not);
    GbmDevice(const GbmDevice&) = delete;
    GbmDevice& operator=(const GbmDevice&) = delete;
    ~GbmDevice();

    const GbmFunctions& gbm() const { return gbm_; }
    gbm_device* device() const { return device_; }
    EGLDisplay display() const { return display_; }
    EGLContext context() const { return context_; }
    /// A configuration for windows whose native visual is this format; null: there is none.
    EGLConfig config_of(std::uint32_t format) const;

private:
    GbmDevice() = default;
    bool load(std::string& why_not);

    GbmFunctions gbm_;
    void* library_ = nullptr; ///< stays loaded: drivers leave threads and exit handlers behind
    int node_ = -1;
    gbm_device* device_ = nullptr;
    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
};

} // namespace kobalt::gltest
