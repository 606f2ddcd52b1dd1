// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "gallium/context/shader.h"

namespace kobalt::gallium {

/// The shaders that Mesa creates for itself when it first needs them: the blitter's, and those of
/// the state tracker's clears, bitmaps and pixel transfers. Shaders known from earlier runs of the
/// app are built when it creates a context, and handed out when Mesa creates the same ones. Any
/// thread.
class HelperShaders {
public:
    /// The shader for `nir`, which Mesa has just made for a context that is `robust` or not. Null:
    /// the shader isn't known yet; it will be in the next run.
    std::unique_ptr<Shader> take(Screen& screen, const nir_shader& nir, bool robust);
    /// Makes the compiler service build the known shaders that aren't built yet. Returns at once.
    void build_known(Screen& screen, bool robust);

private:
    using Code = std::vector<uint8_t>; ///< the stage, and the NIR as Mesa made it
    static Code code_of(const nir_shader& nir);

    struct Built {
        Code code;
        std::unique_ptr<Shader> shader; ///< Shader::robust is part of the key
    };
    std::list<Built>::iterator find(const Code& code, bool robust); ///< under mutex_

    std::mutex mutex_; ///< guards built_
    std::list<Built> built_;
};

} // namespace kobalt::gallium
