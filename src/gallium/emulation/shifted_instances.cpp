// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/emulation/shifted_instances.h"

namespace kobalt::gallium {

ShiftedInstances::ShiftedInstances(Context& context, uint32_t base_instance) : context_(context) {
    context_.shifted_instances = base_instance;
    apply_vertex_buffers(context_);
}

ShiftedInstances::~ShiftedInstances() {
    context_.shifted_instances = 0;
    apply_vertex_buffers(context_);
}

} // namespace kobalt::gallium
