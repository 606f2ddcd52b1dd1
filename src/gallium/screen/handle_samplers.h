// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "gallium/screen/mesa.h"
#include "render/resources/resource.h"

namespace kobalt::gallium {

/// The samplers of texture handles. Handles with equal states share one, because devices allow only
/// some thousands of them (maxSamplerAllocationCount). Thread-safe.
class HandleSamplers {
public:
    /// Null after one message in Mesa's log.
    render::Ref<render::Sampler> get(vulkan::Device& device, const pipe_sampler_state& state);
    void clear();

private:
    std::mutex mutex_; ///< guards samplers_
    /// Keyed by the bytes of a pipe_sampler_state, which Mesa zeroes before it fills it in.
    std::map<std::string, render::Ref<render::Sampler>, std::less<>> samplers_;
};

} // namespace kobalt::gallium
