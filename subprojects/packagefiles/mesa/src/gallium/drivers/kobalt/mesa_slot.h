/* SPDX-License-Identifier: MIT */
/* Copyright the Kobalt authors */
/* The C entry points that Mesa calls. Nothing else of the driver is public. */
#ifndef KOBALT_MESA_SLOT_H
#define KOBALT_MESA_SLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kopper_loader_info;
struct pipe_context;
struct pipe_resource;
struct pipe_screen;
struct pipe_screen_config;
struct sw_winsys;

/** Creates a screen on the best Vulkan device; `winsys` serves X11 where no swapchain exists.
 *  Returns NULL, with one message in Mesa's log, where no device fits. */
struct pipe_screen* kobalt_create_screen(struct sw_winsys* winsys,
                                         const struct pipe_screen_config* config);

/** The same for the device behind the DRM file descriptor `fd`. */
struct pipe_screen* kobalt_drm_create_screen(int fd, const struct pipe_screen_config* config);

/** The app has asked for GL_SAMPLE_SHADING: programs that are linked from now on are built to run
 * at samples as well, so that no draw has to. Any thread may call it. */
void kobalt_note_sample_shading(struct pipe_screen* screen);

/** A draw has asked the state tracker for another variant of a program, for the first time in this
 *  process. `stage`: gl_shader_stage, `code`: what tells the program's code from others', `key`:
 * what tells its variants apart, which Kobalt doesn't read. Kept for the next start, and, where it
 * is `common`, for programs that are linked from now on. Any thread may call it. */
void kobalt_remember_variant(struct pipe_screen* screen, unsigned stage, const void* code,
                             size_t code_size, const void* key, size_t key_size, bool common);

/** Calls `build` with each key of `key_size` bytes that a program is likely to be drawn with: those
 *  that draws asked of it in earlier processes (`own`), and the last few that they asked of other
 *  programs of that stage in this one. */
void kobalt_recall_variants(struct pipe_screen* screen, unsigned stage, const void* code,
                            size_t code_size, size_t key_size,
                            void (*build)(void* data, const void* key, bool own), void* data);

/** GL has made a program for the fixed function, of `stage`, as `key` says. Kept for the next start
 *  of the same program file. Any thread may call it. */
void kobalt_remember_fixed_program(struct pipe_screen* screen, unsigned stage, const void* key,
                                   size_t key_size);

/** Calls `build` with each such key of earlier processes. */
void kobalt_recall_fixed_programs(struct pipe_screen* screen, unsigned stage,
                                  void (*build)(void* data, const void* key, size_t key_size),
                                  void* data);

/** Why draws with `shader`, which a pipe_context of `screen` created, do nothing: one line for the
 *  info log of its program. NULL where they do, where that isn't known before it is compiled (it
 *  never waits), and for what another driver made. The text lives as long as the shader. */
const char* kobalt_shader_refusal(const struct pipe_screen* screen, const void* shader);

/** Whether a draw or a dispatch of `context` was left out since the last call, since memory was out
 *  or the device refused its shaders. The driver's thread may come to it later than the call of GL
 *  that asked for it. False for contexts of other drivers. */
bool kobalt_take_out_of_memory(struct pipe_context* context);

/** Asks the window for its size in pixels. False when the window is gone. */
bool kobalt_present_update(struct pipe_screen* screen, struct pipe_resource* drawable, int* width,
                           int* height);

/** Whether the drawable's surface can still be presented to. */
bool kobalt_present_check(struct pipe_resource* drawable);

/** Whether the screen's Vulkan device is a CPU. */
bool kobalt_present_is_cpu(const struct pipe_screen* screen);

/** The greatest swap interval, GLX_MAX_SWAP_INTERVAL_EXT and EGL_MAX_SWAP_INTERVAL on X11. */
#define KOBALT_MAX_SWAP_INTERVAL 4

/** GLX_EXT_swap_control / eglSwapInterval: 0 shows frames at once, n > 0 for n refreshes at least,
 *  up to KOBALT_MAX_SWAP_INTERVAL. */
void kobalt_present_set_swap_interval(struct pipe_screen* screen, struct pipe_resource* drawable,
                                      int interval);

/** EGL_EXT_buffer_age / GLX_EXT_buffer_age of the current back buffer; 0 is undefined contents. */
int kobalt_present_query_buffer_age(struct pipe_context* context, struct pipe_resource* drawable);

/** GLX_OML_sync_control for a window: microseconds of CLOCK_MONOTONIC when the refresh began, the
 *  number of the refresh by a clock of the monitor's rate, the number of swaps that are over. */
struct kobalt_sync_values {
    int64_t ust, msc, sbc;
};

/** The counters of the window that `info` describes, drawn to or not. This and the next three may
 * be called from any thread. False: there is no such window, or it is gone. */
bool kobalt_present_sync_values(struct pipe_screen* screen, const struct kopper_loader_info* info,
                                struct kobalt_sync_values* values);

/** Waits for a refresh as glXWaitForMscOML does. */
bool kobalt_present_wait_for_msc(struct pipe_screen* screen, const struct kopper_loader_info* info,
                                 int64_t target, int64_t divisor, int64_t remainder,
                                 struct kobalt_sync_values* values);

/** Waits for swaps as glXWaitForSbcOML does. */
bool kobalt_present_wait_for_sbc(struct pipe_screen* screen, const struct kopper_loader_info* info,
                                 int64_t target, struct kobalt_sync_values* values);

/** The rate of the refreshes in hertz. The denominator of a whole number is 1. */
bool kobalt_present_msc_rate(struct pipe_screen* screen, const struct kopper_loader_info* info,
                             int32_t* numerator, int32_t* denominator);

/** The number of the last swap that a window was given; 0: none, or the drawable has no window. */
int64_t kobalt_present_swaps(struct pipe_resource* drawable);

/** Textures and images as Mesa's draw module sees them where it runs vertex shaders itself
 * (feedback, selection, glRasterPos): all of them empty. Never NULL; not to be freed. */
struct tgsi_sampler* kobalt_empty_sampler(void);
struct tgsi_image* kobalt_empty_image(void);

#ifdef __cplusplus
}
#endif

#endif
