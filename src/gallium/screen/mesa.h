// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

// Mesa's C headers that src/gallium uses, in one place. They declare their own linkage.

// Before Mesa's macro `unreachable`, which would rewrite std::unreachable's declaration.
#include <utility>

#include "pipe/p_context.h"
#include "pipe/p_defines.h"
#include "pipe/p_screen.h"
#include "pipe/p_shader_tokens.h"
#include "pipe/p_state.h"
#include "util/box.h"
#include "util/format/u_format.h"
#include "util/log.h"
#include "util/os_time.h"
#include "util/slab.h"
#include "util/u_idalloc.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_surface.h"
#include "util/u_threaded_context.h"
#include "util/u_transfer.h"
#include "util/u_transfer_helper.h"
#include "util/u_upload_mgr.h"
