// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <spirv/unified1/spirv.hpp11>

namespace kobalt::corpus {

/// Calls `use` with each instruction of a module and its operands, a result and its type among them
/// (SPIR-V, 2.3 "Physical Layout of a SPIR-V Module and Instruction").
template <typename Use>
void for_each_instruction(const std::vector<uint32_t>& words, const Use& use) {
    constexpr size_t header_words = 5;
    for (size_t at = header_words; at < words.size(); at += words[at] >> 16)
        use(spv::Op(words[at] & 0xffff), std::span(words).subspan(at + 1, (words[at] >> 16) - 1));
}

} // namespace kobalt::corpus
