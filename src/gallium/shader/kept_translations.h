// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "spirv/translate.h"

struct disk_cache;

namespace kobalt::gallium {

/// Translations that earlier runs made, in Mesa's disk cache, found by the shader's NIR and its
/// target: a second start of a program translates nothing. Thread-safe.
class KeptTranslations {
public:
    using Key = std::array<uint8_t, 20>; ///< cache_key
    /// `cache` may be null: then nothing is found or kept.
    explicit KeptTranslations(disk_cache* cache) : cache_(cache) {}

    /// Of a prepared shader (spirv::prepare). None without a cache.
    std::optional<Key> key_of(const nir_shader* nir, const spirv::Target& target) const;
    /// None where there is none, or where what is there can't be one.
    std::optional<spirv::Translation> find(const Key& key) const;
    void keep(const Key& key, const spirv::Translation& translation) const;

private:
    disk_cache* cache_;
};

} // namespace kobalt::gallium
