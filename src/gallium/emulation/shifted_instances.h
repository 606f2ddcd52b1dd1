// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/operations.h"

namespace kobalt::gallium {

/// Whether the device can't begin at that instance with the bound vertex format: with divisors
/// other than 1, some devices can begin only at instance 0
/// (VkPhysicalDeviceVertexAttributeDivisorProperties::supportsNonZeroFirstInstance,
/// VUID-vkCmdDraw-None-09462).
inline bool shifts_instances(const Context& context, const pipe_draw_info& info) {
    const VertexElements* const elements = context.bound.vertex_elements;
    return info.start_instance != 0 && elements && elements->begins_at_first_instance;
}

/// While this lives, draws that begin at instance 0 fetch the attributes of `base_instance`. GL
/// adds the base instance to the quotient, so each per-instance attribute lies that many strides
/// ahead (OpenGL 4.6, 10.4: DrawArraysOneInstance).
class ShiftedInstances {
public:
    ShiftedInstances(Context& context, uint32_t base_instance);
    ~ShiftedInstances();
    ShiftedInstances(const ShiftedInstances&) = delete;
    ShiftedInstances& operator=(const ShiftedInstances&) = delete;

private:
    Context& context_;
};

} // namespace kobalt::gallium
