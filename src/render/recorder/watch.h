// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "render/recorder/breadcrumbs.h"
#include "render/recorder/descriptor_check.h"

namespace kobalt::render {

/// These look at each draw and dispatch of a recorder, as KOBALT_DEBUG asks. One at least is there.
struct Watch {
    std::unique_ptr<DescriptorCheck> check;   ///< null: not asked for
    std::unique_ptr<Breadcrumbs> breadcrumbs; ///< null: not asked for
};

} // namespace kobalt::render
