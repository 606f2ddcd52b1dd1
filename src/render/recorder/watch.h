// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "render/recorder/breadcrumbs.h"
#include "render/recorder/descriptor_check.h"

namespace kobalt::render {

/// What KOBALT_DEBUG asks a recorder to watch in each draw and dispatch; one at least is there.
struct Watch {
    std::unique_ptr<DescriptorCheck> check;   ///< null: not asked for
    std::unique_ptr<Breadcrumbs> breadcrumbs; ///< null: not asked for
};

} // namespace kobalt::render
