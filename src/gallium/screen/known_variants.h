// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "gallium/screen/numbered_records.h"

#include "compiler/shader_enums.h"

namespace kobalt::gallium {

/// Remembers the variants of programs that Mesa's state tracker makes in draws, as opaque keys, the
/// programs that it makes for the fixed function, and the shaders of Mesa's helpers. Keys that
/// earlier processes used are in the disk cache: a variant under its program's code, the others
/// under the name of the app. Thread-safe.
class KnownVariants {
public:
    using Key = std::vector<uint8_t>;

    /// `cache` may be null.
    void init(disk_cache* cache) { cache_ = cache; }

    /// A draw has made such a variant, or is the first to use one that was recalled. `code`:
    /// identifies the program. `common`: other programs may need a variant of this key as well.
    void remember(gl_shader_stage stage, std::span<const uint8_t> code,
                  std::span<const uint8_t> key, bool common);
    /// Calls `build` for each key for that program; `own`: the program itself was drawn with it.
    void recall(gl_shader_stage stage, std::span<const uint8_t> code, size_t key_size,
                const std::function<void(const Key& key, bool own)>& build);

    void remember_fixed(gl_shader_stage stage, std::span<const uint8_t> key);
    /// Does something for the first contexts of a process only: each builds all of them itself.
    void recall_fixed(gl_shader_stage stage, const std::function<void(const Key& key)>& build);

    /// `shader`: a whole shader, as HelperShaders serialises it.
    void remember_helper(std::span<const uint8_t> shader);
    std::vector<Key> helpers();

private:
    void make_room(); ///< in known_, under mutex_
    void add(const NumberedRecords& records, uint32_t most, std::span<const uint8_t> key);
    std::vector<Key> keys_about(const NumberedRecords& records, uint32_t most);

    disk_cache* cache_ = nullptr;
    std::mutex mutex_; ///< guards what follows
    /// For subjects that have keys: all keys that are in the cache or being written there.
    std::map<NumberedRecords::Subject, std::vector<Key>> known_;
    /// Keys that draws of this process needed, most recent first.
    std::array<std::vector<Key>, MESA_SHADER_STAGES> recent_;
    std::array<uint32_t, MESA_SHADER_STAGES> recalled_fixed_{}; ///< contexts that built them
};

} // namespace kobalt::gallium
