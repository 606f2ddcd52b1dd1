// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/sync/access.h"

namespace kobalt::render {

Hazard AccessState::make_visible(VkPipelineStageFlags2 stages, VkAccessFlags2 access) {
    // Visibility is kept as stages x access, so the new barrier repeats what was visible before.
    visible_stages_ |= stages;
    visible_access_ |= access;
    return {write_stages_, write_access_, visible_stages_, visible_access_};
}

Hazard AccessState::write(VkPipelineStageFlags2 stages, VkAccessFlags2 access) {
    Hazard hazard;
    if ((write_stages_ | read_stages_) != 0)
        hazard = {write_stages_ | read_stages_, write_access_, stages, access};
    write_stages_ = stages;
    write_access_ = access;
    visible_stages_ = 0;
    visible_access_ = 0;
    read_stages_ = 0;
    stored_in_ = 0;
    return hazard;
}

Hazard AccessState::transition(VkPipelineStageFlags2 stages, VkAccessFlags2 access, bool write) {
    const Hazard hazard{write_stages_ | read_stages_, write_access_, stages, access};
    // The change of the layout is a write that is visible to this use. Later barriers from its
    // stages come after the change, too.
    write_stages_ = stages;
    write_access_ = write ? access : 0;
    visible_stages_ = write ? 0 : stages;
    visible_access_ = write ? 0 : access;
    read_stages_ = write ? 0 : stages;
    stored_in_ = 0;
    return hazard;
}

Hazard AccessState::storage(VkPipelineStageFlags2 stages, bool write, uint64_t epoch) {
    constexpr VkAccessFlags2 both =
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    if (stored_in_ == epoch) {
        // The barrier before the epoch's first store covers its stages for the whole epoch. Other
        // stages have one barrier, which makes visible to them what was there before.
        if ((stages & ~write_stages_) == 0)
            return {};
        const Hazard hazard{write_stages_, write_access_, stages, both};
        write_stages_ |= stages;
        return hazard;
    }
    if (!write)
        return read(stages, VK_ACCESS_2_SHADER_STORAGE_READ_BIT);
    const Hazard hazard = this->write(stages, both);
    stored_in_ = epoch;
    return hazard;
}

} // namespace kobalt::render
