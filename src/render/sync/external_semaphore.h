// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "render/base/ref.h"
#include "vulkan/base/handle.h"

namespace kobalt::render {

/// A binary semaphore that is shared with another device or process. Batches that wait for it or
/// signal it retain it.
class ExternalSemaphore final : public RefCounted {
public:
    explicit ExternalSemaphore(vulkan::Semaphore semaphore) : semaphore_(std::move(semaphore)) {}
    VkSemaphore handle() const { return semaphore_.get(); }

private:
    vulkan::Semaphore semaphore_;
};

} // namespace kobalt::render
