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

/// The variants of programs that Mesa's state tracker makes in draws, as keys that it alone can
/// read, the programs that it makes for the fixed function, and the shaders of Mesa's helpers. What
/// drew in earlier processes is in the disk cache: a variant under its program's code, the others
/// under the name of the app. Any thread may use it.
class KnownVariants {
public:
    using Key = std::vector<uint8_t>;

    /// `cache` may be null.
    void init(disk_cache* cache) { cache_ = cache; }

    /// A draw has made such a variant, or it is the first to use one that was recalled. `code`:
    /// what tells the program's from others'. `common`: other programs may be drawn so as well.
    void remember(gl_shader_stage stage, std::span<const uint8_t> code,
                  std::span<const uint8_t> key, bool common);
    /// `build` gets each key for such a program, and whether it is its own.
    void recall(gl_shader_stage stage, std::span<const uint8_t> code, size_t key_size,
                const std::function<void(const Key& key, bool own)>& build);

    void remember_fixed(gl_shader_stage stage, std::span<const uint8_t> key);
    /// For the first contexts of a process alone: each builds all of them for itself.
    void recall_fixed(gl_shader_stage stage, const std::function<void(const Key& key)>& build);

    /// The whole of a shader, as HelperShaders writes it.
    void remember_helper(std::span<const uint8_t> shader);
    std::vector<Key> helpers();

private:
    void make_room(); ///< in known_, under mutex_
    void add(const NumberedRecords& records, uint32_t most, std::span<const uint8_t> key);
    std::vector<Key> keys_about(const NumberedRecords& records, uint32_t most);

    disk_cache* cache_ = nullptr;
    std::mutex mutex_; ///< guards what follows
    /// Of subjects that have some, all that is in the cache or on its way.
    std::map<NumberedRecords::Subject, std::vector<Key>> known_;
    /// What draws asked for in this process, the last first.
    std::array<std::vector<Key>, MESA_SHADER_STAGES> recent_;
    std::array<uint32_t, MESA_SHADER_STAGES> recalled_fixed_{}; ///< contexts that did
};

} // namespace kobalt::gallium
