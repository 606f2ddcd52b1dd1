// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "runner.h"
#include "vulkan_device.h"

namespace kobalt::compute {

/// Runs jobs on a Vulkan device, which must outlive the runner, with push descriptors.
std::unique_ptr<Runner> make_vulkan_runner(const Device& vk);

} // namespace kobalt::compute
