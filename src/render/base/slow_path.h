// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "vulkan/base/log.h"

namespace kobalt::render {

/// What makes a GL call slower than the app may expect. docs/debugging.md says what helps.
enum class SlowPath : uint8_t {
    converted_primitives, ///< primitives that Vulkan lacks
    restart_split,        ///< a topology that the device can't restart with
    restart_index,        ///< another restart index than Vulkan's
    indirect_read,        ///< an indirect draw that only a direct draw could convert
    widened_indices,      ///< 8-bit indices
    converted_vertices,   ///< vertices that the device can't fetch
    faces_apart,          ///< two polygon modes
    sample_draws,         ///< a multisampled target without GL_MULTISAMPLE
    busy_map,             ///< a map waits for the GPU
    read_back,            ///< contents come back to the CPU, which waits for the GPU
    converted_texels,     ///< the CPU converts texels on their way
    stencil_bits,         ///< stencil blits without shader_stencil_export
    condition_wait,       ///< a render condition that the CPU has to decide
    shader_wait,          ///< a draw waits for its shaders, which are still being compiled
    late_shader,          ///< a shader that no link made
    draw_compile,         ///< a draw compiles
    run_ahead,            ///< too much work in flight
    count
};

inline constexpr size_t slow_path_count = static_cast<size_t>(SlowPath::count);

struct SlowPathText {
    const char* name; ///< of its counter, without `slow_`
    const char* text; ///< what happens, for people
};
const SlowPathText& slow_path_text(SlowPath kind);

/// One context's slow paths: each is counted, and reported once. Not thread-safe, and no atomics:
/// the counts are added to the engine's with each batch.
class SlowPaths {
public:
    /// Receives the messages. False: nobody listens, so the message is repeated next time.
    using Listener = std::function<bool(const char* text)>;

    /// `printing`: KOBALT_DEBUG=perf, the messages go to the log as well.
    SlowPaths(const vulkan::Log& log, bool printing) : log_(log), printing_(printing) {}

    void set_listener(Listener listener) { listener_ = std::move(listener); }
    /// Counts a slow path. `detail`: on what, or why; it may be empty.
    void note(SlowPath kind, std::string_view detail = {}) {
        ++counts[static_cast<size_t>(kind)];
        const uint32_t bit = 1u << static_cast<uint32_t>(kind);
        if (!(told_ & bit))
            tell(kind, bit, detail);
    }

    std::array<uint64_t, slow_path_count> counts{}; ///< since they were added to the engine's

private:
    void tell(SlowPath kind, uint32_t bit, std::string_view detail);

    vulkan::Log log_;
    bool printing_;
    Listener listener_;
    uint32_t told_ = 0;    ///< to the app
    uint32_t printed_ = 0; ///< to the log
};
static_assert(slow_path_count <= 32);

} // namespace kobalt::render
