// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Dynamically indexed arrays of resources where the device can't index their descriptors so
// (descriptor_arrays.cpp). A switch has a case for each element, and each element keeps its own
// binding.

#include "spirv/translator.h"

namespace kobalt::spirv {

/// Switches over `base` + `index`, and calls `emit(slot)` for the case of each of `slots`; any
/// other index takes the first case. Returns the selected result of type `type`; 0 where `type` is
/// 0.
Id Translator::switch_over(Id index, uint32_t base, const std::vector<uint32_t>& slots, Id type,
                           const std::function<Id(uint32_t slot)>& emit) {
    if (slots.size() == 1)
        return emit(slots[0]);
    const Id merge = b_.make_id();
    std::vector<Id> labels(slots.size());
    for (Id& label : labels)
        label = b_.make_id();
    std::vector<uint32_t> words{index, labels[0]};
    for (size_t i = 1; i < slots.size(); i++)
        words.insert(words.end(), {slots[i] - base, labels[i]});
    b_.emit_void(spv::Op::OpSelectionMerge, {merge, uint32_t(spv::SelectionControlMask::MaskNone)});
    b_.emit_void(spv::Op::OpSwitch, words);
    std::vector<uint32_t> results;
    for (size_t i = 0; i < slots.size(); i++) {
        b_.begin_block(labels[i]);
        const Id id = emit(slots[i]);
        results.insert(results.end(), {id, b_.current_block()});
        b_.emit_void(spv::Op::OpBranch, {merge});
    }
    b_.begin_block(merge);
    return type ? b_.emit(spv::Op::OpPhi, type, results) : 0;
}

} // namespace kobalt::spirv
