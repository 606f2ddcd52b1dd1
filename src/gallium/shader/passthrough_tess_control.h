// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

#include "gallium/context/shader.h"

namespace kobalt::gallium {

/// GL lets an evaluation shader run without a control shader: each vertex of the patch is passed on
/// unchanged, with the default levels (OpenGL 4.6, 11.2.1). Vulkan requires both, so these control
/// shaders are used, one for each patch size and set of inputs that evaluation shaders read. A
/// program with an evaluation shader alone thus knows its control shader, whatever vertex shader a
/// program pipeline has. They live as long as the screen. Any thread.
class PassthroughControls {
public:
    /// Stands for a number of vertices: a shader for patches of every size, which costs the GPU
    /// more than one for the exact size.
    static constexpr uint32_t any_size = 0;
    /// The control shader for `evaluation`. Its `base` is null on failure. `vertex` matters where
    /// it writes cull distances that `evaluation` reads (null: unknown). `drawing` is the context
    /// whose draw needs the shader, which counts as a hitch; null: no draw does.
    Shader& get(Screen& screen, const Shader* vertex, const Shader& evaluation,
                uint32_t patch_vertices, Context* drawing);

private:
    struct Key {
        uint64_t slots = 0;    ///< mask of gl_varying_slot
        uint32_t integers = 0; ///< mask of generic varyings
        uint32_t clip_distances = 0, cull_distances = 0;
        uint32_t patch_vertices = 0;
        bool operator==(const Key&) const = default;
    };
    struct Entry {
        Key key;
        std::once_flag made;
        std::unique_ptr<Shader> shader;
    };
    Entry& find_or_add(const Key& key);
    static uint32_t most_vertices(Screen& screen, const Key& key);
    static nir_shader* nir_of(Screen& screen, const Key& key);

    std::mutex mutex_;         ///< guards entries_; never held while something compiles
    std::list<Entry> entries_; ///< a list, so that addresses are stable
};

} // namespace kobalt::gallium
