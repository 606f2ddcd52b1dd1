// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "support.h"

namespace kobalt::gltest {

class CornerTest : public GlTest {};

} // namespace kobalt::gltest
