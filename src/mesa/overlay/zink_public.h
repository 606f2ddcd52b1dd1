/* SPDX-License-Identifier: MIT */
/* Copyright the Kobalt authors */
/* Mesa's name for the slot's screen constructors; see include/kobalt/mesa_slot.h. */
#ifndef KOBALT_SLOT_PUBLIC_H
#define KOBALT_SLOT_PUBLIC_H

#include "kobalt_public/kobalt/mesa_slot.h"

#define zink_create_screen kobalt_create_screen
#define zink_drm_create_screen kobalt_drm_create_screen

#endif
