# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of EGL, GLX, GBM, the loader and the frontends."""

EDITS = [
    # Surfaceless EGL gives up where no DRM render node exists. The slot needs none.
    ("src/egl/drivers/dri2/platform_surfaceless.c",
     "if (!driver_loaded && disp->Options.ForceSoftware) {",
     "if (!driver_loaded && (disp->Options.ForceSoftware || disp->Options.Zink)) {"),
    # A window that is gone: the X server's error was kept for ever.
    ("src/egl/drivers/dri2/platform_x11.c",
     "   if (reply == NULL)\n      return false;\n\n   if (error != NULL) {\n      ret = false;",
     "   if (reply == NULL) {\n      free(error);\n      return false;\n   }\n\n"
     "   if (error != NULL) {\n      ret = false;"),
    # Presentation goes through a swapchain or an X11 copy, so DRI3 is not a condition for EGL on
    # X11; without it there is no DRM node either, and the EGLDevice is the one without a node.
    ("src/egl/drivers/dri2/platform_x11.c",
     "       !dri2_dpy->multibuffers_available &&\n       !dri2_dpy->kopper_without_modifiers)",
     "       !dri2_dpy->multibuffers_available && false)"),
    ("src/egl/drivers/dri2/platform_x11.c",
     "if (!dri2_setup_device(disp, disp->Options.ForceSoftware || dri2_dpy->kopper_without_modifiers)) {",
     "if (!dri2_setup_device(disp, disp->Options.ForceSoftware || dri2_dpy->fd_render_gpu < 0)) {"),
    # What is drawn into an EGL pixmap has to reach it: the driver hears which X drawable it is. (A
    # pbuffer's is nobody's business.)
    ("src/egl/drivers/dri2/platform_x11.c",
     "   if (dri2_surf->base.Type != EGL_WINDOW_BIT)\n      return;\n   xcb->sType",
     "   if (dri2_surf->base.Type == EGL_PBUFFER_BIT)\n      return;\n   xcb->sType"),
    # GLX lists it as known to the library, though no driver of this build has it (see below): a program that
    # finds it with the library and with the server would take it for usable.
    ("src/glx/glxextensions.c",
     "   { GLX(INTEL_swap_event),               N, N },\n   { GLX(MESA_copy_sub_buffer),           N, N },\n",
     "   { GLX(INTEL_swap_event),               N, N },\n"),
    # Images of X pixmaps come over DRI3, which needs a DRM node.
    ("src/egl/drivers/dri2/platform_x11.c",
     "      if (dri2_dpy->fd_render_gpu == dri2_dpy->fd_display_gpu)\n         disp->Extensions.KHR_image_pixmap",
     "      if (dri2_dpy->fd_render_gpu >= 0 && dri2_dpy->fd_render_gpu == dri2_dpy->fd_display_gpu)\n"
     "         disp->Extensions.KHR_image_pixmap"),
    # A GLX pbuffer's X pixmap is hidden from the program, and its depth need not be the visual's:
    # nothing is put into it.
    ("src/glx/drisw_priv.h",
     "   struct glx_config *config;", "   struct glx_config *config;\n   bool pbuffer;"),
    ("src/glx/drisw_glx.c",
     "   pdp->config = modes;", "   pdp->config = modes;\n   pdp->pbuffer = type == GLX_PBUFFER_BIT;"),
    ("src/glx/drisw_glx.c",
     "    xcb->sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR;",
     "    if (((struct drisw_drawable *)draw)->pbuffer)\n"
     "       return;\n"
     "    xcb->sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR;"),
    # Wayland gives up where the compositor names no DRM node; shared memory does as well for Vulkan.
    ("src/egl/drivers/dri2/platform_wayland.c",
     "      if (!dri2_initialize_wayland_drm_extensions(dri2_dpy) && !disp->Options.ForceSoftware)\n"
     "         goto cleanup;\n\n"
     "      if (!disp->Options.ForceSoftware) {\n",
     "      if (dri2_initialize_wayland_drm_extensions(dri2_dpy) && !disp->Options.ForceSoftware) {\n"),
    ("src/egl/drivers/dri2/platform_wayland.c",
     "if (!dri2_setup_device(disp, disp->Options.ForceSoftware)) {",
     "if (!dri2_setup_device(disp, disp->Options.ForceSoftware || dri2_dpy->fd_render_gpu < 0)) {"),
    # Swap intervals reached the swapchain on X11 only.
    ("src/egl/drivers/dri2/platform_wayland.c",
     "   .swap_buffers = dri2_wl_kopper_swap_buffers,",
     "   .swap_interval = dri2_wl_swap_interval,\n"
     "   .swap_buffers = dri2_wl_kopper_swap_buffers,"),
    # A frame is shown for as many refreshes as KOBALT_MAX_SWAP_INTERVAL says at most.
    ("src/egl/drivers/dri2/platform_x11.c",
     "      arbitrary_max_interval = 1;", "      arbitrary_max_interval = KOBALT_MAX_SWAP_INTERVAL;"),
    ("src/egl/drivers/dri2/platform_x11.c",
     '#include "kopper_interface.h"',
     '#include "kopper_interface.h"\n#include "gallium/drivers/zink/kobalt_public/kobalt/mesa_slot.h"'),
    ("src/glx/drisw_glx.c",
     "      psp->maxSwapInterval = 1;", "      psp->maxSwapInterval = KOBALT_MAX_SWAP_INTERVAL;"),
    ("src/glx/drisw_glx.c",
     '#include "kopper_interface.h"',
     '#include "kopper_interface.h"\n#include "gallium/drivers/zink/kobalt_public/kobalt/mesa_slot.h"'),
    # GLX_EXT_swap_control: larger intervals are clamped silently.
    ("src/glx/drisw_glx.c",
     "      return GLX_BAD_VALUE;\n\n   kopperSetSwapInterval",
     "      return GLX_BAD_VALUE;\n"
     "   interval = MIN2(interval, KOBALT_MAX_SWAP_INTERVAL);\n\n   kopperSetSwapInterval"),
    # The device without a node is Kobalt's own, so it is listed.
    ("src/egl/main/egldevice.c",
     "#ifdef HAVE_SWRAST\n   swrast = devs;", "#if 1\n   swrast = devs;"),
    # A swapchain tells no counts of vertical blanks, shows a frame at no chosen one, and without
    # VK_KHR_present_wait (lavapipe) not when it was shown: these extensions can't be offered. Nor can
    # GLX_MESA_copy_sub_buffer: what the window showed last is gone once it was presented.
    ("src/egl/drivers/dri2/platform_x11.c",
     "      disp->Extensions.CHROMIUM_sync_control = EGL_TRUE;\n"
     "      disp->Extensions.EXT_swap_buffers_with_damage = !!dri2_dpy->kopper;",
     "      disp->Extensions.EXT_swap_buffers_with_damage = !!dri2_dpy->kopper;"),
    ("src/glx/glxext.c",
     "      __glXEnableDirectExtension(psc, \"GLX_OML_sync_control\");\n"
     "      __glXEnableDirectExtension(psc, \"GLX_SGI_video_sync\");",
     "      if (psc->driScreen.getDrawableMSC) {\n"
     "         __glXEnableDirectExtension(psc, \"GLX_OML_sync_control\");\n"
     "         __glXEnableDirectExtension(psc, \"GLX_SGI_video_sync\");\n"
     "      }"),
    # Nor for GLX.
    ("src/glx/glxext.c",
     "if (!dpyPriv->has_explicit_modifiers && glx_accel && !debug_get_bool_option(\"LIBGL_KOPPER_DRI2\", false)) {",
     "if (false) {"),
]
