/* SPDX-License-Identifier: MIT */
/* Copyright the Kobalt authors */
/* driconf options of the slot. */

DRI_CONF_SECTION_DEBUG
DRI_CONF_SECTION_END

DRI_CONF_SECTION_PERFORMANCE
DRI_CONF_MESA_GLTHREAD_DRIVER(true)
DRI_CONF_SECTION_END
