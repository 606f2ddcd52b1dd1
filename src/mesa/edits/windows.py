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
    # A texture is in memory that can be exported from the moment on that an EGLImage is made of it: the
    # driver hears of that here, where there is a context. (Semaphores and swaps flush resources as well.)
    ("src/gallium/frontends/dri/dri_helpers.c",
     "      p_ctx->flush_resource(p_ctx, tex);",
     "      tex->bind |= PIPE_BIND_SHARED;\n      p_ctx->flush_resource(p_ctx, tex);"),
    ("src/gallium/frontends/dri/dri_helpers.c",
     "      p_ctx->flush_resource(p_ctx, glimg->pt);",
     "      glimg->pt->bind |= PIPE_BIND_SHARED;\n      p_ctx->flush_resource(p_ctx, glimg->pt);"),
    # What can't be exported was told to have been, without a descriptor. Whether it can be is asked first;
    # what failed has an EGL error.
    ("src/egl/drivers/dri2/egl_dri2.c",
     "                                    __DRI_IMAGE_ATTRIB_FOURCC, &fourcc)) {\n      return false;\n   }\n\n"
     "   return true;",
     "                                    __DRI_IMAGE_ATTRIB_FOURCC, &fourcc)) {\n      return false;\n   }\n\n"
     "   int stride;\n"
     "   return dri2_query_image(dri2_img->dri_image, __DRI_IMAGE_ATTRIB_STRIDE, &stride);"),
    ("src/egl/drivers/dri2/egl_dri2.c",
     "   int num_planes;\n\n   if (!dri2_can_export_dma_buf_image(disp, img)) {\n"
     "      mtx_unlock(&dri2_dpy->lock);\n      return EGL_FALSE;\n   }",
     "   int num_planes;\n\n   if (!dri2_can_export_dma_buf_image(disp, img))\n"
     "      return dri2_egl_error_unlock(dri2_dpy, EGL_BAD_MATCH, \"eglExportDMABUFImageQueryMESA\");"),
    ("src/egl/drivers/dri2/egl_dri2.c",
     "   EGLint nplanes;\n\n   if (!dri2_can_export_dma_buf_image(disp, img)) {\n"
     "      mtx_unlock(&dri2_dpy->lock);\n      return EGL_FALSE;\n   }",
     "   EGLint nplanes;\n\n   if (!dri2_can_export_dma_buf_image(disp, img))\n"
     "      return dri2_egl_error_unlock(dri2_dpy, EGL_BAD_MATCH, \"eglExportDMABUFImageMESA\");"),
    ("src/egl/drivers/dri2/egl_dri2.c",
     "   if (fds)\n      dri2_query_image(dri2_img->dri_image, __DRI_IMAGE_ATTRIB_FD,\n"
     "                                  fds);",
     "   if (fds && !dri2_query_image(dri2_img->dri_image, __DRI_IMAGE_ATTRIB_FD, fds))\n"
     "      return dri2_egl_error_unlock(dri2_dpy, EGL_BAD_ALLOC, \"eglExportDMABUFImageMESA\");"),
    # A driver that exports dma-bufs was taken to show X pixmaps by them.
    ("src/gallium/frontends/dri/kopper.c",
     "   struct dri_screen *screen = drawable->screen;\n   if (screen->has_dmabuf || drawable->is_window ||",
     "   if (drawable->is_window ||"),
]
