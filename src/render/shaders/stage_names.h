// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vulkan/base/vk.h"

namespace kobalt::render {

/// The app's names for what a shader reads, for KOBALT_DEBUG=descriptors alone. Equal stages are
/// shared, so names belong to the state tracker's bound shader and not to the stage.
struct StageNames {
    enum class Kind : uint8_t { uniform_buffer, storage_buffer, texture, image };
    /// A binding point: StageBinding::slot of that kind.
    struct Binding {
        Kind kind;
        uint32_t slot;
        std::string name;
        VkDeviceSize bytes = 0; ///< blocks: what the shader declares; 0: not known
    };
    /// A texture handle that the shader loads from a fixed offset of a uniform buffer.
    struct Handle {
        uint32_t slot;   ///< of the uniform buffer
        uint32_t offset; ///< bytes
        std::string name;
    };
    std::string program; ///< as messages name it
    std::vector<Binding> bindings;
    std::vector<Handle> handles;
    bool has_default_block = false; ///< uniform buffer 0 is the state tracker's own
};

} // namespace kobalt::render
