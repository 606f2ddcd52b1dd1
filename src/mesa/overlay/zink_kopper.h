/* SPDX-License-Identifier: MIT */
/* Copyright the Kobalt authors */
/* Mesa's names for the slot's presentation calls; see include/kobalt/mesa_slot.h. */
#ifndef KOBALT_SLOT_KOPPER_H
#define KOBALT_SLOT_KOPPER_H

#include "kopper_interface.h"
#include "pipe/p_screen.h"
#include "kobalt_public/kobalt/mesa_slot.h"

static inline struct pipe_screen *
kopper_get_zink_screen(struct pipe_screen *screen)
{
   return screen->get_driver_pipe_screen ? screen->get_driver_pipe_screen(screen) : screen;
}

#define zink_kopper_update kobalt_present_update
#define zink_kopper_check kobalt_present_check
#define zink_kopper_is_cpu kobalt_present_is_cpu
#define zink_kopper_set_swap_interval kobalt_present_set_swap_interval
#define zink_kopper_query_buffer_age kobalt_present_query_buffer_age

#endif
