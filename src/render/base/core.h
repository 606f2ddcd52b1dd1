// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>

#include "render/base/counters.h"
#include "render/base/paths.h"
#include "vulkan/device/device.h"

namespace kobalt::render {

/// What each part of an engine needs: the device, the paths that are taken on it, and the counters.
/// Thread-safe.
class Core {
public:
    Core(std::unique_ptr<vulkan::Device> device, const Paths& paths)
        : device_(std::move(device)), paths_(paths) {}

    vulkan::Device& device() const { return *device_; }
    const Paths& paths() const { return paths_; }
    Counters& counters() { return counters_; }

private:
    const std::unique_ptr<vulkan::Device> device_;
    const Paths paths_;
    Counters counters_;
};

} // namespace kobalt::render
